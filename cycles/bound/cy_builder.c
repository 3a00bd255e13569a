/*
 * cy_builder: the graph of a loop, and the chains in it that take longest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"

/* Numbers the nodes. */
static void init(struct cy_builder *b)
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
    b->graph.n_nodes = n + b->n;
    b->step_of = memory_new(b->graph.n_nodes, sizeof *b->step_of);
    for (uint32_t i = 0; i < b->n; i++) {
        for (uint32_t node = b->first[i]; node < b->first[i + 1]; node++)
            b->step_of[node] = i;
        b->step_of[cy_retired_node(b, i)] = i;
    }
}

static void fini(struct cy_builder *b)
{
    cy_graph_fini(&b->graph);
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
    return cy_step_load_cycles(s, b->machine, b->loads);
}

void cy_builder_guess(struct cy_builder *b, const struct cy_step *s)
{
    bool *is_guessed = &b->is_guessed[s - b->steps];

    assert(s >= b->steps && s < b->steps + b->n);
    b->bound->n_unknown_cost += !*is_guessed;
    *is_guessed = true;
}

/* An edge of the graph, between steps. */
static struct cy_link link_of(const struct cy_builder *b, size_t edge)
{
    const struct cy_edge *e = &b->graph.edges[edge];
    const struct cy_edge_wait *w = &b->waits[edge];

    assert(edge < b->graph.n_edges);
    return (struct cy_link){.from = b->step_of[e->from],
                            .to = b->step_of[e->to],
                            .wait = w->wait,
                            .rounds = w->forward.rounds > 0
                                          ? w->forward.rounds
                                          : (uint32_t)e->rounds,
                            .mean_rounds = e->rounds,
                            .cycles = e->weight,
                            .how = w->how,
                            .support = w->support,
                            .forward = w->forward};
}

static bool is_retirement(const struct cy_builder *b, uint32_t node)
{
    return node >= b->first[b->n];
}

/* Joins the edges from an instruction through retirements to a load into one
   link: the load waits until the instruction has completed. */
static void take_chain(const struct cy_builder *b, struct cy_chain *chain)
{
    struct cy_cycle cycle = cy_graph_critical(&b->graph);
    size_t start = 0;

    assert((cycle.ratio > 0) == (cycle.n > 0));
    *chain = (struct cy_chain){.cycles = cycle.ratio};
    if (cycle.n > 0)
        chain->links = memory_new(cycle.n, sizeof *chain->links);
    /* A cycle of retirements alone has no weight. */
    while (start < cycle.n &&
           is_retirement(b, b->graph.edges[cycle.edges[start]].from))
        start++;
    for (size_t i = 0; i < cycle.n; i++) {
        uint32_t edge = cycle.edges[(start + i) % cycle.n];
        struct cy_link link = link_of(b, edge);

        if (is_retirement(b, b->graph.edges[edge].from)) {
            const struct cy_link *first = &chain->links[--chain->n];

            link.from = first->from;
            link.rounds += first->rounds;
            link.mean_rounds += first->mean_rounds;
            link.cycles += first->cycles;
        }
        chain->links[chain->n++] = link;
    }
    free(cycle.edges);
}

/* Takes the waits of each instruction, and of retirements only those that are
   links of the chain. */
static void take_all(const struct cy_builder *b, struct cy_bound *bound)
{
    const struct cy_chain *chain = &bound->memory;

    bound->all = memory_new(b->graph.n_edges + chain->n, sizeof *bound->all);
    for (size_t i = 0; i < b->graph.n_edges; i++)
        if (!is_retirement(b, b->graph.edges[i].from) &&
            !is_retirement(b, b->graph.edges[i].to))
            bound->all[bound->n_all++] = link_of(b, i);
    for (size_t i = 0; i < chain->n; i++)
        bound->all[bound->n_all++] = chain->links[i];
}

/* The first edge of a cycle that has a weight, from number i on if `step` is 1,
   and back from it if that is n - 1; NULL: none has. */
static struct cy_edge *weighty(const struct cy_builder *b,
                               const struct cy_cycle *cycle, size_t i,
                               size_t step)
{
    for (size_t k = 0; k < cycle->n; k++) {
        struct cy_edge *e =
            &b->graph.edges[cycle->edges[(i + k * step) % cycle->n]];

        if (e->weight > 0)
            return e;
    }
    return NULL;
}

/* Link number i of a cycle is mended: what computes with its value does so
   after what made it, and that may be quicker than after a load. */
static void follow_maker(struct cy_builder *b, const struct cy_cycle *cycle,
                         size_t i)
{
    const struct cy_edge *maker = weighty(b, cycle, i, cycle->n - 1);
    struct cy_edge *user = weighty(b, cycle, i, 1);
    double cycles;

    if (user == NULL || is_retirement(b, maker->to) ||
        is_retirement(b, user->to))
        return;
    if (cy_step_cycles(&b->steps[b->step_of[user->to]],
                       &b->steps[b->step_of[maker->to]], b->machine, b->loads,
                       &cycles) &&
        cycles < user->weight)
        user->weight = cycles;
}

/* Lowers the waits for memory of a cycle to what they are once its values stay
   in registers; false if none gets lower.  A forward that fails becomes one
   that does not, so that its load waits for no retirement. */
static bool mend_cycle(struct cy_builder *b, const struct cy_cycle *cycle)
{
    bool is_lower = false;

    for (size_t i = 0; i < cycle->n; i++) {
        struct cy_edge *e = &b->graph.edges[cycle->edges[i]];
        const struct cy_edge_wait *w = &b->waits[cycle->edges[i]];
        bool fails = w->how == CY_FAILED;
        double cycles =
            fails ? cy_load_cycles(b, &b->steps[b->step_of[e->to]]) : 0;

        if (w->wait != CY_WAIT_MEMORY || is_retirement(b, e->to))
            continue;
        if (is_retirement(b, e->from))
            *e = (struct cy_edge){e->from, e->from, 1, 0}; /* no wait */
        else if (e->weight > cycles)
            e->weight = cycles;
        else
            continue;
        if (cycles == 0)
            follow_maker(b, cycle, i);
        is_lower = true;
    }
    return is_lower;
}

/* Finds what the advice to keep values in registers leaves: the arithmetic
   stays.  Chains are mended until registers limit the loop. */
static void mend(struct cy_builder *b)
{
    double registers = b->bound->registers.cycles;
    bool is_lower;

    do {
        size_t n;
        struct cy_cycle *cycles =
            cy_graph_all_critical(&b->graph, registers, &n);

        b->bound->mended = registers;
        is_lower = false;
        for (size_t i = 0; i < n; i++) {
            b->bound->mended = fmax(b->bound->mended, cycles[i].ratio);
            is_lower |= mend_cycle(b, &cycles[i]);
            free(cycles[i].edges);
        }
        free(cycles);
    } while (is_lower);
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
    init(&b);
    cy_values(&b);
    take_chain(&b, &bound->registers);
    cy_forward(&b, edges, n_edges);
    take_chain(&b, &bound->memory);
    take_all(&b, bound);
    mend(&b);
    bound->is_guessed = b.is_guessed;
    fini(&b);
}

void cy_bound_fini(struct cy_bound *bound)
{
    free(bound->registers.links);
    free(bound->memory.links);
    free(bound->all);
    free(bound->failed);
    free(bound->is_guessed);
    *bound = (struct cy_bound){0};
}
