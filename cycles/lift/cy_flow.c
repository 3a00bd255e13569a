/*
 * cy_flow: how values flow through one instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/cy_flow.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <libvex_guest_amd64.h>

#include "memory.h"
#include "vexfront.h"
#include "x86.h"

#define AT(field) offsetof(VexGuestAMD64State, guest_##field)

_Static_assert(sizeof(VexGuestAMD64State) <= 8 * CY_WORDS,
               "the guest state fits the words");

/* What is known of a temporary. */
struct temporary {
    struct cy_sources from;
    bool is_const; /* with no source: its value is `value` */
    bool is_old;   /* flags of before, by a helper that keeps one of them */
    bool is_mixed; /* flags of before with new ones, which are made of: */
    struct cy_sources fresh;
    uint64_t value;
};

struct builder {
    struct cy_flow *flow;
    const uint8_t *code;
    const IRTypeEnv *types;
    struct temporary *temps;
};

static void join(struct cy_sources *s, const struct cy_sources *more)
{
    for (size_t i = 0; i < sizeof s->words / sizeof s->words[0]; i++)
        s->words[i] |= more->words[i];
    s->loads |= more->loads;
    s->is_computed |= more->is_computed;
}

static void add_register(struct cy_sources *s, int offset, unsigned size)
{
    for (unsigned w = (unsigned)offset / 8;
         w <= ((unsigned)offset + size - 1) / 8; w++) {
        assert(w < CY_WORDS);
        s->words[w / 64] |= UINT64_C(1) << w % 64;
    }
}

static uint64_t const_value(const IRConst *c)
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

static struct temporary value_of(const struct builder *b, const IRExpr *e)
{
    if (e->tag == Iex_RdTmp)
        return b->temps[e->Iex.RdTmp.tmp];
    assert(e->tag == Iex_Const);
    return (struct temporary){.is_const = true,
                              .value = const_value(e->Iex.Const.con)};
}

static unsigned size_of(const struct builder *b, const IRExpr *e)
{
    IRType type = typeOfIRExpr(b->types, e);

    return type == Ity_I1 ? 1 : (unsigned)sizeofIRType(type);
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

/* The few operations by which VEX computes with constants, e.g. how far to
   shift, and whether at all. */
static void fold(struct temporary *t, IROp op, const struct temporary *x,
                 const struct temporary *y)
{
    if (!x->is_const || (y != NULL && !y->is_const))
        return;
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
        t->is_const = false; /* not of use; it has no source all the same */
        break;
    }
}

static struct temporary computed(const struct builder *b, IRExpr *const *args,
                                 int n)
{
    struct temporary t = {.from.is_computed = true};

    for (int i = 0; i < n; i++) {
        struct temporary arg = value_of(b, args[i]);

        join(&t.from, &arg.from);
    }
    return t;
}

static unsigned add_load(struct builder *b, const IRExpr *address,
                         unsigned size, const IRExpr *guard)
{
    struct cy_flow *flow = b->flow;
    struct cy_flow_access *load;

    if (flow->n_loads == CY_MOST_LOADS) {
        flow->is_cut = true;
        return CY_MOST_LOADS - 1;
    }
    load = &flow->loads[flow->n_loads];
    *load = (struct cy_flow_access){.address = value_of(b, address).from,
                                    .size = (uint8_t)size};
    if (guard != NULL) {
        struct temporary t = value_of(b, guard);

        join(&load->address, &t.from);
    }
    return flow->n_loads++;
}

static void add_store(struct builder *b, const IRExpr *address, unsigned size,
                      const struct cy_sources *data)
{
    struct cy_flow *flow = b->flow;

    if (flow->n_stores == CY_MOST_STORES) {
        flow->is_cut = true;
        return;
    }
    flow->stores[flow->n_stores++] =
        (struct cy_flow_access){.address = value_of(b, address).from,
                                .data = *data,
                                .size = (uint8_t)size};
}

/* An ITE whose condition is known takes one of its values. */
static struct temporary ite(const struct builder *b, const IRExpr *e)
{
    struct temporary cond = value_of(b, e->Iex.ITE.cond);
    struct temporary yes = value_of(b, e->Iex.ITE.iftrue),
                     no = value_of(b, e->Iex.ITE.iffalse);
    struct temporary t = {.from.is_computed = true};

    if (cond.is_const)
        return cond.value != 0 ? yes : no;
    join(&t.from, &cond.from);
    join(&t.from, &yes.from);
    join(&t.from, &no.from);
    return t;
}

static struct temporary ccall(const struct builder *b, const IRExpr *e)
{
    struct temporary t = {.from.is_computed = true};
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
static void mix(struct temporary *t, IROp op, const struct temporary *x,
                const struct temporary *y)
{
    const struct temporary *parts[] = {x, y};
    bool is_old = x->is_old || y->is_old,
         is_masked = op == Iop_And64 && is_old && (x->is_const || y->is_const);

    t->is_mixed =
        is_masked || (op == Iop_Or64 && (is_old || x->is_mixed || y->is_mixed));
    if (!t->is_mixed)
        return;
    for (int i = 0; i < 2; i++)
        if (!parts[i]->is_old)
            join(&t->fresh,
                 parts[i]->is_mixed ? &parts[i]->fresh : &parts[i]->from);
}

static struct temporary eval(struct builder *b, const IRExpr *e)
{
    struct temporary t = {0}, x, y;

    switch (e->tag) {
    case Iex_RdTmp:
    case Iex_Const:
        return value_of(b, e);
    case Iex_Get:
        add_register(&t.from, e->Iex.Get.offset, size_of(b, e));
        return t;
    case Iex_GetI:
        add_register(&t.from, e->Iex.GetI.descr->base,
                     (unsigned)e->Iex.GetI.descr->nElems *
                         (unsigned)sizeofIRType(e->Iex.GetI.descr->elemTy));
        return t;
    case Iex_Load:
        t.from.loads =
            (uint8_t)(1u << add_load(b, e->Iex.Load.addr, size_of(b, e), NULL));
        return t;
    case Iex_Unop:
        x = value_of(b, e->Iex.Unop.arg);
        t.from = x.from;
        t.is_old = x.is_old && only_moves(e->Iex.Unop.op);
        t.from.is_computed |= !only_moves(e->Iex.Unop.op);
        fold(&t, e->Iex.Unop.op, &x, NULL);
        return t;
    case Iex_Binop:
        x = value_of(b, e->Iex.Binop.arg1);
        y = value_of(b, e->Iex.Binop.arg2);
        t.from = x.from;
        join(&t.from, &y.from);
        t.from.is_computed |= !only_moves(e->Iex.Binop.op);
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

/* Is it part of the flags?  VEX keeps the operands of what set them, and
   computes the flags where they are used: the work is the setter's. */
static bool is_flags(unsigned offset)
{
    return offset >= AT(CC_OP) && offset <= AT(CC_NDEP);
}

static void put_word(struct builder *b, unsigned word,
                     const struct cy_sources *value, bool is_free,
                     bool is_partial)
{
    struct cy_flow *flow = b->flow;
    struct cy_put *put = NULL;

    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].word == word)
            put = &flow->puts[i];
    if (put == NULL) {
        if (flow->n_puts == CY_MOST_PUTS) {
            flow->is_cut = true;
            return;
        }
        put = &flow->puts[flow->n_puts++];
        *put = (struct cy_put){.word = (uint8_t)word};
        if (is_partial)
            add_register(&put->value, (int)word * 8, 8);
    } else if (!is_partial) {
        put->value = (struct cy_sources){0};
    }
    put->is_free = is_free;
    join(&put->value, value);
    if (is_partial)
        put->value.is_computed = true;
}

static void put(struct builder *b, unsigned offset, unsigned size,
                struct temporary t)
{
    if (offset == AT(RIP) || offset == AT(CC_OP) || offset == AT(IDFLAG) ||
        offset == AT(ACFLAG) || offset == AT(DFLAG))
        return;
    if (is_flags(offset) && t.is_mixed)
        t.from = t.fresh;
    if (is_flags(offset) && !t.is_old)
        t.from.is_computed = true;
    for (unsigned at = offset; at < offset + size;) {
        unsigned word = at / 8, end = (word + 1) * 8;
        bool is_partial = at % 8 != 0 || offset + size < end;

        /* The lower half of a vector's word is merged with the upper one at no
           cost, and so is what is kept of a general register of 32 bits. */
        if (is_partial && at % 4 == 0 && (offset + size) % 4 == 0)
            is_partial = false;
        put_word(b, word, &t.from, t.is_old, is_partial);
        at = end;
    }
}

/* One of an array's elements is written, and it is not known which. */
static void put_element(struct builder *b, const IRPutI *p)
{
    unsigned first = (unsigned)p->descr->base / 8,
             size = (unsigned)p->descr->nElems *
                    (unsigned)sizeofIRType(p->descr->elemTy);
    struct cy_sources from = value_of(b, p->data).from;

    for (unsigned word = first; word * 8 < (unsigned)p->descr->base + size;
         word++)
        put_word(b, word, &from, false, true);
}

static void load_guarded(struct builder *b, const IRLoadG *g)
{
    struct temporary alternative = value_of(b, g->alt);
    IRType loaded, widened;
    unsigned load;

    typeOfIRLoadGOp(g->cvt, &widened, &loaded);
    load = add_load(b, g->addr, (unsigned)sizeofIRType(loaded), g->guard);
    alternative.from.loads |= (uint8_t)(1u << load);
    alternative.is_const = false;
    b->temps[g->dst] = alternative;
}

static void dirty(struct builder *b, const IRDirty *d)
{
    struct temporary t = {.from.is_computed = true};

    for (int i = 0; d->args[i] != NULL; i++)
        if (!is_IRExpr_VECRET_or_GSPTR(d->args[i])) {
            struct temporary arg = value_of(b, d->args[i]);

            join(&t.from, &arg.from);
        }
    for (int i = 0; i < d->nFxState; i++)
        if (d->fxState[i].fx != Ifx_Write)
            add_register(&t.from, d->fxState[i].offset,
                         (unsigned)d->fxState[i].size);
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        t.from.loads |=
            (uint8_t)(1u << add_load(b, d->mAddr,
                                     d->mSize < 255 ? (unsigned)d->mSize : 255,
                                     NULL));
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
        add_store(b, d->mAddr, d->mSize < 255 ? (unsigned)d->mSize : 255,
                  &t.from);
    for (int i = 0; i < d->nFxState; i++)
        if (d->fxState[i].fx != Ifx_Read)
            put(b, d->fxState[i].offset, d->fxState[i].size, t);
    if (d->tmp != IRTemp_INVALID)
        b->temps[d->tmp] = t;
}

static bool is_same(const struct cy_sources *a, const struct cy_sources *b)
{
    return memcmp(a->words, b->words, sizeof a->words) == 0 &&
           a->loads == b->loads;
}

/* Is it what the instruction has loaded from this address?  A locked
   instruction then stores, if no other thread has stored in between. */
static bool is_loaded(const struct builder *b, const IRExpr *value,
                      const IRExpr *address)
{
    struct cy_sources from = value_of(b, value).from,
                      at = value_of(b, address).from;

    for (unsigned i = 0; i < b->flow->n_loads; i++)
        if (is_same(&from, &(struct cy_sources){.loads = (uint8_t)(1u << i)}) &&
            is_same(&b->flow->loads[i].address, &at))
            return !from.is_computed;
    return false;
}

static void cas(struct builder *b, const IRCAS *c)
{
    unsigned size = size_of(b, c->dataLo) * (c->dataHi != NULL ? 2 : 1);
    const IRExpr *operands[] = {c->dataLo, c->dataHi, c->expdLo, c->expdHi};
    bool is_sure = is_loaded(b, c->expdLo, c->addr);
    struct temporary old = value_of(b, c->expdLo), data = {0};

    if (!is_sure)
        old = (struct temporary){
            .from.loads = (uint8_t)(1u << add_load(b, c->addr, size, NULL))};
    b->temps[c->oldLo] = old;
    if (c->oldHi != IRTemp_INVALID)
        b->temps[c->oldHi] = old;
    for (int i = 0; i < (is_sure ? 2 : 4); i++)
        if (operands[i] != NULL) {
            struct temporary operand = value_of(b, operands[i]);

            join(&data.from, &operand.from);
        }
    if (!is_sure) {
        join(&data.from, &old.from);
        data.from.is_computed = true;
    }
    add_store(b, c->addr, size, &data.from);
}

/* A direct jump, behind prefixes that hint at its way.  (Intel's manual, volume
   2, JMP, Jcc and LOOP.) */
static bool is_jump(const uint8_t *code, unsigned length)
{
    unsigned i = 0;

    while (i + 1 < length && memchr("\x2e\x3e\x66\x67\xf2", code[i], 5) != NULL)
        i++;
    if (code[i] == 0x0f)
        return i + 1 < length && (code[i + 1] & 0xf0) == 0x80;
    return (code[i] & 0xf0) == 0x70 || (code[i] & 0xfc) == 0xe0 ||
           code[i] == 0xe9 || code[i] == 0xeb;
}

static void leave(struct builder *b, const IRSB *irsb)
{
    struct cy_flow *flow = b->flow;
    const IRExpr *next = irsb->next;
    uint64_t target =
        next->tag == Iex_Const ? const_value(next->Iex.Const.con) : 0;
    uint64_t behind = flow->taken; /* set to the instruction's end by caller */
    uint64_t exit_to = 0;

    flow->taken = 0;
    for (int i = 0; i < irsb->stmts_used; i++)
        if (irsb->stmts[i]->tag == Ist_Exit)
            exit_to = const_value(irsb->stmts[i]->Ist.Exit.dst);
    if (irsb->jumpkind == Ijk_Call) {
        flow->leave = CY_CALL;
        flow->falls_through = true;
    } else if (target == 0 || irsb->jumpkind == Ijk_Ret ||
               (irsb->jumpkind != Ijk_Boring &&
                irsb->jumpkind != Ijk_Sys_syscall)) {
        flow->leave = CY_AWAY;
    } else {
        flow->falls_through = target == behind || exit_to == behind;
        if (target != behind)
            flow->taken = target;
        else if (exit_to != behind)
            flow->taken = exit_to;
        /* The next element of a rep prefix is no jump, nor is the fault of an
           address that is not aligned, or another try to lock. */
        if (!is_jump(b->code, flow->length))
            flow->taken = 0;
    }
}

static void statement(struct builder *b, const IRStmt *s)
{
    struct temporary t;

    switch (s->tag) {
    case Ist_Put:
        put(b, (unsigned)s->Ist.Put.offset, size_of(b, s->Ist.Put.data),
            value_of(b, s->Ist.Put.data));
        break;
    case Ist_PutI:
        put_element(b, s->Ist.PutI.details);
        break;
    case Ist_WrTmp:
        b->temps[s->Ist.WrTmp.tmp] = eval(b, s->Ist.WrTmp.data);
        break;
    case Ist_Store:
        t = value_of(b, s->Ist.Store.data);
        add_store(b, s->Ist.Store.addr, size_of(b, s->Ist.Store.data), &t.from);
        break;
    case Ist_StoreG:
        t = value_of(b, s->Ist.StoreG.details->data);
        add_store(b, s->Ist.StoreG.details->addr,
                  size_of(b, s->Ist.StoreG.details->data), &t.from);
        break;
    case Ist_LoadG:
        load_guarded(b, s->Ist.LoadG.details);
        break;
    case Ist_Dirty:
        dirty(b, s->Ist.Dirty.details);
        break;
    case Ist_CAS:
        cas(b, s->Ist.CAS.details);
        break;
    default:
        break;
    }
}

/* It accesses no memory but in VEX, which spills a register below the stack
   pointer. */
static void drop_accesses(struct cy_flow *flow)
{
    unsigned n = 0;

    for (unsigned i = 0; i < flow->n_puts; i++) {
        struct cy_put *put = &flow->puts[i];

        if (put->word == AT(RSP) / 8)
            continue;
        if (put->value.loads != 0) {
            for (unsigned j = 0; j < flow->n_stores; j++)
                join(&put->value, &flow->stores[j].data);
            put->value.loads = 0;
            put->value.is_computed = true;
        }
        flow->puts[n++] = *put;
    }
    flow->n_puts = (uint8_t)n;
    flow->n_loads = flow->n_stores = 0;
}

static void build(void *context, const IRSB *irsb, unsigned length)
{
    struct builder *b = context;

    b->flow->length = (uint8_t)length;
    b->types = irsb->tyenv;
    b->temps =
        memory_new((size_t)irsb->tyenv->types_used + 1, sizeof *b->temps);
    for (int i = 0; i < irsb->stmts_used; i++)
        statement(b, irsb->stmts[i]);
    b->flow->taken += length;
    leave(b, irsb);
    if (x86_tests_bit_of_register(b->code, length))
        drop_accesses(b->flow);
    free(b->temps);
    b->temps = NULL;
}

void cy_flow_of(struct cy_flow *flow, const uint8_t *code, unsigned length,
                uint64_t address)
{
    uint8_t bytes[15 + 17] = {0};
    struct builder b = {.flow = flow, .code = bytes};

    assert(length >= 1 && length <= 15);
    memcpy(bytes, code, length);
    *flow = (struct cy_flow){.taken = address};
    flow->is_known =
        vexfront(VexArchAMD64, bytes, address, build, &b) == VEXFRONT_OK;
    free(b.temps);
    if (flow->is_known)
        return;
    *flow = (struct cy_flow){.length = (uint8_t)length, .falls_through = true};
}
