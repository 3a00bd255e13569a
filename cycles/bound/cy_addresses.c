/*
 * cy_addresses: which addresses of a loop are data, and how many bytes the
 * others go through.
 *
 * Limits: how much data a run of a loop touches is judged as if each round
 * moved an address by the width of the access.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The support of a predicted pair that occurs in each round but the first. */
#define SURE 0.9

/* A line of the cache. */
#define LINE 64

/* What the registers of a loop hold, by word: does it change from round to
   round, and which loads is it made of (bit i: of the steps i, i + 64, ...)? */
struct words {
    bool moves[CY_WORDS];
    uint64_t loads[CY_WORDS];
};

static bool moves(const struct words *words, const struct cy_sources *s)
{
    for (unsigned w = 0; w < CY_WORDS; w++)
        if (words->moves[w] && cy_sources_has(s, w))
            return true;
    return false;
}

/* The loads that a value of a step is made of; 0: it is no data. */
static uint64_t loads_of(const struct words *words, const struct cy_sources *s,
                         uint32_t step)
{
    uint64_t loads = s->loads != 0 ? UINT64_C(1) << step % 64 : 0;

    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(s, w))
            loads |= words->loads[w];
    return loads;
}

static void take_puts(struct words *words, const struct cy_step *s,
                      uint32_t step)
{
    const struct cy_flow *flow = &s->insn->flow;
    uint64_t loads[CY_MOST_PUTS];

    for (unsigned i = 0; i < flow->n_puts; i++)
        loads[i] = loads_of(words, &flow->puts[i].value, step);
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(s); i++)
        if (!flow->puts[i].is_free) {
            words->moves[flow->puts[i].word] = true;
            words->loads[flow->puts[i].word] = loads[i];
        }
    /* What a call gives is data. */
    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(&s->overwritten, w)) {
            words->moves[w] = true;
            words->loads[w] = UINT64_C(1) << step % 64;
        }
}

/* Of the registers when a round begins, after some rounds. */
static void take_words(struct words *words, const struct cy_cost_of_loop *c)
{
    *words = (struct words){0};
    /* Data reach an address over a few registers at most. */
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < c->n; i++)
            take_puts(words, &c->steps[i], i);
}

/* The support of the best edge that begins or ends at a step; -1: there is
   none. */
static double support_at(const struct cy_cost_of_loop *c, uint32_t step)
{
    double support = -1;

    for (size_t i = 0; i < c->edges.n; i++) {
        const struct cy_memory_edge *e = &c->edges.list[i];

        if (e->store == step || e->load == step)
            support = fmax(support, e->support);
    }
    return support;
}

/* The loads that the addresses of each step are made of. */
static uint64_t *addresses_of(const struct cy_cost_of_loop *c)
{
    uint64_t *made_of = memory_new(c->n, sizeof *made_of);
    struct words words;

    take_words(&words, c);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_flow *flow = &c->steps[i].insn->flow;

        for (unsigned j = 0; j < flow->n_loads; j++)
            made_of[i] |= loads_of(&words, &flow->loads[j].address, i);
        for (unsigned j = 0; j < flow->n_stores; j++)
            made_of[i] |= loads_of(&words, &flow->stores[j].address, i);
        take_puts(&words, &c->steps[i], i);
    }
    return made_of;
}

void cy_addresses_of(struct cy_unknown *u, const struct cy_cost_of_loop *c)
{
    uint64_t *made_of = addresses_of(c), known = 0;
    unsigned n_loads = 0, n_stores = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        n_loads += c->steps[i].insn->flow.n_loads;
        n_stores += c->steps[i].insn->flow.n_stores;
        if (support_at(c, i) >= SURE)
            known |= made_of[i];
    }
    for (uint32_t i = 0; i < c->n && n_loads > 0 && n_stores > 0; i++) {
        if ((made_of[i] & ~known) == 0)
            continue;
        u->n_addresses++;
        u->is_supposed |= support_at(c, i) >= 0;
    }
    free(made_of);
}

/* An access whose address moves by a number that is no data. */
struct stream {
    const struct cy_sources *address;
    int64_t displacement;
};

/* Does the access go through lines of the cache that none before it did? */
static bool is_new(const struct stream *streams, size_t n,
                   const struct stream *s)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(streams[i].address->words, s->address->words,
                   sizeof s->address->words) == 0 &&
            llabs(streams[i].displacement - s->displacement) < LINE)
            return false;
    return true;
}

double cy_bytes_of_run(const struct cy_cost_of_loop *c)
{
    struct stream *streams = memory_new((size_t)2 * c->n, sizeof *streams);
    double bytes = 0;
    struct words words;
    size_t n = 0;

    take_words(&words, c);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_flow *flow = &c->steps[i].insn->flow;
        const struct cy_flow_access *accesses[] = {
            flow->n_loads > 0 ? &flow->loads[0] : NULL,
            flow->n_stores > 0 ? &flow->stores[0] : NULL};

        for (int j = 0; j < 2; j++) {
            struct stream s = {NULL, c->steps[i].operands.displacement};

            if (accesses[j] == NULL)
                continue;
            s.address = &accesses[j]->address;
            if (c->steps[i].operands.moves_stack || !moves(&words, s.address) ||
                loads_of(&words, s.address, i) != 0 || !is_new(streams, n, &s))
                continue;
            streams[n++] = s;
            bytes += accesses[j]->size *
                     (flow->has_parts ? flow->n_loads + flow->n_stores : 1u);
        }
        take_puts(&words, &c->steps[i], i);
    }
    free(streams);
    return c->loop->entries > 0
               ? bytes * (double)c->loop->rounds / (double)c->loop->entries
               : 0;
}
