/*
 * sd_places_finish: completes the graph of a function's blocks, with numbers
 * for only those bases that it uses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

/* The new number of a base; SD_NO_BASE if no place has that base. */
static uint32_t number_of(const struct sd_places *p, uint32_t base)
{
    uint32_t number = sd_keys_find(&p->bases.used, base);

    return number != SD_NO_KEY ? number : SD_NO_BASE;
}

/* Numbers the bases of places, and of the places that hold them. */
static void number_events(struct sd_places *p)
{
    struct sd_flow_graph *g = &p->graph;
    struct sd_keys *used = &p->bases.used;

    sd_keys_clear(used);
    sd_keys_add(used, SD_NO_BASE); /* these two keep their numbers */
    sd_keys_add(used, SD_ABSOLUTE);
    for (size_t i = 0; i < g->n_events; i++)
        g->events[i].place.base = sd_keys_add(used, g->events[i].place.base);
    for (size_t i = SD_ABSOLUTE + 1; i < used->n; i++) /* it grows */
        if (used->list[i] >= p->bases.first_content)
            sd_keys_add(used,
                        p->contents.list[used->list[i] - p->bases.first_content]
                            .place.base);
    for (size_t i = 0; i < g->n_events; i++)
        g->events[i].contents = number_of(p, g->events[i].contents);
}

/* The block of an operation. */
static uint32_t block_of(const struct sd_places *p, uint32_t op)
{
    return (uint32_t)array_bisect(1, p->code.n_blocks, i,
                                  p->code.blocks[i].first_op <= op) -
           1;
}

static struct sd_birth birth(const struct sd_places *p, uint32_t base)
{
    struct sd_birth b = {SD_BORN_NEVER, 0, SD_NO_BASE};

    if (base >= p->bases.first_content) {
        b.parent = number_of(
            p, p->contents.list[base - p->bases.first_content].place.base);
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

static void add_births(struct sd_places *p)
{
    struct sd_flow_graph *g = &p->graph;

    array_reserve(g, births, p->bases.used.n);
    for (size_t i = 0; i < p->bases.used.n; i++)
        g->births[i] = birth(p, (uint32_t)p->bases.used.list[i]);
    g->n_bases = p->bases.used.n;
}

static void add_ways(struct sd_places *p)
{
    struct sd_flow_graph *g = &p->graph;

    array_reserve(g, ways, p->code.n_ways);
    for (size_t i = 0; i < p->code.n_ways; i++) {
        const struct sd_place_way *way = &p->code.ways[i];
        struct sd_way w = {.to = way->to};

        if (way->is_call) {
            w.bottom =
                sd_places_row(p, p->symbols.out,
                              way->from)[p->abi.stack_pointer - p->abi.first];
            w.bottom.base = number_of(p, w.bottom.base);
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

    array_reserve(g, blocks, p->code.n_blocks);
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
    number_events(p);
    add_births(p);
    add_ways(p);
    add_blocks(p);
    sd_flow_graph_end(&p->graph);
}
