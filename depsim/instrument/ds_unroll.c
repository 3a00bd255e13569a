/*
 * ds_unroll: makes several rounds of a loop into one superblock.
 *
 * Each superblock starts with the load of the arena's address, the test of
 * registers (ds_aligned), and the core's bookkeeping, which --tool=none has,
 * too.  In a short loop these take a good part of the time.  So a superblock
 * that leads to its own start is repeated a few times.  Each round is
 * instrumented as if it began the superblock again, with the clock up to date.
 * All rounds share counters and expected loads, so each load learns its kind
 * once.
 *
 * VEX can unroll, too, but its rounds look like different instructions to a
 * tool, each with counters of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/internal.h"

#define ROUNDS_MAX     8
#define STATEMENTS_MAX 240 /* in all rounds */

static Bool is_common(const IRStmt *st)
{
    switch (st->tag) {
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
    case Ist_Put:
    case Ist_WrTmp:
    case Ist_Store:
    case Ist_Exit:
        return True;
    default:
        return False;
    }
}

/* Statements before the first instruction check the code itself. */
static Bool begins_with_mark(const IRSB *sb)
{
    Int i = 0;

    while (i < sb->stmts_used && sb->stmts[i]->tag == Ist_NoOp)
        i++;
    return i < sb->stmts_used && sb->stmts[i]->tag == Ist_IMark;
}

static UInt rounds_of(const IRSB *sb)
{
    UInt n = 0, rounds;

    for (Int i = 0; i < sb->stmts_used; i++)
        n += sb->stmts[i]->tag != Ist_NoOp;
    rounds = STATEMENTS_MAX / n;
    return rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
}

Bool ds_unroll_can(const IRSB *sb, Addr start)
{
    if (sb->jumpkind != Ijk_Boring || sb->next->tag != Iex_Const ||
        sb->next->Iex.Const.con->Ico.U64 != start || !begins_with_mark(sb))
        return False;
    for (Int i = 0; i < sb->stmts_used; i++)
        if (!is_common(sb->stmts[i]))
            return False;
    return rounds_of(sb) > 1;
}

static IRTemp shift; /* of the round that is being added */

static void rename(IRTemp *t)
{
    *t += shift;
}

static IRStmt *renamed(const IRStmt *st)
{
    IRStmt *copy = deepCopyIRStmt(st);

    if (copy->tag == Ist_WrTmp)
        rename(&copy->Ist.WrTmp.tmp);
    ds_ir_visit(copy, rename);
    return copy;
}

UInt ds_unroll(IRSB *sb)
{
    Int n_statements = sb->stmts_used, n_temporaries = sb->tyenv->types_used;
    UInt rounds = rounds_of(sb);

    tl_assert(rounds > 1 && rounds <= ROUNDS_MAX);
    for (UInt round = 1; round < rounds; round++) {
        shift = (IRTemp)(round * (UInt)n_temporaries);
        tl_assert(sb->tyenv->types_used == (Int)shift);
        for (Int t = 0; t < n_temporaries; t++)
            newIRTemp(sb->tyenv, sb->tyenv->types[t]);
        for (Int i = 0; i < n_statements; i++)
            addStmtToIRSB(sb, renamed(sb->stmts[i]));
    }
    return (UInt)n_statements;
}
