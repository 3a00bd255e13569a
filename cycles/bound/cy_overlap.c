/*
 * cy_overlap: how much of a chain's latency remains when it begins anew with
 * each run of its loop.
 *
 * A processor begins the next runs before the chain of this one is done, as far
 * as its buffers hold the instructions that have begun and cannot retire (J.
 * Smith and A. Pleszkun, Implementing precise interrupts in pipelined
 * processors, IEEE Transactions on Computers 37, 1988).  If they hold x runs,
 * the chains of 1 + x go on at once, and each adds 1 / (1 + x) of its latency.
 * A branch that is mispredicted at the end of each run would prevent it; this
 * is not modelled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

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
