/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_figure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "chain/cy_edges.h"
#include "memory.h"
#include "core/cy_madeup.h"

/* A loop is bound by memory if memory raises its prediction by this factor. */
#define MEMORY_BOUND 1.4

/* Causes of this share of a round are told. */
#define MOSTLY 0.5

/* A unit that is busy for this share of a round limits it. */
#define NEARLY 0.9

/* A loop whose runs are shorter has their figure. */
#define SHORT_RUN 20 /* rounds */

/* Fewer recorded rounds say little. */
#define FEWEST_RECORDED 50

/* Recorded rounds that take this share more or less than those that are made up
   have a chain of their own. */
#define APART 0.1

/* --- A loop --- */

static void guess(struct cy_bound *b, uint32_t step)
{
    b->n_unknown_cost += !b->is_guessed[step];
    b->is_guessed[step] = true;
}

static bool computes(const struct flow *flow)
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
                         const struct cy_model *model)
{
    struct cy_bound *b = &c->bound;
    double cycles;

    b->is_guessed = memory_new(c->n, sizeof *b->is_guessed);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        b->n_unknown += !flow->is_known || flow->is_cut ||
                        (c->cycles.has_units && !c->mca[i].is_known);
        if (computes(flow) &&
            !cy_step_cycles(&c->steps[i], NULL, model->machine, &model->loads,
                            &cycles))
            guess(b, i);
    }
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
        link = cy_link_of_passage(c, hop);
        b->passages[b->n_passages++] = link;
        if (hop->passage.is_guessed)
            guess(b, hop->to);
        b->n_renamed +=
            link.how == CY_RENAMED && link.mean_rounds > link.rounds;
        if (link.how == CY_FAILED)
            b->failed[b->n_failed++] = link;
    }
}

static double share_of(const struct cy_outcome *o, enum cy_cause cause)
{
    return o->cycles > 0 ? o->causes[cause] / o->cycles : 0;
}

/* Does anything wait for a value, on the way that takes all cycles? */
static bool waits(const struct cy_outcome *o)
{
    return o->causes[CY_CAUSE_REGISTERS] + o->causes[CY_CAUSE_LOADS] +
               o->causes[CY_CAUSE_FORWARDED] + o->causes[CY_CAUSE_FAILED] +
               o->causes[CY_CAUSE_ADDRESSES] + o->causes[CY_CAUSE_ORDER] >
           CY_HARDLY * o->cycles;
}

/* The cycles of a round in which divisions and roots keep their unit, one for
   general and one for vector registers, if that is nearly all of it; else 0. */
static double occupancy(const struct cy_cost_of_loop *c,
                        const struct cy_machine *machine)
{
    double kinds[2] = {0}, cycles, most;

    for (uint32_t i = 0; i < c->n && machine != NULL; i++) {
        const struct cy_insn *insn = &c->steps[i].operands.insn;

        if (!cy_step_orders(&c->steps[i]) &&
            c->insns[i].flow.leave == FLOW_GOES_ON &&
            cy_machine_occupancy(machine, insn, &cycles))
            kinds[insn->bits >= 128] += cycles;
    }
    most = fmax(kinds[0], kinds[1]);
    return most > NEARLY * c->cycles.predicted ? most : 0;
}

/* Runs a round in which no load reads what the loop stored. */
static void take_without(struct cy_cost_of_loop *c,
                         const struct cy_model *model,
                         struct cy_madeup_choice choice)
{
    struct cy_outcome o;
    struct cy_madeup *m;
    size_t ignored;

    choice.held = CY_HELD_NONE;
    m = cy_madeup_new(model, c, &choice, &ignored);
    c->cycles.without = cy_madeup_run(m, CY_FIX_NONE, &o);
    c->bound.registers = cy_chain_of(c, &o, c->cycles.without);
    cy_outcome_fini(&o);
    cy_madeup_free(m);
}

/* Widens the range by a round in which these edges hold. */
static void take_held(struct cy_cost_of_loop *c, const struct cy_model *model,
                      struct cy_madeup_choice choice, enum cy_held held)
{
    struct cy_outcome ignored;
    struct cy_madeup *m;
    size_t n;
    double cycles;

    choice.held = held;
    m = cy_madeup_new(model, c, &choice, &n);
    cycles = cy_madeup_run(m, CY_FIX_NONE, &ignored);
    c->cycles.low = fmin(c->cycles.low, cycles);
    c->cycles.high = fmax(c->cycles.high, cycles);
    cy_outcome_fini(&ignored);
    cy_madeup_free(m);
}

static void take_range(struct cy_cost_of_loop *c, const struct cy_model *model,
                       const struct cy_madeup_choice *choice)
{
    bool are_sure = true;

    c->cycles.low = c->cycles.high = c->cycles.predicted;
    for (size_t i = 0; i < c->edges.n; i++)
        are_sure &= c->edges.list[i].is_sure;
    if (choice->held == CY_HELD_NONE)
        return;
    if (!are_sure)
        take_held(c, model, *choice, CY_HELD_SURE);
    if (c->edges.n_all > c->edges.n)
        take_held(c, model, *choice, CY_HELD_ALL);
}

static bool is_doubtful(const struct cy_cycles *cy)
{
    return fmax(cy->predicted - cy->low, cy->high - cy->predicted) >
           APART * cy->predicted;
}

/* Rounds of a run of the loop; 0: they are many, or not known. */
static size_t rounds_of_run(const struct cy_loop *loop)
{
    double rounds =
        loop->entries > 0 ? (double)loop->rounds / (double)loop->entries : 0;

    return rounds < SHORT_RUN ? (size_t)lround(rounds) : 0;
}

static void take_figures(struct cy_cost_of_loop *c,
                         const struct cy_model *model,
                         const struct cy_madeup_choice *choice)
{
    struct cy_cycles *cy = &c->cycles;
    struct cy_madeup *m = cy_madeup_new(model, c, choice, &c->n_impossible);
    struct cy_outcome o, other;

    cy->predicted = cy->throughput = cy_madeup_run(m, CY_FIX_NONE, &o);
    if (waits(&o)) {
        cy->throughput = cy_madeup_run(m, CY_FIX_FREE, &other);
        cy_outcome_fini(&other);
    }
    take_unknown(c, model);
    c->bound.waits = cy_waits_of(c, model);
    take_passages(c, &o);
    c->bound.memory = cy_chain_of(c, &o, cy->predicted);
    if (share_of(&o, CY_CAUSE_ORDER) > MOSTLY)
        cy->ordered = cy->predicted;
    cy->occupancy = occupancy(c, model->machine);
    cy->mended = cy->without = cy->steered = cy->predicted;
    if (c->bound.n_passages > 0) {
        /* Without the accesses there is less work, too, which is no wait. */
        if (share_of(&o, CY_CAUSE_FORWARDED) + share_of(&o, CY_CAUSE_FAILED) +
                share_of(&o, CY_CAUSE_ADDRESSES) >=
            CY_HARDLY) {
            cy->mended =
                fmin(cy->predicted, cy_madeup_run(m, CY_FIX_MENDED, &other));
            cy_outcome_fini(&other);
        }
        take_without(c, model, *choice);
    } else {
        c->bound.registers = cy_chain_of(c, &o, cy->predicted);
    }
    /* Rounds in which less waits may take longer by a unit's chance. */
    c->bound.registers.cycles = cy->without = fmin(cy->without, cy->mended);
    cy->throughput = fmin(cy->throughput, cy->without);
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    cy_outcome_fini(&o);
    cy_madeup_free(m);
    take_range(c, model, choice);
}

/* --- Recorded rounds --- */

/* The chain of recorded rounds that do not take what others would. */
static void take_recorded_chain(struct cy_cost_of_loop *c,
                                const struct cy_windowed *w, double rounds)
{
    struct cy_chain *memory = &c->bound.memory,
                    *registers = &c->bound.registers;
    bool waits = false;

    free(memory->links);
    free(registers->links);
    *memory = cy_chain_recorded(c, w, rounds);
    *registers = (struct cy_chain){.cycles = c->cycles.mended};
    for (size_t i = 0; i < memory->n; i++)
        waits |= memory->links[i].wait == CY_WAIT_MEMORY;
    if (!waits) {
        *registers = *memory;
        *memory = (struct cy_chain){.cycles = c->cycles.predicted};
    }
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
    double least = 0;

    if (w == NULL || w->n_insns == 0 || !cy_windowed_is_known(w))
        return;
    round = cy_windowed_loop(w, data, c->loop);
    if (round.n_seen < FEWEST_RECORDED || round.is_unknown)
        return;
    cy->n_recorded = round.n_seen;
    c->iterations = data->blocks[c->loop->blocks[0]].executions;
    cy->predicted = round.own + round.called;
    /* Divisions and atomics need no less than in rounds that are made up. */
    if (!cy_figure_is_apart(cy) && (cy->occupancy > 0 || cy->ordered > 0))
        least = cy->throughput;
    cy->called = round.called;
    cy->mended = cy->without = round.mended;
    cy->throughput = fmin(round.mended, fmax(round.released, least));
    cy->steered = round.steered;
    cy->is_memory_bound = cy->predicted >= MEMORY_BOUND * cy->mended;
    c->bound.memory.cycles = cy->predicted;
    c->bound.registers.cycles = cy->mended;
    if (cy_figure_is_apart(cy))
        take_recorded_chain(c, w, round.rounds);
    cy_unknown_recorded(&c->unknown, round.is_least);
}

/* Finds what the loop's own instructions take in the whole run. */
static void take_all(struct cy_cost_of_loop *c, const struct cy_windowed *w)
{
    if (w != NULL && w->n_insns > 0 && cy_windowed_is_known(w))
        c->cycles.all = cy_windowed_whole(w, cy_windowed_own(w, c->loop));
    else if (!cy_unknown_is_all(&c->unknown))
        c->cycles.all = (double)c->loop->rounds * c->cycles.predicted;
}

/* Orders loops by their cost; without executions, by what a fix gains. */
static int cost_order(const void *pa, const void *pb)
{
    const struct cy_cost_of_loop *a = pa, *b = pb;
    int order = b->is_shown - a->is_shown;

    if (order == 0 && (a->name == NULL || b->name == NULL))
        order = array_order(b->cycles.all, a->cycles.all)
                    ?: array_order(b->cycles.predicted - b->cycles.mended,
                                   a->cycles.predicted - a->cycles.mended)
                    ?: array_order(b->cycles.predicted, a->cycles.predicted);
    /* Loops with a name keep the order of the source. */
    return order ?: array_order(a->address, b->address);
}

void cy_figures_of(struct cy_prediction *p, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_windowed *windowed)
{
    struct cy_madeup_choice made_up = {
        .held = choice->edges == CY_EDGES_NONE ? CY_HELD_NONE : CY_HELD_EDGES,
        .is_unrolled = choice->is_unrolled};

    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        made_up.per_run = rounds_of_run(c->loop);
        c->iterations = c->loop->rounds;
        take_figures(c, &p->model, &made_up);
        cy_unknown_of(c, data, code, choice, p->model.machine);
        c->unknown.is_doubtful = is_doubtful(&c->cycles);
        c->cycles.steady = c->cycles.predicted;
        take_recorded(c, windowed, data);
        take_all(c, windowed);
    }
    array_sort(p->loops, p->n, cost_order);
}
