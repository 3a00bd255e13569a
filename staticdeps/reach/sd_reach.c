/*
 * sd_reach: which stores may reach which loads, along the ways of a graph.
 *
 * These are reaching definitions (Kildall, A Unified Approach to Global Program
 * Optimization, POPL 1973; Aho, Lam, Sethi, Ullman, Compilers, 2nd edition,
 * 9.2.4), found for one store at a time.  From a store on, ways are followed in
 * the order of their lengths (Dijkstra, A Note on Two Problems in Connexion
 * with Graphs, 1959) until another store covers its place, or the way is too
 * long.  So each load is found over the shortest way to it.  A store that
 * others cover in part is followed in pieces, each of which other stores cover
 * whole or not at all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* A block at whose beginning the store's bytes are still there. */
struct sd_reached {
    uint32_t block;
    uint32_t next; /* the next one of the same distance, plus 1 */
};

void sd_reach_init(struct sd_reaching *r, uint32_t most_insns)
{
    *r = (struct sd_reaching){.most_insns = most_insns};
    r->heads = memory_new((size_t)most_insns + 1, sizeof *r->heads);
}

void sd_reach_fini(struct sd_reaching *r)
{
    free(r->heads);
    free(r->seen);
    free(r->queue);
    free(r->loaded.units);
    *r = (struct sd_reaching){0};
}

/* Bases. */

/* Is a base, or one that holds it, born again before that event of a block? */
static bool is_born(const struct sd_flow_graph *g, uint32_t base,
                    uint32_t block, uint32_t event)
{
    for (; base > SD_ABSOLUTE; base = g->births[base].parent)
        if (g->births[base].block == block && g->births[base].event == event)
            return true;
    return false;
}

/* Is a base, or one that holds it, the base `contents`? */
static bool depends_on(const struct sd_flow_graph *g, uint32_t base,
                       uint32_t contents)
{
    for (; base > SD_ABSOLUTE; base = g->births[base].parent)
        if (base == contents)
            return true;
    return false;
}

/* Ways. */

static void leave(struct sd_reaching *r, uint32_t block, uint64_t distance)
{
    const struct sd_flow_graph *g = r->graph;
    const struct sd_stretch *b = &g->blocks[block];
    const struct sd_sum *place = &r->place;

    if (distance > r->most_insns)
        return;
    if (b->returns && r->sees_returns)
        r->found(r->argument, r->store, NULL, (uint32_t)distance);
    for (uint32_t i = b->first_way; i < b->first_way + b->n_ways; i++) {
        const struct sd_way *way = &g->ways[i];

        if ((way->bottom.base == place->base &&
             place->offset < way->bottom.offset) ||
            r->seen[way->to] == r->n_pieces ||
            is_born(g, place->base, way->to, SD_BORN_BEFORE))
            continue;
        array_append(r, queue,
                     (struct sd_reached){way->to, r->heads[distance]});
        r->heads[distance] = (uint32_t)r->n_queue;
        r->n_waiting++;
    }
}

static bool overlaps(const struct sd_reaching *r, const struct sd_event *e)
{
    return e->place.base == r->place.base &&
           sd_offsets_meet(e->place.offset, e->size, r->place.offset, r->size);
}

static bool covers(const struct sd_event *e, const struct sd_reaching *r)
{
    uint64_t distance = (uint64_t)r->place.offset - (uint64_t)e->place.offset;

    return e->is_certain && e->place.base == r->place.base &&
           e->size >= r->size && distance <= e->size - r->size;
}

/* Follows the piece through a block, from its event number `from` on.  `start`
   is the number of instructions from the store to the block's beginning. */
static void pass(struct sd_reaching *r, uint32_t block, uint32_t from,
                 int64_t start)
{
    const struct sd_flow_graph *g = r->graph;
    const struct sd_stretch *b = &g->blocks[block];
    uint32_t base = r->place.base, n_own = b->n_insns - b->n_inside;

    if ((b->bases & r->bases) == 0) {
        leave(r, block, (uint64_t)(start + b->n_insns));
        return;
    }
    for (uint32_t i = from; i < b->n; i++) {
        const struct sd_event *e = &g->events[b->first + i];

        r->n_looks++;
        if (start + e->insn > r->most_insns && e->insn < n_own)
            return; /* all later events are further away */
        if (is_born(g, base, block, i))
            return;
        if (!e->is_store) {
            if (overlaps(r, e) && start + e->insn <= r->most_insns)
                r->found(r->argument, r->store, e, (uint32_t)(start + e->insn));
        } else if (covers(e, r) || (e->contents != SD_NO_BASE &&
                                    depends_on(g, base, e->contents))) {
            return;
        }
    }
    if (!is_born(g, base, block, b->n))
        leave(r, block, (uint64_t)(start + b->n_insns));
}

static bool follow(struct sd_reaching *r)
{
    for (uint32_t d = 0; r->n_waiting > 0; d++) {
        assert(d <= r->most_insns);
        while (r->heads[d] != 0) {
            const struct sd_reached *reached = &r->queue[r->heads[d] - 1];
            uint32_t block = reached->block;

            r->heads[d] = reached->next;
            r->n_waiting--;
            if (r->seen[block] == r->n_pieces)
                continue;
            r->seen[block] = r->n_pieces;
            if (r->left == 0)
                return false;
            r->left--;
            pass(r, block, 0, d);
        }
    }
    return true;
}

/* Follows the current piece from event number `from` of a block on.  Returns
   false if no more blocks may be looked at. */
static bool follow_piece(struct sd_reaching *r, uint32_t block, uint32_t from,
                         int64_t start)
{
    r->n_queue = r->n_waiting = 0;
    if (r->n_pieces++ == UINT32_MAX) {
        memset(r->seen, 0, r->seen_room * sizeof *r->seen);
        r->n_pieces = 1;
    }
    pass(r, block, from, start);
    if (follow(r))
        return true;
    memset(r->heads, 0, ((size_t)r->most_insns + 1) * sizeof *r->heads);
    return false;
}

/* Follows the bytes of an access from event number `from` of a block on. */
static bool follow_from(struct sd_reaching *r, const struct sd_event *store,
                        uint32_t block, uint32_t from, int64_t start)
{
    uint32_t done = 0;

    r->store = store;
    r->bases = sd_flow_graph_bits(r->graph, store->place.base);
    do {
        r->place = sd_sum_add(store->place, done);
        r->size = sd_flow_graph_piece(r->graph, store, done);
        done += r->size;
        if (!follow_piece(r, block, from, start))
            return false;
    } while (done < store->size);
    return true;
}

static void begin(struct sd_reaching *r, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument)
{
    r->graph = graph;
    r->left = most_blocks;
    r->found = found;
    r->argument = argument;
    if (graph->n_blocks >= r->seen_room) {
        array_reserve(r, seen, graph->n_blocks);
        r->n_pieces = UINT32_MAX; /* makes follow_piece() clear it */
    }
}

bool sd_reach_run(struct sd_reaching *r, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument)
{
    begin(r, graph, most_blocks, found, argument);
    sd_touched_find(&r->loaded, graph, false);
    for (uint32_t i = 0; i < graph->n_blocks; i++)
        for (uint32_t k = 0; k < graph->blocks[i].n; k++) {
            const struct sd_event *e =
                &graph->events[graph->blocks[i].first + k];

            if (e->is_store &&
                (r->follows_all || sd_touched_has(&r->loaded, e)) &&
                !follow_from(r, e, i, k + 1, -(int64_t)e->insn))
                return false;
        }
    return true;
}

bool sd_reach_enter(struct sd_reaching *r, const struct sd_flow_graph *graph,
                    uint64_t most_blocks, const struct sd_event *event,
                    sd_reach_found *found, void *argument)
{
    static const struct sd_event nothing;

    begin(r, graph, most_blocks, found, argument);
    return follow_from(r, event != NULL ? event : &nothing, 0, 0, 0);
}
