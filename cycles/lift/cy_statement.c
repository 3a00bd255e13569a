/*
 * cy_statement: statements of VEX -> how values flow through an instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/cy_flow.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lift/internal.h"
#include "memory.h"
#include "x86.h"

/* Is it a direct jump, perhaps after prefixes that hint where it goes? (Intel's
   manual, volume 2, JMP, Jcc and LOOP.) */
static bool is_jump_x86(const uint8_t *code, unsigned length)
{
    unsigned i = 0;

    while (i + 1 < length && memchr("\x2e\x3e\x66\x67\xf2", code[i], 5) != NULL)
        i++;
    if (code[i] == 0x0f)
        return i + 1 < length && (code[i + 1] & 0xf0) == 0x80;
    return (code[i] & 0xf0) == 0x70 || (code[i] & 0xfc) == 0xe0 ||
           code[i] == 0xe9 || code[i] == 0xeb;
}

/* B: VEX takes it for a call, as BL. */
static bool is_b(const uint8_t *code)
{
    return (code[3] & 0xfc) == 0x14;
}

/* Is it a direct jump: B, B.cond, CBZ, CBNZ, TBZ or TBNZ?  (Arm ARM, C4.1,
   branches.) */
static bool is_jump_a64(const uint8_t *code)
{
    return is_b(code) || code[3] == 0x54 || (code[3] & 0x7e) == 0x34 ||
           (code[3] & 0x7e) == 0x36;
}

static void add_store(struct cy_lifting *b, const IRExpr *address,
                      unsigned size, const struct cy_sources *data)
{
    struct cy_flow *flow = b->flow;

    assert(size > 0 && size <= UINT8_MAX && flow->n_stores <= CY_MOST_STORES);
    if (flow->n_stores == CY_MOST_STORES) {
        flow->is_cut = true;
        return;
    }
    flow->stores[flow->n_stores++] =
        (struct cy_flow_access){.address = cy_value_of(b, address).from,
                                .data = *data,
                                .place = cy_value_of(b, address).sum,
                                .size = (uint8_t)size};
}

/* Is the offset one of the flags?  VEX keeps the operands of the instruction
   that set them, and computes the flags where they are used; here, the setter
   computes them. */
static bool is_flags(const struct cy_lifting *b, unsigned offset)
{
    return offset >= b->guest->flags.first && offset < b->guest->flags.end;
}

static void put_word(struct cy_lifting *b, const struct cy_put *new,
                     bool is_partial)
{
    struct cy_flow *flow = b->flow;
    struct cy_put *put = NULL;

    assert(new->word < CY_WORDS && flow->n_puts <= CY_MOST_PUTS);
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].word == new->word)
            put = &flow->puts[i];
    if (put == NULL) {
        if (flow->n_puts == CY_MOST_PUTS) {
            flow->is_cut = true;
            return;
        }
        put = &flow->puts[flow->n_puts++];
        *put = (struct cy_put){.word = new->word};
        if (is_partial)
            cy_sources_add(&put->value, (int)new->word * 8, 8);
    } else if (!is_partial) {
        put->value = (struct cy_sources){0};
    }
    put->is_free = new->is_free;
    put->keeps_rest = is_partial && !cy_sources_has(&new->value, new->word);
    put->sum = b->has_exit ? (struct cy_sum){0} : new->sum;
    cy_sources_join(&put->value, &new->value);
    if (is_partial)
        put->value.is_computed = true;
}

/* Has the instruction set the word to a constant? */
static bool is_constant(const struct cy_flow *flow, unsigned word)
{
    static const struct cy_sources nothing;

    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].word == word)
            return memcmp(&flow->puts[i].value.words, &nothing.words,
                          sizeof nothing.words) == 0 &&
                   flow->puts[i].value.loads == 0 &&
                   !flow->puts[i].value.is_computed;
    return false;
}

static void put(struct cy_lifting *b, unsigned offset, unsigned size,
                struct cy_temporary t)
{
    assert(size > 0);
    for (const unsigned *unread = b->guest->unread; *unread != GUEST_NO_OFFSET;
         unread++)
        if (*unread == offset)
            return;
    if (is_flags(b, offset) && t.is_mixed)
        t.from = t.fresh;
    if (is_flags(b, offset) && !t.is_old)
        t.from.is_computed = true;
    for (unsigned at = offset; at < offset + size;) {
        unsigned word = at / 8, end = (word + 1) * 8;
        bool is_partial = at % 8 != 0 || offset + size < end;

        /* x86-64: writing half of a word keeps the other half at no cost, in
           vectors and in general registers. */
        if (is_partial && b->guest->keeps_halves && at % 4 == 0 &&
            (offset + size) % 4 == 0)
            is_partial = false;
        /* AArch64: the rest was set to zero. */
        if (is_partial && !b->guest->keeps_halves && is_constant(b->flow, word))
            is_partial = false;
        put_word(b,
                 &(struct cy_put){.word = (uint8_t)word,
                                  .is_free = t.is_old,
                                  .value = t.from,
                                  .sum = size == 8 && offset % 8 == 0
                                             ? t.sum
                                             : (struct cy_sum){0}},
                 is_partial);
        at = end;
    }
}

/* Writes an element of an array; which one is not known. */
static void put_element(struct cy_lifting *b, const IRPutI *p)
{
    unsigned first = (unsigned)p->descr->base / 8,
             size = (unsigned)p->descr->nElems *
                    (unsigned)sizeofIRType(p->descr->elemTy);
    struct cy_sources from = cy_value_of(b, p->data).from;

    for (unsigned word = first; word * 8 < (unsigned)p->descr->base + size;
         word++)
        put_word(b, &(struct cy_put){.word = (uint8_t)word, .value = from},
                 true);
}

static void load_guarded(struct cy_lifting *b, const IRLoadG *g)
{
    struct cy_temporary alternative = cy_value_of(b, g->alt);
    IRType loaded, widened;
    unsigned load;

    typeOfIRLoadGOp(g->cvt, &widened, &loaded);
    load = cy_add_load(b, g->addr, (unsigned)sizeofIRType(loaded), g->guard);
    assert(load < CY_MOST_LOADS);
    alternative.from.loads |= (uint8_t)(1u << load);
    alternative.is_const = false;
    alternative.sum = (struct cy_sum){0};
    b->temps[g->dst] = alternative;
}

static void dirty(struct cy_lifting *b, const IRDirty *d)
{
    struct cy_temporary t = {.from.is_computed = true};

    for (int i = 0; d->args[i] != NULL; i++)
        if (!is_IRExpr_VECRET_or_GSPTR(d->args[i])) {
            struct cy_temporary arg = cy_value_of(b, d->args[i]);

            cy_sources_join(&t.from, &arg.from);
        }
    for (int i = 0; i < d->nFxState; i++)
        if (d->fxState[i].fx != Ifx_Write)
            cy_sources_add(&t.from, d->fxState[i].offset,
                           (unsigned)d->fxState[i].size);
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        t.from.loads |=
            (uint8_t)(1u << cy_add_load(
                          b, d->mAddr,
                          d->mSize < 255 ? (unsigned)d->mSize : 255, NULL));
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

/* Is the value what the instruction loaded from this address?  A locked
   instruction then stores, if no other thread has stored in between. */
static bool is_loaded(const struct cy_lifting *b, const IRExpr *value,
                      const IRExpr *address)
{
    struct cy_sources from = cy_value_of(b, value).from,
                      at = cy_value_of(b, address).from;

    for (unsigned i = 0; i < b->flow->n_loads; i++)
        if (is_same(&from, &(struct cy_sources){.loads = (uint8_t)(1u << i)}) &&
            is_same(&b->flow->loads[i].address, &at))
            return !from.is_computed;
    return false;
}

static void cas(struct cy_lifting *b, const IRCAS *c)
{
    unsigned size = cy_size_of(b, c->dataLo) * (c->dataHi != NULL ? 2 : 1);
    const IRExpr *operands[] = {c->dataLo, c->dataHi, c->expdLo, c->expdHi};
    bool is_sure = is_loaded(b, c->expdLo, c->addr);
    struct cy_temporary old = cy_value_of(b, c->expdLo), data = {0};

    if (!is_sure)
        old = (struct cy_temporary){
            .from.loads = (uint8_t)(1u << cy_add_load(b, c->addr, size, NULL))};
    b->temps[c->oldLo] = old;
    if (c->oldHi != IRTemp_INVALID)
        b->temps[c->oldHi] = old;
    for (int i = 0; i < (is_sure ? 2 : 4); i++)
        if (operands[i] != NULL) {
            struct cy_temporary operand = cy_value_of(b, operands[i]);

            cy_sources_join(&data.from, &operand.from);
        }
    if (!is_sure) {
        cy_sources_join(&data.from, &old.from);
        data.from.is_computed = true;
    }
    add_store(b, c->addr, size, &data.from);
}

/* A store that is conditional on a load before it says whether it happened. */
static void load_linked(struct cy_lifting *b, const IRStmt *s)
{
    struct cy_temporary t = {.from.is_computed = true};
    const IRExpr *stored = s->Ist.LLSC.storedata;

    if (stored == NULL) {
        t.from.is_computed = false;
        t.from.loads =
            (uint8_t)(1u << cy_add_load(b, s->Ist.LLSC.addr,
                                        (unsigned)sizeofIRType(typeOfIRTemp(
                                            b->types, s->Ist.LLSC.result)),
                                        NULL));
    } else {
        struct cy_temporary data = cy_value_of(b, stored);

        add_store(b, s->Ist.LLSC.addr, cy_size_of(b, stored), &data.from);
    }
    b->temps[s->Ist.LLSC.result] = t;
}

static void call(struct cy_flow *flow, uint64_t target, uint64_t end)
{
    flow->leave = CY_CALL;
    flow->falls_through = true;
    /* In an object file, only a relocation may have the target. */
    if (target != end && target != end - flow->length)
        flow->called = target;
}

static void leave(struct cy_lifting *b, const IRSB *irsb)
{
    struct cy_flow *flow = b->flow;
    const IRExpr *next = irsb->next;
    uint64_t target = next->tag == Iex_Const
                          ? cy_const_value(next->Iex.Const.con)
                          : CY_NOWHERE;
    uint64_t end = flow->taken; /* set by the caller */
    uint64_t exit_to = CY_NOWHERE;
    bool is_a64 = b->guest->arch == ARCH_AARCH64;
    struct cy_temporary next_is = cy_value_of(b, next);

    cy_sources_join(&flow->way, &next_is.from);
    flow->taken = CY_NOWHERE;
    for (int i = 0; i < irsb->stmts_used; i++)
        if (irsb->stmts[i]->tag == Ist_Exit)
            exit_to = cy_const_value(irsb->stmts[i]->Ist.Exit.dst);
    if (irsb->jumpkind == Ijk_Call && !(is_a64 && is_b(b->code))) {
        call(flow, target, end);
    } else if (irsb->jumpkind == Ijk_Ret) {
        flow->leave = CY_TO_CALLER;
    } else if (target == CY_NOWHERE ||
               (irsb->jumpkind != Ijk_Boring && irsb->jumpkind != Ijk_Call &&
                irsb->jumpkind != Ijk_Sys_syscall)) {
        flow->leave = CY_AWAY;
    } else {
        flow->falls_through = target == end || exit_to == end;
        if (target != end)
            flow->taken = target;
        else if (exit_to != end)
            flow->taken = exit_to;
        /* VEX also has exits for the next element of a rep prefix, for the
           fault of an unaligned address, and for another try to lock. */
        if (is_a64 ? !is_jump_a64(b->code)
                   : !is_jump_x86(b->code, flow->length))
            flow->taken = CY_NOWHERE;
        if (b->guest->relocates_jumps && flow->taken == end - flow->length) {
            flow->taken = CY_NOWHERE;
            flow->leave = flow->falls_through ? CY_GOES_ON : CY_AWAY;
        }
    }
}

static void statement(struct cy_lifting *b, const IRStmt *s)
{
    struct cy_temporary t;

    switch (s->tag) {
    case Ist_Put:
        put(b, (unsigned)s->Ist.Put.offset, cy_size_of(b, s->Ist.Put.data),
            cy_value_of(b, s->Ist.Put.data));
        break;
    case Ist_PutI:
        put_element(b, s->Ist.PutI.details);
        break;
    case Ist_WrTmp:
        assert(s->Ist.WrTmp.tmp < (unsigned)b->types->types_used);
        b->temps[s->Ist.WrTmp.tmp] = cy_eval(b, s->Ist.WrTmp.data);
        break;
    case Ist_Store:
        t = cy_value_of(b, s->Ist.Store.data);
        add_store(b, s->Ist.Store.addr, cy_size_of(b, s->Ist.Store.data),
                  &t.from);
        break;
    case Ist_StoreG:
        t = cy_value_of(b, s->Ist.StoreG.details->data);
        add_store(b, s->Ist.StoreG.details->addr,
                  cy_size_of(b, s->Ist.StoreG.details->data), &t.from);
        break;
    case Ist_LoadG:
        load_guarded(b, s->Ist.LoadG.details);
        break;
    case Ist_Dirty:
        dirty(b, s->Ist.Dirty.details);
        break;
    case Ist_Exit:
        t = cy_value_of(b, s->Ist.Exit.guard);
        cy_sources_join(&b->flow->way, &t.from);
        b->has_exit = true;
        break;
    case Ist_CAS:
        cas(b, s->Ist.CAS.details);
        break;
    case Ist_LLSC:
        load_linked(b, s);
        break;
    default:
        break;
    }
}

/* Removes accesses that only VEX makes: it spills a register below the stack
   pointer. */
static void drop_accesses(struct cy_flow *flow, unsigned stack_pointer)
{
    unsigned n = 0;

    for (unsigned i = 0; i < flow->n_puts; i++) {
        struct cy_put *put = &flow->puts[i];

        if (put->word == stack_pointer / 8)
            continue;
        if (put->value.loads != 0) {
            for (unsigned j = 0; j < flow->n_stores; j++)
                cy_sources_join(&put->value, &flow->stores[j].data);
            put->value.loads = 0;
            put->value.is_computed = true;
        }
        flow->puts[n++] = *put;
    }
    flow->n_puts = (uint8_t)n;
    flow->n_loads = flow->n_stores = 0;
}

/* Is the value an address of the instruction, moved by a constant? */
static bool is_base(const struct cy_flow *flow, const struct cy_put *put)
{
    const struct cy_flow_access *access = flow->n_loads > 0 ? &flow->loads[0]
                                          : flow->n_stores > 0
                                              ? &flow->stores[0]
                                              : NULL;

    return access != NULL && put->sum.is_known && put->value.is_computed &&
           put->value.loads == 0 &&
           cy_sources_has(&access->address, put->word) &&
           cy_sources_has(&put->value, put->word);
}

static void take_parts(struct cy_flow *flow)
{
    bool rewrites = flow->n_loads > 0 && flow->n_stores > 0;

    flow->has_parts = !rewrites && flow->n_loads + flow->n_stores > 1;
    for (unsigned i = 0; i < flow->n_puts && !rewrites; i++)
        flow->puts[i].is_base = is_base(flow, &flow->puts[i]);
}

static void build(void *context, const IRSB *irsb, unsigned length)
{
    struct cy_lifting *b = context;

    assert(length > 0 && b->temps == NULL);
    b->flow->length = (uint8_t)length;
    b->types = irsb->tyenv;
    b->temps =
        memory_new((size_t)irsb->tyenv->types_used + 1, sizeof *b->temps);
    for (int i = 0; i < irsb->stmts_used; i++)
        statement(b, irsb->stmts[i]);
    if (irsb->jumpkind == Ijk_Sys_syscall)
        put(b, b->guest->result, 8, (struct cy_temporary){0});
    b->flow->taken += length;
    leave(b, irsb);
    if (b->guest->arch == ARCH_X86_64 &&
        x86_tests_bit_of_register(b->code, length))
        drop_accesses(b->flow, b->guest->stack_pointer);
    if (b->guest->moves_bases)
        take_parts(b->flow);
    free(b->temps);
    b->temps = NULL;
}

void cy_flow_of(struct cy_flow *flow, enum arch arch, const uint8_t *code,
                unsigned length, uint64_t address)
{
    uint8_t bytes[15 + 17] = {0};
    struct cy_lifting b = {
        .flow = flow, .guest = guest_of(arch), .code = bytes};

    assert(length >= 1 && length <= 15);
    memcpy(bytes, code, length);
    *flow = (struct cy_flow){.taken = address, .called = CY_NOWHERE};
    flow->is_known = vexfront(arch, bytes, address, build, &b) == VEXFRONT_OK;
    free(b.temps);
    assert(flow->leave == CY_GOES_ON || flow->taken == CY_NOWHERE ||
           !flow->is_known);
    if (flow->is_known)
        return;
    *flow = (struct cy_flow){.length = (uint8_t)length,
                             .falls_through = true,
                             .taken = CY_NOWHERE,
                             .called = CY_NOWHERE};
}
