/*
 * sd_flows: a function -> the pairs that no walk shows, but that its flow of
 * data allows (sd_places, sd_reach): within it, with the functions that it
 * calls, and from one of these to another (sd_impacts).
 *
 * Walks go through few of the ways of a function.  Two ends that many of them
 * came to, and that none of them showed as a pair, are hardly one: whoever has
 * all walks decides that (sd_flows_support).  What the function's own first
 * walks decide is left out here, or a long block would have a pair for each two
 * of its accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLOWS_H
#define SD_FLOWS_H

#include "reach/sd_impacts.h"
#include "reach/sd_places.h"
#include "walk/sd_explore.h"

#define SD_FLOW_DEPTH 2 /* of calls whose accesses are seen */

struct sd_flows {
    struct sd_impact_table impacts[SD_FLOW_DEPTH]; /* by the calls below */
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_pairs pairs;
    uint8_t *came; /* by block: a bit for each of the first walks */
    uint32_t src;  /* the site of the last store */
    uint8_t src_came;

    /* Of the last function. */
    struct sd_walk_pair *list; /* sorted; no walk of it shows any of them */
    size_t n, room;
    bool is_complete; /* false: it was too large for all */
};

void sd_flows_init(struct sd_flows *flows, const struct sd_program *program,
                   struct sd_chunks *chunks, unsigned rules);
void sd_flows_fini(struct sd_flows *flows);

/* Of a routine, with its parts, that *e has walked last.  What these walks show
   is left out, and what they leave no support for. */
void sd_flows_of(struct sd_flows *flows, uint32_t routine,
                 const struct sd_explorer *e);

/* A pair's support, if n walks came to both its ends, and none showed it: by
   Laplace's rule of succession, 1 / (n + 2); 0 if n is too large.  `is_within`:
   both ends lie in one function. */
double sd_flows_support(uint32_t n, bool is_within);

#endif
