/*
 * cy_edges: which dependencies through memory are edges of a loop's graph.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <math.h>

#include "array.h"
#include "memory.h"

/* The least share of the load's executions in which a pair is an edge. */
#define OFTEN 0.5

/* A dependency over more rounds costs nothing. */
#define MOST_ROUNDS 1e6

/* The step at an address; CY_NO_BLOCK: none. */
static uint32_t step_at(const struct cy_cost_of_loop *c, uint64_t address)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->insns[i].address == address)
            return i;
    return CY_NO_BLOCK;
}

/* How many rounds lie between the ends of a pair, by their distance; false if
   the number is not fixed. */
static bool rounds_by_distance(const struct cy_cost_of_loop *c,
                               const struct cy_pair *p, uint32_t store,
                               uint32_t load, double *rounds)
{
    double k =
        ((double)p->distance - ((double)load - (double)store)) / (double)c->n;

    *rounds = floor(k + 0.5);
    /* Another way through the loop may have more or fewer instructions. */
    if (p->distance == UINT64_MAX || fabs(k - *rounds) > 0.25)
        return false;
    /* Another loop may carry it, after as many instructions by chance. */
    return !p->has_loop || p->loop == (*rounds > 0 ? c->address : 0);
}

/* How many rounds lie between the ends of a pair; false if the number is not
   fixed. */
static bool rounds_of(const struct cy_cost_of_loop *c, const struct cy_pair *p,
                      uint32_t store, uint32_t load, uint32_t *rounds)
{
    double k;

    if (p->delta_k >= 0)
        k = (double)p->delta_k;
    else if (p->has_vector && p->innermost == c->address)
        k = (double)p->rounds;
    else if (!rounds_by_distance(c, p, store, load, &k))
        return false;
    if (k < 0 || k >= MOST_ROUNDS)
        return false;
    *rounds = (uint32_t)k;
    return *rounds > 0 || store < load;
}

/* Does the innermost loop carry the pair, by its distance vector?  Then what
   the first rounds of a run read comes from elsewhere. */
static bool is_in_run(const struct cy_cost_of_loop *c,
                      const struct cy_pair *predicted)
{
    return predicted != NULL && predicted->has_vector &&
           predicted->innermost == c->address && predicted->rounds >= 0;
}

/* `observed` and `predicted` are the pair as it was observed and as walks
   predict it; both may be NULL. */
static void add_pair(struct cy_cost_of_loop *c, size_t *room,
                     const struct cy_pair *p, const struct cy_pair *observed,
                     const struct cy_pair *predicted, uint32_t load)
{
    struct cy_memory_edges *e = &c->edges;
    bool is_observed = observed != NULL && observed->has_relation;
    uint32_t store = step_at(c, p->store), rounds;

    assert(load < c->n && c->steps[load].insn->flow.n_loads > 0);
    if (store == CY_NO_BLOCK)
        return;
    if (!rounds_of(c, p, store, load, &rounds)) {
        e->n_unfixed++;
        return;
    }
    array_push(e->list, e->n, *room,
               (struct cy_memory_edge){
                   store, load, rounds, p->support, is_in_run(c, predicted),
                   is_observed, is_observed ? observed->relation : CY_SAME});
}

/* The pairs whose edges a loop has.  For a loop of one block, the analysis of
   the block alone finds more, since it runs the block often enough. */
static const struct cy_pairs *pairs_of(const struct cy_cost_of_loop *c,
                                       const struct cy_data *data,
                                       const struct cy_choice *choice)
{
    if (choice->edges == CY_EDGES_OBSERVED)
        return &data->observed;
    return c->loop->n_blocks == 1 && data->in_blocks.is_present
               ? &data->in_blocks
               : &data->predicted;
}

/* Executions of the loop's block that has the address.  Other blocks may have
   it, too, if the blocks of a database overlap. */
static double executions_at(const struct cy_cost_of_loop *c,
                            const struct cy_data *data, uint64_t address)
{
    const struct cy_block *block;
    size_t i = 0;

    do {
        assert(i < c->loop->n_blocks);
        block = &data->blocks[c->loop->blocks[i++]];
    } while (address < block->start || address >= block->end);
    return (double)block->executions;
}

void cy_edges_of(struct cy_cost_of_loop *c, const struct cy_data *data,
                 const struct cy_choice *choice)
{
    const struct cy_pairs *pairs = pairs_of(c, data, choice);
    size_t room = 0;

    if (choice->edges == CY_EDGES_NONE)
        return;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_pair *p;
        double executions;
        size_t n;

        if (c->steps[i].insn->flow.n_loads == 0)
            continue;
        executions = executions_at(c, data, c->insns[i].address);
        p = cy_pairs_of_load(pairs, c->loop->object, c->insns[i].address, &n);
        for (; n > 0; n--, p++)
            if (choice->edges == CY_EDGES_STATIC
                    ? p->support >= choice->min_support
                    : (double)p->near >= OFTEN * executions)
                add_pair(c, &room, p, cy_pairs_find(&data->observed, p),
                         cy_pairs_find(&data->predicted, p), i);
    }
}
