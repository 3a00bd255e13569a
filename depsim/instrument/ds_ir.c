/*
 * ds_ir: adds expressions and statements to a superblock.
 *
 * Each function returns an atom (a temporary or a constant), so that results
 * can be operands of the next.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/internal.h"

IRExpr *ds_ir_assign(IRSB *sb, IRType type, IRExpr *value)
{
    IRTemp t = newIRTemp(sb->tyenv, type);

    tl_assert(typeOfIRExpr(sb->tyenv, value) == type);
    addStmtToIRSB(sb, IRStmt_WrTmp(t, value));
    return IRExpr_RdTmp(t);
}

IRExpr *ds_ir_constant(ULong value)
{
    return IRExpr_Const(IRConst_U64(value));
}

IRExpr *ds_ir_pointer(const void *p)
{
    return ds_ir_constant((ULong)(Addr)p);
}

IRExpr *ds_ir_unary(IRSB *sb, IRType type, IROp op, IRExpr *x)
{
    return ds_ir_assign(sb, type, IRExpr_Unop(op, x));
}

IRExpr *ds_ir_binary(IRSB *sb, IRType type, IROp op, IRExpr *x, IRExpr *y)
{
    return ds_ir_assign(sb, type, IRExpr_Binop(op, x, y));
}

IRExpr *ds_ir_loaded(IRSB *sb, IRExpr *address)
{
    return ds_ir_assign(sb, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

void ds_ir_store(IRSB *sb, IRExpr *address, IRExpr *value)
{
    tl_assert(typeOfIRExpr(sb->tyenv, address) == Ity_I64);
    tl_assert(typeOfIRExpr(sb->tyenv, value) == Ity_I64);
    addStmtToIRSB(sb, IRStmt_Store(Iend_LE, address, value));
}

/* The address is loaded from memory, because VEX would copy a constant into
   each use. */
IRExpr *ds_ir_arena(IRSB *sb)
{
    return ds_ir_loaded(sb, ds_ir_pointer(&ds_shadow_granules));
}

IRExpr *ds_ir_field(IRSB *sb, IRExpr *arena, const void *field)
{
    return ds_ir_binary(sb, Ity_I64, Iop_Add64, arena,
                        ds_ir_constant(0 - ds_arena_offset(field)));
}

IRExpr *ds_ir_plus(IRSB *sb, IRExpr *x, ULong n)
{
    if (n == 0)
        return x;
    return ds_ir_binary(sb, Ity_I64, Iop_Add64, x, ds_ir_constant(n));
}

void ds_ir_increment(IRSB *sb, IRExpr *arena, const ULong *field)
{
    IRExpr *n = ds_ir_loaded(sb, ds_ir_field(sb, arena, field));

    ds_ir_store(sb, ds_ir_field(sb, arena, field),
                ds_ir_binary(sb, Ity_I64, Iop_Add64, n, ds_ir_constant(1)));
}

void ds_ir_call(IRSB *sb, const HChar *name, void *function, IRExpr **args,
                IRExpr *guard)
{
    IRDirty *d =
        unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), args);

    tl_assert(guard == NULL || typeOfIRExpr(sb->tyenv, guard) == Ity_I1);
    if (guard != NULL)
        d->guard = guard;
    addStmtToIRSB(sb, IRStmt_Dirty(d));
}
