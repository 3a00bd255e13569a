/*
 * sd_impacts: what a function loads that its caller stored, and what it stores
 * that its caller may load.
 *
 * These are summaries of functions (Sharir, Pnueli, Two Approaches to
 * Interprocedural Data Flow Analysis, 1981: the functional approach), of what
 * they may do.  A summary includes the callees' if their table is known, so
 * calls are followed to a fixed depth, and recursion needs no fixpoint.
 *
 * If only pairs within one function are wanted, they lie between two calls of
 * it, so only what it both stores and loads matters.
 *
 * Places are those that the caller can name: constant addresses, distances from
 * registers at the entry, and what lies there.
 *
 * Limits: of a function with many accesses, only the nearest are kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define MOST_INSNS   256u
#define MOST_LOOKS   200000u /* at blocks, for each kind */
#define MOST_BEFORE  64u     /* events that is_repeated() looks at */
#define MOST_FOUND   (1u << 16)
#define MOST_IMPACTS 48u /* of each kind */

struct work {
    struct sd_impact_table *table;
    struct sd_impacts *impacts;
    struct sd_impact *list;
    size_t n, room;
};

void sd_impacts_init(struct sd_impact_table *t,
                     const struct sd_program *program, struct sd_chunks *chunks,
                     bool is_narrow)
{
    *t = (struct sd_impact_table){.is_narrow = is_narrow};
    sd_places_init(&t->places, program, chunks);
    sd_reach_init(&t->reach, MOST_INSNS);
    t->reach.sees_returns = true;
    t->reach.follows_all = !is_narrow;
    t->impacts = memory_new(program->n_routines + 1u, sizeof *t->impacts);
}

void sd_impacts_fini(struct sd_impact_table *t)
{
    for (uint32_t i = 0; i < t->places.program->n_routines; i++)
        free(t->impacts[i].list);
    free(t->impacts);
    sd_reach_fini(&t->reach);
    free(t->stored.units);
    sd_places_fini(&t->places);
}

/* Names a place in the terms of the caller; false if the caller cannot. */
static bool name_place(const struct sd_places *p, struct sd_sum place,
                       struct sd_impact *e)
{
    uint32_t base = (uint32_t)p->bases.used.list[place.base];
    struct sd_sum steps[SD_MOST_STEPS];
    unsigned n = 0;

    for (;;) {
        if (n == SD_MOST_STEPS)
            return false;
        steps[n++].offset = place.offset;
        if (base < p->bases.first_content || base <= SD_ABSOLUTE)
            break;
        place = p->contents.list[base - p->bases.first_content].place;
        base = place.base;
    }
    if (base != SD_ABSOLUTE &&
        (base < SD_FIRST_ENTRY ||
         base >= SD_FIRST_ENTRY + p->symbols.n_registers))
        return false;
    if (base == SD_FIRST_ENTRY + p->abi.stack_pointer - p->abi.first &&
        steps[n - 1].offset < (int64_t)p->abi.return_address_size)
        return false; /* its own frame */
    e->root = base;
    e->n_steps = n;
    for (unsigned i = 0; i < n; i++)
        e->offsets[i] = steps[n - 1 - i].offset;
    return true;
}

static void add(struct work *w, const struct sd_event *event, uint32_t n_insns)
{
    struct sd_impact e = {.site = event->site,
                          .size = event->size,
                          .n_insns = n_insns,
                          .is_store = event->is_store};

    if (w->n == MOST_FOUND || !name_place(&w->table->places, event->place, &e))
        return;
    array_push(w->list, w->n, w->room, e);
}

static void add_load(void *argument, const struct sd_event *store,
                     const struct sd_event *load, uint32_t distance)
{
    (void)store;
    if (load != NULL)
        add(argument, load, distance);
}

static void add_store(void *argument, const struct sd_event *store,
                      const struct sd_event *load, uint32_t distance)
{
    if (load == NULL)
        add(argument, store, distance);
}

static void set_length(void *argument, const struct sd_event *store,
                       const struct sd_event *load, uint32_t distance)
{
    struct work *w = argument;

    (void)store;
    if (load == NULL && distance < w->impacts->n_insns)
        w->impacts->n_insns = distance;
}

static int compare(const void *x, const void *y)
{
    const struct sd_impact *a = x, *b = y;
    int order = array_order(a->is_store, b->is_store)
                    ?: array_order(a->site, b->site)
                    ?: array_order(a->root, b->root)
                    ?: array_order(a->n_steps, b->n_steps);

    for (unsigned i = 0; i < a->n_steps && order == 0; i++)
        order = array_order(a->offsets[i], b->offsets[i]);
    return order ?: array_order(a->n_insns, b->n_insns);
}

static int by_distance(const void *x, const void *y)
{
    const struct sd_impact *a = x, *b = y;

    return array_order(a->is_store, b->is_store)
               ?: array_order(a->n_insns, b->n_insns)
               ?: compare(x, y);
}

/* Keeps the nearest of equal accesses, and the nearest MOST_IMPACTS of each
   kind. */
static void keep(struct work *w)
{
    size_t n = 0, k = 0, n_kind = 0;

    array_sort(w->list, w->n, compare);
    for (size_t i = 0; i < w->n; i++) {
        struct sd_impact e = w->list[i];

        if (n > 0) {
            e.n_insns = w->list[n - 1].n_insns;
            if (compare(&e, &w->list[n - 1]) == 0)
                continue;
        }
        w->list[n++] = w->list[i];
    }
    array_sort(w->list, n, by_distance);
    for (size_t i = 0; i < n; i++) {
        if (k > 0 && w->list[i].is_store != w->list[k - 1].is_store)
            n_kind = 0;
        if (n_kind++ < MOST_IMPACTS)
            w->list[k++] = w->list[i];
    }
    w->impacts->list = memory_new(k, sizeof *w->list);
    w->impacts->n = (uint32_t)k;
    if (k > 0)
        memcpy(w->impacts->list, w->list, k * sizeof *w->list);
}

/* Does a load before event number n read the same place? */
static bool is_repeated(const struct sd_flow_graph *g, size_t n)
{
    const struct sd_event *e = &g->events[n];

    for (size_t i = n > MOST_BEFORE ? n - MOST_BEFORE : 0; i < n; i++)
        if (!g->events[i].is_store &&
            sd_sums_equal(g->events[i].place, e->place) &&
            g->events[i].size == e->size)
            return true;
    return false;
}

/* Returns false if that takes too long. */
static bool find_loads(struct work *w)
{
    struct sd_impact_table *t = w->table;
    const struct sd_flow_graph *g = &t->places.graph;
    struct sd_impact unused;
    uint64_t left = MOST_LOOKS;

    if (t->is_narrow)
        sd_touched_find(&t->stored, g, true);
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        if (e->is_store || is_repeated(g, i) ||
            (t->is_narrow && !sd_touched_has(&t->stored, e)) ||
            !name_place(&t->places, e->place, &unused))
            continue;
        if (!sd_reach_enter(&t->reach, g, left, e, add_load, w))
            return false;
        left = t->reach.left;
    }
    return true;
}

static void find(struct sd_impact_table *t, uint32_t routine)
{
    struct sd_impacts *impacts = &t->impacts[routine];
    struct work w = {.table = t, .impacts = impacts};
    const struct sd_flow_graph *g = &t->places.graph;

    impacts->is_known = true;
    impacts->n_insns = MOST_INSNS;
    if (!sd_places_of(&t->places, routine))
        return;
    impacts->is_cut = t->places.is_cut;
    if (!sd_reach_enter(&t->reach, g, MOST_LOOKS, NULL, set_length, &w) ||
        !find_loads(&w) ||
        !sd_reach_run(&t->reach, g, MOST_LOOKS, add_store, &w) ||
        w.n == MOST_FOUND)
        impacts->is_cut = true;
    keep(&w);
    free(w.list);
}

const struct sd_impacts *sd_impacts_of(void *table, uint32_t routine)
{
    struct sd_impact_table *t = table;

    if (!t->impacts[routine].is_known)
        find(t, routine);
    return &t->impacts[routine];
}
