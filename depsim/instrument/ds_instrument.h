/*
 * ds_instrument: adds to each superblock of VEX's IR statements that record its
 * memory accesses, their times, and the executions of its segments, and the
 * checks for --fn.
 *
 * The clock (ds_clock) is advanced at every exit, by a number known when the
 * code is translated; an access's time is that at the superblock's start plus
 * its instruction's place.
 *
 * An instruction that faults leaves its superblock in the middle; the counts
 * are corrected when the signal is delivered, or when the program has ended.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_arch.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "count/ds_deps.h"
#include "count/ds_trace.h"
#include "objects/ds_objects.h"
#include "window/ds_reuse.h"
#include "window/ds_window.h"

/* How code is translated: */
extern Bool ds_instrument_precise; /* handlers see the values of all registers
                                      in a fault */
extern Bool ds_instrument_careful; /* memory may lie, or seem to lie, from
                                      DS_LINEAR_END on: each access tests its
                                      address */

/* From now on it is translated like that.  Call it in a system call, or before
   one. */
void ds_instrument_be(Bool *way);

/* Call it in a system call, when ds_lines_are_on has changed. */
void ds_instrument_anew(void);

/* The instruction at a run-time address has faulted, and was not executed:
   corrects what its segment counted in advance.  Only for a fault in translated
   code, before the thread goes on elsewhere. */
void ds_instrument_fault(Addr address);

/* The callback for VG_(basic_tool_funcs). */
IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word);

/* ds_ir: adds expressions and statements to a superblock. */

/* A new temporary of this value. */
IRExpr *ds_ir_assign(IRSB *sb, IRExpr *value);

IRExpr *ds_ir_constant(ULong value);
IRExpr *ds_ir_pointer(const void *p);

/* A new temporary of a unary or binary operation. */
IRExpr *ds_ir_unary(IRSB *sb, IROp op, IRExpr *x);
IRExpr *ds_ir_binary(IRSB *sb, IROp op, IRExpr *x, IRExpr *y);

/* A new temporary of x plus a constant. */
IRExpr *ds_ir_plus(IRSB *sb, IRExpr *x, ULong n);

/* A new temporary of the 64 bits at an address; stores 64 bits there. */
IRExpr *ds_ir_loaded(IRSB *sb, IRExpr *address);
void ds_ir_store(IRSB *sb, IRExpr *address, IRExpr *value);

/* The arena's address, which a superblock loads once. */
IRExpr *ds_ir_arena(IRSB *sb);

/* The address of a field in the arena.  VEX makes one instruction of this and
   its use, if it has only one. */
IRExpr *ds_ir_field(IRSB *sb, IRExpr *arena, const void *field);

/* A new temporary of a 64-bit field in the arena; adds a constant to one. */
IRExpr *ds_ir_value(IRSB *sb, IRExpr *arena, const void *field);
void ds_ir_add(IRSB *sb, IRExpr *arena, const ULong *field, ULong n);

/* Stores 64 bits at an address, if the guard holds, or always if it is NULL. */
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

/* Replaces the useless register writes of a superblock by no-ops, and those
   that ds_passes added after the optimiser's first pass.  With keep_sp the
   stack pointer is up to date at each instruction.  With `precise` all
   registers are up to date at what may fault; otherwise only the instruction
   pointer and those that a stack trace needs. */
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

/* Is the instruction whose mark is this statement a sole load?  If such an
   instruction ends early, its load has not happened. */
Bool ds_passes_is_sole(const IRSB *sb, Int mark);

/* Is a superblock whose code is at this address a loop that can be repeated?
   It cannot if a statement must be at its start, or is of a rare kind. */
Bool ds_unroll_can(const IRSB *sb, Addr start);

/* Appends copies of the statements to a superblock that ds_unroll_can allows,
   with temporaries of their own: the temporary t of the first round is t + i *
   n in round i, where n is the number of temporaries before.  Returns how many
   statements a round has, in O(statements). */
UInt ds_unroll(IRSB *sb);

/* ds_aligned: */

/* Finds the registers that decide whether the addresses of the superblock's
   loads and stores are multiples; replaces the results for the superblock
   before.  Ignores accesses whose fast path needs multiples of more than `unit`
   bytes (DS_GRANULE or DS_WORD).  False: none.  O(statements). */
Bool ds_aligned_find(const IRSB *sb, SizeT unit);

/* If the registers that were found are multiples at the superblock's start, are
   they multiples at its end, too? */
Bool ds_aligned_lasts(void);

/* Call it after the superblock was repeated (ds_unroll), which needs
   ds_aligned_lasts: the results for the temporaries of one round hold in all
   rounds. */
void ds_aligned_repeat(const IRSB *sb);

/* Is this atom of the superblock a multiple of `unit`, provided that the
   registers that were found are? */
Bool ds_aligned_has(const IRExpr *address, SizeT unit);

/* Adds an expression for the bits that must be 0 in the registers found, at the
   superblock's start; there must be one register at least.  Call it before
   statements that write them. */
IRExpr *ds_aligned_add(IRSB *sb);

/* ds_fastpath: */

/* Is there a fast path for an access of n bytes that is always made? */
Bool ds_fastpath_has(SizeT n);

/* The unit of which a plain address is a multiple, in bytes. */
SizeT ds_fastpath_unit_of_load(SizeT n);
SizeT ds_fastpath_unit_of_store(SizeT n);

/* Adds statements that record a load, after the program's own load; they call
   the slow path (ds_access_missed) if it misses.  `arena` is what ds_ir_arena
   made for the superblock.  A load of a single byte is plain at any address
   below DS_LINEAR_END; one of two bytes never is.  With `counts` they count the
   load's executions. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address,
                      struct ds_expect *load, Bool is_plain, Bool counts);

/* Adds statements that write a store's entry to shadow memory, or call
   ds_access_store if its address is not plain. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry, Bool is_plain);

/* Adds an expression that tells whether the running thread may share the line
   of an address that it loads from, or stores to (ds_lines). */
IRExpr *ds_fastpath_may_share(IRSB *sb, IRExpr *arena, IRExpr *address,
                              Bool stores);

/* ds_code: instructions whose accesses VEX does not show as the processor makes
   them.  There is a file for each architecture. */

enum ds_code {
    DS_CODE_PLAIN,          /* its accesses are as VEX shows them */
    DS_CODE_IN_REGISTERS,   /* accesses no memory, whatever VEX shows */
    DS_CODE_GATHER,         /* loads with a mask that chooses the elements */
    DS_CODE_MASKED_STORE,   /* a store with a mask of bytes */
    DS_CODE_STORE_EXCLUSIVE /* VEX loads, but the instruction only stores */
};

/* Which kind is the instruction of these bytes? */
enum ds_code ds_code_of(const UChar *code, SizeT size);

/* The superblock with the loads that VEX does not translate although the
   processor makes them.  Their values are not used. */
IRSB *ds_code_complete(IRSB *sb);

/* ds_statement: */

/* An instruction of a superblock. */
struct ds_instruction {
    Addr address; /* its run-time address */
    UInt size;
    Bool is_sole;           /* its load is a sole one (ds_passes) */
    enum ds_code code;      /* what is special about it */
    struct ds_site *site;   /* its site, made when it accesses memory */
    UInt n_loads, n_stores; /* so far */
};

/* A segment that is still growing. */
struct ds_open_segment {
    IRConst *counter; /* minus the offset in the arena of its counter; NULL: no
                         segment is open */
    IRConst *offset;  /* the counter's offset itself (ds_arena) */
    Addr start, next; /* run-time; an instruction at `next` continues it */
    ULong n_before;   /* instructions of the superblock before the segment */
    UInt n;           /* the number of its instructions, of these sizes */
    UChar sizes[DS_SEGMENT_MAX];
    UInt n_loads; /* the loads that are executed as often as the segment */
    struct ds_expect *loads[DS_SEGMENT_MAX];
    struct ds_accesses accesses; /* so far */
};

/* A superblock that is being instrumented, on its way from in to out. */
struct ds_block {
    const IRSB *in;
    IRSB *out;
    const VgCallbackClosure *closure;
    UInt superblock; /* its number: the same for each translation of the code,
                        but for the recorded form, which has its own; not 0 */
    Bool is_hot;     /* its accesses are worth the fast path; otherwise they
                        are traced (ds_trace) */
    UInt lead; /* the number by which it is noted (ds_lead); 0: it is not */
    Bool is_described; /* it is being described for ds_lead */
    Bool may_record;   /* windows may have it (ds_window) */
    Bool is_shown;     /* to windows, by its trace */
    Bool is_careful;   /* addresses may lie from DS_LINEAR_END on */
    Bool relies;       /* it relies on the registers that ds_aligned finds */
    Bool is_to_check;  /* add a test of those registers at the start */
    Int ip;            /* offset of the instruction pointer */
    Int sp;            /* offset of the stack pointer */

    IRExpr *arena;    /* what ds_ir_arena gave */
    IRExpr *now;      /* when the round began; NULL: it is not noted */
    IRExpr *record;   /* the address of the superblock's record (ds_trace) */
    IRConst *size;    /* of that record; NULL: there is none */
    Bool has_begun;   /* the first instruction has been reached */
    ULong n_before;   /* instructions before the current one */
    ULong n_advanced; /* instructions by which the clock has been advanced */
    Addr touched;     /* the line of code that was touched last */
    struct ds_instruction insn; /* the current instruction */
    struct ds_range range;      /* the part of its object around it */
    struct ds_open_segment open;
    struct ds_accesses *accesses; /* those of the open or closed segment */
};

/* Records the accesses of a statement of the current instruction.  Call it
   after adding the statement itself: a load or store that faults is not
   recorded. */
void ds_statement_add(struct ds_block *b, const IRStmt *st);

/* ds_heat: which superblocks are executed often, and how they are translated.

   The fast path of an access (ds_fastpath) is many statements.  Valgrind takes
   longer to translate these than to run most superblocks; that would be half of
   the time that depsim adds to the start of a program.  So a superblock first
   traces its accesses (ds_trace).  When it is hot, it is translated anew, in
   the shortest form, which relies on registers being multiples of a word or a
   granule (ds_aligned).  If one is not, the superblock is translated again, in
   a form that relies on granules alone, and then in one that relies on nothing.

   A superblock with such a register exits to an address without code, which
   holds the superblock's number.  So the superblock need not store its number
   each time it is executed. */

struct ds_heat {
    struct ds_key key;     /* where the superblock begins: before redirection,
                              and its code; and whether it is the recorded form */
    struct ds_trace trace; /* while it is not hot */
    UInt n_misaligned; /* how often a register was not the multiple relied on */
};

/* That of the superblock to be translated: in the recorded form, or not. */
struct ds_heat *ds_heat_obtain(const VgCallbackClosure *closure,
                               Bool is_recorded);

Bool ds_heat_is_hot(const struct ds_heat *heat);

/* The largest unit of which a superblock's registers may be relied on to be
   multiples: DS_WORD, DS_GRANULE, or 1. */
SizeT ds_heat_unit(const struct ds_heat *heat);

/* Adds a call that has traced accesses recorded, if a comparison of a field
   with the place of the next record holds. */
void ds_heat_add_empty(struct ds_block *b, IROp compare, const Addr *field);

/* For a superblock that is not hot: begins a record of its accesses, whose size
   is known at the superblock's end, and filled in there. */
void ds_heat_add_record(struct ds_block *b);

/* Adds, after the first mark, an exit that is taken if `bits` are not all 0,
   since registers of the superblock with this number are misaligned then. */
void ds_heat_add_check(IRSB *sb, IRExpr *bits, UInt superblock, Int offset_ip);

/* Call it when a thread has left translated code and would continue at *ip.
   Discards translations that are to be made anew.  If the thread left one
   because of that, sets *ip to the superblock's start, and returns True. */
Bool ds_heat_left(Addr *ip);
