/*
 * cy_simulate: all windows, one after another.
 *
 * The predictor of branches and that of renamed loads see every window once,
 * before the first simulation: what they learn does not depend on time, and the
 * processor has mostly seen this code before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"

/* Rounds of a loop whose exit is predicted, as predictors of 2017 and later
   have it. */
#define USUAL_LONGEST 64

struct cy_simulation {
    const struct cy_window_source *source;
    struct cy_recipes recipes;
    struct cy_pipeline *core;
    struct cy_turn *turns; /* of all windows */
    size_t n_turns, turns_room;
    size_t *first;             /* by window, and one more: its first one */
    struct cy_recorded window; /* the last one that was expanded, */
    size_t at;                 /* which has this number */
    size_t n_insns;
};

/* Finds which branches of a window go where, and which are mispredicted: none,
   without a predictor. */
static void predict(struct cy_simulation *s, struct cy_predictor *p,
                    const struct cy_recorded *window)
{
    if (p != NULL)
        cy_predictor_restart(p);
    for (size_t i = 0; i < window->n; i++) {
        const struct cy_recipe *r = &s->recipes.list[window->executed[i].insn];
        uint64_t next = cy_place_of(r) + r->length, to = next;
        struct cy_turn turn = cy_turn_of(&s->recipes, window, i);

        if (p != NULL && r->branch != CY_NO_BRANCH && i + 1 < window->n &&
            !window->executed[i + 1].is_apart) {
            const struct cy_recipe *after =
                &s->recipes.list[window->executed[i + 1].insn];

            to = cy_place_of(after);
            turn.is_missed =
                !cy_predictor_branch(p, r->branch, cy_place_of(r), next, to);
        }
        array_append(s, turns, turn);
    }
}

/* The most rounds of a loop whose exit is predicted. */
static unsigned longest_of(const struct cy_machine *machine)
{
    unsigned longest = machine != NULL
                           ? cy_machine_facts(machine)->window.predicted_rounds
                           : 0;

    return longest > 0 ? longest : USUAL_LONGEST;
}

/* A window; one that is alone is expanded once. */
static const struct cy_recorded *window_of(struct cy_simulation *s, size_t i)
{
    if (s->at != i)
        s->source->expand(s->source->context, i, &s->window);
    s->at = i;
    return &s->window;
}

struct cy_simulation *cy_simulation_new(const struct cy_window_source *source,
                                        const struct cy_simulated_insn *insns,
                                        size_t n_insns,
                                        const struct cy_model *model)
{
    struct cy_simulation *s = memory_new(1, sizeof *s);
    struct cy_predictor *p = NULL;

    s->source = source;
    s->n_insns = n_insns;
    s->at = SIZE_MAX;
    cy_recipes_init(&s->recipes, insns, n_insns, model);
    s->core = cy_pipeline_new(&s->recipes, model);
    s->first = memory_new(source->n + 1, sizeof *s->first);
    for (size_t i = 0; i < source->n; i++) {
        const struct cy_recorded *window = window_of(s, i);

        if (p == NULL && window->per_round == 0)
            p = cy_predictor_new(longest_of(model->machine));
        predict(s, p, window);
        cy_pipeline_learn(s->core, window);
        s->first[i + 1] = s->n_turns;
    }
    cy_predictor_free(p);
    return s;
}

void cy_simulation_free(struct cy_simulation *s)
{
    if (s == NULL)
        return;
    cy_pipeline_free(s->core);
    cy_recipes_fini(&s->recipes);
    cy_recorded_fini(&s->window);
    free(s->turns);
    free(s->first);
    free(s);
}

struct cy_near cy_simulation_take_near(struct cy_simulation *s)
{
    return cy_pipeline_take_near(s->core);
}

static bool is_same_hop(const struct cy_hop *a, const struct cy_hop *b)
{
    return a->from == b->from && a->to == b->to && a->store == b->store &&
           a->cause == b->cause;
}

static uint32_t *slot_of(struct cy_outcome *o, const struct cy_hop *hop)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = ((uint64_t)hop->from << 32 | hop->to) * golden;
    size_t i;

    hash = (hash ^ ((uint64_t)hop->store << 8 | hop->cause)) * golden;
    i = (size_t)(hash >> 32) & (o->n_slots - 1);
    while (o->hop_slots[i] != 0 &&
           !is_same_hop(&o->hops[o->hop_slots[i] - 1], hop))
        i = (i + 1) & (o->n_slots - 1);
    return &o->hop_slots[i];
}

static void grow_slots(struct cy_outcome *o)
{
    free(o->hop_slots);
    o->n_slots = o->n_slots > 0 ? 2 * o->n_slots : 64;
    o->hop_slots = memory_new(o->n_slots, sizeof *o->hop_slots);
    for (size_t i = 0; i < o->n_hops; i++)
        *slot_of(o, &o->hops[i]) = (uint32_t)i + 1;
}

void cy_outcome_hop(struct cy_outcome *o, struct cy_hop hop)
{
    uint32_t *slot;

    if (2 * o->n_hops >= o->n_slots)
        grow_slots(o);
    slot = slot_of(o, &hop);
    if (*slot != 0) {
        struct cy_hop *old = &o->hops[*slot - 1];

        old->passage.varies |= old->passage.since != hop.passage.since;
        old->cycles += hop.cycles;
        old->n += hop.n;
        return;
    }
    array_append(o, hops, hop);
    *slot = (uint32_t)o->n_hops;
}

static bool fails(const struct cy_hop *hop)
{
    return hop->cause == CY_CAUSE_FAILED;
}

static int ends_order(const void *pa, const void *pb)
{
    const struct cy_hop *a = pa, *b = pb;

    return array_order(a->store, b->store)
               ?: array_order(a->to, b->to)
               ?: array_order(fails(a), fails(b))
               ?: array_order(a->cause, b->cause)
               ?: array_order(a->from, b->from);
}

static int hop_order(const void *pa, const void *pb)
{
    const struct cy_hop *a = pa, *b = pb;

    return array_order(b->cycles, a->cycles) ?: ends_order(pa, pb);
}

static int cycles_order(const void *pa, const void *pb)
{
    const struct cy_window_pair *a = pa, *b = pb;

    return array_order(b->cycles, a->cycles)
               ?: array_order(a->store, b->store)
               ?: array_order(a->load, b->load) ?: a->failed - b->failed;
}

void cy_outcome_conclude(struct cy_outcome *o)
{
    array_sort(o->hops, o->n_hops, ends_order);
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];
        struct cy_window_pair *last =
            o->n_pairs > 0 ? &o->pairs[o->n_pairs - 1] : NULL;

        if (hop->store == CY_NO_INSN)
            continue;
        if (last == NULL || last->store != hop->store ||
            last->load != hop->to || last->failed != fails(hop)) {
            array_append(o, pairs,
                         (struct cy_window_pair){.store = hop->store,
                                                 .load = hop->to,
                                                 .failed = fails(hop)});
            last = &o->pairs[o->n_pairs - 1];
        }
        if (hop->n > 0 && last->n == 0)
            last->address = hop->passage.address;
        last->cycles += hop->cycles;
        last->n += hop->n;
    }
    array_sort(o->pairs, o->n_pairs, cycles_order);
    array_sort(o->hops, o->n_hops, hop_order);
    free(o->hop_slots);
    o->hop_slots = NULL;
    o->n_slots = 0;
}

void cy_outcome_init(struct cy_outcome *o, size_t n_insns, size_t n_windows)
{
    *o = (struct cy_outcome){
        .n_insns = n_insns,
        .by_insn = memory_new(n_insns, sizeof *o->by_insn),
        .executed = memory_new(n_insns, sizeof *o->executed),
        .weighed = memory_new(n_insns, sizeof *o->weighed),
        .called = memory_new(n_insns, sizeof *o->called),
        .recurses = memory_new(n_insns, sizeof *o->recurses),
        .cut = memory_new(n_insns, sizeof *o->cut),
        .windows = memory_new(n_windows, sizeof *o->windows)};
}

void cy_windows_simulate(struct cy_outcome *o, struct cy_simulation *s,
                         const struct cy_fix *fix)
{
    static const struct cy_fix none = {.kind = CY_FIX_NONE};
    size_t n = 0;

    cy_outcome_init(o, s->n_insns, s->source->n);
    for (size_t i = 0; i < s->source->n; i++) {
        const struct cy_recorded *window;

        if (s->first[i + 1] == s->first[i] ||
            (fix != NULL && fix->every > 0 && n++ % fix->every != 0))
            continue;
        window = window_of(s, i);
        assert(window->n == s->first[i + 1] - s->first[i]);
        cy_pipeline_run(s->core, window, s->turns + s->first[i],
                        fix != NULL ? fix : &none, o);
    }
    cy_outcome_conclude(o);
}

void cy_outcome_fini(struct cy_outcome *o)
{
    free(o->by_insn);
    free(o->executed);
    free(o->called);
    free(o->recurses);
    free(o->cut);
    free(o->weighed);
    free(o->windows);
    free(o->pairs);
    free(o->hops);
    free(o->way);
    free(o->hop_slots);
    *o = (struct cy_outcome){0};
}

/* Fewer windows say nothing about how much they differ. */
#define LEAST_WINDOWS 5
#define DRAWS         1000

static int number_order(const void *a, const void *b)
{
    return array_order(*(const double *)a, *(const double *)b);
}

/* Windows that are drawn from together. */
struct part {
    size_t first, n;
};

static int part_order(const void *pa, const void *pb)
{
    const struct part *a = pa, *b = pb;

    return array_order(a->n, b->n) ?: array_order(a->first, b->first);
}

/* The windows of each run, the fewest first. */
static size_t find_runs(const struct cy_outcome *o, struct part *runs)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_windows; i++) {
        if (i == 0 || o->windows[i].run != o->windows[i - 1].run)
            runs[n++] = (struct part){i, 0};
        runs[n - 1].n++;
    }
    array_sort(runs, n, part_order);
    return n;
}

/* Makes the runs to parts that have enough windows, which are copied to `list`
   in the order of their parts. */
static size_t join_runs(const struct cy_outcome *o, struct part *parts,
                        size_t n_runs, struct cy_weighed *list)
{
    size_t n = 0, at = 0;

    for (size_t i = 0; i < n_runs; i++) {
        struct part run = parts[i];

        memcpy(list + at, o->windows + run.first, run.n * sizeof *list);
        if (i == 0 || parts[n - 1].n >= LEAST_WINDOWS)
            parts[n++] = (struct part){at, 0};
        parts[n - 1].n += run.n;
        at += run.n;
    }
    if (n > 1 && parts[n - 1].n < LEAST_WINDOWS) {
        parts[n - 2].n += parts[n - 1].n;
        n--;
    }
    return n;
}

static double draw(const struct part *part, const struct cy_weighed *list,
                   uint64_t *random)
{
    double cycles = 0, instructions = 0, all = 0;

    for (size_t i = 0; i < part->n; i++) {
        const struct cy_weighed *w;

        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        w = &list[part->first + (size_t)((*random >> 32) * part->n >> 32)];
        cycles += w->cycles;
        instructions += w->instructions;
        all += list[part->first + i].instructions;
    }
    return all * cycles / instructions;
}

bool cy_outcome_interval(const struct cy_outcome *o,
                         struct cy_interval *interval)
{
    double means[DRAWS], n = (double)o->instructions;
    uint64_t random = UINT64_C(0x2545f4914f6cdd1d);
    struct cy_weighed *list;
    struct part *parts;
    size_t n_parts;

    if (o->n_windows < LEAST_WINDOWS)
        return false;
    list = memory_new(o->n_windows, sizeof *list);
    parts = memory_new(o->n_windows, sizeof *parts);
    n_parts = join_runs(o, parts, find_runs(o, parts), list);
    for (unsigned d = 0; d < DRAWS; d++) {
        means[d] = 0;
        for (size_t i = 0; i < n_parts; i++)
            means[d] += draw(&parts[i], list, &random) / n;
    }
    free(parts);
    free(list);
    array_sort(means, DRAWS, number_order);
    *interval = (struct cy_interval){o->cycles / n, means[DRAWS / 40],
                                     means[DRAWS - 1 - DRAWS / 40]};
    return true;
}
