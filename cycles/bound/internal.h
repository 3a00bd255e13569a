/*
 * internal: the parts of cy_predict.
 *
 * cy_edges chooses dependencies through memory, with cy_strides for those of
 * wider scopes and cy_spread for those at varying distances,
 * cy_builder is the graph of a loop, to which cy_values and cy_forward add
 * edges, and cy_ratio finds its critical cycle. cy_throughput and cy_own_units
 * are what the units need, and cy_overlap how much of a chain remains if runs
 * of the loop overlap. cy_unknown is what all of them leave out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_BOUND_INTERNAL_H
#define CY_BOUND_INTERNAL_H

#include <assert.h>

#include "bound/cy_edges.h"
#include "step/cy_step.h"

/* cy_spread: occurrences of a dependency over first to last rounds. */
struct cy_rounds {
    double first, last; /* at least 1 */
    double occurrences;
};

/* The rounds over which a dependency costs as much as it does over those of the
   classes, of which the first has the smallest and no other overlaps it: as
   many as that has, or more.  `is_exact`: the classes were not smeared by ways
   of different lengths. */
double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact);

/* cy_ratio: an edge of a graph.  `to` waits `weight` cycles for what `from` was
   `rounds` rounds before. */
struct cy_edge {
    uint32_t from, to;
    double rounds; /* not negative */
    double weight; /* in cycles, not negative */
};

struct cy_graph {
    struct cy_edge *edges;
    size_t n_edges, room;
    uint32_t n_nodes; /* numbered from 0 */
};

void cy_graph_add(struct cy_graph *graph, struct cy_edge edge);
void cy_graph_fini(struct cy_graph *graph);

struct cy_cycle {
    double ratio;    /* 0: there is no cycle with a weight */
    uint32_t *edges; /* of the graph, in the order of the cycle */
    size_t n;
};

/* Each cycle of the graph must span a round or more.  The caller frees
   cycle.edges. */
struct cy_cycle cy_graph_critical(const struct cy_graph *graph);

/* The critical cycles of the parts of a graph that no cycle joins, if they have
   a larger ratio; they share no node.  The caller frees them, and each one's
   edges. */
struct cy_cycle *cy_graph_all_critical(const struct cy_graph *graph,
                                       double least, size_t *n);

/* cy_builder: the graph of a loop while it is built. */
#define CY_NO_NODE UINT32_MAX

/* What an edge of the graph stands for. */
struct cy_edge_wait {
    enum cy_wait wait;
    enum cy_how how;
    bool computes;
    double support;
    struct cy_forward forward; /* through memory */
};

/* The node that wrote a word of the registers last. */
struct cy_definition {
    uint32_t node;
    uint32_t rounds; /* 1: in the round before */
};

/* The nodes of a step begin at first[step]: its loads, its result, what it puts
   into registers, and its stores.  Another node for each step, from first[n]
   on, stands for the retirement of the step. */
struct cy_builder {
    const struct cy_step *steps;
    uint32_t n;
    const struct cy_machine *machine;
    const struct cy_load_latency *loads;
    struct cy_bound *bound;
    struct cy_graph graph;
    struct cy_edge_wait *waits; /* by edge */
    size_t waits_room;
    uint32_t *first, *step_of; /* by step, by node */
    bool *is_guessed;          /* by step: its cost */
    struct cy_definition words[CY_WORDS];
};

static inline uint32_t cy_load_node(const struct cy_builder *b, uint32_t step,
                                    unsigned i)
{
    assert(step < b->n && i < b->steps[step].insn->flow.n_loads);
    return b->first[step] + i;
}

static inline uint32_t cy_result_node(const struct cy_builder *b, uint32_t step)
{
    assert(step < b->n);
    return b->first[step] + b->steps[step].insn->flow.n_loads;
}

static inline uint32_t cy_put_node(const struct cy_builder *b, uint32_t step,
                                   unsigned i)
{
    assert(i < b->steps[step].insn->flow.n_puts);
    return cy_result_node(b, step) + 1 + i;
}

static inline uint32_t cy_store_node(const struct cy_builder *b, uint32_t step,
                                     unsigned i)
{
    const struct cy_flow *flow = &b->steps[step].insn->flow;

    assert(i < flow->n_stores);
    return cy_result_node(b, step) + 1 + flow->n_puts + i;
}

static inline uint32_t cy_retired_node(const struct cy_builder *b,
                                       uint32_t step)
{
    assert(step < b->n);
    return b->first[b->n] + step;
}

void cy_builder_edge(struct cy_builder *b, struct cy_edge edge,
                     struct cy_edge_wait wait);

/* Counts a step whose cost is not known, once. */
void cy_builder_guess(struct cy_builder *b, const struct cy_step *s);

/* Cycles from the address of a load to its value. */
double cy_load_cycles(const struct cy_builder *b, const struct cy_step *s);

/* cy_values: adds the edges through registers. */
void cy_values(struct cy_builder *b);

/* cy_forward: adds the edges through memory. */
void cy_forward(struct cy_builder *b, const struct cy_memory_edge *edges,
                size_t n);

/* cy_builder: bounds of a loop of n steps.  `machine` may be NULL. */
void cy_bound_of(struct cy_bound *bound, const struct cy_step *steps,
                 uint32_t n, const struct cy_memory_edge *edges, size_t n_edges,
                 const struct cy_machine *machine,
                 const struct cy_load_latency *loads);
void cy_bound_fini(struct cy_bound *bound);

/* cy_throughput: what the units and the dispatch need for a round of a loop, in
   cycles.  It is llvm-mca's figure without a machine file, or if that does not
   say how many accesses of the loop's kinds run at once. */
double cy_throughput(const struct cy_mca_region *region,
                     const struct cy_step *steps, uint32_t n,
                     const struct cy_machine *machine);

/* cy_addresses: counts the instructions whose loads may read what a store of
   the loop wrote, or whose stores a load may read, since their addresses are
   data. What an address with a sure edge is made of is known. */
void cy_addresses_of(struct cy_unknown *unknown,
                     const struct cy_cost_of_loop *cost);

/* Bytes that a run of the loop goes through; 0: not known. */
double cy_bytes_of_run(const struct cy_cost_of_loop *cost);

/* cy_unknown: finds what the figure of a loop leaves out. */
void cy_unknown_of(struct cy_cost_of_loop *cost, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_machine *machine);

/* cy_own_units: asks llvm-mca about the units of all instructions, and leaves
   those that the machine file has a throughput of out of what else it is asked.
 */
int cy_own_units_ask(struct cy_prediction *prediction, struct cy_mca *mca,
                     const struct cy_machine *machine, struct diag *d);

/* What a round puts into the buffers. */
struct cy_round {
    unsigned instructions; /* at least 1 */
    unsigned loads, stores;
    unsigned chained; /* instructions of the chain, which wait in the
                         scheduler */
};

/* cy_overlap: the share of the latency that remains, above 0 and at most 1, for
   runs of `rounds` rounds.  A buffer of size 0 is not known, and does not
   limit; but an unknown reorder buffer counts as one of 224 entries, as in
   processors of 2015. */
double cy_overlap(double rounds, const struct cy_round *round,
                  const struct cy_window *window);

#endif
