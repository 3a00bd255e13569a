/*
 * sd_flows: a function -> pairs that no walk shows, but its flow of data
 * allows.
 *
 * Walks take few of the ways through a function.  A walk that came to the store
 * and later to the load, and did not show the pair, makes the pair unlikely; a
 * walk that came to the load first says nothing about it.  sd_support_after()
 * decides that from all walks.  Pairs that the function's own first walks make
 * unlikely are left out here, or a long block would have a pair for any two of
 * its accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLOWS_H
#define SD_FLOWS_H

#include "walk/sd_explore.h"

/* The support of a pair that no walk shows, and none makes unlikely: Laplace's
   rule of succession, (0 + 1) / (0 + 2). */
#define SD_FLOW_SUPPORT 0.5

struct sd_flows {
    struct sd_walk_pair *list; /* pairs of the last function; sorted */
    size_t n;
    bool is_complete; /* false: the function was too large to find all */
    struct sd_flow_work *work;
};

/* Finds pairs within a function and the functions that it calls; or, if the
   effort is narrow, within it, and between two calls of one callee. */
void sd_flows_init(struct sd_flows *flows, const struct sd_explorer *e);
void sd_flows_fini(struct sd_flows *flows);

/* Finds the pairs of a routine, with its parts, that *e has walked last. */
void sd_flows_of(struct sd_flows *flows, uint32_t routine,
                 const struct sd_explorer *e);

#endif
