/*
 * sd_extents: which accesses of an iteration may touch the same bytes, and how
 * many iterations apart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "block/sd_steady.h"

#define NEAR (UINT64_C(1) << 45)
/* The most stores visited for each access, on average; without this limit, the
   time would be quadratic. */
#define MAX_VISITS 64

/* Accesses that are near each other. */
struct group {
    struct sd_steady *steady;
    const struct sd_trace *trace;
    const struct sd_extent *begin, *end;
    uint64_t low, high;             /* the range of bytes of all accesses */
    uint64_t store_low, store_high; /* the range of bytes of the stores */
    bool loads, stores;             /* are there loads, or stores? */
    bool is_uniform;                /* do all accesses move alike? */
    bool leaps;                     /* does an access move far? */
    size_t *visits;                 /* the number of visits that are left */
};

ARRAY_ORDER(compare, struct sd_extent,
            array_order(a->address, b->address) ?: array_order(a->op, b->op))

static uint64_t moved_by(const struct group *g, uint32_t temp)
{
    return g->trace->temps[temp].bits - g->steady->notes[0].temps[temp].bits;
}

/* Does a store keep the motion of a value that is loaded at a fixed address? */
static bool keeps(const struct group *g, const struct sd_extent *load,
                  const struct sd_extent *store)
{
    uint64_t by = moved_by(g, load->value), stored = moved_by(g, store->value);

    if (store->is_lost)
        return false;
    if (by == 0 && stored == 0)
        return true;
    return store->address == load->address && store->size == load->size &&
           ((stored - by) & sd_mask(8 * load->size)) == 0;
}

/* Is the value that a load has at a fixed address still even?  The value must
   be the same in each iteration, or the even value of the stores. */
static bool is_kept(const struct group *g, const struct sd_extent *load)
{
    bool is_stored = false;

    for (const struct sd_extent *r = g->begin;
         r < g->end && r->address < load->address + load->size; r++) {
        if (*g->visits == 0)
            return false;
        --*g->visits;
        if (!r->is_store || r->address + r->size <= load->address)
            continue;
        if (!keeps(g, load, r))
            return false;
        is_stored = true;
    }
    return is_stored || moved_by(g, load->value) == 0;
}

/* May a load read what an earlier iteration wrote?  The stores of that
   iteration are a step away; stores of this iteration are accounted for
   already, unless they are on the back path. */
static bool reads_earlier(const struct group *g, const struct sd_extent *load)
{
    int64_t step = (int64_t)load->step, margin = step;

    if (g->trace->is_on_back_path || load->motion != SD_EVEN)
        margin = 0;
    if (!g->stores)
        return false;
    if (load->motion == SD_EVEN && step > 0)
        return (int64_t)(g->store_high - load->address) > margin;
    if (load->motion == SD_EVEN)
        return (int64_t)(load->address + load->size - g->store_low) > -margin;
    return g->store_high > load->address &&
           g->store_low < load->address + load->size;
}

static bool spoil(const struct group *g)
{
    uint8_t *spoilt = g->steady->spoilt;
    bool spoils = false;

    for (const struct sd_extent *r = g->begin; r < g->end; r++) {
        uint8_t motion = g->steady->motions[r->value];

        if (!r->is_needed || spoilt[r->op] || motion == SD_LOST)
            continue;
        if (motion == SD_EVEN ? !is_kept(g, r) : reads_earlier(g, r)) {
            spoilt[r->op] = 1;
            spoils = true;
        }
    }
    return spoils;
}

/* After how many iterations has an address passed all others of its group? */
static uint64_t rounds(const struct group *g, uint32_t n_random)
{
    uint64_t step = g->begin->step;

    if (g->begin->motion == SD_RANDOM)
        return (uint64_t)n_random + 1;
    if ((int64_t)step < 0)
        step = -step;
    return step == 0 ? 1 : (g->high - g->low - 1) / step;
}

/* Does an access move out of its neighbourhood before the last iteration? */
static bool leaps(const struct sd_extent *r, uint32_t left)
{
    uint64_t bound = NEAR / 2 / left;

    return r->motion == SD_EVEN && r->step + bound >= 2 * bound;
}

/* The group that begins with `r`. */
static struct group group(struct sd_steady *s, const struct sd_extent *r,
                          uint32_t left)
{
    const struct sd_extent *last = s->extents + s->n_extents;
    struct group g = {.steady = s, .begin = r, .low = r->address};

    assert(r < last && left > 0);
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
    assert(g.begin < g.end && g.low <= g.high);
    return g;
}

uint32_t sd_extents_meet(struct sd_steady *s, const struct sd_trace *trace,
                         uint32_t left, uint32_t n_random, bool *spoils)
{
    bool load_leaps = false, store_leaps = false;
    const struct sd_extent *r = s->extents, *end = r + s->n_extents;
    size_t visits = MAX_VISITS * s->n_extents;
    uint64_t most = 1;

    array_sort(s->extents, s->n_extents, compare);
    while (r < end) {
        struct group g = group(s, r, left);

        g.trace = trace;
        g.visits = &visits;
        r = g.end;
        if (g.high > UINT64_MAX - NEAR && s->extents[0].address < NEAR)
            return 0; /* the first and the last group are near each other */
        if (g.loads && g.stores && !g.is_uniform)
            return 0;
        if (g.loads && g.stores && rounds(&g, n_random) > most)
            most = rounds(&g, n_random);
        /* An access that leaps may meet any other group. */
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
