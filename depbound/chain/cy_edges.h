/*
 * cy_edges: the dependencies through memory within a loop, and how the
 * addresses of its accesses move.
 *
 * Each register is followed through a round as a sum of what registers were at
 * its beginning.  A register that ends as itself and a constant moves by the
 * constant in each round; addresses move as their registers do.
 *
 * Limits: an address is not known if it was loaded, multiplied or chosen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_EDGES_H
#define CY_EDGES_H

#include "chain/cy_predict.h"
#include "step/cy_step.h"

/* A dependency through memory: the load reads what the store wrote `rounds`
   rounds before. */
struct cy_memory_edge {
    uint32_t store, load; /* steps */
    uint32_t rounds;      /* the fewest */
    double mean_rounds;   /* by cy_spread; `rounds`, unless they vary */
    double support;       /* of the prediction; observed: 1 */
    bool is_sure;         /* all walks see it, or the run had it */
    bool is_in_run;    /* the store is always one of the same run of the loop */
    bool is_observed;  /* depsim recorded `relation` */
    bool has_relation; /* `relation` is known, from depsim or staticdeps */
    enum cy_relation relation;
    bool has_offset; /* staticdeps knows it */
    int64_t offset;  /* of the load's address from the store's, in bytes */
};

/* Adds the dependencies through memory that the user chose. */
void cy_edges_of(struct cy_cost_of_loop *cost, const struct cy_data *data,
                 const struct cy_choice *choice);

/* Occurrences of a dependency over first to last rounds. */
struct cy_rounds {
    double first, last; /* at least 1 */
    double occurrences;
};

/* The rounds over which a dependency costs as much as it does over those of the
   classes, of which the first has the smallest and no other overlaps it: as
   many as that has, or more.  `is_exact`: the classes were not smeared by ways
   of different lengths. */
double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact);

/* How far a number moves from each round to the next. */
struct cy_stride {
    bool is_known;
    uint64_t bytes; /* modulo 2^64 */
};

/* The address of an access: in the first round, as a sum of what the registers
   were when the round began, and how far it moves. */
struct cy_moving {
    struct flow_sum sum;
    struct cy_stride stride;
};

/* Of the accesses of a step. */
struct cy_strides {
    struct cy_moving loads[FLOW_MOST_LOADS], stores[FLOW_MOST_STORES];
};

/* By step, of a block of n steps that follows itself.  The caller frees it. */
struct cy_strides *cy_strides_new(const struct cy_step *steps, uint32_t n);

/* Do data say which place a load of the block has: an index that was loaded
   from places that move, or computed of such?  A pointer alone is none. */
bool cy_is_by_data(const struct cy_step *steps, uint32_t n, uint32_t load);

/* Do two sums have the same registers, with the same factors? */
bool cy_sums_are_alike(const struct flow_sum *a, const struct flow_sum *b);

#endif
