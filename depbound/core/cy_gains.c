/*
 * cy_gains: what fixes would gain, by simulations of a sample of the windows:
 * of the costliest pairs, of all accesses and branches, of misses, and of other
 * sizes of the last cache.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/cy_windowed.h"

/* The most fixes of pairs whose gain is simulated, and the least share of all
   cycles that a pair, or a miss, needs for that. */
#define MOST_FIXES  8
#define LEAST_SHARE 0.01

/* About the most instructions with which a fix is simulated. */
#define ENOUGH 600000

unsigned cy_windowed_every(const struct cy_windowed *w)
{
    return (unsigned)(w->windows.instructions / ENOUGH) + 1;
}

static double cycles_with(struct cy_simulation *s, const struct cy_fix *fix)
{
    AUTO_FINI(cy_outcome_fini) struct cy_outcome o;

    cy_windows_simulate(&o, s, fix);
    return o.cycles;
}

/* Cycles that a fix of some parts, or of all (NULL), saves in all windows. */
static double gain_of(const struct cy_windowed *w, struct cy_simulation *s,
                      enum cy_fix_kind kind, const bool *parts)
{
    const struct cy_fix fix = {.kind = kind,
                               .parts = parts,
                               .every = cy_windowed_every(w),
                               .is_brief = true};
    double before = w->fixed[CY_FIX_NONE].cycles;

    return before > 0 ? fmax(0, (before - cycles_with(s, &fix)) / before) *
                            w->outcome.cycles
                      : 0;
}

/* --- Pairs --- */

/* The function with both ends of a pair; NULL: not known, or there are two. */
static const char *function_of(const struct cy_windowed *w,
                               const struct cy_windowed_pair *p)
{
    return w->names[p->store] == w->names[p->load] ? w->names[p->load] : NULL;
}

/* Would the change that keeps a's value in a register also keep b's?  It does
   if both are in one function and share the store, the load or the address. */
static bool have_one_fix(const struct cy_windowed *w,
                         const struct cy_windowed_pair *a,
                         const struct cy_windowed_pair *b)
{
    return function_of(w, a) != NULL &&
           function_of(w, a) == function_of(w, b) &&
           (a->store == b->store || a->load == b->load ||
            a->address == b->address);
}

/* Joins those of the first n pairs that have the same fix. */
static void join_pairs(struct cy_windowed *w, size_t n)
{
    for (size_t i = 0; i < w->n_pairs; i++)
        w->pairs[i].fix = i;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            size_t from = w->pairs[i].fix, to = w->pairs[j].fix;

            if (!have_one_fix(w, &w->pairs[i], &w->pairs[j]))
                continue;
            for (size_t k = 0; k <= i; k++)
                if (w->pairs[k].fix == from || w->pairs[k].fix == to)
                    w->pairs[k].fix = from < to ? from : to;
        }
}

/* Finds what the fix of pair number `first` and those joined with it saves. */
static void take_gain(struct cy_windowed *w, struct cy_simulation *s,
                      size_t first, size_t n)
{
    AUTO_FREE bool *parts = memory_new(w->n_insns, sizeof *parts);

    assert(first < n && n <= w->n_pairs && w->pairs[first].fix == first);
    for (size_t i = first; i < n; i++)
        if (w->pairs[i].fix == first)
            parts[w->pairs[i].store] = parts[w->pairs[i].load] = true;
    double gain = gain_of(w, s, CY_FIX_REGISTER, parts);
    for (size_t i = first; i < n; i++)
        if (w->pairs[i].fix == first)
            w->pairs[i].gain = gain;
}

static void take_pairs(struct cy_windowed *w, struct cy_simulation *s)
{
    size_t n = 0, n_fixes = 0;

    while (n < w->n_pairs &&
           w->pairs[n].cycles >= LEAST_SHARE * w->outcome.cycles)
        n++;
    join_pairs(w, n);
    for (size_t i = 0; i < n && n_fixes < MOST_FIXES; i++)
        if (w->pairs[i].fix == i) {
            take_gain(w, s, i, n);
            n_fixes++;
        }
    if (w->outcome.causes[CY_CAUSE_FAILED] > 0)
        w->wide_gain = gain_of(w, s, CY_FIX_WIDE, NULL);
}

/* --- Everything of a kind --- */

/* Simulates a sample of the windows with a fix; returns the cycles that it
   saves in all windows. */
static double again(struct cy_windowed *w, struct cy_simulation *s,
                    enum cy_fix_kind kind)
{
    const struct cy_fix fix = {
        .kind = kind, .every = cy_windowed_every(w), .is_brief = true};
    struct cy_windowed_fixed *fixed = &w->fixed[kind];
    AUTO_FINI(cy_outcome_fini) struct cy_outcome o;

    cy_windows_simulate(&o, s, &fix);
    *fixed = (struct cy_windowed_fixed){o.cycles, o.by_insn, o.called};
    double same = w->fixed[CY_FIX_NONE].cycles;
    o.by_insn = o.called = NULL;
    return fixed->cycles < same
               ? w->outcome.cycles * (same - fixed->cycles) / same
               : 0;
}

static double *copy(const double *from, size_t n)
{
    double *to = memory_new(n, sizeof *to);

    memcpy(to, from, n * sizeof *to);
    return to;
}

/* Takes the sample of the windows without a fix: if it has all of them, they
   were simulated and noted already. */
static void take_sample(struct cy_windowed *w, struct cy_simulation *s)
{
    const struct cy_outcome *o = &w->outcome;

    if (cy_windowed_every(w) > 1)
        again(w, s, CY_FIX_NONE);
    else
        w->fixed[CY_FIX_NONE] =
            (struct cy_windowed_fixed){o->cycles, copy(o->by_insn, w->n_insns),
                                       copy(o->called, w->n_insns)};
}

static void take_all(struct cy_windowed *w, struct cy_simulation *s)
{
    take_sample(w, s);
    again(w, s, CY_FIX_MENDED);
    again(w, s, CY_FIX_FREE);
    w->predicted_gain = again(w, s, CY_FIX_PREDICTED);
    if (cy_machine_facts(w->machine)->is_unsteady) {
        again(w, s, CY_FIX_QUICK);
        again(w, s, CY_FIX_SLOW);
    }
    w->has_caches = cy_machine_facts(w->machine)->memory.misses > 0;
    if (w->has_caches)
        w->cached_gain = again(w, s, CY_FIX_CACHED);
}

/* --- Misses of caches --- */

ARRAY_ORDER(away_order, struct cy_missed,
            array_order(a->insn, b->insn)
                ?: array_order(a->kind, b->kind)
                ?: array_order(a->distance, b->distance))

ARRAY_ORDER(origin_order, struct cy_missed, array_order(a->origin, b->origin))

/* The middle of the distances of n accesses, which are sorted by them. */
static double median(const struct cy_missed *away, size_t n, double weight)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += CY_LEVEL(away[i].place) > 0 ? away[i].weight : 0;
        if (2 * sum >= weight && weight > 0)
            return cy_distance_of(away[i].distance);
    }
    return NAN;
}

/* The most usual origin of n addresses, which it sorts. */
static uint32_t usual_origin(struct cy_missed *away, size_t n)
{
    uint32_t usual = CY_NO_INSN;
    double most = 0, sum = 0;

    array_sort(away, n, origin_order);
    for (size_t i = 0; i < n; i++) {
        sum = i > 0 && away[i].origin == away[i - 1].origin ? sum : 0;
        sum += away[i].weight;
        if (sum > most) {
            most = sum;
            usual = away[i].origin;
        }
    }
    return usual;
}

/* Sums up n executions of an instruction. */
static struct cy_miss miss_of(struct cy_missed *away, size_t n)
{
    struct cy_miss miss = {
        .insn = away->insn, .kind = away->kind, .cached = -1, .early = -1};

    for (size_t i = 0; i < n; i++) {
        unsigned level = CY_LEVEL(away[i].place);
        double weight = away[i].weight;

        assert(away[i].place != 0 && level <= CY_BEYOND);
        miss.n_pages += CY_PAGE_LEVEL(away[i].place) > 0 ? weight : 0;
        if (level == 0)
            continue;
        miss.n += weight;
        miss.from[level - 1] += weight;
        miss.n_new += away[i].distance == CY_NEVER ? weight : 0;
    }
    miss.distance = median(away, n, miss.n - miss.n_new);
    miss.origin = usual_origin(away, n);
    return miss;
}

ARRAY_ORDER(miss_order, struct cy_miss,
            array_order(b->cycles, a->cycles)
                ?: array_order(b->n, a->n)
                ?: array_order(a->insn, b->insn)
                ?: array_order(a->kind, b->kind))

/* The first sums of an instruction, which are sorted by instruction and kind;
   NULL if there are none. */
static struct cy_miss *first_of(struct cy_misses *m, uint32_t insn)
{
    size_t low = array_bisect(0, m->n, i, m->list[i].insn < insn);

    return low < m->n && m->list[low].insn == insn ? &m->list[low] : NULL;
}

/* Adds the cycles of a wait to the instruction that asked for the line.  If an
   instruction loads and stores, its load asks first. */
static void add_cycles(struct cy_misses *m, const struct cy_hop *hop)
{
    bool is_code = hop->cause == CY_CAUSE_CODE;
    struct cy_miss *miss = first_of(m, is_code ? hop->to : hop->store);

    while (miss != NULL && miss + 1 < m->list + m->n && is_code &&
           miss->kind != CY_MISSING_CODE && miss[1].insn == miss->insn)
        miss++;
    if (miss == NULL || (miss->kind == CY_MISSING_CODE) != is_code)
        return;
    miss->by[hop->cause - CY_CAUSE_L2] += hop->cycles;
    miss->cycles += hop->cycles;
}

/* Origins are followed back over at most so many loads. */
#define MOST_BACK 4

static bool is_chased(struct cy_misses *m, const struct cy_miss *miss)
{
    uint32_t origin = miss->origin;

    for (unsigned i = 0; i < MOST_BACK && origin != CY_NO_INSN; i++) {
        if (origin == miss->insn)
            return true;
        const struct cy_miss *from = first_of(m, origin);
        origin = from != NULL ? from->origin : CY_NO_INSN;
    }
    return false;
}

void cy_misses_of(struct cy_misses *m, const struct cy_outcome *o)
{
    struct cy_missed *away = memory_new(o->n_away, sizeof *away);

    *m = (struct cy_misses){0};
    if (o->n_away > 0)
        memcpy(away, o->away, o->n_away * sizeof *away);
    array_sort(away, o->n_away, away_order);
    for (size_t i = 0, n; i < o->n_away; i += n) {
        for (n = 1; i + n < o->n_away && away[i + n].insn == away[i].insn &&
                    away[i + n].kind == away[i].kind;)
            n++;
        array_push(m->list, m->n, m->list_room, miss_of(&away[i], n));
    }
    free(away);
    for (size_t i = 0; i < o->n_hops; i++)
        if (cy_cause_is_miss(o->hops[i].cause) ||
            o->hops[i].cause == CY_CAUSE_CODE)
            add_cycles(m, &o->hops[i]);
    for (size_t i = 0; i < m->n; i++)
        m->list[i].is_chased = is_chased(m, &m->list[i]);
    array_sort(m->list, m->n, miss_order);
}

void cy_misses_fini(struct cy_misses *m)
{
    free(m->list);
    *m = (struct cy_misses){0};
}

enum cy_cause cy_miss_cause(const struct cy_miss *miss)
{
    unsigned most = 0;

    for (unsigned i = 1; i < CY_N_MISSING; i++)
        if (miss->by[i] > miss->by[most])
            most = i;
    return CY_CAUSE_L2 + most;
}

#define MOST_MENDED 5 /* the most misses whose mending is simulated */

static double mended(const struct cy_windowed *w, struct cy_simulation *s,
                     enum cy_fix_kind kind, uint32_t insn)
{
    AUTO_FREE bool *parts = memory_new(w->n_insns, sizeof *parts);

    assert(insn < w->n_insns);
    parts[insn] = true;
    return gain_of(w, s, kind, parts);
}

/* Leaves out the misses of functions that the user did not ask for. */
static void keep_asked(struct cy_windowed *w)
{
    size_t n = 0;

    for (size_t i = 0; i < w->misses.n; i++)
        if (cy_windowed_is_asked(w, w->misses.list[i].insn))
            w->misses.list[n++] = w->misses.list[i];
    w->misses.n = n;
}

static void take_misses(struct cy_windowed *w, struct cy_simulation *s)
{
    unsigned n_mended = 0;

    if (!w->has_caches)
        return;
    cy_misses_of(&w->misses, &w->outcome);
    keep_asked(w);
    for (size_t i = 0; i < w->misses.n && n_mended < MOST_MENDED; i++) {
        struct cy_miss *miss = &w->misses.list[i];

        if (miss->cycles < LEAST_SHARE * w->outcome.cycles)
            break;
        if (miss->kind == CY_MISSING_CODE)
            continue;
        miss->cached = mended(w, s, CY_FIX_CACHED, miss->insn);
        if (!miss->is_chased)
            miss->early =
                fmin(miss->cached, mended(w, s, CY_FIX_EARLY, miss->insn));
        n_mended++;
    }
}

/* --- The size of the last cache --- */

#define SMALLEST 1024.0 /* KiB; each size is twice the one before */

/* Sizes make no difference if the smallest and the largest one differ by less
   than this share of the cycles. */
#define FLAT 0.01

/* Each size takes a simulation of this part of the windows for fixes. */
#define SPARSE 4

/* The cycles of a sample with these caches; of a part of it only. */
static double run_with(const struct cy_windowed *w, struct cy_simulation *s,
                       const struct cy_memory *memory, unsigned part)
{
    return cycles_with(s, &(struct cy_fix){.every = part * cy_windowed_every(w),
                                           .memory = memory,
                                           .is_brief = true});
}

static void take_point(struct cy_windowed *w, struct cy_simulation *s,
                       unsigned n, double before)
{
    struct cy_memory memory = cy_machine_facts(w->machine)->memory;
    struct cy_curve_point *point = &w->curve.points[n];

    assert(n < CY_SIZES && w->curve.level >= 2 && before > 0);
    point->kib = ldexp(SMALLEST, (int)n);
    memory.beyond[w->curve.level - 2].kib = point->kib;
    point->cycles =
        w->outcome.cycles * run_with(w, s, &memory, SPARSE) / before;
}

/* The cycles if the last cache has this size. */
static double with_last(const struct cy_windowed *w, struct cy_simulation *s,
                        double kib)
{
    struct cy_memory memory = cy_machine_facts(w->machine)->memory;

    memory.beyond[1].kib = fmax(kib, memory.beyond[0].kib);
    return w->outcome.cycles * run_with(w, s, &memory, 1) /
           w->fixed[CY_FIX_NONE].cycles;
}

static void take_ends(struct cy_windowed *w, struct cy_simulation *s)
{
    const struct cy_memory *m = &cy_machine_facts(w->machine)->memory;

    if (m->l3_most_kib > m->beyond[1].kib || m->l3_lifetime > 0)
        w->with_most = fmin(w->with_most, with_last(w, s, m->l3_most_kib));
    if (m->l3_least_kib < m->beyond[1].kib)
        w->with_least = fmax(w->with_least, with_last(w, s, m->l3_least_kib));
}

/* The cycles with a last cache of this size, if all windows for fixes have told
   them; else 0. */
static double known_with(const struct cy_windowed *w, double kib)
{
    const struct cy_memory *m = &cy_machine_facts(w->machine)->memory;

    return kib == m->l3_most_kib    ? w->with_most
           : kib == m->l3_least_kib ? w->with_least
           : kib == m->beyond[w->curve.level - 2].kib && m->l3_lifetime == 0
               ? w->outcome.cycles
               : 0;
}

static void take_curve(struct cy_windowed *w, struct cy_simulation *s)
{
    struct cy_curve_point *points = w->curve.points;

    w->with_most = w->with_least = w->outcome.cycles;
    if (!w->has_caches)
        return;
    w->curve.level =
        cy_machine_facts(w->machine)->memory.beyond[1].kib > 0 ? 3 : 2;
    double before = run_with(w, s, NULL, SPARSE);
    take_point(w, s, 0, before);
    take_point(w, s, CY_SIZES - 1, before);
    w->curve.is_flat = fabs(points[0].cycles - points[CY_SIZES - 1].cycles) <
                       FLAT * w->outcome.cycles;
    if (w->curve.is_flat)
        return;
    take_ends(w, s);
    for (unsigned i = 0; i < CY_SIZES; i++) {
        double known = known_with(w, ldexp(SMALLEST, (int)i));

        if (i > 0 && i + 1 < CY_SIZES && known == 0)
            take_point(w, s, i, before);
        else if (known > 0)
            points[i] = (struct cy_curve_point){ldexp(SMALLEST, (int)i), known};
    }
}

void cy_windowed_take_gains(struct cy_windowed *w, struct cy_simulation *s)
{
    take_all(w, s);
    take_pairs(w, s);
    take_misses(w, s);
    take_curve(w, s);
    if (cy_windowed_prefetches(w))
        w->with_most = fmin(w->with_most, w->outcome.cycles - w->cached_gain);
}
