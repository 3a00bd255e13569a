/* Each function returns an atom (a temporary or a constant), so that results
 * can be operands of the next. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument/ds_instrument.h"

IRExpr *ds_ir_assign(IRSB *sb, IRExpr *value)
{
    IRTemp t = newIRTemp(sb->tyenv, typeOfIRExpr(sb->tyenv, value));

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

IRExpr *ds_ir_unary(IRSB *sb, IROp op, IRExpr *x)
{
    return ds_ir_assign(sb, IRExpr_Unop(op, x));
}

IRExpr *ds_ir_binary(IRSB *sb, IROp op, IRExpr *x, IRExpr *y)
{
    return ds_ir_assign(sb, IRExpr_Binop(op, x, y));
}

IRExpr *ds_ir_loaded(IRSB *sb, IRExpr *address)
{
    return ds_ir_assign(sb, IRExpr_Load(Iend_LE, Ity_I64, address));
}

void ds_ir_store(IRSB *sb, IRExpr *address, IRExpr *value)
{
    tl_assert(typeOfIRExpr(sb->tyenv, address) == Ity_I64);
    tl_assert(typeOfIRExpr(sb->tyenv, value) == Ity_I64);
    addStmtToIRSB(sb, IRStmt_Store(Iend_LE, address, value));
}

/* VEX has no guarded store on all processors: the value goes to a place that
   nobody reads if the guard does not hold. */
void ds_ir_store_guarded(IRSB *sb, IRExpr *arena, IRExpr *address,
                         IRExpr *value, IRExpr *guard)
{
    if (guard != NULL) {
        IRExpr *trash = ds_ir_field(sb, arena, &ds_access->trash);

        tl_assert(typeOfIRExpr(sb->tyenv, guard) == Ity_I1);
        address = ds_ir_assign(sb, IRExpr_ITE(guard, address, trash));
    }
    ds_ir_store(sb, address, value);
}

/* The address is loaded, because VEX would copy a constant into each use. */
IRExpr *ds_ir_arena(IRSB *sb)
{
    return ds_ir_loaded(sb, ds_ir_pointer(&ds_shadow_granules));
}

IRExpr *ds_ir_field(IRSB *sb, IRExpr *arena, const void *field)
{
    return ds_ir_binary(sb, Iop_Add64, arena,
                        ds_ir_constant(0 - ds_arena_offset(field)));
}

IRExpr *ds_ir_plus(IRSB *sb, IRExpr *x, ULong n)
{
    if (n == 0)
        return x;
    return ds_ir_binary(sb, Iop_Add64, x, ds_ir_constant(n));
}

IRExpr *ds_ir_value(IRSB *sb, IRExpr *arena, const void *field)
{
    return ds_ir_loaded(sb, ds_ir_field(sb, arena, field));
}

void ds_ir_add(IRSB *sb, IRExpr *arena, const ULong *field, ULong n)
{
    IRExpr *value = ds_ir_value(sb, arena, field);

    value = ds_ir_plus(sb, value, n);
    ds_ir_store(sb, ds_ir_field(sb, arena, field), value);
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

static void (*visitor)(IRTemp *t);

static void visit(IRExpr *e)
{
    if (e == NULL)
        return;
    switch (e->tag) {
    case Iex_RdTmp:
        visitor(&e->Iex.RdTmp.tmp);
        break;
    case Iex_GetI:
        visit(e->Iex.GetI.ix);
        break;
    case Iex_Unop:
        visit(e->Iex.Unop.arg);
        break;
    case Iex_Binop:
        visit(e->Iex.Binop.arg1);
        visit(e->Iex.Binop.arg2);
        break;
    case Iex_Triop:
        visit(e->Iex.Triop.details->arg1);
        visit(e->Iex.Triop.details->arg2);
        visit(e->Iex.Triop.details->arg3);
        break;
    case Iex_Qop:
        visit(e->Iex.Qop.details->arg1);
        visit(e->Iex.Qop.details->arg2);
        visit(e->Iex.Qop.details->arg3);
        visit(e->Iex.Qop.details->arg4);
        break;
    case Iex_Load:
        visit(e->Iex.Load.addr);
        break;
    case Iex_ITE:
        visit(e->Iex.ITE.cond);
        visit(e->Iex.ITE.iftrue);
        visit(e->Iex.ITE.iffalse);
        break;
    case Iex_CCall:
        for (IRExpr **arg = e->Iex.CCall.args; *arg != NULL; arg++)
            visit(*arg);
        break;
    default: /* constants, registers, and what is no value */
        break;
    }
}

static void visit_all(IRExpr *a, IRExpr *b, IRExpr *c)
{
    visit(a);
    visit(b);
    visit(c);
}

void ds_ir_visit_expression(IRExpr *e, void (*visit_temporary)(IRTemp *t))
{
    visitor = visit_temporary;
    visit(e);
}

void ds_ir_visit(IRStmt *st, void (*visit_temporary)(IRTemp *t))
{
    visitor = visit_temporary;
    switch (st->tag) {
    case Ist_WrTmp:
        visit(st->Ist.WrTmp.data);
        break;
    case Ist_Put:
        visit(st->Ist.Put.data);
        break;
    case Ist_PutI:
        visit_all(st->Ist.PutI.details->ix, st->Ist.PutI.details->data, NULL);
        break;
    case Ist_Store:
        visit_all(st->Ist.Store.addr, st->Ist.Store.data, NULL);
        break;
    case Ist_LoadG:
        visit_all(st->Ist.LoadG.details->addr, st->Ist.LoadG.details->alt,
                  st->Ist.LoadG.details->guard);
        break;
    case Ist_StoreG:
        visit_all(st->Ist.StoreG.details->addr, st->Ist.StoreG.details->data,
                  st->Ist.StoreG.details->guard);
        break;
    case Ist_CAS:
        visit_all(st->Ist.CAS.details->addr, st->Ist.CAS.details->expdLo,
                  st->Ist.CAS.details->expdHi);
        visit_all(st->Ist.CAS.details->dataLo, st->Ist.CAS.details->dataHi,
                  NULL);
        break;
    case Ist_Dirty:
        visit_all(st->Ist.Dirty.details->guard, st->Ist.Dirty.details->mAddr,
                  NULL);
        for (IRExpr **a = st->Ist.Dirty.details->args; *a != NULL; a++)
            visit(*a);
        break;
    case Ist_Exit:
        visit(st->Ist.Exit.guard);
        break;
    case Ist_AbiHint:
        visit_all(st->Ist.AbiHint.base, st->Ist.AbiHint.nia, NULL);
        break;
    default: /* no-ops, marks, fences */
        break;
    }
}
