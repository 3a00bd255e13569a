/*
 * ds_ir: superblocks of VEX's IR: what is added to them, and what is found out
 * about them and changed before that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_IR_H
#define DS_IR_H

#include "base/ds_valgrind.h"

/* ds_ir: adds expressions and statements to a superblock. */

/* A new temporary of this value. */
IRExpr *ds_ir_assign(IRSB *sb, IRExpr *value);

IRExpr *ds_ir_constant(ULong value);
IRExpr *ds_ir_pointer(const void *p);

/* A new temporary of a unary or binary operation. */
IRExpr *ds_ir_unary(IRSB *sb, IROp op, IRExpr *x);
IRExpr *ds_ir_binary(IRSB *sb, IROp op, IRExpr *x, IRExpr *y);

/* x plus a constant. */
IRExpr *ds_ir_plus(IRSB *sb, IRExpr *x, ULong n);

/* A new temporary of the 64 bits at an address; stores 64 bits there. */
IRExpr *ds_ir_loaded(IRSB *sb, IRExpr *address);
void ds_ir_store(IRSB *sb, IRExpr *address, IRExpr *value);

/* The arena's address, which a superblock loads once. */
IRExpr *ds_ir_arena(IRSB *sb);

/* The address of a field in the arena.  VEX makes one instruction of this and
   its use, if it has only one. */
IRExpr *ds_ir_field(IRSB *sb, IRExpr *arena, const void *field);

/* A new temporary of such a field, of 64 bits; adds a constant to it. */
IRExpr *ds_ir_value(IRSB *sb, IRExpr *arena, const void *field);
void ds_ir_add(IRSB *sb, IRExpr *arena, const ULong *field, ULong n);

/* Stores 64 bits at an address, if the guard holds. */
void ds_ir_store_guarded(IRSB *sb, IRExpr *arena, IRExpr *address,
                         IRExpr *value, IRExpr *guard);

/* A call, if the guard holds, or always if it is NULL. */
void ds_ir_call(IRSB *sb, const HChar *name, void *function, IRExpr **args,
                IRExpr *guard);

/* Calls `visit` with each temporary that a statement, or an expression, reads.
 */
void ds_ir_visit(IRStmt *st, void (*visit)(IRTemp *t));
void ds_ir_visit_expression(IRExpr *e, void (*visit)(IRTemp *t));

/* ds_passes: */

/* Replaces the useless register writes of a superblock by no-ops, and those of
   the optimiser's first pass.  With keep_sp the stack pointer is up to date at
   each instruction. With `precise` all registers are up to date at what may
   fault; otherwise only the instruction pointer and those that a stack trace
   needs. */
void ds_passes_drop_puts(IRSB *sb, const VexGuestLayout *layout, Bool keep_sp,
                         Bool precise);

/* A copy of the superblock with vector writes joined; with `precise` only where
   no handler can see the difference. */
IRSB *ds_passes_join_puts(const IRSB *sb, Bool precise);

/* Finds the live temporaries of a superblock, in O(statements), and forgets
   those of the one before. */
void ds_passes_find_live(const IRSB *sb);

/* Does the value of a temporary reach a register, memory, an exit or a call? */
Bool ds_passes_is_live(IRTemp t);

/* Is the instruction whose mark is this statement a sole load?  If it ends
   early, then its load has not happened. */
Bool ds_passes_is_sole(const IRSB *sb, Int mark);

/* Is a superblock whose code is at this address a loop that can be repeated?
   It cannot if a statement must be at its start, or is of a rare kind. */
Bool ds_unroll_can(const IRSB *sb, Addr start);

/* Appends copies of the statements to such a superblock, with temporaries of
   their own: the temporary t of the first round is t + i * n in round i, where
   n is the number of temporaries before.  Returns how many statements a round
   has, in O(statements). */
UInt ds_unroll(IRSB *sb);

/* ds_aligned: */

/* Finds the registers that decide whether the addresses of the superblock's
   loads and stores are multiples; replaces the results for the superblock
   before.  Ignores accesses whose fast path needs multiples of more than `unit`
   bytes (DS_GRANULE or DS_WORD).  False if no register decides.
   O(statements). */
Bool ds_aligned_find(const IRSB *sb, SizeT unit);

/* If those registers are multiples at the superblock's start, are they
   multiples at its end, too? */
Bool ds_aligned_lasts(void);

/* Call it after the superblock was repeated (ds_unroll), which needs
   ds_aligned_lasts: the results for the temporaries of one round hold in all
   rounds. */
void ds_aligned_repeat(const IRSB *sb);

/* Is this atom of the superblock a multiple of `unit`, provided that those
   registers are multiples? */
Bool ds_aligned_has(const IRExpr *address, SizeT unit);

/* Adds an expression for the bits that must be 0 in those registers at the
   superblock's start; there must be one register at least.  Call it before
   statements that write them. */
IRExpr *ds_aligned_add(IRSB *sb);

#endif
