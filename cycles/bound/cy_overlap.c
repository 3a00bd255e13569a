/*
 * cy_overlap: runs of a loop that overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/cy_overlap.h"

#include <assert.h>
#include <math.h>

#define USUAL_REORDER_BUFFER 224

/* Rounds that a buffer holds, by the entries that each takes. */
static double held(unsigned entries, unsigned taken)
{
    return entries > 0 && taken > 0 ? (double)entries / taken : INFINITY;
}

double cy_overlap(double rounds, const struct cy_round *round,
                  const struct cy_window *window)
{
    unsigned reorder = window->reorder_buffer;
    double x;

    assert(rounds > 0 && round->instructions > 0);
    x = held(reorder > 0 ? reorder : USUAL_REORDER_BUFFER, round->instructions);
    x = fmin(x, held(window->load_buffer, round->loads));
    x = fmin(x, held(window->store_buffer, round->stores));
    x = fmin(x, held(window->scheduler, round->chained));
    return 1 / (1 + x / rounds);
}
