/*
 * ds_confine: adds to a superblock what --fn has to know of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_confine.h"

#include "pub_tool_machine.h"

#include "ds_functions.h"

static IRExpr *assign(IRSB *sb, IRType type, IRExpr *e)
{
    IRTemp t = newIRTemp(sb->tyenv, type);

    addStmtToIRSB(sb, IRStmt_WrTmp(t, e));
    return IRExpr_RdTmp(t);
}

static IRExpr *pointer(const void *p)
{
    return IRExpr_Const(IRConst_U64((ULong)(Addr)p));
}

static IRExpr *loaded(IRSB *sb, const Addr *p)
{
    return assign(sb, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, pointer(p)));
}

static void call(IRSB *sb, const HChar *name, void *function, IRExpr **args,
                 IRExpr *guard)
{
    IRDirty *d =
        unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), args);

    if (guard != NULL)
        d->guard = guard;
    addStmtToIRSB(sb, IRStmt_Dirty(d));
}

/* Whether the stack pointer lies in the stretch is one unsigned comparison. */
static void add_leave(IRSB *sb, IRExpr *sp)
{
    IRExpr *low = loaded(sb, &ds_functions_stack.low);
    IRExpr *span = loaded(sb, &ds_functions_stack.span);
    IRExpr *above = assign(sb, Ity_I64, IRExpr_Binop(Iop_Sub64, sp, low));
    IRExpr *has_left =
        assign(sb, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, span, above));

    call(sb, "ds_functions_leave", ds_functions_leave, mkIRExprVec_1(sp),
         has_left);
}

void ds_confine_add(IRSB *sb, Int sp_offset, Addr address)
{
    struct ds_pattern *pattern;
    IRExpr *sp;
    UInt i = 0;

    if (!ds_functions_limit)
        return;
    sp = assign(sb, Ity_I64, IRExpr_Get(sp_offset, Ity_I64));
    add_leave(sb, sp);
    while ((pattern = ds_functions_match(address, &i)) != NULL)
        call(sb, "ds_functions_enter", ds_functions_enter,
             mkIRExprVec_2(sp, pointer(pattern)), NULL);
}
