/*
 * cy_region: which answers of llvm-mca make sense.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/cy_region.h"

/* Cycles, or places in the dispatch: more than any code needs. */
#define MOST 1e9

/* The least of a figure without the nop of the question, which takes no place
   in the dispatch of some processors. */
#define LEAST_WITHOUT_NOP (-1)

static bool is_within(double figure, double least)
{
    return figure >= least && figure <= MOST; /* NAN is not */
}

bool cy_mca_region_is_possible(const struct cy_mca_region *r)
{
    if (!is_within(r->throughput, LEAST_WITHOUT_NOP) ||
        !is_within(r->dispatch, LEAST_WITHOUT_NOP) ||
        !is_within(r->memory, 0) || !is_within(r->other, 0) ||
        !is_within(r->width, 0) || !is_within(r->total, 0) ||
        r->n_unknown > r->n)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (r->insns[i].is_known && !is_within(r->insns[i].latency, 0))
            return false;
    return true;
}
