/* chain: a graph of waits, and Lawler's search for its critical ratio
   (Combinatorial Optimization, 1976). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain.h"

/* A wait: `to` waits `weight` cycles for the `from` of some rounds before. */
struct edge {
    uint32_t from, to;
    double rounds, weight;
    bool computes;
};

/* The node that wrote a word of the registers last. */
struct definition {
    uint32_t node;
    double rounds; /* how many rounds before */
};

/* The nodes of a step begin at first[step]: its loads, its result, the values
   that it writes to registers, and its stores.  Another node for each step,
   from first[n] on, stands for its retirement. */
struct graph {
    const struct cy_step *steps;
    uint32_t n;
    const struct cy_model *model;
    struct edge *edges;
    size_t n_edges, room;
    uint32_t *first, *step_of, n_nodes;
    struct definition words[FLOW_WORDS];
};
#define NO_NODE UINT32_MAX

static uint32_t result_of(const struct graph *g, uint32_t step)
{
    return g->first[step] + g->steps[step].insn->flow.n_loads;
}

static uint32_t store_of(const struct graph *g, uint32_t step, unsigned i)
{
    return result_of(g, step) + 1 + g->steps[step].insn->flow.n_puts + i;
}

static void add(struct graph *g, uint32_t from, uint32_t to, double rounds,
                double weight)
{
    struct edge e = {from, to, rounds, weight, false};

    assert(rounds > 0 || from != to);
    e.computes = to < g->first[g->n] && to == result_of(g, g->step_of[to]);
    array_push(g->edges, g->n_edges, g->room, e);
}

static void init(struct graph *g)
{
    uint32_t n = 0;

    g->first = memory_new((size_t)g->n + 1, sizeof *g->first);
    for (uint32_t i = 0; i < g->n; i++) {
        const struct flow *flow = &g->steps[i].insn->flow;

        g->first[i] = n;
        n += flow->n_loads + 1u + flow->n_puts + flow->n_stores;
    }
    g->first[g->n] = n;
    g->n_nodes = n + g->n;
    g->step_of = memory_new(g->n_nodes, sizeof *g->step_of);
    for (uint32_t i = 0; i < g->n; i++) {
        for (uint32_t node = g->first[i]; node < g->first[i + 1]; node++)
            g->step_of[node] = i;
        g->step_of[n + i] = i;
    }
}

/* --- Through registers --- */

/* The cycles from a word of the registers to the result of a step. */
static double cycles_from(const struct graph *g, const struct cy_step *s,
                          unsigned word)
{
    uint32_t node = g->words[word].node, step = g->step_of[node];
    const struct cy_step *maker =
        node == result_of(g, step) ? &g->steps[step] : NULL;
    const struct cy_operands *o = &s->operands;
    double cycles;

    if (maker == NULL || word < o->sum || word - o->sum >= o->n_sum ||
        !cy_machine_accumulates(g->model->machine, &o->insn,
                                &maker->operands.insn, &cycles))
        cy_step_cycles(s, maker, g->model, &cycles);
    return cycles;
}

enum kind { ADDRESS, OPERAND, MOVE, FREE };

/* Makes a node of a step wait for the sources of a value. */
static void wait_for(struct graph *g, uint32_t step, uint32_t node,
                     const struct flow_sources *from, enum kind kind)
{
    const struct cy_step *s = &g->steps[step];
    double load = cy_step_load_cycles(s, g->model), own;

    cy_step_cycles(s, NULL, g->model, &own);
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(from, w) && g->words[w].node != NO_NODE)
            add(g, g->words[w].node, node, g->words[w].rounds,
                kind == ADDRESS ? load
                : kind == FREE  ? 0
                                : cycles_from(g, s, w));
    for (unsigned i = 0; i < s->insn->flow.n_loads; i++)
        if (from->loads >> i & 1)
            add(g, g->first[step] + i, node, 0,
                kind == ADDRESS   ? load
                : kind == OPERAND ? own
                                  : 0);
}

static bool by_result(const struct flow_put *put)
{
    return put->value.is_computed && !put->is_free && !put->is_base;
}

static void add_puts(struct graph *g, uint32_t step)
{
    const struct flow *flow = &g->steps[step].insn->flow;

    for (unsigned i = 0; i < flow->n_puts; i++) {
        const struct flow_put *put = &flow->puts[i];
        uint32_t node = result_of(g, step) + 1 + i;

        if (put->is_base) {
            for (unsigned w = 0; w < FLOW_WORDS; w++)
                if (flow_sources_has(&put->value, w) &&
                    g->words[w].node != NO_NODE)
                    add(g, g->words[w].node, node, g->words[w].rounds, 1);
        } else if (by_result(put)) {
            wait_for(g, step, result_of(g, step), &put->value, OPERAND);
        } else if (!cy_step_is_idiom(&g->steps[step], g->model->machine)) {
            wait_for(g, step, node, &put->value, put->is_free ? FREE : MOVE);
        }
    }
}

static void add_step(struct graph *g, uint32_t step)
{
    const struct flow *flow = &g->steps[step].insn->flow;

    for (unsigned i = 0; i < flow->n_loads; i++)
        wait_for(g, step, g->first[step] + i, &flow->loads[i].address, ADDRESS);
    add_puts(g, step);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        uint32_t node = store_of(g, step, i);

        wait_for(g, step, node, &flow->stores[i].address, FREE);
        if (flow->stores[i].data.is_computed) {
            wait_for(g, step, result_of(g, step), &flow->stores[i].data,
                     OPERAND);
            add(g, result_of(g, step), node, 0, 0);
        } else {
            wait_for(g, step, node, &flow->stores[i].data, FREE);
        }
    }
}

static void define(struct graph *g, uint32_t step)
{
    const struct flow *flow = &g->steps[step].insn->flow;

    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(&g->steps[step].overwritten, w))
            g->words[w].node = NO_NODE;
    for (unsigned i = 0; i < flow->n_puts && cy_step_puts(&g->steps[step]); i++)
        g->words[flow->puts[i].word] = (struct definition){
            by_result(&flow->puts[i]) ? result_of(g, step)
                                      : result_of(g, step) + 1 + i,
            0};
}

static void add_registers(struct graph *g)
{
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        g->words[w].node = NO_NODE;
    for (uint32_t i = 0; i < g->n; i++)
        define(g, i);
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        g->words[w].rounds = 1;
    for (uint32_t i = 0; i < g->n; i++) {
        add_step(g, i);
        define(g, i);
    }
}

/* --- Through memory --- */

/* The longest path within a round from a load to a store; below 0: none.  Also
   sets *computes: has any such path more than moves? */
static double passage(const struct graph *g, uint32_t load, uint32_t store,
                      bool *computes)
{
    double *at = memory_new(g->n_nodes, sizeof *at), found;
    bool *by = memory_new(g->n_nodes, sizeof *by), changed = true;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        at[i] = i == load ? 0 : -1;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < g->n_edges; i++) {
            const struct edge *e = &g->edges[i];
            bool now = by[e->from] || e->computes;

            if (at[e->from] < 0 || e->rounds > 0 ||
                (at[e->from] + e->weight <= at[e->to] && now <= by[e->to]))
                continue;
            at[e->to] = fmax(at[e->to], at[e->from] + e->weight);
            by[e->to] |= now;
            changed = true;
        }
    }
    found = at[store];
    *computes = by[store];
    free(at);
    free(by);
    return found;
}

/* Adds waits in the order of retirement, until the store has left. */
static void add_retirements(struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t end = g->first[g->n], result = result_of(g, i);

        add(g, end + (i > 0 ? i : g->n) - 1, end + i, i == 0, 0);
        for (uint32_t node = g->first[i]; node < g->first[i + 1]; node++)
            add(g, node, end + i, 0,
                node < result || node >= store_of(g, i, 0) ? 1 : 0);
    }
}

static void add_memory(struct graph *g, const struct cy_memory_edge *m)
{
    const struct cy_step *store = &g->steps[m->store],
                         *load = &g->steps[m->load];
    uint32_t from = store_of(g, m->store, 0), to = g->first[m->load];
    bool computes;
    double way = passage(g, to, from, &computes);
    struct cy_through through = {
        .store = store->operands.store,
        .load = load->operands.load,
        .relation = m->relation,
        .delta_k = (int)m->rounds,
        .store_first =
            m->store<m->load, .store_rmw = store->insn->flow.n_loads> 0,
        .load_rmw = load->insn->flow.n_stores > 0,
        .self = m->store == m->load,
        .load_op = load->insn->flow.n_stores == 0 &&
                   cy_flow_computes_with_load(&load->insn->flow),
        .copy = way >= 0 && !computes,
    };
    struct cy_cost cost = {.how = CY_FORWARDED,
                           .cycles = cy_step_load_cycles(load, g->model)};

    cy_machine_forward(g->model->machine, &through, &cost);
    if (cost.how == CY_FAILED) {
        add_retirements(g);
        add(g, g->first[g->n] + m->store, to, m->mean_rounds,
            fmax(0, cost.cycles - 1));
    }
    if (way >= 0 && computes)
        cost.cycles = fmax(cost.cycles, cost.at_least - way);
    add(g, from, to, m->mean_rounds, cost.cycles);
}

/* --- The ratio --- */

/* Does any closed path take longer than `ratio` for each round? */
static bool has_longer(const struct graph *g, double ratio)
{
    double *longest = memory_new(g->n_nodes, sizeof *longest);
    bool changed = true;

    for (uint32_t pass = 0; changed && pass <= g->n_nodes; pass++) {
        changed = false;
        for (size_t i = 0; i < g->n_edges; i++) {
            const struct edge *e = &g->edges[i];
            double way = longest[e->from] + e->weight - ratio * e->rounds;

            if (way > longest[e->to] + 1e-10) {
                longest[e->to] = way;
                changed = true;
            }
        }
    }
    free(longest);
    return changed;
}

double chain_cycles(const struct cy_step *steps, uint32_t n,
                    const struct cy_memory_edge *edges, size_t n_edges,
                    const struct cy_model *model)
{
    struct graph g = {.steps = steps, .n = n, .model = model};
    double low = 0, high = 1;

    init(&g);
    add_registers(&g);
    for (size_t i = 0; i < n_edges; i++)
        add_memory(&g, &edges[i]);
    while (has_longer(&g, high))
        high *= 2;
    while (high - low > 1e-4) {
        double middle = (low + high) / 2;

        *(has_longer(&g, middle) ? &low : &high) = middle;
    }
    free(g.edges);
    free(g.first);
    free(g.step_of);
    return high;
}
