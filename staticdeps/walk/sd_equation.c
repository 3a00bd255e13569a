/*
 * sd_equation: is a distance vector the only one that a pair can have?
 *
 * If both addresses of a pair are affine in the numbers of the rounds of the
 * loops around them, with the same steps, a load meets the stores that lie a
 * solution of one linear equation before it: the steps times the vector make
 * the distance of the two addresses.  Another vector is refuted if the greatest
 * common divisor of the steps does not divide what is left, or if it needs more
 * rounds than the loops have.  (Banerjee, Dependence Analysis for
 * Supercomputing, 1988.  Here the bounds are numbers, which leave a few
 * candidates for each loop, and all of these are tried.)
 *
 * A loop in which the addresses do not move allows every number of its rounds.
 * Only its last store counts: that of this round, or of the round before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_rounds.h"

#include "num.h"

#define MOST_TRIED 256 /* candidates; real code needs fewer than twenty */

typedef __int128 int128;

/* The search for other solutions, loop by loop, the longest step first. */
struct search {
    const struct sd_equation *e;
    uint32_t order[SD_MOST_LEVELS]; /* the loops with a step */
    uint32_t n;
    /* Of the steps of a loop and later ones: their greatest common divisor, and
       how far the addresses move by them. */
    uint64_t divisors[SD_MOST_LEVELS];
    int128 reach[SD_MOST_LEVELS + 1];
    int32_t other[SD_MOST_LEVELS];
    unsigned n_tried;
};

static uint64_t size_of(int64_t step)
{
    return step < 0 ? -(uint64_t)step : (uint64_t)step;
}

static void begin(struct search *s, const struct sd_equation *e)
{
    *s = (struct search){.e = e};
    for (uint32_t i = 0; i < e->n; i++) {
        uint32_t k = s->n;

        if (e->steps[i] == 0)
            continue;
        for (;
             k > 0 && size_of(e->steps[s->order[k - 1]]) < size_of(e->steps[i]);
             k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
        s->n++;
    }
    for (uint32_t k = s->n; k-- > 0;) {
        uint32_t i = s->order[k];
        uint64_t size = size_of(e->steps[i]);

        s->divisors[k] = num_gcd(size, k + 1 < s->n ? s->divisors[k + 1] : 0);
        s->reach[k] = s->reach[k + 1] + (int128)size * (e->most[i] - 1);
    }
}

/* Does the store of another solution come before the load? */
static bool is_before(const struct search *s)
{
    for (uint32_t i = 0; i < s->e->n; i++) {
        if (s->e->steps[i] == 0)
            return true; /* at least in an earlier round of that loop */
        if (s->other[i] != 0)
            return s->other[i] > 0;
    }
    return s->e->may_be_first;
}

/* Is the store of another solution further back in the same direction?  If so,
   the store of the vector happens after it: with affine bounds, a loop goes
   through all rounds between two of its rounds. */
static bool is_further(const struct search *s)
{
    const struct sd_equation *e = s->e;
    uint32_t first = 0;

    while (first < e->n && (e->steps[first] == 0 || e->vector[first] == 0))
        first++;
    if (first == e->n || e->vector[first] < 0 ||
        s->other[first] <= e->vector[first])
        return false;
    for (uint32_t i = first; i < e->n; i++)
        if (e->steps[i] != 0 && (int64_t)s->other[i] * e->vector[first] !=
                                    (int64_t)e->vector[i] * s->other[first])
            return false;
    return true;
}

static bool is_same(const struct search *s)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->other[s->order[k]] != s->e->vector[s->order[k]])
            return false;
    return true;
}

static int128 divide_down(int128 a, int128 b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Looks for a sum of multiples of the steps from loop k on, at least `low` and
   at most `high`.  Returns true if one is another solution, or if there are too
   many to try. */
static bool has_other(struct search *s, uint32_t k, int128 low, int128 high)
{
    int128 step, first, last, most;
    uint32_t i;

    if (low > high)
        return false;
    if (k == s->n)
        return low <= 0 && high >= 0 && !is_same(s) && is_before(s) &&
               !is_further(s);
    if (divide_down(high, (int128)s->divisors[k]) * (int128)s->divisors[k] <
        low)
        return false;
    i = s->order[k];
    step = (int128)size_of(s->e->steps[i]);
    most = s->e->most[i] <= INT32_MAX ? (int128)s->e->most[i] - 1 : INT32_MAX;
    first = -divide_down(s->reach[k + 1] - low, step);
    last = divide_down(high + s->reach[k + 1], step);
    if (first < -most)
        first = -most;
    if (last > most)
        last = most;
    for (int128 n = first; n <= last; n++) {
        if (++s->n_tried > MOST_TRIED)
            return true;
        s->other[i] = (int32_t)(s->e->steps[i] < 0 ? -n : n);
        if (has_other(s, k + 1, low - n * step, high - n * step))
            return true;
    }
    return false;
}

/* Has the vector as few rounds as possible in the loops in which the addresses
   do not move? */
static bool is_last(const struct sd_equation *e)
{
    bool is_carried = false; /* does an outer loop go on between the two? */

    for (uint32_t i = 0; i < e->n; i++) {
        if (e->steps[i] == 0 && e->vector[i] != 0)
            for (uint32_t k = 0; k < i; k++)
                is_carried |= e->steps[k] == 0;
        if (e->steps[i] == 0 &&
            (is_carried || e->vector[i] < 0 || e->vector[i] > 1))
            return false;
        is_carried |= e->vector[i] != 0;
    }
    return true;
}

bool sd_equation_has_one_solution(const struct sd_equation *e)
{
    struct search s;
    int128 sum = 0;

    if (!is_last(e))
        return false;
    begin(&s, e);
    for (uint32_t i = 0; i < e->n; i++)
        sum += (int128)e->steps[i] * e->vector[i];
    return !has_other(&s, 0, sum + e->below + 1, sum + e->above - 1);
}
