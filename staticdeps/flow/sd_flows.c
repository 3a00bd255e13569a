/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow/sd_flows.h"

/* The depth if only pairs within one function are wanted: a second level would
   add few pairs, all between two calls of a callee. */
#define NARROW_DEPTH 1

/* Instructions between the ends of a pair; few pairs have more. */
#define MOST_INSNS 512u

/* Blocks to look at for a function: MOST_LOOKS, plus LOOKS for each block. */
#define MOST_LOOKS 1000000u
#define LOOKS      1000u

/* Limits for the impacts of a function: instructions; blocks to look at for
   loads, and for stores; events that is_repeated() looks at; accesses found;
   and loads, or stores, that are kept. */
#define MOST_INSNS_INSIDE 256u
#define MOST_LOOKS_INSIDE 200000u
#define MOST_BEFORE       64u
#define MOST_FOUND        (1u << 16)
#define MOST_IMPACTS      48u

/* --- What callees load and store --- */

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
    sd_reach_init(&t->reach, MOST_INSNS_INSIDE);
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

/* Names a place in the terms of the caller; false if that is impossible. */
static bool name_place(const struct sd_places *p, struct sd_sum place,
                       struct sd_impact *e)
{
    struct sd_sum steps[SD_MOST_STEPS];
    unsigned n = 0;

    assert(place.base < p->bases.used.n);
    uint32_t base = (uint32_t)p->bases.used.list[place.base];
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
        return false; /* in the function's own frame */
    e->root = base;
    e->n_steps = n;
    for (unsigned i = 0; i < n; i++)
        e->offsets[i] = steps[n - 1 - i].offset;
    return true;
}

static void add_impact(struct work *w, const struct sd_event *event,
                       uint32_t n_insns)
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
        add_impact(argument, load, distance);
}

static void add_store(void *argument, const struct sd_event *store,
                      const struct sd_event *load, uint32_t distance)
{
    if (load == NULL)
        add_impact(argument, store, distance);
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

ARRAY_ORDER(by_distance, struct sd_impact,
            array_order(a->is_store, b->is_store)
                ?: array_order(a->n_insns, b->n_insns)
                ?: compare(a, b))

/* Keeps the nearest of equal accesses, and the nearest MOST_IMPACTS loads and
   stores each. */
static void keep(struct work *w)
{
    size_t n = 0, k = 0, n_kind = 0;

    assert(w->n <= MOST_FOUND && w->impacts->list == NULL);
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

/* Does a load shortly before event number n read the same bytes? */
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

/* Finds loads of what memory held at the entry; false if it takes too long. */
static bool find_loads(struct work *w)
{
    struct sd_impact_table *t = w->table;
    const struct sd_flow_graph *g = &t->places.graph;
    struct sd_impact unused;
    uint64_t left = MOST_LOOKS_INSIDE;

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
    impacts->n_insns = MOST_INSNS_INSIDE;
    if (!sd_places_of(&t->places, routine))
        return;
    impacts->is_cut = t->places.is_cut;
    if (!sd_reach_enter(&t->reach, g, MOST_LOOKS_INSIDE, NULL, set_length,
                        &w) ||
        !find_loads(&w) ||
        !sd_reach_run(&t->reach, g, MOST_LOOKS_INSIDE, add_store, &w) ||
        w.n == MOST_FOUND)
        impacts->is_cut = true;
    keep(&w);
    free(w.list);
}

const struct sd_impacts *sd_impacts_of(void *table, uint32_t routine)
{
    struct sd_impact_table *t = table;

    assert(routine < t->places.program->n_routines);
    if (!t->impacts[routine].is_known)
        find(t, routine);
    return &t->impacts[routine];
}

/* --- The pairs of a function --- */

/* When the first walks of a function came to a block. */
#define N_WALKS 4
struct sd_first_visits {
    uint8_t walks;                          /* a bit for each walk that came */
    uint16_t first[N_WALKS], last[N_WALKS]; /* as sd_visit has them */
};

void sd_flows_init(struct sd_flows *f, const struct sd_explorer *e)
{
    bool calls_tables = (e->effort.rules & SD_RULE_TABLES) != 0;
    bool is_narrow = e->effort.is_narrow;

    *f = (struct sd_flows){.is_complete = true};
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++) {
        struct sd_places *places = &f->impacts[i].places;

        sd_impacts_init(&f->impacts[i], e->program, e->chunks, is_narrow);
        places->calls_tables = calls_tables;
        places->find_impacts = i > 0 ? sd_impacts_of : NULL;
        places->callees = i > 0 ? &f->impacts[i - 1] : NULL;
    }
    sd_places_init(&f->places, e->program, e->chunks);
    f->places.calls_tables = calls_tables;
    f->places.find_impacts = sd_impacts_of;
    f->places.callees =
        &f->impacts[(is_narrow ? NARROW_DEPTH : SD_FLOW_DEPTH) - 1];
    sd_reach_init(&f->reach, MOST_INSNS);
    f->visits = memory_new(e->program->n_blocks + 1, sizeof *f->visits);
}

void sd_flows_fini(struct sd_flows *f)
{
    sd_places_fini(&f->places);
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++)
        sd_impacts_fini(&f->impacts[i]);
    sd_reach_fini(&f->reach);
    sd_pairs_fini(&f->pairs);
    free(f->visits);
    free(f->list);
}

/* Notes when the first walks came to their blocks, or removes the notes. */
static void note_visits(struct sd_flows *f, const struct sd_explorer *e,
                        bool forgets)
{
    size_t at = 0;

    for (unsigned i = 0; i < N_WALKS && at < e->walks_size; i++) {
        uint32_t n = e->walks[at].number;

        assert(n < e->walks_size - at);
        for (uint32_t k = 1; k <= n; k++) {
            const struct sd_visit *visit = &e->walks[at + k];
            struct sd_first_visits *v = &f->visits[visit->number];

            assert(visit->number < e->program->n_blocks);
            v->walks = forgets ? 0 : (uint8_t)(v->walks | 1u << i);
            v->first[i] = visit->first;
            v->last[i] = visit->last;
        }
        at += 1 + n;
    }
}

/* Did one of the first walks come to the store and later to the load?
   sd_support_after() asks the same of all walks. */
static bool is_unlikely(struct sd_flows *f, uint32_t src, uint32_t dst)
{
    const struct sd_program *p = f->places.program;

    if (src != f->src) { /* all pairs of a store come in a row */
        f->src = src;
        f->src_block = sd_program_block_of(p, src);
    }
    const struct sd_first_visits *a = &f->visits[f->src_block];
    if (a->walks == 0)
        return false;
    const struct sd_first_visits *b = &f->visits[sd_program_block_of(p, dst)];
    for (unsigned i = 0; i < N_WALKS; i++)
        if (a->walks & b->walks & 1u << i &&
            a->first[i] < (a == b && src < dst ? UINT16_MAX : b->last[i]))
            return true;
    return false;
}

static void add_pair(void *argument, const struct sd_event *store,
                     const struct sd_event *load, uint32_t distance)
{
    struct sd_flows *f = argument;

    assert(load != NULL && distance <= MOST_INSNS);
    if (is_unlikely(f, store->site, load->site))
        return;
    sd_pairs_add(&f->pairs, &(struct sd_walk_pair){.src = store->site,
                                                   .dst = load->site,
                                                   .distance = distance,
                                                   .delta_k = SD_ANY_DELTA});
}

/* Lists the pairs that no walk shows, by comparing two sorted lists. */
static void list_pairs(struct sd_flows *f, const struct sd_explorer *e)
{
    const struct sd_walk_pair *all = sd_pairs_list(&f->pairs);

    f->n = 0;
    for (size_t i = 0, k = 0; i < f->pairs.n; i++) {
        while (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) < 0)
            k++;
        if (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) == 0)
            continue;
        array_push(f->list, f->n, f->room, all[i]);
    }
}

void sd_flows_of(struct sd_flows *f, uint32_t routine,
                 const struct sd_explorer *e)
{
    uint64_t most = MOST_LOOKS;

    sd_pairs_clear(&f->pairs);
    note_visits(f, e, false);
    f->src = 0;
    f->is_complete = sd_places_of(&f->places, routine);
    if (f->is_complete) {
        most += (uint64_t)LOOKS * f->places.graph.n_blocks;
        f->is_complete =
            sd_reach_run(&f->reach, &f->places.graph, most, add_pair, f) &&
            !f->places.is_cut;
    }
    list_pairs(f, e);
    note_visits(f, e, true);
}
