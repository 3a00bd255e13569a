/*
 * sd_flow_graph: the accesses of a function whose places are known, the ways
 * between them, and what its loads or stores touch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

#define UNIT 8 /* bytes */

/* By base, then by offset. */
static int compare(const void *x, const void *y)
{
    const struct sd_sum *a = x, *b = y;

    return array_order(a->base, b->base) ?: array_order(a->offset, b->offset);
}

void sd_flow_graph_fini(struct sd_flow_graph *g)
{
    free(g->blocks);
    free(g->events);
    free(g->ways);
    free(g->births);
    free(g->ends);
    *g = (struct sd_flow_graph){.blocks = NULL};
}

/* Each base has one of 64 bits.  A block that lacks the bits of a place's base,
   and of those that hold it, has nothing to do with the place. */
static uint64_t bit(uint32_t base)
{
    return base == SD_NO_BASE
               ? 0
               : UINT64_C(1) << (base * UINT32_C(0x9e3779b9) >> 26);
}

static void find_ends(struct sd_flow_graph *g)
{
    g->n_ends = 0;
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        if (!e->is_store || !e->is_certain)
            continue;
        array_append(g, ends, e->place);
        array_append(g, ends, sd_sum_add(e->place, e->size));
    }
    array_sort(g->ends, g->n_ends, compare);
}

void sd_flow_graph_end(struct sd_flow_graph *g)
{
    for (size_t i = 0; i < g->n_blocks; i++) {
        struct sd_stretch *b = &g->blocks[i];

        b->bases = 0;
        for (uint32_t k = b->first; k < b->first + b->n; k++)
            b->bases |=
                bit(g->events[k].place.base) | bit(g->events[k].contents);
    }
    find_ends(g);
    for (size_t i = SD_ABSOLUTE + 1; i < g->n_bases; i++)
        if (g->births[i].block != SD_BORN_NEVER)
            g->blocks[g->births[i].block].bases |= bit((uint32_t)i);
}

uint64_t sd_flow_graph_bits(const struct sd_flow_graph *g, uint32_t base)
{
    uint64_t all = bit(base);

    for (; base > SD_ABSOLUTE; base = g->births[base].parent)
        all |= bit(base);
    return all;
}

uint32_t sd_flow_graph_piece(const struct sd_flow_graph *g,
                             const struct sd_event *e, uint32_t byte)
{
    struct sd_sum place = sd_sum_add(e->place, byte);
    size_t i = array_bisect(0, g->n_ends, k, compare(&g->ends[k], &place) <= 0);
    uint64_t size;

    assert(byte < e->size || e->size == 0);
    if (i == g->n_ends || g->ends[i].base != place.base)
        return e->size - byte;
    size = (uint64_t)g->ends[i].offset - (uint64_t)place.offset;
    return size < e->size - byte ? (uint32_t)size : e->size - byte;
}

/* The unit that holds a byte of an access. */
static struct sd_sum unit(const struct sd_event *e, uint32_t byte)
{
    uint64_t offset = (uint64_t)e->place.offset + byte;

    return (struct sd_sum){(int64_t)(offset / UNIT), e->place.base};
}

static uint32_t next_byte(const struct sd_event *e, uint32_t byte)
{
    return byte + UNIT - (uint32_t)(((uint64_t)e->place.offset + byte) % UNIT);
}

void sd_touched_find(struct sd_touched *t, const struct sd_flow_graph *g,
                     bool are_stores)
{
    t->n = 0;
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        for (uint32_t k = 0; e->is_store == are_stores && k < e->size;
             k = next_byte(e, k))
            array_push(t->units, t->n, t->room, unit(e, k));
    }
    array_sort(t->units, t->n, compare);
}

bool sd_touched_has(const struct sd_touched *t, const struct sd_event *e)
{
    for (uint32_t k = 0; t->n > 0 && k < e->size; k = next_byte(e, k)) {
        struct sd_sum key = unit(e, k);

        if (array_find(&key, t->units, t->n, compare) != NULL)
            return true;
    }
    return false;
}
