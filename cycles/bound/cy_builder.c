/*
 * cy_builder: nodes and edges of the graph of a loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

void cy_builder_init(struct cy_builder *b)
{
    uint32_t n = 0;

    assert(b->n > 0);
    b->is_guessed = memory_new(b->n, sizeof *b->is_guessed);
    b->first = memory_new((size_t)b->n + 1, sizeof *b->first);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct cy_flow *flow = &b->steps[i].insn->flow;

        b->first[i] = n;
        n += flow->n_loads + 1u + flow->n_puts + flow->n_stores;
    }
    b->first[b->n] = n;
    b->graph.n_nodes = n;
    b->step_of = memory_new(n, sizeof *b->step_of);
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t node = b->first[i]; node < b->first[i + 1]; node++)
            b->step_of[node] = i;
}

void cy_builder_fini(struct cy_builder *b)
{
    cy_graph_fini(&b->graph);
    free(b->is_guessed);
    free(b->waits);
    free(b->first);
    free(b->step_of);
}

void cy_builder_edge(struct cy_builder *b, struct cy_edge edge,
                     struct cy_edge_wait wait)
{
    assert(wait.support >= 0 && wait.support <= 1);
    assert(edge.rounds > 0 || edge.from != edge.to);
    b->waits = memory_grow(b->waits, &b->waits_room, b->graph.n_edges,
                           sizeof *b->waits);
    b->waits[b->graph.n_edges] = wait;
    cy_graph_add(&b->graph, edge);
}

double cy_load_cycles(const struct cy_builder *b, const struct cy_step *s)
{
    double cycles;

    if (b->machine != NULL &&
        cy_machine_load(b->machine, &s->operands.load, &cycles))
        return cycles;
    return s->operands.load.class == CY_GENERAL ? b->loads->general
                                                : b->loads->vector;
}

void cy_builder_guess(struct cy_builder *b, const struct cy_step *s)
{
    bool *is_guessed = &b->is_guessed[s - b->steps];

    assert(s >= b->steps && s < b->steps + b->n);
    b->bound->n_unknown_cost += !*is_guessed;
    *is_guessed = true;
}

struct cy_link cy_builder_link(const struct cy_builder *b, size_t edge)
{
    const struct cy_edge *e = &b->graph.edges[edge];
    const struct cy_edge_wait *w = &b->waits[edge];

    assert(edge < b->graph.n_edges);
    return (struct cy_link){b->step_of[e->from], b->step_of[e->to], w->wait,
                            e->rounds,           e->weight,         w->how,
                            w->support,          w->forward};
}
