/*
 * cy_units: calendars of units.
 *
 * A calendar has a bit for each cycle in which the unit is busy, in a ring that
 * moves on with time.
 *
 * Limits: work that is ready more than CY_SPAN cycles ahead waits for no unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WORDS (CY_SPAN / 64)
#define FULL  0.999f /* of a rate's cycle */

void cy_units_init(struct cy_units *u)
{
    memset(u, 0, sizeof *u);
}

static void clear_word(struct cy_units *u, uint64_t word)
{
    size_t w = word % WORDS;

    for (unsigned i = 0; i < CY_ALL_UNITS; i++)
        u->full[i][w] = 0;
    for (unsigned i = 0; i < CY_N_RATES; i++) {
        u->rate_full[i][w] = 0;
        memset(&u->used[i][w * 64], 0, 64 * sizeof u->used[i][0]);
    }
}

void cy_units_advance(struct cy_units *u, double time)
{
    uint64_t to = (uint64_t)time / 64;

    if (to > u->now + WORDS)
        u->now = to - WORDS;
    for (; u->now < to; u->now++)
        clear_word(u, u->now);
}

/* The first cycle from `at` on that is free in a calendar that `busy` gives,
   word by word; UINT64_MAX if there is none. */
#define first_free(u, at, word, busy)                                   \
    __extension__({                                                     \
        uint64_t word = (at) / 64, found_ = UINT64_MAX,                 \
                 below_ = (UINT64_C(1) << (at) % 64) - 1;               \
                                                                        \
        for (; word < (u)->now + WORDS; word++, below_ = 0) {           \
            uint64_t busy_ = (busy) | below_;                           \
                                                                        \
            if (busy_ != UINT64_MAX) {                                  \
                found_ = word * 64 + (uint64_t)__builtin_ctzll(~busy_); \
                break;                                                  \
            }                                                           \
        }                                                               \
        found_;                                                         \
    })

static uint64_t all_busy(const struct cy_units *u, uint64_t units,
                         uint64_t word)
{
    uint64_t busy = UINT64_MAX;

    for (; units != 0; units &= units - 1)
        busy &= u->full[__builtin_ctzll(units)][word % WORDS];
    return busy;
}

double cy_units_take(struct cy_units *u, uint64_t units, double ready)
{
    uint64_t at = (uint64_t)ready, best = CY_ALL_UNITS;

    assert(units != 0 && at / 64 >= u->now);
    at = first_free(u, at, word, all_busy(u, units, word));
    if (at == UINT64_MAX)
        return ready;
    for (; units != 0; units &= units - 1) {
        unsigned i = (unsigned)__builtin_ctzll(units);

        if ((u->full[i][at / 64 % WORDS] >> at % 64 & 1) == 0 &&
            (best == CY_ALL_UNITS || u->n_taken[i] < u->n_taken[best]))
            best = i;
    }
    assert(best < CY_ALL_UNITS);
    u->full[best][at / 64 % WORDS] |= UINT64_C(1) << at % 64;
    u->n_taken[best]++;
    return fmax(ready, (double)at);
}

/* Takes work of a rate from the cycles from `at` on that have room for it. */
static void take_rate(struct cy_units *u, unsigned rate, uint64_t at,
                      double cost)
{
    while (cost > 0 && at != UINT64_MAX && at < (u->now + WORDS) * 64) {
        float *used = &u->used[rate][at % CY_SPAN];
        double part = fmin(cost, 1 - *used);

        *used += (float)part;
        cost -= part;
        if (*used >= FULL)
            u->rate_full[rate][at / 64 % WORDS] |= UINT64_C(1) << at % 64;
        if (cost < 1e-6)
            break;
        at++;
        at = first_free(u, at, word, u->rate_full[rate][word % WORDS]);
    }
}

static uint64_t any_full(const struct cy_units *u, unsigned rates,
                         uint64_t word)
{
    uint64_t full = 0;

    for (; rates != 0; rates &= rates - 1)
        full |= u->rate_full[__builtin_ctz(rates)][word % WORDS];
    return full;
}

double cy_units_take_rates(struct cy_units *u, const float cost[CY_N_RATES],
                           double ready)
{
    uint64_t at = (uint64_t)ready;
    unsigned rates = 0;

    for (unsigned i = 0; i < CY_N_RATES; i++)
        if (cost[i] > 0)
            rates |= 1u << i;
    assert(at / 64 >= u->now);
    at = first_free(u, at, word, any_full(u, rates, word));
    if (at == UINT64_MAX)
        return ready;
    for (unsigned i = 0; i < CY_N_RATES; i++)
        if (cost[i] > 0)
            take_rate(u, i, at, cost[i]);
    return fmax(ready, (double)at);
}
