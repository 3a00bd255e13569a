/*
 * internal: the parts of cy_predict.
 *
 * cy_edges chooses dependencies through memory, with cy_strides for those of
 * wider scopes and cy_spread for those at varying distances.  cy_unknown says
 * what the figures leave out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_BOUND_INTERNAL_H
#define CY_BOUND_INTERNAL_H

#include <assert.h>

#include "bound/cy_edges.h"
#include "step/cy_step.h"

/* cy_spread: occurrences of a dependency over first to last rounds. */
struct cy_rounds {
    double first, last; /* at least 1 */
    double occurrences;
};

/* The rounds over which a dependency costs as much as it does over those of the
   classes, of which the first has the smallest and no other overlaps it: as
   many as that has, or more.  `is_exact`: the classes were not smeared by ways
   of different lengths. */
double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact);

/* cy_addresses: counts the instructions whose loads may read what a store of
   the loop wrote, or whose stores a load may read, since their addresses are
   data. What an address with a sure edge is made of is known. */
void cy_addresses_of(struct cy_unknown *unknown,
                     const struct cy_cost_of_loop *cost);

/* Bytes that a run of the loop goes through; 0: not known. */
double cy_bytes_of_run(const struct cy_cost_of_loop *cost);

#endif
