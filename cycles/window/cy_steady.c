/*
 * cy_steady: do rounds that are made up take what those before them did?
 *
 * They go on as before if instructions are dispatched and retire and stores
 * leave their buffer at one pace, so that nothing fills, and by turns in the
 * same times for some rounds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <math.h>
#include <string.h>

/* Rounds are as many as have these instructions, more than a core holds, but
   no fewer than FEWEST rounds. */
#define INSNS  1024
#define FEWEST 6

#define NOTHING 1e-6 /* cycles, that rounding leaves */

/* What a round took, `back` rounds before the last one. */
static double taken(const struct cy_steady *s, unsigned what, size_t back)
{
    return s->ends[(s->n - back) % CY_ENDS][what] -
           s->ends[(s->n - back - 1) % CY_ENDS][what];
}

/* The time that some rounds took. */
static double all(const struct cy_steady *s, unsigned what, size_t rounds)
{
    return s->ends[s->n % CY_ENDS][what] -
           s->ends[(s->n - rounds) % CY_ENDS][what];
}

static bool repeat(const struct cy_steady *s, unsigned what, size_t rounds,
                   size_t period)
{
    for (size_t i = 0; i + period < rounds; i++)
        if (fabs(taken(s, what, i) - taken(s, what, i + period)) > NOTHING)
            return false;
    return fabs(all(s, what, period) - all(s, 0, period)) < NOTHING;
}

size_t cy_steady_round(struct cy_steady *s, size_t n_insns,
                       const double ends[CY_N_ENDS])
{
    size_t rounds = INSNS / n_insns;
    unsigned n_ends = ends[CY_N_ENDS - 1] > 0 ? CY_N_ENDS : CY_N_ENDS - 1;

    if (rounds > CY_STEADY)
        rounds = CY_STEADY;
    if (rounds < FEWEST)
        rounds = FEWEST;
    s->n++;
    memcpy(s->ends[s->n % CY_ENDS], ends, sizeof s->ends[0]);
    for (size_t period = 1; period <= rounds / 2 && s->n > rounds; period++) {
        unsigned what = 0;

        while (what < n_ends && repeat(s, what, rounds, period))
            what++;
        if (what == n_ends)
            return (rounds + period - 1) / period * period;
    }
    return 0;
}
