/*
 * cy_figure: what one round of each loop takes, and why, by the core model.
 *
 * The way to the end of the last round goes around in circles: what takes as
 * long as a round on the average is the chain that is reported.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/cy_figure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "bound/cy_edges.h"
#include "memory.h"
#include "window/cy_madeup.h"

/* A loop is bound by memory if memory raises its prediction by this factor. */
#define MEMORY_BOUND 1.4

/* A circle may take this share more or less than the rounds do. */
#define NEAR 0.02

/* Circles of more rounds are not looked for. */
#define MOST_ROUNDS 16

/* Causes of this share of a round are told. */
#define MOSTLY 0.5

/* Fewer recorded rounds say little. */
#define FEWEST_RECORDED 50

/* Recorded rounds that take this share more or less than those that are made up
   have a chain of their own, of hops with this share of a round. */
#define APART  0.1
#define LITTLE 0.02

/* --- A circle of legs --- */

/* Legs of a way, from the last one back. */
struct circle {
    size_t first, n;
};

static bool is_same_leg(const struct cy_leg *a, const struct cy_leg *b)
{
    return a->from == b->from && a->to == b->to && a->store == b->store &&
           a->cause == b->cause;
}

/* The rounds from one leg to a later one. */
static uint32_t rounds_between(const struct cy_leg *early,
                               const struct cy_leg *late, uint32_t n)
{
    return late->ended / n - early->ended / n;
}

/* The circle that begins with number `first`, and whose rounds take `cycles`;
   n = 0: there is none. */
static struct circle circle_from(const struct cy_outcome *o, size_t first,
                                 uint32_t n, double cycles)
{
    const struct cy_leg *begin = &o->way[first];
    double taken = 0;

    for (size_t i = first; i < o->n_way; i++) {
        const struct cy_leg *leg = &o->way[i];
        uint32_t rounds = rounds_between(leg, begin, n);

        if (rounds > MOST_ROUNDS)
            break;
        if (rounds > 0 && is_same_leg(leg, begin) &&
            fabs(taken - rounds * cycles) <= NEAR * rounds * cycles)
            return (struct circle){first, i - first};
        taken += leg->cycles;
    }
    return (struct circle){first, 0};
}

/* Is the leg a wait for a value? */
static bool is_wait(const struct cy_leg *leg)
{
    return !leg->retires &&
           (leg->cause <= CY_CAUSE_ADDRESSES || leg->cause == CY_CAUSE_ORDER);
}

/* A circle in the third quarter of the rounds. */
static struct circle find_circle(const struct cy_outcome *o, uint32_t n,
                                 double cycles)
{
    uint32_t last = o->n_way > 0 ? o->way[0].ended : 0;
    struct circle circle = {0, 0};

    for (size_t i = 0; i < o->n_way && circle.n == 0; i++) {
        const struct cy_leg *leg = &o->way[i];

        if (leg->ended < last / 2)
            break;
        if (leg->ended <= last - last / 4 && is_wait(leg) && leg->cycles > 0)
            circle = circle_from(o, i, n, cycles);
    }
    return circle;
}

/* --- A chain of links --- */

static const struct cy_hop *passage_of(const struct cy_outcome *o,
                                       uint32_t store, uint32_t load,
                                       bool failed)
{
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];

        if (hop->n > 0 && hop->store == store && hop->to == load &&
            (hop->cause == CY_CAUSE_FAILED) == failed)
            return hop;
    }
    return NULL;
}

/* The edge between two steps; NULL: registers say that they meet. */
static const struct cy_memory_edge *edge_of(const struct cy_cost_of_loop *c,
                                            uint32_t store, uint32_t load)
{
    for (size_t i = 0; i < c->edges.n; i++)
        if (c->edges.list[i].store == store && c->edges.list[i].load == load)
            return &c->edges.list[i];
    return NULL;
}

/* The rounds from a store to the load that met it. */
static uint32_t rounds_of(const struct cy_hop *passage)
{
    return passage->passage.since + (passage->store >= passage->to);
}

static struct cy_forward forward_of(const struct cy_cost_of_loop *c,
                                    const struct cy_hop *passage)
{
    const struct cy_memory_edge *e = edge_of(c, passage->store, passage->to);
    struct cy_forward f = {.relation = passage->passage.relation,
                           .store = passage->store,
                           .rounds = rounds_of(passage)};

    f.varies = passage->passage.varies;
    if (f.varies)
        f.rounds = 0;
    f.mean_rounds = f.rounds;
    if (e == NULL)
        return f;
    f.is_observed = e->is_observed;
    f.is_in_run = e->is_in_run;
    if (e->has_relation)
        f.relation = e->relation;
    /* Those of the rounds that are made up are the mean. */
    if (e->mean_rounds > e->rounds) {
        f.rounds = e->rounds;
        f.mean_rounds = e->mean_rounds;
    }
    return f;
}

static double support_of(const struct cy_cost_of_loop *c, uint32_t store,
                         uint32_t load)
{
    const struct cy_memory_edge *e = edge_of(c, store, load);

    return e != NULL ? e->support : 1;
}

static struct cy_link link_of_passage(const struct cy_cost_of_loop *c,
                                      const struct cy_hop *passage)
{
    struct cy_forward forward = forward_of(c, passage);

    return (struct cy_link){.from = passage->store,
                            .to = passage->to,
                            .wait = CY_WAIT_MEMORY,
                            .rounds = forward.rounds,
                            .mean_rounds = forward.mean_rounds,
                            .cycles = passage->passage.cycles,
                            .how = passage->passage.how,
                            .support =
                                support_of(c, passage->store, passage->to),
                            .forward = forward};
}

static enum cy_wait wait_of(enum cy_cause cause)
{
    switch (cause) {
    case CY_CAUSE_REGISTERS:
        return CY_WAIT_REGISTER;
    case CY_CAUSE_LOADS:
        return CY_WAIT_ADDRESS;
    case CY_CAUSE_FORWARDED:
    case CY_CAUSE_FAILED:
    case CY_CAUSE_ADDRESSES:
        return CY_WAIT_MEMORY;
    case CY_CAUSE_ORDER:
        return CY_WAIT_FENCE;
    default:
        return CY_WAIT_UNITS;
    }
}

struct making {
    const struct cy_cost_of_loop *c;
    const struct cy_outcome *outcome;
    struct cy_chain *chain;
    size_t room;
    /* Retirements that are not in the chain yet: the first is that of
       `retired.to`, which `retired.from` makes wait. */
    bool is_retiring;
    struct cy_link retired, later; /* later: all that retired after it */
    uint32_t number;               /* of its execution */
    const struct cy_leg *fetched;  /* the last leg, if it ends with a fetch */
};

static struct cy_link plain(uint32_t from, uint32_t to, enum cy_wait wait,
                            uint32_t rounds, double cycles)
{
    return (struct cy_link){.from = from,
                            .to = to,
                            .wait = wait,
                            .rounds = rounds,
                            .mean_rounds = rounds,
                            .cycles = cycles,
                            .support = 1};
}

static void add_link(struct making *m, struct cy_link link)
{
    struct cy_chain *chain = m->chain;
    struct cy_link *last = chain->n > 0 ? &chain->links[chain->n - 1] : NULL;

    if (last != NULL && last->wait == CY_WAIT_UNITS &&
        link.wait == CY_WAIT_UNITS) {
        last->to = link.to;
        last->cycles += link.cycles;
        last->rounds += link.rounds;
        last->mean_rounds += link.mean_rounds;
        return;
    }
    array_push(chain->links, chain->n, m->room, link);
}

/* A value is stored that was made some rounds before. */
static void add_data(struct making *m, uint32_t maker, uint32_t store,
                     uint32_t rounds)
{
    if (maker != store || rounds > 0)
        add_link(m, plain(maker, store, CY_WAIT_DATA, rounds, 0));
}

/* A load waits for a store.  If the forward fails, it waits for what retired
   before the store left. */
static void add_passage(struct making *m, const struct cy_leg *leg,
                        const struct cy_link *link)
{
    bool fails = leg->cause == CY_CAUSE_FAILED;
    const struct cy_hop *passage =
        passage_of(m->outcome, leg->store, leg->to, fails);
    struct cy_link whole;

    if (passage == NULL)
        return;
    whole = link_of_passage(m->c, passage);
    whole.cycles = link->cycles;
    if (fails && m->is_retiring) {
        uint32_t rounds = leg->ended / m->c->n - m->number / m->c->n;

        add_data(m, m->retired.from, m->retired.to, m->retired.rounds);
        whole.from = m->retired.to;
        whole.mean_rounds += (double)rounds - whole.rounds;
        whole.rounds = rounds;
        whole.cycles += m->retired.cycles + m->later.cycles;
        m->is_retiring = false;
    } else {
        add_data(m, link->from, whole.from, link->rounds - rounds_of(passage));
    }
    add_link(m, whole);
}

static void add_retirement(struct making *m, const struct cy_leg *leg,
                           const struct cy_link *link)
{
    if (m->is_retiring) {
        m->later.to = link->to;
        m->later.rounds += link->rounds;
        m->later.mean_rounds += link->rounds;
        m->later.cycles += link->cycles;
        return;
    }
    m->is_retiring = true;
    m->retired = *link;
    m->retired.wait = CY_WAIT_UNITS;
    m->later = plain(link->to, link->to, CY_WAIT_UNITS, 0, 0);
    m->number = leg->ended;
}

static void add_leg(struct making *m, const struct cy_leg *leg)
{
    struct cy_leg whole = *leg;
    uint32_t n = m->c->n;
    struct cy_link link;

    /* Fetching belongs to no instruction. */
    if (whole.from == CY_NO_INSN && m->fetched != NULL) {
        whole.from = m->fetched->from;
        whole.begun = m->fetched->begun;
    } else if (whole.from == CY_NO_INSN) {
        whole.from = whole.to;
        whole.begun = whole.ended;
    }
    if (whole.to == CY_NO_INSN) {
        m->fetched = leg->from != CY_NO_INSN ? leg : m->fetched;
        return;
    }
    m->fetched = NULL;
    link = plain(whole.from, whole.to, wait_of(whole.cause),
                 whole.ended / n - whole.begun / n, whole.cycles);
    if (leg->retires || leg->cause == CY_CAUSE_RETIREMENT) {
        add_retirement(m, leg, &link);
        return;
    }
    if (m->is_retiring && leg->cause != CY_CAUSE_FAILED) {
        add_link(m, m->retired);
        add_link(m, m->later);
        m->is_retiring = false;
    }
    if (link.wait == CY_WAIT_MEMORY)
        add_passage(m, leg, &link);
    else if (leg->cycles > 0)
        add_link(m, link);
}

/* The chain of rounds that take some cycles each. */
static struct cy_chain chain_of(const struct cy_cost_of_loop *c,
                                const struct cy_outcome *o, double cycles)
{
    struct cy_chain chain = {.cycles = cycles};
    struct making m = {.c = c, .outcome = o, .chain = &chain};
    struct circle circle = find_circle(o, c->n, cycles);

    for (size_t i = circle.n; i > 0; i--)
        add_leg(&m, &o->way[circle.first + i - 1]);
    return chain;
}

/* --- A loop --- */

static void guess(struct cy_bound *b, uint32_t step)
{
    b->n_unknown_cost += !b->is_guessed[step];
    b->is_guessed[step] = true;
}

static bool computes(const struct cy_flow *flow)
{
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].value.is_computed && !flow->puts[i].is_free &&
            !flow->puts[i].is_base)
            return true;
    for (unsigned i = 0; i < flow->n_stores; i++)
        if (flow->stores[i].data.is_computed)
            return true;
    return false;
}

static void take_unknown(struct cy_cost_of_loop *c,
                         const struct cy_machine *machine,
                         const struct cy_load_latency *loads)
{
    struct cy_bound *b = &c->bound;
    double cycles;

    b->is_guessed = memory_new(c->n, sizeof *b->is_guessed);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_flow *flow = &c->steps[i].insn->flow;

        b->n_unknown_flow += !flow->is_known || flow->is_cut;
        if (computes(flow) &&
            !cy_step_cycles(&c->steps[i], NULL, machine, loads, &cycles))
            guess(b, i);
    }
}

/* The step that wrote each word last, or none, and in which round. */
struct writers {
    uint32_t step[CY_WORDS], rounds[CY_WORDS];
};

static void define(struct writers *w, const struct cy_step *s, uint32_t step)
{
    for (unsigned i = 0; i < CY_WORDS; i++)
        if (cy_sources_has(&s->overwritten, i))
            w->step[i] = CY_NO_INSN;
    for (unsigned i = 0; i < s->insn->flow.n_puts && cy_step_puts(s); i++) {
        w->step[s->insn->flow.puts[i].word] = step;
        w->rounds[s->insn->flow.puts[i].word] = 0;
    }
}

/* Adds the waits of a step for what a value is made of. */
static void add_waits(struct making *m, const struct writers *w, uint32_t step,
                      const struct cy_sources *from, enum cy_wait wait,
                      double cycles)
{
    for (unsigned i = 0; i < CY_WORDS; i++)
        if (cy_sources_has(from, i) && w->step[i] != CY_NO_INSN)
            array_push(m->chain->links, m->chain->n, m->room,
                       plain(w->step[i], step, wait, w->rounds[i], cycles));
}

static void add_step(struct making *m, const struct writers *w, uint32_t step,
                     const struct cy_machine *machine,
                     const struct cy_load_latency *loads)
{
    const struct cy_step *s = &m->c->steps[step];
    const struct cy_flow *flow = &s->insn->flow;
    double load = cy_step_load_cycles(s, machine, loads), own;

    cy_step_cycles(s, NULL, machine, loads, &own);
    for (unsigned i = 0; i < flow->n_loads; i++)
        add_waits(m, w, step, &flow->loads[i].address, CY_WAIT_ADDRESS, load);
    for (unsigned i = 0; i < flow->n_puts && !cy_step_is_idiom(s, machine); i++)
        add_waits(m, w, step, &flow->puts[i].value, CY_WAIT_REGISTER,
                  flow->puts[i].is_free ? 0 : own);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        add_waits(m, w, step, &flow->stores[i].address, CY_WAIT_DATA, 0);
        add_waits(m, w, step, &flow->stores[i].data,
                  flow->stores[i].data.is_computed ? CY_WAIT_REGISTER
                                                   : CY_WAIT_DATA,
                  flow->stores[i].data.is_computed ? own : 0);
    }
}

/* All waits for registers. */
static struct cy_chain waits_of(const struct cy_cost_of_loop *c,
                                const struct cy_machine *machine,
                                const struct cy_load_latency *loads)
{
    struct cy_chain all = {0};
    struct making m = {.c = c, .chain = &all};
    struct writers w;

    for (unsigned i = 0; i < CY_WORDS; i++)
        w.step[i] = CY_NO_INSN;
    for (uint32_t i = 0; i < c->n; i++)
        define(&w, &c->steps[i], i);
    for (unsigned i = 0; i < CY_WORDS; i++)
        w.rounds[i] = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        add_step(&m, &w, i, machine, loads);
        define(&w, &c->steps[i], i);
    }
    return all;
}

/* Takes what went from stores to loads. */
static void take_passages(struct cy_cost_of_loop *c, const struct cy_outcome *o)
{
    struct cy_bound *b = &c->bound;

    b->failed = memory_new(o->n_hops, sizeof *b->failed);
    b->passages = memory_new(o->n_hops, sizeof *b->passages);
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];
        struct cy_link link;

        if (hop->n == 0)
            continue;
        link = link_of_passage(c, hop);
        b->passages[b->n_passages++] = link;
        if (hop->passage.is_guessed)
            guess(b, hop->to);
        b->n_renamed +=
            link.how == CY_RENAMED && link.mean_rounds > link.rounds;
        if (link.how == CY_FAILED)
            b->failed[b->n_failed++] =
                (struct cy_failed){.store = hop->store,
                                   .load = hop->to,
                                   .rounds = link.rounds,
                                   .cycles = link.cycles,
                                   .support = link.support,
                                   .forward = link.forward};
    }
}

static double share_of(const struct cy_outcome *o, enum cy_cause cause)
{
    return o->cycles > 0 ? o->causes[cause] / o->cycles : 0;
}

/* The cycles of a round in which divisions and roots keep their unit, if that
   is most of it; else 0. */
static double occupancy(const struct cy_cost_of_loop *c,
                        const struct cy_outcome *o,
                        const struct cy_machine *machine)
{
    double cycles, all = 0;

    for (size_t i = 0; i < o->n_hops && machine != NULL; i++)
        if (o->hops[i].cause == CY_CAUSE_UNITS && o->hops[i].to != CY_NO_INSN &&
            cy_machine_occupancy(
                machine, &c->steps[o->hops[i].to].operands.insn, &cycles))
            all += o->hops[i].cycles;
    return all > MOSTLY * o->cycles ? c->cycles.predicted : 0;
}

/* Runs a round in which no load reads what the loop stored. */
static void take_without(struct cy_cost_of_loop *c,
                         const struct cy_prediction *p,
                         struct cy_madeup_choice choice)
{
    struct cy_outcome o;
    struct cy_madeup *m;
    size_t ignored;

    choice.has_edges = false;
    m = cy_madeup_new(p, c, &choice, &ignored);
    c->cycles.without = cy_madeup_run(m, CY_FIX_NONE, &o);
    c->bound.registers = chain_of(c, &o, c->cycles.without);
    cy_outcome_fini(&o);
    cy_madeup_free(m);
}

static void take_figures(struct cy_cost_of_loop *c,
                         const struct cy_prediction *p,
                         const struct cy_madeup_choice *choice)
{
    struct cy_cycles *cy = &c->cycles;
    struct cy_madeup *m = cy_madeup_new(p, c, choice, &c->n_impossible);
    struct cy_outcome o, other;

    cy->predicted = cy_madeup_run(m, CY_FIX_NONE, &o);
    cy->throughput = cy_madeup_run(m, CY_FIX_FREE, &other);
    cy_outcome_fini(&other);
    take_unknown(c, choice->machine, &p->latency);
    c->bound.waits = waits_of(c, choice->machine, &p->latency);
    take_passages(c, &o);
    c->bound.memory = chain_of(c, &o, cy->predicted);
    if (share_of(&o, CY_CAUSE_ORDER) > MOSTLY)
        cy->ordered = cy->predicted;
    cy->occupancy = occupancy(c, &o, choice->machine);
    cy->mended = cy->without = cy->predicted;
    if (c->bound.n_passages > 0) {
        cy->mended =
            fmin(cy->predicted, cy_madeup_run(m, CY_FIX_MENDED, &other));
        cy_outcome_fini(&other);
        take_without(c, p, *choice);
    } else {
        c->bound.registers = chain_of(c, &o, cy->predicted);
    }
    /* Rounds in which less waits may take longer by a unit's chance. */
    c->bound.registers.cycles = cy->without = fmin(cy->without, cy->mended);
    cy->throughput = fmin(cy->throughput, cy->without);
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    cy_outcome_fini(&o);
    cy_madeup_free(m);
}

/* --- Recorded rounds --- */

/* By instruction of the windows: the step of the loop; CY_NO_INSN: none.  The
   caller frees. */
static uint32_t *steps_of(const struct cy_cost_of_loop *c,
                          const struct cy_windowed *w)
{
    uint32_t *steps = memory_new(w->n_insns, sizeof *steps);

    for (size_t i = 0; i < w->n_insns; i++) {
        const struct cy_simulated_insn *insn = &w->simulated[i];

        steps[i] = CY_NO_INSN;
        if (w->in_data[insn->object] != c->loop->object)
            continue;
        for (uint32_t j = 0; j < c->n && steps[i] == CY_NO_INSN; j++)
            if (c->insns[j].address == insn->address)
                steps[i] = j;
    }
    return steps;
}

static uint32_t step_of(const uint32_t *steps, uint32_t insn)
{
    return insn != CY_NO_INSN ? steps[insn] : CY_NO_INSN;
}

/* A hop between steps; false: it does not end in the loop. */
static bool in_loop(const uint32_t *steps, const struct cy_hop *hop,
                    struct cy_hop *own)
{
    *own = *hop;
    own->from = step_of(steps, hop->from);
    own->to = step_of(steps, hop->to);
    own->store = step_of(steps, hop->store);
    if (own->from == CY_NO_INSN)
        own->from = own->to;
    return own->to != CY_NO_INSN;
}

static void add_recorded(struct making *m, const struct cy_windowed *w,
                         const uint32_t *steps, const struct cy_hop *hop,
                         double cycles)
{
    const struct cy_hop *met;
    struct cy_hop own, passage;
    struct cy_link link;

    if (!in_loop(steps, hop, &own))
        return;
    link = plain(own.from, own.to, wait_of(own.cause), 0, cycles);
    if (link.wait == CY_WAIT_MEMORY) {
        met = passage_of(&w->outcome, hop->store, hop->to,
                         hop->cause == CY_CAUSE_FAILED);
        /* If another loop stored it, only the load is here. */
        link.wait = CY_WAIT_ADDRESS;
        if (met != NULL && own.store != CY_NO_INSN &&
            in_loop(steps, met, &passage)) {
            link = link_of_passage(m->c, &passage);
            link.cycles = cycles;
        }
    }
    add_link(m, link);
}

/* The hops of recorded rounds that take most, the most first. */
static struct cy_chain recorded_chain(const struct cy_cost_of_loop *c,
                                      const struct cy_windowed *w,
                                      const uint32_t *steps, double rounds)
{
    struct cy_chain chain = {.cycles = c->cycles.predicted,
                             .is_recorded = true};
    struct making m = {.c = c, .outcome = &w->outcome, .chain = &chain};

    for (size_t i = 0; i < w->outcome.n_hops; i++) {
        double cycles = w->outcome.hops[i].cycles / rounds;

        if (cycles < LITTLE * c->cycles.predicted)
            break;
        add_recorded(&m, w, steps, &w->outcome.hops[i], cycles);
    }
    return chain;
}

/* The chain of recorded rounds that do not take what others would. */
static void take_recorded_chain(struct cy_cost_of_loop *c,
                                const struct cy_windowed *w, double rounds)
{
    struct cy_chain *memory = &c->bound.memory,
                    *registers = &c->bound.registers;
    uint32_t *steps = steps_of(c, w);
    bool waits = false;

    free(memory->links);
    free(registers->links);
    *memory = recorded_chain(c, w, steps, rounds);
    *registers = (struct cy_chain){.cycles = c->cycles.mended};
    for (size_t i = 0; i < memory->n; i++)
        waits |= memory->links[i].wait == CY_WAIT_MEMORY;
    if (!waits) {
        *registers = *memory;
        *memory = (struct cy_chain){.cycles = c->cycles.predicted};
    }
    free(steps);
}

bool cy_figure_is_apart(const struct cy_cycles *cy)
{
    return fabs(cy->predicted - cy->steady) > APART * cy->steady;
}

/* Takes the figures of recorded rounds, if they are enough. */
static void take_recorded(struct cy_cost_of_loop *c,
                          const struct cy_windowed *w,
                          const struct cy_data *data)
{
    struct cy_windowed_round round;
    struct cy_cycles *cy = &c->cycles;

    if (w == NULL || w->n_insns == 0 || !cy_windowed_is_known(w))
        return;
    round = cy_windowed_loop(w, data, c->loop);
    if (round.n_seen < FEWEST_RECORDED || round.is_unknown)
        return;
    cy->is_recorded = true;
    cy->predicted = cy->short_runs = round.own + round.called;
    cy->mended = cy->short_runs_mended = cy->without = round.mended;
    cy->throughput = fmin(round.mended, round.released);
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    c->bound.memory.cycles = cy->predicted;
    c->bound.registers.cycles = cy->mended;
    if (cy_figure_is_apart(cy))
        take_recorded_chain(c, w, round.rounds);
    cy_unknown_recorded(&c->unknown, round.is_least);
}

/* Orders loops by their cost; without executions, by what a fix gains. */
static int cost_order(const void *pa, const void *pb)
{
    const struct cy_cost_of_loop *a = pa, *b = pb;
    int order = b->is_shown - a->is_shown;

    if (order == 0 && (a->name == NULL || b->name == NULL))
        order = array_order(b->cycles.short_runs * (double)b->loop->rounds,
                            a->cycles.short_runs * (double)a->loop->rounds)
                    ?: array_order(b->cycles.predicted - b->cycles.mended,
                                   a->cycles.predicted - a->cycles.mended)
                    ?: array_order(b->cycles.predicted, a->cycles.predicted);
    /* Loops with a name keep the order of the source. */
    return order ?: array_order(a->address, b->address);
}

void cy_figures_of(struct cy_prediction *p, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_windowed *windowed,
                   const struct cy_machine *machine)
{
    const struct cy_madeup_choice made_up = {choice->edges != CY_EDGES_NONE,
                                             choice->is_unrolled, machine};

    for (size_t i = 0; i < p->n; i++) {
        take_figures(&p->loops[i], p, &made_up);
        cy_short_runs(&p->loops[i], machine);
        cy_unknown_of(&p->loops[i], data, code, choice, machine);
        p->loops[i].cycles.steady = p->loops[i].cycles.predicted;
        take_recorded(&p->loops[i], windowed, data);
    }
    array_sort(p->loops, p->n, cost_order);
}
