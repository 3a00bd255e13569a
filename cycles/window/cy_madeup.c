/*
 * cy_madeup: the instructions of a loop, executed again and again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/cy_madeup.h"

#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "window/internal.h"

/* Rounds; the last three quarters count.  (With 1,000 of them, 26 of the 1,430
   loops of Debian 12's bash differ by more than 1 %, the worst by 10.5.) */
#define ROUNDS 160

/* Long loops have fewer rounds, but enough to fill a core. */
#define MOST_INSNS    200000
#define FEWEST_ROUNDS 32

/* A hop that adds less than this share of a round is left out. */
#define LITTLE 0.02

/* A loop whose rounds are windows. */
struct rounds {
    const struct cy_cost_of_loop *loop;
    struct cy_places *places;
    struct cy_window_access *accesses; /* of all instructions */
    uint32_t *first_access;            /* by instruction, and one more */
    struct cy_simulated_insn *insns;
    size_t n; /* of the rounds */
    bool is_unrolled;
};

static void take_insns(struct rounds *r)
{
    const struct cy_cost_of_loop *c = r->loop;
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_flow *flow = &c->steps[i].insn->flow;

        r->first_access[i] = n;
        for (unsigned j = 0; j < flow->n_loads; j++)
            r->accesses[n++] =
                (struct cy_window_access){false, flow->loads[j].size};
        for (unsigned j = 0; j < flow->n_stores; j++)
            r->accesses[n++] =
                (struct cy_window_access){true, flow->stores[j].size};
        r->insns[i] = (struct cy_simulated_insn){
            .length = c->insns[i].length,
            .address = c->insns[i].address,
            .accesses = r->accesses + r->first_access[i],
            .n_accesses = n - r->first_access[i],
            .step = c->steps[i],
            .uses = c->uses[i]};
    }
    r->first_access[c->n] = n;
}

static void take_addresses(const struct rounds *r, uint32_t step, size_t round,
                           uint64_t *to)
{
    const struct cy_flow *flow = &r->loop->steps[step].insn->flow;

    for (unsigned j = 0; j < flow->n_loads; j++)
        *to++ = cy_places_load(r->places, step, j, round);
    for (unsigned j = 0; j < flow->n_stores; j++)
        *to++ = cy_places_store(r->places, step, j, round);
}

static void expand(const void *context, size_t i, struct cy_recorded *window)
{
    const struct rounds *r = context;
    uint32_t n = r->loop->n, n_accesses = r->first_access[n];

    (void)i;
    window->weight = 1;
    window->n = r->n * n;
    window->is_made_up = true;
    window->is_unrolled = r->is_unrolled;
    array_reserve(window, executed, window->n);
    array_reserve(window, addresses, r->n * n_accesses);
    for (size_t round = 0; round < r->n; round++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t first = (uint32_t)round * n_accesses + r->first_access[j];

            window->executed[round * n + j] =
                (struct cy_executed){.insn = j, .first_access = first};
            take_addresses(r, j, round, window->addresses + first);
        }
    window->executed[window->n] = (struct cy_executed){
        .insn = CY_NO_INSN, .first_access = (uint32_t)r->n * n_accesses};
}

static size_t rounds_of(uint32_t n)
{
    size_t rounds = MOST_INSNS / n;

    if (rounds > ROUNDS)
        rounds = ROUNDS;
    return rounds > FEWEST_ROUNDS ? rounds / 4 * 4 : FEWEST_ROUNDS;
}

/* Does it tell more of a hop where it was?  One place after another waits for
   the width. */
static bool has_place(enum cy_cause cause)
{
    return cause != CY_CAUSE_DISPATCH && cause != CY_CAUSE_FETCH;
}

/* Takes what some rounds took, and their hops. */
static void take_outcome(struct cy_madeup *m, struct cy_outcome *outcome,
                         double rounds)
{
    struct cy_outcome folded = {0};

    m->cycles = outcome->cycles / rounds;
    for (size_t i = 0; i < outcome->n_hops; i++) {
        struct cy_hop hop = outcome->hops[i];

        hop.cycles /= rounds;
        if (!has_place(hop.cause))
            hop.from = hop.to = CY_NO_INSN;
        cy_outcome_hop(&folded, hop);
    }
    cy_outcome_conclude(&folded);
    m->path = folded.hops;
    folded.hops = NULL;
    while (m->n_path < folded.n_hops &&
           m->path[m->n_path].cycles > LITTLE * m->cycles)
        m->n_path++;
    cy_outcome_fini(&folded);
}

static struct cy_madeup make_up(const struct cy_prediction *p,
                                const struct cy_cost_of_loop *c,
                                const struct cy_choice *choice,
                                const struct cy_machine *machine)
{
    const struct cy_model model = {machine, p->latency, p->mca_width};
    struct rounds r = {
        .loop = c,
        .accesses = memory_new((size_t)c->n * (CY_MOST_LOADS + CY_MOST_STORES),
                               sizeof *r.accesses),
        .first_access = memory_new(c->n + 1, sizeof *r.first_access),
        .insns = memory_new(c->n, sizeof *r.insns),
        .n = rounds_of(c->n),
        .is_unrolled = choice->is_unrolled};
    const struct cy_window_source source = {&r, 1, expand};
    struct cy_simulation *s;
    struct cy_outcome outcome;
    struct cy_madeup madeup = {0};

    take_insns(&r);
    r.places =
        cy_places_new(c, choice->edges != CY_EDGES_NONE, &madeup.n_impossible);
    s = cy_simulation_new(&source, r.insns, c->n, &model);
    cy_windows_simulate(&outcome, s, NULL);
    take_outcome(&madeup, &outcome, (double)(r.n - cy_window_first(r.n)));
    cy_outcome_fini(&outcome);
    cy_simulation_free(s);
    cy_places_free(r.places);
    free(r.accesses);
    free(r.first_access);
    free(r.insns);
    return madeup;
}

struct cy_madeup *cy_madeup_all(const struct cy_prediction *p,
                                const struct cy_choice *choice,
                                const struct cy_machine *machine)
{
    struct cy_madeup *all = memory_new(p->n, sizeof *all);

    for (size_t i = 0; i < p->n; i++)
        all[i] = make_up(p, &p->loops[i], choice, machine);
    return all;
}

void cy_madeup_free(struct cy_madeup *all, size_t n)
{
    for (size_t i = 0; all != NULL && i < n; i++)
        free(all[i].path);
    free(all);
}
