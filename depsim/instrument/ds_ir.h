/*
 * ds_ir: adds expressions and statements to a superblock.
 *
 * Each function returns an atom (a temporary or a constant), so that results
 * can be operands of the next.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_IR_H
#define DS_IR_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* A new temporary of this value. */
IRExpr *ds_ir_assign(IRSB *sb, IRType type, IRExpr *value);

IRExpr *ds_ir_constant(ULong value);
IRExpr *ds_ir_pointer(const void *p);

/* A new temporary of a unary or binary operation. */
IRExpr *ds_ir_unary(IRSB *sb, IRType type, IROp op, IRExpr *x);
IRExpr *ds_ir_binary(IRSB *sb, IRType type, IROp op, IRExpr *x, IRExpr *y);

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

/* Adds one to such a field. */
void ds_ir_increment(IRSB *sb, IRExpr *arena, const ULong *field);

/* A call, if the guard holds, or always if it is NULL. */
void ds_ir_call(IRSB *sb, const HChar *name, void *function, IRExpr **args,
                IRExpr *guard);

#endif
