/*
 * cy_bound: the chains of a loop that take longest, by registers and by memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

static void take_all(const struct cy_builder *b, struct cy_bound *bound)
{
    bound->all = memory_new(b->graph.n_edges, sizeof *bound->all);
    for (; bound->n_all < b->graph.n_edges; bound->n_all++)
        bound->all[bound->n_all] = cy_builder_link(b, bound->n_all);
}

static void take_chain(const struct cy_builder *b, struct cy_chain *chain)
{
    struct cy_cycle cycle = cy_graph_critical(&b->graph);

    assert((cycle.ratio > 0) == (cycle.n > 0));
    *chain = (struct cy_chain){.cycles = cycle.ratio, .n = cycle.n};
    if (cycle.n > 0)
        chain->links = memory_new(cycle.n, sizeof *chain->links);
    for (size_t i = 0; i < cycle.n; i++)
        chain->links[i] = cy_builder_link(b, cycle.edges[i]);
    free(cycle.edges);
}

void cy_bound_of(struct cy_bound *bound, const struct cy_step *steps,
                 uint32_t n, const struct cy_memory_edge *edges, size_t n_edges,
                 const struct cy_machine *machine,
                 const struct cy_load_latency *loads)
{
    struct cy_builder b = {.steps = steps,
                           .n = n,
                           .machine = machine,
                           .loads = loads,
                           .bound = bound};

    assert(loads->general >= 0 && loads->vector >= 0);
    *bound = (struct cy_bound){0};
    cy_builder_init(&b);
    cy_values(&b);
    take_chain(&b, &bound->registers);
    cy_forward(&b, edges, n_edges);
    take_chain(&b, &bound->memory);
    take_all(&b, bound);
    cy_builder_fini(&b);
}

void cy_bound_fini(struct cy_bound *bound)
{
    free(bound->registers.links);
    free(bound->memory.links);
    free(bound->all);
    free(bound->failed);
    *bound = (struct cy_bound){0};
}
