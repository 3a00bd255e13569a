/*
 * cy_values: the edges through registers: what each value of a loop waits for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>

/* Cycles from an operand to the result; a guess is counted. */
static double step_cycles(struct cy_builder *b, const struct cy_step *s,
                          const struct cy_step *from)
{
    double cycles;

    if (!cy_step_cycles(s, from, b->machine, b->loads, &cycles))
        cy_builder_guess(b, s);
    return cycles;
}

/* Adds an edge that leads to a node of a step within the round or, for
   rounds = 1, from the round before. */
static void add_wait(struct cy_builder *b, uint32_t from, uint32_t to,
                     uint32_t rounds, double cycles, enum cy_wait wait)
{
    cy_builder_edge(b, (struct cy_edge){from, to, rounds, cycles},
                    (struct cy_edge_wait){
                        .wait = wait,
                        .how = CY_FORWARDED,
                        .computes = to == cy_result_node(b, b->step_of[to]),
                        .support = 1});
}

/* Cycles from an operand, in the word w, to the result.  `maker` made it as its
   result; else it is NULL. */
static double operand_cycles(struct cy_builder *b, const struct cy_step *s,
                             const struct cy_step *maker, unsigned w)
{
    const struct cy_operands *o = &s->operands;
    double cycles;

    if (maker != NULL && b->machine != NULL && w >= o->sum &&
        w - o->sum < o->n_sum &&
        cy_machine_accumulates(b->machine, &o->insn, &maker->operands.insn,
                               &cycles))
        return cycles;
    return step_cycles(b, s, maker);
}

/* Makes a node of a step wait for what a value is made of.  Waits for registers
   cost what the step costs if `computes`, and waits for loads if
   `load_computes`; else they cost nothing. */
static void wait_for(struct cy_builder *b, uint32_t step, uint32_t node,
                     const struct cy_sources *from, enum cy_wait wait,
                     bool computes, bool load_computes)
{
    const struct cy_step *s = &b->steps[step];

    assert(node >= b->first[step] && node < b->first[step + 1]);
    for (unsigned w = 0; w < CY_WORDS; w++) {
        struct cy_definition def = b->words[w];
        const struct cy_step *maker;
        double cycles;

        if (!cy_sources_has(from, w) || def.node == CY_NO_NODE)
            continue;
        assert(def.node < b->graph.n_nodes && def.rounds <= 1);
        maker = &b->steps[b->step_of[def.node]];
        cycles = wait == CY_WAIT_ADDRESS ? cy_load_cycles(b, s)
                 : computes
                     ? operand_cycles(
                           b, s,
                           def.node == cy_result_node(b, b->step_of[def.node])
                               ? maker
                               : NULL,
                           w)
                     : 0;
        add_wait(b, def.node, node, def.rounds, cycles, wait);
    }
    for (unsigned i = 0; i < s->insn->flow.n_loads; i++)
        if (from->loads >> i & 1)
            add_wait(b, cy_load_node(b, step, i), node, 0,
                     wait == CY_WAIT_ADDRESS ? cy_load_cycles(b, s)
                     : load_computes         ? step_cycles(b, s, NULL)
                                             : 0,
                     wait);
}

/* Is the value that a register gets the step's result? */
static bool by_result(const struct cy_put *put)
{
    return put->value.is_computed && !put->is_free && !put->is_base;
}

/* Everything that the step computes with. */
static struct cy_sources operands_of(const struct cy_flow *flow)
{
    struct cy_sources all = {0};

    for (unsigned i = 0; i < flow->n_puts; i++)
        if (by_result(&flow->puts[i]))
            cy_sources_join(&all, &flow->puts[i].value);
    for (unsigned i = 0; i < flow->n_stores; i++)
        if (flow->stores[i].data.is_computed)
            cy_sources_join(&all, &flow->stores[i].data);
    return all;
}

/* Cycles that an access needs to move the register of its address.  (Arm's
   Software Optimization Guides, notes on base register updates.) */
#define BASE_CYCLES 1.0

/* Makes a register that an access moves wait for what it was, and for nothing
   else of the instruction. */
static void wait_for_base(struct cy_builder *b, uint32_t step, unsigned put)
{
    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(&b->steps[step].insn->flow.puts[put].value, w) &&
            b->words[w].node != CY_NO_NODE)
            add_wait(b, b->words[w].node, cy_put_node(b, step, put),
                     b->words[w].rounds, BASE_CYCLES, CY_WAIT_REGISTER);
}

static void add_step(struct cy_builder *b, uint32_t step)
{
    const struct cy_flow *flow = &b->steps[step].insn->flow;
    bool is_idle = cy_step_is_idiom(&b->steps[step], b->machine);
    struct cy_sources all = operands_of(flow);

    for (unsigned i = 0; i < flow->n_loads; i++)
        wait_for(b, step, cy_load_node(b, step, i), &flow->loads[i].address,
                 CY_WAIT_ADDRESS, true, true);
    if (!is_idle)
        wait_for(b, step, cy_result_node(b, step), &all, CY_WAIT_REGISTER, true,
                 true);
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].is_base)
            wait_for_base(b, step, i);
        else if (!is_idle && !by_result(&flow->puts[i]))
            wait_for(b, step, cy_put_node(b, step, i), &flow->puts[i].value,
                     CY_WAIT_REGISTER, !flow->puts[i].is_free, false);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        uint32_t node = cy_store_node(b, step, i);

        /* No load gets the value before it is known where it is stored. */
        wait_for(b, step, node, &flow->stores[i].address, CY_WAIT_DATA, false,
                 false);
        if (flow->stores[i].data.is_computed)
            add_wait(b, cy_result_node(b, step), node, 0, 0, CY_WAIT_DATA);
        else
            wait_for(b, step, node, &flow->stores[i].data, CY_WAIT_DATA, false,
                     false);
    }
}

/* From here on, readers of what the step wrote wait for it. */
static void define(struct cy_builder *b, uint32_t step)
{
    const struct cy_flow *flow = &b->steps[step].insn->flow;

    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(&b->steps[step].overwritten, w))
            b->words[w] = (struct cy_definition){CY_NO_NODE, 0};
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(&b->steps[step]);
         i++) {
        assert(flow->puts[i].word < CY_WORDS);
        b->words[flow->puts[i].word] = (struct cy_definition){
            by_result(&flow->puts[i]) ? cy_result_node(b, step)
                                      : cy_put_node(b, step, i),
            0};
    }
}

/* Cycles from when a step may begin to when a node of it has its value. */
static double own_cycles(const struct cy_builder *b, uint32_t step,
                         uint32_t node)
{
    const struct cy_step *s = &b->steps[step];
    double cycles = 0;

    if (node < cy_result_node(b, step))
        return cy_load_cycles(b, s);
    if (node == cy_result_node(b, step))
        cy_step_cycles(s, NULL, b->machine, b->loads, &cycles);
    return cycles;
}

/* Makes everything from a fence to the next one, which may be itself in the
   next round, wait for it, and the next one for all of that. */
static void serialize(struct cy_builder *b, uint32_t fence)
{
    uint32_t before = cy_result_node(b, fence), after = fence;
    double cycles, next;

    if (!cy_step_serializes(&b->steps[fence], b->machine, &cycles))
        return;
    do
        after = (after + 1) % b->n;
    while (!cy_step_serializes(&b->steps[after], b->machine, &next));
    for (uint32_t i = (fence + 1) % b->n; i != after; i = (i + 1) % b->n)
        for (uint32_t node = b->first[i]; node < b->first[i + 1]; node++) {
            add_wait(b, before, node, i < fence,
                     cycles + own_cycles(b, i, node), CY_WAIT_FENCE);
            add_wait(b, node, cy_result_node(b, after), after < i, 0,
                     CY_WAIT_FENCE);
        }
    add_wait(b, before, cy_result_node(b, after), after <= fence, cycles,
             CY_WAIT_FENCE);
}

void cy_values(struct cy_builder *b)
{
    for (unsigned w = 0; w < CY_WORDS; w++)
        b->words[w] = (struct cy_definition){CY_NO_NODE, 0};
    for (uint32_t i = 0; i < b->n; i++)
        define(b, i);
    for (unsigned w = 0; w < CY_WORDS; w++)
        b->words[w].rounds = 1;
    for (uint32_t i = 0; i < b->n; i++) {
        if (!b->steps[i].insn->flow.is_known || b->steps[i].insn->flow.is_cut)
            b->bound->n_unknown_flow++;
        add_step(b, i);
        define(b, i);
    }
    for (uint32_t i = 0; i < b->n; i++)
        serialize(b, i);
}
