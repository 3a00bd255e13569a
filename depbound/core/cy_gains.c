/*
 * cy_gains: what misses cost, and what mending them would gain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/cy_windowed.h"
#include "memory.h"

/* --- Misses --- */

/* The most misses whose mending is simulated, and the least share of all cycles
   that a miss needs for that. */
#define MOST_MENDED 5
#define LEAST_SHARE 0.01

/* Cycles that a fix saves; less than 0: it takes more. */
static double saved(const struct cy_windowed *w, struct cy_simulation *s,
                    const struct cy_fix *fix, double before)
{
    struct cy_outcome o;
    double gain;

    cy_windows_simulate(&o, s, fix);
    gain = before > 0 ? (before - o.cycles) / before : 0;
    cy_outcome_fini(&o);
    return gain * w->outcome.cycles;
}

static double mended(const struct cy_windowed *w, struct cy_simulation *s,
                     enum cy_fix_kind kind, uint32_t insn)
{
    bool *parts = memory_new(w->n_insns, sizeof *parts);
    const struct cy_fix fix = {.kind = kind,
                               .parts = parts,
                               .every = cy_windowed_every(w),
                               .is_brief = true};
    double gain;

    assert(insn < w->n_insns);
    parts[insn] = true;
    gain = fmax(0, saved(w, s, &fix, w->same.cycles));
    free(parts);
    return gain;
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

void cy_windowed_take_misses(struct cy_windowed *w, struct cy_simulation *s)
{
    unsigned n_mended = 0;

    if (!w->has_caches)
        return;
    if (w->cached.cycles < w->same.cycles)
        w->cached_gain = w->outcome.cycles *
                         (w->same.cycles - w->cached.cycles) / w->same.cycles;
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

/* The cycles of each window whose number `every` divides. */
static double run_with(struct cy_simulation *s, const struct cy_memory *memory,
                       unsigned every)
{
    const struct cy_fix fix = {
        .every = every, .memory = memory, .is_brief = true};
    struct cy_outcome o;
    double cycles;

    cy_windows_simulate(&o, s, &fix);
    cycles = o.cycles;
    cy_outcome_fini(&o);
    return cycles;
}

static void take_point(struct cy_windowed *w, struct cy_simulation *s,
                       unsigned n, double before)
{
    struct cy_memory memory = cy_machine_facts(w->machine)->memory;
    struct cy_curve_point *point = &w->curve.points[n];

    assert(n < CY_SIZES && w->curve.level >= 2 && before > 0);
    point->kib = ldexp(SMALLEST, (int)n);
    memory.beyond[w->curve.level - 2].kib = point->kib;
    point->cycles = w->outcome.cycles *
                    run_with(s, &memory, SPARSE * cy_windowed_every(w)) /
                    before;
}

void cy_windowed_take_curve(struct cy_windowed *w, struct cy_simulation *s)
{
    const struct cy_curve_point *points = w->curve.points;
    double before;

    if (!w->has_caches)
        return;
    w->curve.level =
        cy_machine_facts(w->machine)->memory.beyond[1].kib > 0 ? 3 : 2;
    before = run_with(s, NULL, SPARSE * cy_windowed_every(w));
    take_point(w, s, 0, before);
    take_point(w, s, CY_SIZES - 1, before);
    w->curve.is_flat = fabs(points[0].cycles - points[CY_SIZES - 1].cycles) <
                       FLAT * w->outcome.cycles;
    for (unsigned i = 1; i + 1 < CY_SIZES && !w->curve.is_flat; i++)
        take_point(w, s, i, before);
}

/* The cycles if the last cache has this size. */
static double with_last(const struct cy_windowed *w, struct cy_simulation *s,
                        double kib)
{
    struct cy_memory memory = cy_machine_facts(w->machine)->memory;

    memory.beyond[1].kib = fmax(kib, memory.beyond[0].kib);
    return w->outcome.cycles * run_with(s, &memory, cy_windowed_every(w)) /
           w->same.cycles;
}

void cy_windowed_take_ends(struct cy_windowed *w, struct cy_simulation *s)
{
    const struct cy_memory *m = &cy_machine_facts(w->machine)->memory;

    w->with_most = w->with_least = w->outcome.cycles;
    if (!w->has_caches || w->curve.is_flat)
        return;
    if (m->l3_most_kib > m->beyond[1].kib)
        w->with_most = fmin(w->with_most, with_last(w, s, m->l3_most_kib));
    if (m->l3_least_kib < m->beyond[1].kib)
        w->with_least = fmax(w->with_least, with_last(w, s, m->l3_least_kib));
}
