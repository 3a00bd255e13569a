/*
 * cy_region: which answers of llvm-mca make sense.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/cy_region.h"

/* Cycles, or places in the dispatch: more than any code needs. */
#define MOST 1e9

static bool is_possible(double figure)
{
    return figure >= 0 && figure <= MOST; /* NAN is not */
}

bool cy_mca_region_is_possible(const struct cy_mca_region *r)
{
    if (!is_possible(r->throughput) || !is_possible(r->dispatch) ||
        !is_possible(r->memory) || !is_possible(r->other) ||
        !is_possible(r->width) || !is_possible(r->total) || r->n_unknown > r->n)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (r->insns[i].is_known && !is_possible(r->insns[i].latency))
            return false;
    return true;
}
