/*
 * cy_candidates: what could be mended, by what that gains.
 *
 * A candidate is a loop whose rounds wait for memory, a pair of store and load
 * in no such loop, what is not in the first caches, or mispredicted branches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/internal.h"

/* A loop is due to a pair if mending the pair gains this share of the loop's
   gain. */
#define MOST_OF_IT 0.8

bool cy_is_misprediction(const struct cy_candidate *c)
{
    return c->loop == NULL && c->pair == NULL && !c->is_away;
}

bool cy_calls_unknown(const struct cy_cost_of_loop *c)
{
    return c->loop->has_call && c->cycles.n_recorded == 0;
}

static double loop_gain(const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    double part = 1 - c->cycles.mended / c->cycles.predicted;

    /* Called functions have loops and pairs of their own. */
    return r->program != NULL ? cy_report_share(r, c) * part : 100 * part;
}

bool cy_report_has(const struct cy_report *r, const struct cy_cost_of_loop *c,
                   uint32_t insn)
{
    const struct cy_simulated_insn *end = &r->windowed->simulated[insn];

    assert(insn < r->windowed->n_insns);
    for (uint32_t i = 0;
         i < c->n && c->loop->object == r->windowed->in_data[end->object]; i++)
        if (c->insns[i].address == end->address)
            return true;
    return false;
}

/* Are both ends of the pair in a loop that is itself a candidate? */
static bool is_in_loop(const struct cy_report *r,
                       const struct cy_candidates *all,
                       const struct cy_windowed_pair *p)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loop != NULL &&
            cy_report_has(r, all->list[i].loop, p->store) &&
            cy_report_has(r, all->list[i].loop, p->load))
            return true;
    return false;
}

/* Is a loop's gain mainly that of a pair with only one end in the loop?  The
   other end is in a function that the loop calls, or in a caller. */
static bool is_of_pair(const struct cy_candidates *all,
                       const struct cy_report *r,
                       const struct cy_candidate *loop)
{
    assert(loop->loop != NULL && loop->pair == NULL);
    for (size_t i = 0; i < all->n; i++) {
        const struct cy_windowed_pair *p = all->list[i].pair;

        if (p != NULL && all->list[i].gain >= MOST_OF_IT * loop->gain &&
            cy_report_has(r, loop->loop, p->store) !=
                cy_report_has(r, loop->loop, p->load))
            return true;
    }
    return false;
}

static void drop_loops_of_pairs(struct cy_candidates *all,
                                const struct cy_report *r)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loop == NULL || !is_of_pair(all, r, &all->list[i]))
            all->list[n++] = all->list[i];
    all->n = n;
}

ARRAY_ORDER(gain_order, struct cy_candidate,
            array_order(b->gain, a->gain) ?: array_order(a->loop, b->loop))

static void add(struct cy_candidates *all, struct cy_candidate candidate)
{
    if (candidate.gain >= CY_LEAST_GAIN)
        array_push(all->list, all->n, all->room, candidate);
}

/* Adds mispredictions, which come before memory only if that does not gain
   enough to be named first.  Those of the loader do not count, since nobody
   would mend them. */
static void add_mispredictions(struct cy_candidates *all,
                               const struct cy_report *r)
{
    double gain = cy_report_missed(r);
    size_t place = all->n > 0 && all->list[0].gain >= CY_LEAST_FIRST;

    if (gain < CY_LEAST_GAIN)
        return;
    add(all, (struct cy_candidate){.gain = gain});
    assert(cy_is_misprediction(&all->list[all->n - 1]));
    if (all->n > place + 1 && gain > all->list[place].gain) {
        struct cy_candidate other = all->list[place];

        all->list[place] = all->list[all->n - 1];
        all->list[all->n - 1] = other;
    }
}

/* Does a miss cost enough, and is it not one of the loader? */
static bool is_worth_naming(const struct cy_windowed *w,
                            const struct cy_miss *miss)
{
    const struct cy_total part = {
        .function = w->names[miss->insn],
        .object = w->objects.objects[w->simulated[miss->insn].object].path};

    return miss->cached >= 0 && !cy_report_is_start(&part);
}

/* Adds all misses, but for those of the loader, which nobody would mend. */
static void add_misses(struct cy_candidates *all, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    bool is_named = w->misses.n > 0 && is_worth_naming(w, w->misses.list);
    struct cy_total start = cy_report_start(r);

    add(all, (struct cy_candidate){
                 .is_away = true,
                 .miss = is_named ? w->misses.list : NULL,
                 .gain = cy_windowed_share(w, w->cached_gain) -
                         cy_report_part(r, start.cycles - start.cached)});
}

struct cy_candidates cy_candidates_of(const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    struct cy_candidates all = {0};

    /* Loops that are not listed count, unless the user chose sources. */
    for (size_t i = 0; i < r->prediction->n; i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        /* If calls take most of an iteration, the called code has loops and
           pairs of its own. */
        if (cy_report_gains(c) && !cy_calls_unknown(c) &&
            c->cycles.called <= c->cycles.predicted / 2 &&
            (c->is_shown || r->choice->source == NULL))
            add(&all,
                (struct cy_candidate){.loop = c, .gain = loop_gain(r, c)});
    }
    if (w != NULL && cy_windowed_is_known(w)) {
        for (size_t i = 0; i < w->n_pairs; i++)
            if (w->pairs[i].fix == i && !is_in_loop(r, &all, &w->pairs[i]))
                add(&all, (struct cy_candidate){
                              .pair = &w->pairs[i],
                              .gain = cy_windowed_share(w, w->pairs[i].gain)});
        drop_loops_of_pairs(&all, r);
        if (w->has_caches)
            add_misses(&all, r);
    }
    /* Without a program, the candidates stay in the order of the loops. */
    if (r->program != NULL)
        array_sort(all.list, all.n, gain_order);
    if (w != NULL && cy_windowed_is_known(w))
        add_mispredictions(&all, r);
    return all;
}
