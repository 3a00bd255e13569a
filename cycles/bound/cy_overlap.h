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
#ifndef CY_OVERLAP_H
#define CY_OVERLAP_H

#include "machine/cy_cpu.h"

/* What a round puts into the buffers. */
struct cy_round {
    unsigned instructions; /* at least 1 */
    unsigned loads, stores;
    unsigned
        chained; /* instructions of the chain: they wait in the scheduler */
};

/* The share of the latency, above 0 and at most 1, for runs of `rounds` rounds.
   Sizes of buffers that are 0 are not known, and do not limit; if that of the
   reorder buffer is not, it has 224 entries, as processors of 2015. */
double cy_overlap(double rounds, const struct cy_round *round,
                  const struct cy_window *window);

#endif
