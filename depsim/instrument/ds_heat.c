/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument/ds_instrument.h"

#include "base/ds_memory.h"
#include "base/ds_options.h"

/* The base of addresses without code, because user space ends at 2^47.  Such an
   address holds the superblock's number, of 31 bits. */
#define NOWHERE ((ULong)0x5ca1ab1e << 32)
#define NUMBER  (((ULong)1 << 31) - 1)

static struct ds_table table = {.allocate = ds_arena_new};

/* After how many executions a superblock is hot: about as many as translating
   it anew takes longer than to record what they trace. */
#define HOT_FROM ds_options.inline_after

struct ds_heat *ds_heat_obtain(const VgCallbackClosure *closure,
                               Bool is_recorded)
{
    return ds_table_obtain(
        &table,
        (struct ds_key){{closure->nraddr, closure->readdr, is_recorded}},
        sizeof(struct ds_heat));
}

Bool ds_heat_is_hot(const struct ds_heat *h)
{
    return h->trace.executions >= HOT_FROM;
}

SizeT ds_heat_unit(const struct ds_heat *h)
{
    UInt n = h->n_misaligned;

    return n == 0 ? DS_WORD : n == 1 ? DS_GRANULE : 1;
}

void ds_heat_add_empty(struct ds_block *b, IROp compare, const Addr *field)
{
    IRExpr *next = ds_ir_value(b->out, b->arena, &ds_traces->next);
    IRExpr *of = ds_ir_value(b->out, b->arena, field);

    ds_ir_call(b->out, "ds_trace_empty", ds_trace_empty, mkIRExprVec_0(),
               ds_ir_binary(b->out, compare, of, next));
}

void ds_heat_add_record(struct ds_block *b)
{
    IRExpr *size = IRExpr_Const(IRConst_U64(0));

    ds_heat_add_empty(b, Iop_CmpLE64U, &ds_traces->end);
    b->record = ds_ir_value(b->out, b->arena, &ds_traces->next);
    b->size = size->Iex.Const.con;
    ds_ir_store(b->out, b->record,
                ds_ir_constant(b->superblock -
                               __builtin_offsetof(struct ds_heat, trace)));
    ds_ir_store(b->out, ds_ir_plus(b->out, b->record, DS_TRACE_TIME),
                ds_ir_value(b->out, b->arena, ds_clock_now));
    ds_ir_store(b->out, ds_ir_field(b->out, b->arena, &ds_traces->next),
                ds_ir_binary(b->out, Iop_Add64, b->record, size));
    ds_trace_begin();
}

void ds_heat_add_check(IRSB *sb, IRExpr *bits, UInt superblock, Int offset_ip)
{
    addStmtToIRSB(
        sb, IRStmt_Exit(ds_ir_binary(sb, Iop_CmpNE64, bits, ds_ir_constant(0)),
                        Ijk_InvalICache, IRConst_U64(NOWHERE | superblock),
                        offset_ip));
}

static void discard_hot(void)
{
    struct ds_trace *trace;
    UInt often;

    while ((often = ds_expect_take_often()) != 0)
        ds_valgrind_discard_translations(
            ((struct ds_heat *)ds_arena_at(often))->key.word[1], 1);
    while ((trace = ds_trace_take_hot()) != NULL) {
        const struct ds_heat *h =
            (struct ds_heat *)((Addr)trace -
                               __builtin_offsetof(struct ds_heat, trace));
        Bool is_recorded = h->key.word[2] != 0;

        if (is_recorded)
            continue;
        ds_valgrind_discard_translations(h->key.word[1], 1);
        ds_trace_drop(trace);
    }
}

Bool ds_heat_left(Addr *ip)
{
    discard_hot();
    if (LIKELY((*ip & ~NUMBER) != NOWHERE))
        return False;
    struct ds_heat *h = ds_arena_at(*ip & NUMBER);
    tl_assert(ds_heat_is_hot(h));
    h->n_misaligned++;
    *ip = h->key.word[0];
    ds_valgrind_discard_translations(h->key.word[1], 1);
    return True;
}
