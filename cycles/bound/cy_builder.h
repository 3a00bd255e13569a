/*
 * cy_builder: the graph of a loop while it is built.  Private to this folder:
 * cy_values adds what waits for registers, cy_forward what waits for memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_BUILDER_H
#define CY_BUILDER_H

#include <assert.h>

#include "bound/cy_bound.h"
#include "bound/cy_ratio.h"

#define CY_NO_NODE UINT32_MAX

/* What an edge of the graph is. */
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
   into registers, and its stores. */
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

/* Numbers the nodes; the members up to `bound` are set. */
void cy_builder_init(struct cy_builder *b);
void cy_builder_fini(struct cy_builder *b);

void cy_builder_edge(struct cy_builder *b, struct cy_edge edge,
                     struct cy_edge_wait wait);

/* Counts a step whose cost is not known, once. */
void cy_builder_guess(struct cy_builder *b, const struct cy_step *s);

/* Cycles from the address of a load to its value. */
double cy_load_cycles(const struct cy_builder *b, const struct cy_step *s);

/* An edge of the graph, between steps. */
struct cy_link cy_builder_link(const struct cy_builder *b, size_t edge);

/* cy_values: adds the edges through registers. */
void cy_values(struct cy_builder *b);

/* cy_forward: adds the edges through memory. */
void cy_forward(struct cy_builder *b, const struct cy_memory_edge *edges,
                size_t n);

#endif
