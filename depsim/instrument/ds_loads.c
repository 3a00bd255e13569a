/*
 * ds_loads: keeps the loads that VEX would drop.
 *
 * To VEX, a load is an expression like any other.  Its optimiser drops one
 * whose value is not used, and folds what does not need the value: a
 * conjunction with 0, a disjunction with -1, a blend that takes nothing from
 * memory.  The processor makes all of these loads.  So the linker puts the
 * function below in the place of the optimiser's first pass (--wrap), which
 * makes a superblock flat and folds nothing.  After that pass, the function
 * adds a write of each loaded value to the tool's part of the guest state.  VEX
 * removes no such write while it keeps all registers up to date at each
 * instruction (ds_main).  When VEX has optimised, ds_passes_drop_puts removes
 * them.
 *
 * Limits: what VEX does not load when it translates an instruction is not here
 * (ds_code_complete).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/internal.h"

/* The temporary that gets its value from memory, or IRTemp_INVALID. */
static IRTemp loaded(const IRStmt *st)
{
    if (st->tag == Ist_LoadG)
        return st->Ist.LoadG.details->dst;
    if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Load)
        return st->Ist.WrTmp.tmp;
    return IRTemp_INVALID;
}

/* The names that --wrap gives. */
extern IRSB *__real_do_minimal_initial_iropt_BB(IRSB *sb);
extern IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *sb);

IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *translated)
{
    const IRSB *flat = __real_do_minimal_initial_iropt_BB(translated);
    IRSB *sb = deepCopyIRSBExceptStmts(flat);

    for (Int i = 0; i < flat->stmts_used; i++) {
        IRTemp t = loaded(flat->stmts[i]);

        addStmtToIRSB(sb, flat->stmts[i]);
        if (t != IRTemp_INVALID)
            addStmtToIRSB(sb, IRStmt_Put(ds_arch.spare, IRExpr_RdTmp(t)));
    }
    return sb;
}
