/*
 * cy_bound: what one round of a loop takes at least, and why.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/cy_bound.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bound/cy_ratio.h"
#include "memory.h"

#define NO_NODE UINT32_MAX

/* The support of what happens in each round but the first. */
#define ALWAYS 0.9

/* What an edge of the graph is. */
struct wait {
    enum cy_wait wait;
    enum cy_how how;
    bool computes;
    double support;
};

/* Where a word of the registers was written last. */
struct definition {
    uint32_t node;
    uint32_t rounds; /* 1: in the round before */
};

/* The nodes of a step begin at first[step]: its loads, its result, what it puts
   into registers, and its stores. */
struct builder {
    const struct cy_step *steps;
    uint32_t n;
    const struct cy_machine *machine;
    const struct cy_load_latency *loads;
    struct cy_bound *bound;
    struct cy_graph graph;
    struct wait *waits; /* by edge */
    size_t waits_room;
    uint32_t *first, *step_of; /* by step, by node */
    bool *is_guessed;          /* by step: its cost */
    struct definition words[CY_WORDS];
};

static uint32_t load_node(const struct builder *b, uint32_t step, unsigned i)
{
    return b->first[step] + i;
}

static uint32_t result_node(const struct builder *b, uint32_t step)
{
    return b->first[step] + b->steps[step].insn->flow.n_loads;
}

static uint32_t put_node(const struct builder *b, uint32_t step, unsigned i)
{
    return result_node(b, step) + 1 + i;
}

static uint32_t store_node(const struct builder *b, uint32_t step, unsigned i)
{
    return put_node(b, step, b->steps[step].insn->flow.n_puts) + i;
}

static void number_nodes(struct builder *b)
{
    uint32_t n = 0;

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

static void add_edge(struct builder *b, struct cy_edge edge, struct wait wait)
{
    b->waits = memory_grow(b->waits, &b->waits_room, b->graph.n_edges,
                           sizeof *b->waits);
    b->waits[b->graph.n_edges] = wait;
    cy_graph_add(&b->graph, edge);
}

/* Does the instruction give a constant, whatever its operands hold? */
static bool is_idiom(const struct builder *b, const struct cy_step *s)
{
    static const char *const names[] = {"xor",   "sub",    "pxor",  "vpxor",
                                        "xorps", "vxorps", "xorpd", "vxorpd"};

    if (!s->operands.is_same)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(s->insn->name, names[i]) == 0)
            return true;
    return b->machine != NULL &&
           cy_machine_is_zero_idiom(b->machine, &s->operands.insn);
}

static double load_cycles(const struct builder *b, const struct cy_step *s)
{
    double cycles;

    if (b->machine != NULL &&
        cy_machine_load(b->machine, &s->operands.load, &cycles))
        return cycles;
    return s->operands.load.class == CY_GENERAL ? b->loads->general
                                                : b->loads->vector;
}

static void guess(struct builder *b, const struct cy_step *s)
{
    bool *is_guessed = &b->is_guessed[s - b->steps];

    b->bound->n_unknown_cost += !*is_guessed;
    *is_guessed = true;
}

/* Cycles from an operand, which `from` made if it is not NULL, to the result;
   without the load that the instruction does besides. */
static double step_cycles(struct builder *b, const struct cy_step *s,
                          const struct cy_step *from)
{
    double cycles;

    if (s->operands.moves_stack)
        return 0;
    if (b->machine != NULL &&
        cy_machine_latency(b->machine, &s->operands.insn,
                           from != NULL ? &from->operands.insn : NULL, &cycles))
        return cycles;
    if (!s->mca.is_known) {
        guess(b, s);
        return 1;
    }
    cycles = s->mca.latency;
    if (s->insn->flow.n_loads == 0 || !s->mca.may_load)
        return cycles;
    cycles -= s->insn->flow.n_stores > 0             ? b->loads->rewrite
              : s->operands.load.class == CY_GENERAL ? b->loads->general_in
                                                     : b->loads->vector_in;
    return cycles > 1 ? cycles : 1;
}

/* Makes a node of a step wait for what a value is made of.  Loads cost
   `after_load` cycles, registers what the step costs, if `computes`, or
   nothing. */
static void wait_for(struct builder *b, uint32_t step, uint32_t node,
                     const struct cy_sources *from, enum cy_wait wait,
                     bool computes, bool load_computes)
{
    const struct cy_step *s = &b->steps[step];

    for (unsigned w = 0; w < CY_WORDS; w++) {
        struct definition def = b->words[w];
        const struct cy_step *maker;
        double cycles;

        if (!cy_sources_has(from, w) || def.node == NO_NODE)
            continue;
        maker = &b->steps[b->step_of[def.node]];
        cycles =
            wait == CY_WAIT_ADDRESS ? load_cycles(b, s)
            : computes
                ? step_cycles(b, s,
                              def.node == result_node(b, b->step_of[def.node])
                                  ? maker
                                  : NULL)
                : 0;
        add_edge(b, (struct cy_edge){def.node, node, def.rounds, cycles},
                 (struct wait){wait, CY_FORWARDED, computes, 1});
    }
    for (unsigned i = 0; i < s->insn->flow.n_loads; i++)
        if (from->loads >> i & 1)
            add_edge(b,
                     (struct cy_edge){load_node(b, step, i), node, 0,
                                      wait == CY_WAIT_ADDRESS
                                          ? load_cycles(b, s)
                                      : load_computes ? step_cycles(b, s, NULL)
                                                      : 0},
                     (struct wait){wait, CY_FORWARDED, load_computes, 1});
}

static void join(struct cy_sources *s, const struct cy_sources *more)
{
    for (unsigned i = 0; i < CY_WORDS / 64; i++)
        s->words[i] |= more->words[i];
    s->loads |= more->loads;
}

/* Everything that the step computes with. */
static struct cy_sources operands_of(const struct cy_flow *flow)
{
    struct cy_sources all = {0};

    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].value.is_computed && !flow->puts[i].is_free)
            join(&all, &flow->puts[i].value);
    for (unsigned i = 0; i < flow->n_stores; i++)
        if (flow->stores[i].data.is_computed)
            join(&all, &flow->stores[i].data);
    return all;
}

/* Is the value made by the step's result? */
static bool by_result(const struct cy_put *put)
{
    return put->value.is_computed && !put->is_free;
}

static void add_step(struct builder *b, uint32_t step)
{
    const struct cy_flow *flow = &b->steps[step].insn->flow;
    bool is_idle = is_idiom(b, &b->steps[step]);
    struct cy_sources all = operands_of(flow);

    for (unsigned i = 0; i < flow->n_loads; i++)
        wait_for(b, step, load_node(b, step, i), &flow->loads[i].address,
                 CY_WAIT_ADDRESS, true, true);
    if (!is_idle)
        wait_for(b, step, result_node(b, step), &all, CY_WAIT_REGISTER, true,
                 true);
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (!is_idle && !by_result(&flow->puts[i]))
            wait_for(b, step, put_node(b, step, i), &flow->puts[i].value,
                     CY_WAIT_REGISTER, !flow->puts[i].is_free, false);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        uint32_t node = store_node(b, step, i);

        if (flow->stores[i].data.is_computed)
            add_edge(b, (struct cy_edge){result_node(b, step), node, 0, 0},
                     (struct wait){CY_WAIT_DATA, CY_FORWARDED, false, 1});
        else
            wait_for(b, step, node, &flow->stores[i].data, CY_WAIT_DATA, false,
                     false);
    }
}

/* From here on, readers of what the step wrote wait for it. */
static void define(struct builder *b, uint32_t step)
{
    const struct cy_flow *flow = &b->steps[step].insn->flow;

    for (unsigned i = 0; i < flow->n_puts; i++)
        b->words[flow->puts[i].word] = (struct definition){
            by_result(&flow->puts[i]) ? result_node(b, step)
                                      : put_node(b, step, i),
            0};
}

static void add_registers(struct builder *b)
{
    for (unsigned w = 0; w < CY_WORDS; w++)
        b->words[w] = (struct definition){NO_NODE, 0};
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
}

/* How a store's value comes from a load within the round. */
struct passage {
    bool is_there, computes;
    double cycles; /* the most, over all ways */
};

static struct passage passage_from(const struct builder *b, uint32_t load,
                                   uint32_t store)
{
    struct passage *at = memory_new(b->graph.n_nodes, sizeof *at), found;
    bool changed = true;

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

/* Where the load's address is behind the store's, if both add a number to the
   same registers, which the loop leaves alone. */
static bool offset_of(const struct builder *b, const struct cy_step *store,
                      const struct cy_step *load, int64_t *offset)
{
    const struct cy_sources *from = &load->insn->flow.loads[0].address;

    for (unsigned w = 0; w < CY_WORDS; w++)
        if (cy_sources_has(from, w) !=
                cy_sources_has(&store->insn->flow.stores[0].address, w) ||
            (cy_sources_has(from, w) && b->words[w].node != NO_NODE))
            return false;
    *offset = load->operands.displacement - store->operands.displacement;
    return load->operands.load.addressing == store->operands.store.addressing &&
           load->operands.load.addressing != CY_PUSH &&
           load->operands.load.addressing != CY_RIP;
}

/* How the load's bytes lie to those of a store.  `n_stores` always give it some
   of its bytes. */
static enum cy_relation relation(const struct builder *b,
                                 const struct cy_step *store,
                                 const struct cy_step *load, unsigned n_stores,
                                 unsigned *inside)
{
    unsigned stored = store->operands.store.bits,
             loaded = load->operands.load.bits;
    int64_t offset = 0;

    *inside = 0;
    if (n_stores > 1 || loaded > stored)
        return CY_SEVERAL;
    if (offset_of(b, store, load, &offset)) {
        if (offset < 0 || 8 * offset + loaded > stored)
            return CY_PARTIAL;
        *inside = (unsigned)offset;
    }
    return loaded == stored ? CY_SAME : CY_CONTAINED;
}

/* Edges of the load that are always there. */
static unsigned count_stores(const struct cy_memory_edge *edges, size_t n,
                             uint32_t load)
{
    unsigned count = 0;

    for (size_t i = 0; i < n; i++)
        count += edges[i].load == load && edges[i].support >= ALWAYS;
    return count;
}

/* Does the instruction compute with what it loads? */
static bool computes_with_load(const struct cy_flow *flow)
{
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].value.loads != 0 && flow->puts[i].value.is_computed)
            return true;
    return false;
}

/* A load whose forward fails waits until the stores have left the store buffer,
   which they do in order, and so does the next one behind it. */
static void add_failed(struct builder *b, uint32_t load, double cycles)
{
    add_edge(b, (struct cy_edge){load, load, 1, cycles},
             (struct wait){CY_WAIT_MEMORY, CY_FAILED, false, 1});
    b->bound->n_failed++;
}

static void add_through(struct builder *b, const struct cy_memory_edge *m,
                        unsigned n_stores)
{
    const struct cy_step *store = &b->steps[m->store],
                         *load = &b->steps[m->load];
    uint32_t from = store_node(b, m->store, 0), to = load_node(b, m->load, 0);
    struct passage passage = passage_from(b, to, from);
    struct cy_through through = {
        .store = store->operands.store,
        .load = load->operands.load,
        .delta_k = (int)(m->rounds < 62 ? m->rounds : 62),
        .store_first =
            m->store<m->load, .store_rmw = store->insn->flow.n_loads> 0,
        .load_rmw = load->insn->flow.n_stores > 0,
        .self = m->store == m->load,
        .load_op = load->insn->flow.n_stores == 0 &&
                   computes_with_load(&load->insn->flow),
        .copy = passage.is_there && !passage.computes,
    };
    struct cy_cost cost = {CY_FORWARDED, load_cycles(b, load), 0, 0};

    through.relation = relation(b, store, load, n_stores, &through.offset);
    if (b->machine == NULL || !cy_machine_forward(b->machine, &through, &cost))
        b->bound->n_unknown_cost++;
    if (cost.how == CY_FAILED)
        add_failed(b, to, cost.cycles);
    /* What is missing to the least that such a chain takes. */
    if (passage.is_there && passage.computes &&
        cost.cycles < cost.at_least - passage.cycles)
        cost.cycles = cost.at_least - passage.cycles;
    add_edge(b, (struct cy_edge){from, to, m->rounds, cost.cycles},
             (struct wait){CY_WAIT_MEMORY, cost.how, false, m->support});
}

static void take_chain(const struct builder *b, struct cy_chain *chain)
{
    struct cy_cycle cycle = cy_graph_critical(&b->graph);

    *chain = (struct cy_chain){.cycles = cycle.ratio, .n = cycle.n};
    if (cycle.n > 0)
        chain->links = memory_new(cycle.n, sizeof *chain->links);
    for (size_t i = 0; i < cycle.n; i++) {
        const struct cy_edge *e = &b->graph.edges[cycle.edges[i]];
        const struct wait *w = &b->waits[cycle.edges[i]];

        chain->links[i] =
            (struct cy_link){b->step_of[e->from], b->step_of[e->to], w->wait,
                             e->rounds,           e->weight,         w->how,
                             w->support};
    }
    free(cycle.edges);
}

void cy_bound_of(struct cy_bound *bound, const struct cy_step *steps,
                 uint32_t n, const struct cy_memory_edge *edges, size_t n_edges,
                 const struct cy_machine *machine,
                 const struct cy_load_latency *loads)
{
    struct builder b = {.steps = steps,
                        .n = n,
                        .machine = machine,
                        .loads = loads,
                        .bound = bound};

    *bound = (struct cy_bound){0};
    b.is_guessed = memory_new(n, sizeof *b.is_guessed);
    number_nodes(&b);
    add_registers(&b);
    take_chain(&b, &bound->registers);
    for (size_t i = 0; i < n_edges; i++) {
        assert(edges[i].store < n && edges[i].load < n);
        assert(edges[i].rounds > 0 || edges[i].store < edges[i].load);
        if (steps[edges[i].store].insn->flow.n_stores > 0 &&
            steps[edges[i].load].insn->flow.n_loads > 0)
            add_through(&b, &edges[i],
                        count_stores(edges, n_edges, edges[i].load));
    }
    take_chain(&b, &bound->memory);
    cy_graph_fini(&b.graph);
    free(b.is_guessed);
    free(b.waits);
    free(b.first);
    free(b.step_of);
}

void cy_bound_fini(struct cy_bound *bound)
{
    free(bound->registers.links);
    free(bound->memory.links);
    *bound = (struct cy_bound){0};
}
