/*
 * cy_madeup: the instructions of a loop, executed again and again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/cy_madeup.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "memory.h"
#include "window/internal.h"

/* Rounds, at most; if they never settle, the last three quarters count.  (With
   1,000 of them, 4 of the 1,430 loops of Debian 12's bash differ by more than
   1 %, the worst by 4.) */
#define ROUNDS 320

/* Long loops have fewer rounds, but enough to fill a core. */
#define MOST_INSNS    200000
#define FEWEST_ROUNDS 32

/* Parts of a cycle below which there is nothing but what rounding leaves. */
#define EXACT 1e9

struct cy_madeup {
    const struct cy_cost_of_loop *loop;
    struct cy_window_source source;
    struct cy_simulation *simulation;
    struct cy_places *places;
    struct cy_window_access *accesses; /* of all instructions */
    uint32_t *first_access;            /* by instruction, and one more */
    struct cy_simulated_insn *insns;
    size_t n;       /* of the rounds */
    size_t per_run; /* of them; 0: there is one run */
    bool is_unrolled;
};

static void take_insns(struct cy_madeup *r)
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

static void take_addresses(const struct cy_madeup *r, uint32_t step,
                           size_t round, uint64_t *to)
{
    const struct cy_flow *flow = &r->loop->steps[step].insn->flow;
    size_t run = r->per_run > 0 ? round / r->per_run : 0;

    for (unsigned j = 0; j < flow->n_loads; j++)
        *to++ = cy_places_load(r->places, step, j, round, run);
    for (unsigned j = 0; j < flow->n_stores; j++)
        *to++ = cy_places_store(r->places, step, j, round, run);
}

static void expand(const void *context, size_t i, struct cy_recorded *window)
{
    const struct cy_madeup *r = context;
    uint32_t n = r->loop->n, n_accesses = r->first_access[n];

    (void)i;
    window->weight = 1;
    window->n = r->n * n;
    window->per_round = n * (r->per_run > 0 ? r->per_run : 1);
    window->is_unrolled = r->is_unrolled;
    array_reserve(window, executed, window->n);
    array_reserve(window, addresses, r->n * n_accesses);
    for (size_t round = 0; round < r->n; round++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t first = (uint32_t)round * n_accesses + r->first_access[j];

            window->executed[round * n + j] =
                (struct cy_executed){.insn = j,
                                     .first_access = first,
                                     .is_entry = j == 0 && r->per_run > 0 &&
                                                 round % r->per_run == 0};
            take_addresses(r, j, round, window->addresses + first);
        }
    window->executed[window->n] = (struct cy_executed){
        .insn = CY_NO_INSN, .first_access = (uint32_t)r->n * n_accesses};
}

/* A multiple of four, and of whole runs. */
static size_t rounds_of(uint32_t n, size_t per_run)
{
    size_t rounds = MOST_INSNS / n, step = 4 * (per_run > 0 ? per_run : 1);

    if (rounds > ROUNDS)
        rounds = ROUNDS;
    if (rounds < FEWEST_ROUNDS)
        rounds = FEWEST_ROUNDS;
    return (rounds + step - 1) / step * step;
}

struct cy_madeup *cy_madeup_new(const struct cy_model *model,
                                const struct cy_cost_of_loop *c,
                                const struct cy_madeup_choice *choice,
                                size_t *n_impossible)
{
    struct cy_madeup *m = memory_new(1, sizeof *m);
    size_t most = (size_t)c->n * (CY_MOST_LOADS + CY_MOST_STORES);

    *m = (struct cy_madeup){.loop = c,
                            .source = {m, 1, expand},
                            .accesses = memory_new(most, sizeof *m->accesses),
                            .first_access =
                                memory_new(c->n + 1, sizeof *m->first_access),
                            .insns = memory_new(c->n, sizeof *m->insns),
                            .n = rounds_of(c->n, choice->per_run),
                            .per_run = choice->per_run,
                            .is_unrolled = choice->is_unrolled};
    take_insns(m);
    m->places = cy_places_new(c, choice->held, n_impossible);
    m->simulation = cy_simulation_new(&m->source, m->insns, c->n, model);
    return m;
}

void cy_madeup_free(struct cy_madeup *m)
{
    if (m == NULL)
        return;
    cy_simulation_free(m->simulation);
    cy_places_free(m->places);
    free(m->accesses);
    free(m->first_access);
    free(m->insns);
    free(m);
}

double cy_madeup_run(struct cy_madeup *m, enum cy_fix_kind kind,
                     struct cy_outcome *outcome)
{
    const struct cy_fix fix = {.kind = kind};
    double cycles;

    cy_windows_simulate(outcome, m->simulation, &fix);
    cycles = outcome->cycles / (double)(outcome->instructions / m->loop->n);
    return round(cycles * EXACT) / EXACT;
}
