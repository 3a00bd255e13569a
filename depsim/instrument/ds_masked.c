/*
 * ds_masked: accesses with a mask that chooses the elements.
 *
 * Gathers.  VEX has no guarded load for them: it loads an element that the mask
 * leaves out as well, but from the stack pointer's address, and drops the
 * value.
 *
 * MASKMOVDQU and MASKMOVQ.  VEX has no store with a mask of bytes: it loads all
 * of them, puts the chosen ones in, and stores all.  The processor neither
 * loads nor stores the others.
 *
 * Limit: where VEX knew the mask when it translated the instruction, it is not
 * found, and the instruction counts as what VEX makes of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/internal.h"

/* Gathers */

/* The address is `mask ? element : stack pointer`, perhaps by way of copies. */
IRExpr *ds_masked_gather_guard(const IRSB *sb, const IRExpr *address)
{
    const IRExpr *e = address;

    for (Int i = sb->stmts_used - 1; i >= 0 && e->tag == Iex_RdTmp; i--) {
        const IRStmt *st = sb->stmts[i];

        if (st->tag == Ist_WrTmp && st->Ist.WrTmp.tmp == e->Iex.RdTmp.tmp)
            e = st->Ist.WrTmp.data;
    }
    return e->tag == Iex_ITE ? e->Iex.ITE.cond : NULL;
}

/* Stores with a mask of bytes */

/* The mask's complement chooses which of the old bytes are kept. */
IRExpr *ds_masked_store_mask(const IRSB *sb)
{
    for (Int i = sb->stmts_used - 1; i >= 0; i--) {
        const IRStmt *st = sb->stmts[i];
        const IRExpr *e;

        if (st->tag == Ist_IMark)
            break;
        if (st->tag != Ist_WrTmp || st->Ist.WrTmp.data->tag != Iex_Unop)
            continue;
        e = st->Ist.WrTmp.data;
        if (e->Iex.Unop.op == Iop_Not64 || e->Iex.Unop.op == Iop_NotV128)
            return e->Iex.Unop.arg;
    }
    return NULL;
}
