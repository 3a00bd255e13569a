/*
 * cy_eval: what an expression of VEX's IR is made of.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/internal.h"

#include <assert.h>
#include <string.h>

void cy_sources_join(struct cy_sources *s, const struct cy_sources *more)
{
    for (size_t i = 0; i < sizeof s->words / sizeof s->words[0]; i++)
        s->words[i] |= more->words[i];
    s->loads |= more->loads;
    s->is_computed |= more->is_computed;
}

void cy_sources_add(struct cy_sources *s, int offset, unsigned size)
{
    assert(offset >= 0 && size > 0);
    for (unsigned w = (unsigned)offset / 8;
         w <= ((unsigned)offset + size - 1) / 8; w++) {
        assert(w < CY_WORDS);
        s->words[w / 64] |= UINT64_C(1) << w % 64;
    }
}

uint64_t cy_const_value(const IRConst *c)
{
    switch (c->tag) {
    case Ico_U1:
        return c->Ico.U1;
    case Ico_U8:
        return c->Ico.U8;
    case Ico_U16:
        return c->Ico.U16;
    case Ico_U32:
        return c->Ico.U32;
    case Ico_U64:
        return c->Ico.U64;
    default:
        return 0;
    }
}

struct cy_temporary cy_value_of(const struct cy_lifting *b, const IRExpr *e)
{
    if (e->tag == Iex_RdTmp) {
        assert(e->Iex.RdTmp.tmp < (unsigned)b->types->types_used);
        return b->temps[e->Iex.RdTmp.tmp];
    }
    assert(e->tag == Iex_Const);
    return (struct cy_temporary){
        .is_const = true,
        .value = cy_const_value(e->Iex.Const.con),
        .sum = cy_sum_of_constant(
            e->Iex.Const.con->tag == Ico_U32
                ? (uint64_t)(int32_t)e->Iex.Const.con->Ico.U32
                : cy_const_value(e->Iex.Const.con))};
}

unsigned cy_size_of(const struct cy_lifting *b, const IRExpr *e)
{
    IRType type = typeOfIRExpr(b->types, e);

    return type == Ity_I1 ? 1 : (unsigned)sizeofIRType(type);
}

unsigned cy_add_load(struct cy_lifting *b, const IRExpr *address, unsigned size,
                     const IRExpr *guard)
{
    struct cy_flow *flow = b->flow;
    struct cy_flow_access *load;

    assert(size > 0 && size <= UINT8_MAX && flow->n_loads <= CY_MOST_LOADS);
    if (flow->n_loads == CY_MOST_LOADS) {
        flow->is_cut = true;
        return CY_MOST_LOADS - 1;
    }
    load = &flow->loads[flow->n_loads];
    *load = (struct cy_flow_access){.address = cy_value_of(b, address).from,
                                    .place = cy_value_of(b, address).sum,
                                    .size = (uint8_t)size};
    if (guard != NULL) {
        struct cy_temporary t = cy_value_of(b, guard);

        cy_sources_join(&load->address, &t.from);
    }
    return flow->n_loads++;
}

/* Operations that only move parts of their operands.  A sign extension counts
   as one, since loads do it at no cost. */
static bool only_moves(IROp op)
{
    switch (op) {
    case Iop_8Uto16:
    case Iop_8Uto32:
    case Iop_8Uto64:
    case Iop_16Uto32:
    case Iop_16Uto64:
    case Iop_32Uto64:
    case Iop_8Sto16:
    case Iop_8Sto32:
    case Iop_8Sto64:
    case Iop_16Sto32:
    case Iop_16Sto64:
    case Iop_32Sto64:
    case Iop_64to8:
    case Iop_32to8:
    case Iop_64to16:
    case Iop_64to32:
    case Iop_32to16:
    case Iop_16to8:
    case Iop_64to1:
    case Iop_32to1:
    case Iop_1Uto8:
    case Iop_1Uto32:
    case Iop_1Uto64:
    case Iop_64HIto32:
    case Iop_32HLto64:
    case Iop_128HIto64:
    case Iop_128to64:
    case Iop_64HLto128:
    case Iop_ReinterpF64asI64:
    case Iop_ReinterpI64asF64:
    case Iop_ReinterpF32asI32:
    case Iop_ReinterpI32asF32:
    case Iop_V128to64:
    case Iop_V128HIto64:
    case Iop_V128to32:
    case Iop_64HLtoV128:
    case Iop_64UtoV128:
    case Iop_32UtoV128:
    case Iop_SetV128lo32:
    case Iop_SetV128lo64:
    case Iop_V256to64_0:
    case Iop_V256to64_1:
    case Iop_V256to64_2:
    case Iop_V256to64_3:
    case Iop_64x4toV256:
    case Iop_V256toV128_0:
    case Iop_V256toV128_1:
    case Iop_V128HLtoV256:
        return true;
    default:
        return false;
    }
}

/* Computes the few operations that VEX applies to constants, such as how far to
   shift, and whether to shift at all. */
static void fold(struct cy_temporary *t, IROp op, const struct cy_temporary *x,
                 const struct cy_temporary *y)
{
    if (!x->is_const || (y != NULL && !y->is_const))
        return;
    assert(t->from.loads == 0); /* a constant comes from nowhere */
    t->is_const = true;
    switch (op) {
    case Iop_And8:
    case Iop_And32:
    case Iop_And64:
        t->value = x->value & y->value;
        break;
    case Iop_CmpNE8:
        t->value = (uint8_t)x->value != (uint8_t)y->value;
        break;
    case Iop_CmpEQ8:
        t->value = (uint8_t)x->value == (uint8_t)y->value;
        break;
    case Iop_64to8:
    case Iop_32to8:
        t->value = (uint8_t)x->value;
        break;
    case Iop_8Uto64:
    case Iop_8Uto32:
    case Iop_32Uto64:
        t->value = x->value;
        break;
    default:
        t->is_const = false; /* its value is not needed; it has no source */
        break;
    }
}

/* The sum that an operation of one or two operands makes, if it makes one. */
static struct cy_sum sum_of(IROp op, const struct cy_temporary *x,
                            const struct cy_temporary *y)
{
    const struct cy_sum zero = cy_sum_of_constant(0);

    switch (op) {
    case Iop_64to32:
    case Iop_32Uto64:
    case Iop_32Sto64:
        return x->sum;
    case Iop_Add32:
    case Iop_Add64:
        return cy_sum_add(&x->sum, &y->sum, 1);
    case Iop_Sub32:
    case Iop_Sub64:
        return cy_sum_add(&x->sum, &y->sum, -1);
    case Iop_Shl32:
    case Iop_Shl64:
        return y->is_const && y->value < 6
                   ? cy_sum_add(&zero, &x->sum, INT64_C(1) << y->value)
                   : (struct cy_sum){0};
    default:
        return (struct cy_sum){0};
    }
}

static struct cy_temporary computed(const struct cy_lifting *b,
                                    IRExpr *const *args, int n)
{
    struct cy_temporary t = {.from.is_computed = true};

    for (int i = 0; i < n; i++) {
        struct cy_temporary arg = cy_value_of(b, args[i]);

        cy_sources_join(&t.from, &arg.from);
    }
    return t;
}

/* An ITE whose condition is known takes one of its values. */
static struct cy_temporary ite(const struct cy_lifting *b, const IRExpr *e)
{
    IRExpr *args[] = {e->Iex.ITE.cond, e->Iex.ITE.iftrue, e->Iex.ITE.iffalse};
    struct cy_temporary cond = cy_value_of(b, args[0]);

    return cond.is_const ? cy_value_of(b, args[cond.value != 0 ? 1 : 2])
                         : computed(b, args, 3);
}

static struct cy_temporary ccall(const struct cy_lifting *b, const IRExpr *e)
{
    struct cy_temporary t;
    int n = 0;

    while (e->Iex.CCall.args[n] != NULL)
        n++;
    t = computed(b, e->Iex.CCall.args, n);
    t.is_old =
        strcmp(e->Iex.CCall.cee->name, "amd64g_calculate_rflags_c") == 0 ||
        strcmp(e->Iex.CCall.cee->name, "amd64g_calculate_rflags_all") == 0;
    return t;
}

/* An instruction that sets some of the flags masks the others, and joins them
   with what it sets.  The processor renames the carry apart from the others, so
   that what is set does not wait for what is kept. */
static void mix(struct cy_temporary *t, IROp op, const struct cy_temporary *x,
                const struct cy_temporary *y)
{
    const struct cy_temporary *parts[] = {x, y};
    bool is_old = x->is_old || y->is_old,
         is_masked = op == Iop_And64 && is_old && (x->is_const || y->is_const);

    t->is_mixed =
        is_masked || (op == Iop_Or64 && (is_old || x->is_mixed || y->is_mixed));
    if (!t->is_mixed)
        return;
    for (int i = 0; i < 2; i++)
        if (!parts[i]->is_old)
            cy_sources_join(&t->fresh, parts[i]->is_mixed ? &parts[i]->fresh
                                                          : &parts[i]->from);
}

struct cy_temporary cy_eval(struct cy_lifting *b, const IRExpr *e)
{
    struct cy_temporary t = {0}, x, y;

    switch (e->tag) {
    case Iex_RdTmp:
    case Iex_Const:
        return cy_value_of(b, e);
    case Iex_Get:
        cy_sources_add(&t.from, e->Iex.Get.offset, cy_size_of(b, e));
        if (e->Iex.Get.offset % 8 == 0 && cy_size_of(b, e) == 8)
            t.sum = cy_sum_of_word((unsigned)e->Iex.Get.offset / 8);
        return t;
    case Iex_GetI:
        cy_sources_add(&t.from, e->Iex.GetI.descr->base,
                       (unsigned)e->Iex.GetI.descr->nElems *
                           (unsigned)sizeofIRType(e->Iex.GetI.descr->elemTy));
        return t;
    case Iex_Load:
        t.from.loads = (uint8_t)(1u << cy_add_load(b, e->Iex.Load.addr,
                                                   cy_size_of(b, e), NULL));
        return t;
    case Iex_Unop:
        x = cy_value_of(b, e->Iex.Unop.arg);
        t.from = x.from;
        t.is_old = x.is_old && only_moves(e->Iex.Unop.op);
        t.from.is_computed |= !only_moves(e->Iex.Unop.op);
        t.sum = sum_of(e->Iex.Unop.op, &x, NULL);
        fold(&t, e->Iex.Unop.op, &x, NULL);
        return t;
    case Iex_Binop:
        x = cy_value_of(b, e->Iex.Binop.arg1);
        y = cy_value_of(b, e->Iex.Binop.arg2);
        t.from = x.from;
        cy_sources_join(&t.from, &y.from);
        t.from.is_computed |= !only_moves(e->Iex.Binop.op);
        t.sum = sum_of(e->Iex.Binop.op, &x, &y);
        fold(&t, e->Iex.Binop.op, &x, &y);
        mix(&t, e->Iex.Binop.op, &x, &y);
        return t;
    case Iex_Triop: {
        IRExpr *args[] = {e->Iex.Triop.details->arg1,
                          e->Iex.Triop.details->arg2,
                          e->Iex.Triop.details->arg3};

        return computed(b, args, 3);
    }
    case Iex_Qop: {
        IRExpr *args[] = {e->Iex.Qop.details->arg1, e->Iex.Qop.details->arg2,
                          e->Iex.Qop.details->arg3, e->Iex.Qop.details->arg4};

        return computed(b, args, 4);
    }
    case Iex_ITE:
        return ite(b, e);
    case Iex_CCall:
        return ccall(b, e);
    default:
        t.from.is_computed = true;
        return t;
    }
}
