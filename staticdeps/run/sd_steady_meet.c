/*
 * sd_steady_meet: which accesses of a block may touch the same bytes, and how
 * many iterations apart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_steady.h"

#include <assert.h>
#include <stdlib.h>

/* Addresses that move differently never meet if they are further apart. */
#define NEAR (UINT64_C(1) << 45)
/* Looks at a store for each access, on average; or else it is quadratic. */
#define MAX_LOOKS 64

/* The accesses that are near each other. */
struct group {
    struct sd_steady *steady;
    const struct sd_trace *trace;
    const struct sd_reach *begin, *end;
    uint64_t low, high;             /* the bytes of them */
    uint64_t store_low, store_high; /* the bytes of the stores */
    bool loads, stores;             /* does it? */
    bool is_uniform;                /* do all move alike? */
    bool leaps;                     /* does one? */
    size_t *looks;                  /* that are left */
};

static int compare(const void *x, const void *y)
{
    const struct sd_reach *a = x, *b = y;

    return a->address != b->address ? (a->address < b->address ? -1 : 1)
                                    : (a->op > b->op) - (a->op < b->op);
}

static uint64_t step_of(const struct group *g, uint32_t temp)
{
    return g->trace->temps[temp].bits - g->steady->notes[0].temps[temp].bits;
}

/* Does a store leave in place what a load with a fixed address has? */
static bool keeps(const struct group *g, const struct sd_reach *load,
                  const struct sd_reach *store)
{
    uint64_t by = step_of(g, load->value), stored = step_of(g, store->value);

    if (store->is_lost)
        return false;
    if (by == 0 && stored == 0)
        return true;
    return store->address == load->address && store->size == load->size &&
           ((stored - by) & sd_mask(8 * load->size)) == 0;
}

/* A load from a fixed address, of a value that is the same each time, or even
   if it is that of the stores. */
static bool is_kept(const struct group *g, const struct sd_reach *load)
{
    bool is_stored = false;

    for (const struct sd_reach *r = g->begin;
         r < g->end && r->address < load->address + load->size; r++) {
        if (*g->looks == 0)
            return false;
        --*g->looks;
        if (!r->is_store || r->address + r->size <= load->address)
            continue;
        if (!keeps(g, load, r))
            return false;
        is_stored = true;
    }
    return is_stored || step_of(g, load->value) == 0;
}

/* May an earlier iteration have written what a load reads?  Its stores are a
   step after; those of the same iteration have been seen, unless they are on
   the back path. */
static bool is_behind(const struct group *g, const struct sd_reach *load)
{
    int64_t step = (int64_t)load->step, behind = step;

    if (g->trace->is_on_back_path || load->motion != SD_EVEN)
        behind = 0;
    if (!g->stores)
        return false;
    if (load->motion == SD_EVEN && step > 0)
        return (int64_t)(g->store_high - load->address) > behind;
    if (load->motion == SD_EVEN)
        return (int64_t)(load->address + load->size - g->store_low) > -behind;
    return g->store_high > load->address &&
           g->store_low < load->address + load->size;
}

static bool spoil(const struct group *g)
{
    uint8_t *spoilt = g->steady->spoilt;
    bool spoils = false;

    for (const struct sd_reach *r = g->begin; r < g->end; r++) {
        uint8_t motion = g->steady->motions[r->value];

        if (!r->is_needed || spoilt[r->op] || motion == SD_LOST)
            continue;
        if (motion == SD_EVEN ? !is_kept(g, r) : is_behind(g, r)) {
            spoilt[r->op] = 1;
            spoils = true;
        }
    }
    return spoils;
}

/* After how many iterations an address is further than all others are. */
static uint64_t rounds(const struct group *g, uint32_t n_random)
{
    uint64_t step = g->begin->step;

    if (g->begin->motion == SD_RANDOM)
        return (uint64_t)n_random + 1;
    if ((int64_t)step < 0)
        step = -step;
    return step == 0 ? 1 : (g->high - g->low - 1) / step;
}

/* Does an access leave its neighbourhood before the last iteration? */
static bool leaps(const struct sd_reach *r, uint32_t left)
{
    uint64_t bound = NEAR / 2 / left;

    return r->motion == SD_EVEN && r->step + bound >= 2 * bound;
}

/* The group that begins there. */
static struct group group(struct sd_steady *s, const struct sd_reach *r,
                          uint32_t left)
{
    const struct sd_reach *last = s->reaches + s->n_reaches;
    struct group g = {.steady = s, .begin = r, .low = r->address};

    g.high = r->address;
    g.store_low = UINT64_MAX;
    g.is_uniform = true;
    for (; r < last && (r->address < g.high || r->address - g.high < NEAR);
         r++) {
        uint64_t end = r->address + r->size;

        if (end < r->address)
            end = UINT64_MAX;
        if (end > g.high)
            g.high = end;
        g.is_uniform &= r->motion == g.begin->motion && r->motion != SD_LOST &&
                        r->step == g.begin->step;
        g.leaps |= leaps(r, left);
        g.loads |= !r->is_store;
        if (!r->is_store)
            continue;
        g.stores = true;
        if (r->address < g.store_low)
            g.store_low = r->address;
        if (end > g.store_high)
            g.store_high = end;
    }
    g.end = r;
    return g;
}

uint32_t sd_steady_meet(struct sd_steady *s, const struct sd_trace *trace,
                        uint32_t left, uint32_t n_random, bool *spoils)
{
    bool load_leaps = false, store_leaps = false;
    const struct sd_reach *r = s->reaches, *end = r + s->n_reaches;
    size_t looks = MAX_LOOKS * s->n_reaches;
    uint64_t most = 1;

    if (s->n_reaches > 1)
        qsort(s->reaches, s->n_reaches, sizeof *s->reaches, compare);
    while (r < end) {
        struct group g = group(s, r, left);

        g.trace = trace;
        g.looks = &looks;
        r = g.end;
        if (g.high > UINT64_MAX - NEAR && s->reaches[0].address < NEAR)
            return 0; /* they are near each other */
        if (g.loads && g.stores && !g.is_uniform)
            return 0;
        if (g.loads && g.stores && rounds(&g, n_random) > most)
            most = rounds(&g, n_random);
        /* Where a leap leads is not known. */
        if (g.leaps) {
            if ((g.loads && store_leaps) || (g.stores && load_leaps))
                return 0;
            load_leaps |= g.loads;
            store_leaps |= g.stores;
        }
        *spoils |= spoil(&g);
    }
    return most < UINT32_MAX / 2 ? (uint32_t)most : 0;
}
