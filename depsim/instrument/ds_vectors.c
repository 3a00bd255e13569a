/*
 * ds_vectors: writes of a vector register's parts become one.
 *
 * For an instruction that writes the lowest part of a vector register and
 * clears the rest, as movsd does, VEX writes the whole as zero and then the
 * part.  When the register is read, the processor has to wait until both writes
 * have left its store buffer, since neither has all bytes.  That takes more
 * than twenty cycles, most of the time of double arithmetic under Valgrind.
 * This pass joins both into one write of the whole register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/internal.h"

#define FIRST ds_arch.vector
#define SIZE  ds_arch.vector_size
#define N     ds_arch.n_vectors

/* For each register: the statement (from 1) that cleared its lower 16 bytes, or
   0 if they were read or written since, or a handler may have seen them. */
static Int cleared[DS_ARCH_VECTORS_MAX];

/* Forgets clearings before this mark of an instruction: a fault in the
   instruction shows a handler the registers as they were before it. */
static void forget_before(Int mark)
{
    for (Int r = 0; r < N; r++)
        if (cleared[r] <= mark)
            cleared[r] = 0;
}

static void forget_all(void)
{
    forget_before(0x7fffffff);
}

static void forget(Int offset, Int size)
{
    for (Int r = 0; r < N; r++)
        if (offset < FIRST + SIZE * r + 16 && offset + size > FIRST + SIZE * r)
            cleared[r] = 0;
}

/* The register with its lower bytes at this offset, or -1. */
static Int register_at(Int offset)
{
    if (offset < FIRST || offset >= FIRST + N * SIZE ||
        (offset - FIRST) % SIZE != 0)
        return -1;
    return (offset - FIRST) / SIZE;
}

static Bool is_zero(const IRExpr *e)
{
    return e->tag == Iex_Const && e->Iex.Const.con->tag == Ico_V128 &&
           e->Iex.Const.con->Ico.V128 == 0;
}

/* The value as a vector with zeros above it, or NULL. */
static IRExpr *widened(IRSB *sb, IRExpr *value)
{
    switch (typeOfIRExpr(sb->tyenv, value)) {
    case Ity_F64:
        value = ds_ir_unary(sb, Iop_ReinterpF64asI64, value);
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    case Ity_I64:
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    case Ity_I32:
        if (DS_ARCH_WIDENS_WORDS)
            return ds_ir_unary(sb, Iop_32UtoV128, value);
        value = ds_ir_unary(sb, Iop_32Uto64, value);
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    default:
        return NULL;
    }
}

/* Adds a register write.  If it writes the lowest part of a register that was
   just cleared, it replaces the write that cleared it. */
static void add_put(IRSB *sb, IRStmt *st)
{
    Int offset = st->Ist.Put.offset, r = register_at(offset);
    IRExpr *data = st->Ist.Put.data, *wide = NULL;
    Int size = sizeofIRType(typeOfIRExpr(sb->tyenv, data));

    if (r >= 0 && cleared[r] > 0 && size < 16)
        wide = widened(sb, data);
    if (wide != NULL) {
        sb->stmts[cleared[r] - 1] = IRStmt_NoOp();
        st = IRStmt_Put(offset, wide);
    }
    forget(offset, size);
    addStmtToIRSB(sb, st);
    if (r >= 0 && is_zero(data))
        cleared[r] = sb->stmts_used;
}

static void note_value(const IRExpr *e, Bool precise, Int mark)
{
    if (e->tag == Iex_Get)
        forget(e->Iex.Get.offset, sizeofIRType(e->Iex.Get.ty));
    else if (e->tag == Iex_GetI)
        forget_all();
    else if (precise && e->tag != Iex_Const && e->tag != Iex_RdTmp)
        forget_before(mark);
}

IRSB *ds_passes_join_puts(const IRSB *in, Bool precise)
{
    IRSB *sb = deepCopyIRSBExceptStmts(in);
    Int mark = 0;

    forget_all();
    for (Int i = 0; i < in->stmts_used; i++) {
        IRStmt *st = in->stmts[i];

        if (st->tag == Ist_Put) {
            add_put(sb, st);
            continue;
        }
        addStmtToIRSB(sb, st);
        if (st->tag == Ist_IMark)
            mark = sb->stmts_used;
        else if (st->tag == Ist_WrTmp)
            note_value(st->Ist.WrTmp.data, precise, mark);
        else if (st->tag != Ist_NoOp && st->tag != Ist_AbiHint)
            forget_all();
    }
    return sb;
}
