/*
 * cy_forward: the edges through memory: loads wait for the stores whose bytes
 * they read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

/* The support of what happens in each round but the first. */
#define ALWAYS 0.9

/* How a store's value comes from a load within the round. */
struct passage {
    bool is_there, computes;
    double cycles; /* the most, over all ways */
};

static struct passage passage_from(const struct cy_builder *b, uint32_t load,
                                   uint32_t store)
{
    struct passage *at = memory_new(b->graph.n_nodes, sizeof *at), found;
    bool changed = true;

    assert(load < b->graph.n_nodes && store < b->graph.n_nodes);
    at[load].is_there = true;
    /* Edges within a round lead on, so that few passes find everything. */
    while (changed) {
        changed = false;
        for (size_t i = 0; i < b->graph.n_edges; i++) {
            const struct cy_edge *e = &b->graph.edges[i];
            struct passage *to = &at[e->to], now = at[e->from];

            if (!now.is_there || e->rounds > 0)
                continue;
            now.cycles += e->weight;
            now.computes |= b->waits[i].computes;
            if (to->is_there && now.cycles <= to->cycles &&
                now.computes <= to->computes)
                continue;
            to->is_there = true;
            to->computes |= now.computes;
            if (now.cycles > to->cycles)
                to->cycles = now.cycles;
            changed = true;
        }
    }
    found = at[store];
    free(at);
    return found;
}

/* The distance in bytes from the store's address to the load's, if both add a
   constant to the same registers, which the loop does not change. */
static bool offset_of(const struct cy_builder *b, const struct cy_step *store,
                      const struct cy_step *load, int64_t *offset)
{
    const struct cy_sources *from = &load->insn->flow.loads[0].address;

    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(from, w) !=
                cy_sources_has(&store->insn->flow.stores[0].address, w) ||
            (cy_sources_has(from, w) && b->words[w].node != CY_NO_NODE))
            return false;
    *offset = load->operands.displacement - store->operands.displacement;
    return load->operands.load.addressing == store->operands.store.addressing &&
           load->operands.load.addressing != CY_PUSH &&
           load->operands.load.addressing != CY_RIP;
}

/* The accesses of a pair's instructions that meet, and where. */
struct meeting {
    unsigned store, load; /* numbers of accesses */
    bool has_relation;    /* that of the pair is theirs */
    bool has_offset;
    int64_t offset; /* of the load's address from the store's, in bytes */
};

/* How the bytes of a load overlap those of a store: as observed or predicted,
   or else by the operands.  `is_joined`: several stores give the load its
   bytes. */
static enum cy_relation relation(const struct cy_builder *b,
                                 const struct cy_memory_edge *m,
                                 const struct meeting *at, bool is_joined,
                                 unsigned *inside)
{
    const struct cy_step *store = &b->steps[m->store],
                         *load = &b->steps[m->load];
    unsigned stored = store->operands.store.bits,
             loaded = load->operands.load.bits;
    int64_t offset = at->offset;
    bool is_known = at->has_offset || offset_of(b, store, load, &offset),
         fits = offset >= 0 && 8 * offset + loaded <= stored;

    *inside = is_known && fits ? (unsigned)offset : 0;
    if (at->has_relation)
        return m->relation;
    if (is_joined || loaded > stored)
        return CY_SEVERAL;
    if (is_known && !fits)
        return CY_PARTIAL;
    return loaded == stored ? CY_SAME : CY_CONTAINED;
}

/* The stores that give a load bytes in each round. */
struct givers {
    uint32_t n, n_narrow; /* narrower than the load */
};

/* By step; the caller frees. */
static struct givers *givers_of(const struct cy_builder *b,
                                const struct cy_memory_edge *edges, size_t n)
{
    struct givers *givers = memory_new(b->n, sizeof *givers);

    for (size_t i = 0; i < n; i++) {
        struct givers *g = &givers[edges[i].load];

        if (edges[i].support < ALWAYS)
            continue;
        g->n++;
        g->n_narrow += b->steps[edges[i].store].operands.store.bits <
                       b->steps[edges[i].load].operands.load.bits;
    }
    return givers;
}

/* Do they give it its bytes together?  If none of them is narrower than the
   load, each gives all bytes in some rounds. */
static bool are_joined(const struct givers *g)
{
    return g->n > 1 && g->n_narrow > 0;
}

/* Cycles from a value to the completion of the load or the store that has it;
   other results complete when they are forwarded.  (Measured on Zen 1 and Zen
   3, with chains of imul, add and loads before the store.) */
#define TO_COMPLETE 1.0

/* Makes each retirement wait for the one before and for the instruction. */
static void add_retirements(struct cy_builder *b)
{
    const struct cy_edge_wait wait = {.wait = CY_WAIT_MEMORY, .support = 1};

    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t before = cy_retired_node(b, (i > 0 ? i : b->n) - 1),
                 here = cy_retired_node(b, i), result = cy_result_node(b, i),
                 stores = b->first[i + 1] - b->steps[i].insn->flow.n_stores;

        cy_builder_edge(b, (struct cy_edge){before, here, i == 0, 0}, wait);
        for (uint32_t node = b->first[i]; node < b->first[i + 1]; node++)
            cy_builder_edge(b,
                            (struct cy_edge){node, here, 0,
                                             node < result || node >= stores
                                                 ? TO_COMPLETE
                                                 : 0},
                            wait);
    }
}

/* A load whose forward fails waits until the store has left the store buffer.
   Stores leave after they retire, and instructions retire in the order of the
   program, so the load also waits for all that stands before the store,
   branches included.  Of a branch, its flags count. */
static void add_failures(struct cy_builder *b)
{
    const struct cy_bound *bound = b->bound;

    if (bound->n_failed > 0)
        add_retirements(b);
    for (unsigned i = 0; i < bound->n_failed; i++) {
        const struct cy_failed *f = &bound->failed[i];

        cy_builder_edge(
            b,
            (struct cy_edge){
                cy_retired_node(b, f->store), cy_load_node(b, f->load, f->part),
                f->forward.mean_rounds,
                f->cycles > TO_COMPLETE ? f->cycles - TO_COMPLETE : 0},
            (struct cy_edge_wait){CY_WAIT_MEMORY, CY_FAILED, false, f->support,
                                  f->forward});
    }
}

static void add_through(struct cy_builder *b, const struct cy_memory_edge *m,
                        const struct meeting *at, bool is_joined)
{
    const struct cy_step *store = &b->steps[m->store],
                         *load = &b->steps[m->load];
    uint32_t from = cy_store_node(b, m->store, at->store),
             to = cy_load_node(b, m->load, at->load);
    struct passage passage = passage_from(b, to, from);
    struct cy_through through = {
        .store = store->operands.store,
        .load = load->operands.load,
        .delta_k = (int)(m->rounds < 62 ? m->rounds : 62),
        .store_first = (m->store < m->load),
        .store_rmw = (store->insn->flow.n_loads > 0),
        .load_rmw = load->insn->flow.n_stores > 0,
        .self = m->store == m->load,
        .load_op = load->insn->flow.n_stores == 0 &&
                   cy_flow_computes_with_load(&load->insn->flow),
        .copy = passage.is_there && !passage.computes,
        .load_parts = load->insn->flow.has_parts,
        .store_parts = store->insn->flow.has_parts,
        .locked = store->operands.is_locked || load->operands.is_locked,
    };
    struct cy_cost cost = {.how = CY_FORWARDED,
                           .cycles = cy_load_cycles(b, load)};
    struct cy_forward forward;

    through.relation = relation(b, m, at, is_joined, &through.offset);
    forward =
        (struct cy_forward){through.relation, m->is_observed, m->is_in_run,
                            m->store,         m->rounds,      m->mean_rounds};
    if (b->machine == NULL ||
        !cy_machine_forward(b->machine, &through, &cost) || cost.is_guessed)
        cy_builder_guess(b, load);
    if (cost.how == CY_RENAMED && m->mean_rounds > m->rounds)
        b->bound->n_renamed++;
    if (cost.how == CY_FAILED)
        b->bound->failed[b->bound->n_failed++] =
            (struct cy_failed){m->store,    m->load,    m->rounds, at->load,
                               cost.cycles, m->support, forward};
    /* A chain with arithmetic takes `at_least` cycles from load to load. */
    if (passage.is_there && passage.computes &&
        cost.cycles < cost.at_least - passage.cycles)
        cost.cycles = cost.at_least - passage.cycles;
    assert(cost.cycles >= 0);
    cy_builder_edge(b, (struct cy_edge){from, to, m->mean_rounds, cost.cycles},
                    (struct cy_edge_wait){CY_WAIT_MEMORY, cost.how, false,
                                          m->support, forward});
}

/* --- Instructions whose accesses are apart --- */

/* Finds the distance from the first address of the store to that of the load,
   some rounds later; false if it is not known. */
static bool offset_of_rounds(const struct cy_strides *strides,
                             const struct cy_memory_edge *m, int64_t *offset)
{
    const struct cy_moving *store = &strides[m->store].stores[0],
                           *load = &strides[m->load].loads[0];

    if (!cy_sums_are_alike(&store->sum, &load->sum) ||
        (m->rounds > 0 && !load->stride.is_known))
        return false;
    *offset = (int64_t)(load->sum.constant - store->sum.constant +
                        m->rounds * load->stride.bytes);
    return true;
}

/* The distance from an access to the first one of its kind; false if it is not
   known. */
static bool distance_of(const struct cy_flow_access *accesses, unsigned i,
                        int64_t *distance)
{
    *distance =
        (int64_t)(accesses[i].place.constant - accesses[0].place.constant);
    return i == 0 || cy_sums_are_alike(&accesses[0].place, &accesses[i].place);
}

/* Do all accesses of the storing instruction together write the bytes of a load
   at this distance from the first of them? */
static bool is_whole(const struct cy_flow *store, int64_t offset, unsigned size)
{
    int64_t first = 0, end = store->stores[0].size, at;

    for (unsigned i = 1; i < store->n_stores; i++) {
        if (!distance_of(store->stores, i, &at))
            return false;
        first = at < first ? at : first;
        end =
            at + store->stores[i].size > end ? at + store->stores[i].size : end;
    }
    return offset >= first && offset + size <= end;
}

/* Adds the edges of a pair between accesses that meet.  If it is not known
   which do, and both instructions have as many, they meet in their order. */
static void add_meetings(struct cy_builder *b, const struct cy_memory_edge *m,
                         bool is_joined, const struct cy_strides *strides)
{
    const struct cy_flow *store = &b->steps[m->store].insn->flow,
                         *load = &b->steps[m->load].insn->flow;
    int64_t offset = 0, to_store, to_load;
    bool is_known = offset_of_rounds(strides, m, &offset);

    for (unsigned i = 0; i < store->n_stores; i++)
        for (unsigned j = 0; j < load->n_loads; j++) {
            struct meeting at = {i, j, false, false, 0};
            bool is_split;

            at.has_offset = distance_of(store->stores, i, &to_store) &
                            distance_of(load->loads, j, &to_load) & is_known;
            at.offset = offset + to_load - to_store;
            if (at.has_offset ? at.offset >= store->stores[i].size ||
                                    at.offset + load->loads[j].size <= 0
                              : store->n_stores == load->n_loads && i != j)
                continue;
            is_split = at.has_offset &&
                       (at.offset < 0 || at.offset + load->loads[j].size >
                                             store->stores[i].size);
            add_through(b, m, &at,
                        is_joined ||
                            (is_split && is_whole(store, offset + to_load,
                                                  load->loads[j].size)));
        }
}

static void add_pair(struct cy_builder *b, const struct cy_memory_edge *m,
                     bool is_joined, struct cy_strides **strides)
{
    const struct meeting first = {0, 0, m->has_relation, m->has_offset,
                                  m->offset};

    if (!b->steps[m->store].insn->flow.has_parts &&
        !b->steps[m->load].insn->flow.has_parts) {
        add_through(b, m, &first, is_joined);
        return;
    }
    if (*strides == NULL)
        *strides = cy_strides_new(b->steps, b->n);
    add_meetings(b, m, is_joined, *strides);
}

void cy_forward(struct cy_builder *b, const struct cy_memory_edge *edges,
                size_t n)
{
    struct givers *givers = givers_of(b, edges, n);
    struct cy_strides *strides = NULL;
    size_t most = n * CY_MOST_LOADS * CY_MOST_STORES;

    b->bound->failed = memory_new(most, sizeof *b->bound->failed);
    for (size_t i = 0; i < n; i++) {
        assert(edges[i].store < b->n && edges[i].load < b->n);
        assert(edges[i].rounds > 0 || edges[i].store < edges[i].load);
        assert(edges[i].mean_rounds >= edges[i].rounds);
        if (b->steps[edges[i].store].insn->flow.n_stores > 0 &&
            b->steps[edges[i].load].insn->flow.n_loads > 0)
            add_pair(b, &edges[i], are_joined(&givers[edges[i].load]),
                     &strides);
    }
    free(givers);
    free(strides);
    assert(b->bound->n_failed <= most);
    add_failures(b);
}
