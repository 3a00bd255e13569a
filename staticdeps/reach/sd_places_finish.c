/*
 * sd_places_finish: completes the graph of a function's blocks, with numbers
 * for only those bases that it uses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "hash.h"
#include "memory.h"

/* New numbers of bases, and their old ones. */
struct numbers {
    uint32_t *table; /* open addressing: new numbers; 0: a free place */
    uint32_t *old;   /* by new number; the places' */
    size_t n, room;
    unsigned bits;
};

#define FIRST_BITS 8

static uint32_t *spot(const struct numbers *m, uint32_t base)
{
    size_t mask = ((size_t)1 << m->bits) - 1;
    size_t i = hash_place(base, m->bits);

    while (m->table[i] != 0 && m->old[m->table[i]] != base)
        i = (i + 1) & mask;
    return &m->table[i];
}

static void grow(struct numbers *m)
{
    free(m->table);
    m->bits++;
    m->table = memory_new((size_t)1 << m->bits, sizeof *m->table);
    for (uint32_t i = SD_ABSOLUTE + 1; i < m->n; i++)
        *spot(m, m->old[i]) = i;
}

/* The new number of a base, which it gets if it has none. */
static uint32_t use(struct numbers *m, uint32_t base)
{
    uint32_t *at;

    if (base <= SD_ABSOLUTE)
        return base;
    at = spot(m, base);
    if (*at != 0)
        return *at;
    m->old = memory_grow(m->old, &m->room, m->n, sizeof *m->old);
    m->old[m->n] = base;
    *at = (uint32_t)m->n++;
    if (2 * m->n > (size_t)1 << m->bits)
        grow(m);
    return (uint32_t)m->n - 1;
}

/* The new number of a base; SD_NO_BASE if no place has that base. */
static uint32_t number_of(const struct numbers *m, uint32_t base)
{
    return base <= SD_ABSOLUTE ? base : *spot(m, base);
}

static void number_events(struct sd_places *p, struct numbers *m)
{
    struct sd_flow_graph *g = &p->graph;

    for (size_t i = 0; i < g->n_events; i++)
        g->events[i].place.base = use(m, g->events[i].place.base);
    for (size_t i = SD_ABSOLUTE + 1; i < m->n; i++) /* it grows */
        if (m->old[i] >= p->bases.first_content)
            use(m, p->contents.list[m->old[i] - p->bases.first_content]
                       .place.base);
    for (size_t i = 0; i < g->n_events; i++)
        g->events[i].contents = number_of(m, g->events[i].contents);
}

/* The block of an operation. */
static uint32_t block_of(const struct sd_places *p, uint32_t op)
{
    size_t low = 0, high = p->code.n_blocks;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (p->code.blocks[middle].first_op <= op)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static struct sd_birth birth(const struct sd_places *p, const struct numbers *m,
                             uint32_t base)
{
    struct sd_birth b = {SD_BORN_NEVER, 0, SD_NO_BASE};

    if (base >= p->bases.first_content) {
        b.parent = number_of(
            m, p->contents.list[base - p->bases.first_content].place.base);
    } else if (base >= p->bases.first_result) {
        b.block = block_of(p, base - p->bases.first_result);
        b.event = p->bases.born[base - p->bases.first_result];
    } else if (base >= p->bases.first_call) {
        b.block = (base - p->bases.first_call) / p->symbols.n_variables;
        b.event = p->code.blocks[b.block].n_events;
    } else if (base >= SD_FIRST_MERGE) {
        b.block = (base - SD_FIRST_MERGE) / p->symbols.n_variables;
        b.event = SD_BORN_BEFORE;
    }
    return b;
}

static void add_births(struct sd_places *p, const struct numbers *m)
{
    struct sd_flow_graph *g = &p->graph;

    g->births =
        memory_grow(g->births, &g->births_room, m->n, sizeof *g->births);
    for (size_t i = 0; i < m->n; i++)
        g->births[i] = birth(p, m, m->old[i]);
    g->n_bases = m->n;
}

static void add_ways(struct sd_places *p, const struct numbers *m)
{
    struct sd_flow_graph *g = &p->graph;

    g->ways =
        memory_grow(g->ways, &g->ways_room, p->code.n_ways, sizeof *g->ways);
    for (size_t i = 0; i < p->code.n_ways; i++) {
        const struct sd_place_way *way = &p->code.ways[i];
        struct sd_way w = {.to = way->to};

        if (way->is_call) {
            w.bottom =
                sd_places_row(p, p->symbols.out,
                              way->from)[p->abi.stack_pointer - p->abi.first];
            w.bottom.base = number_of(m, w.bottom.base);
        }
        g->ways[i] = w;
    }
    g->n_ways = p->code.n_ways;
}

static bool returns(const struct sd_place_block *b)
{
    return b->n_ways == 0 && b->chunk != NULL &&
           b->chunk->leaving != SD_LEAVES_NEVER &&
           !(b->chunk->leaving == SD_LEAVES_BY_CALL && b->chunk->is_doomed[0]);
}

static void add_blocks(struct sd_places *p)
{
    struct sd_flow_graph *g = &p->graph;

    g->blocks = memory_grow(g->blocks, &g->blocks_room, p->code.n_blocks,
                            sizeof *g->blocks);
    for (size_t i = 0; i < p->code.n_blocks; i++) {
        const struct sd_place_block *b = &p->code.blocks[i];

        g->blocks[i] = (struct sd_stretch){.n_insns = b->n_insns + b->n_inside,
                                           .n_inside = b->n_inside,
                                           .returns = returns(b),
                                           .first = b->first_event,
                                           .n = b->n_events,
                                           .first_way = b->first_way,
                                           .n_ways = b->n_ways};
    }
    g->n_blocks = p->code.n_blocks;
}

void sd_places_finish(struct sd_places *p)
{
    struct numbers m = {.bits = FIRST_BITS, .n = SD_ABSOLUTE + 1};

    m.table = memory_new((size_t)1 << FIRST_BITS, sizeof *m.table);
    m.room = p->bases.original_room;
    m.old = memory_grow(p->bases.original, &m.room, m.n, sizeof *m.old);
    m.old[SD_NO_BASE] = SD_NO_BASE;
    m.old[SD_ABSOLUTE] = SD_ABSOLUTE;
    number_events(p, &m);
    add_births(p, &m);
    add_ways(p, &m);
    add_blocks(p);
    sd_flow_graph_end(&p->graph);
    free(m.table);
    p->bases.original = m.old;
    p->bases.original_room = m.room;
}
