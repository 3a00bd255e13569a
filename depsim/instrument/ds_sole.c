/*
 * ds_sole: instructions that do nothing that can fail but one load.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_sole.h"

static Bool divides(const IRExpr *e)
{
    if (e->tag != Iex_Binop)
        return False;
    switch (e->Iex.Binop.op) {
    case Iop_DivModU64to32:
    case Iop_DivModS64to32:
    case Iop_DivModU128to64:
    case Iop_DivModS128to64:
        return True;
    default:
        return False;
    }
}

Bool ds_sole_is(const IRSB *sb, Int mark)
{
    UInt n_loads = 0;

    for (Int i = mark + 1; i < sb->stmts_used; i++) {
        const IRStmt *st = sb->stmts[i];

        switch (st->tag) {
        case Ist_IMark:
            return n_loads == 1;
        case Ist_WrTmp:
            n_loads += st->Ist.WrTmp.data->tag == Iex_Load;
            if (divides(st->Ist.WrTmp.data))
                return False;
            break;
        case Ist_NoOp:
        case Ist_AbiHint:
        case Ist_Put:
        case Ist_PutI:
        case Ist_MBE:
            break;
        default: /* other accesses, calls and exits */
            return False;
        }
    }
    return n_loads == 1;
}
