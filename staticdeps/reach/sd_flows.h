/*
 * sd_flows: a function -> the pairs that no walk shows, but that its flow of
 * data allows (sd_places, sd_reach): within it, with the functions that it
 * calls, and from one of these to another (sd_impacts); or, if only pairs
 * within one function are wanted (`is_narrow`), within it, and between two
 * calls of the same one.
 *
 * Walks go through few of the ways of a function.  If one came to the store and
 * later to the load, and did not show the pair, this is hardly one; a walk that
 * came to the load first tells nothing of it.  Whoever has all walks decides
 * that (sd_support_after).  What the function's own first walks decide is left
 * out here, or a long block would have a pair for each two of its accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLOWS_H
#define SD_FLOWS_H

#include "reach/sd_impacts.h"
#include "reach/sd_places.h"
#include "walk/sd_explore.h"

#define SD_FLOW_DEPTH 2 /* of calls whose accesses are seen */

/* Walks that came to a block, as sd_visit has them. */
#define SD_NOTED 4
struct sd_came {
    uint8_t walks; /* a bit for each */
    uint16_t first[SD_NOTED], last[SD_NOTED];
};

struct sd_flows {
    struct sd_impact_table impacts[SD_FLOW_DEPTH]; /* by the calls below */
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_pairs pairs;
    struct sd_came *came; /* by block: the first walks */
    uint32_t src;         /* the site of the last store, */
    uint32_t src_block;   /* and its block */

    /* Of the last function. */
    struct sd_walk_pair *list; /* sorted; no walk of it shows any of them */
    size_t n, room;
    bool is_complete; /* false: it was too large for all */
};

void sd_flows_init(struct sd_flows *flows, const struct sd_program *program,
                   struct sd_chunks *chunks, unsigned rules, bool is_narrow);
void sd_flows_fini(struct sd_flows *flows);

/* Of a routine, with its parts, that *e has walked last.  What these walks show
   is left out, and what they leave no support for. */
void sd_flows_of(struct sd_flows *flows, uint32_t routine,
                 const struct sd_explorer *e);

/* Of a pair that no walk shows, and no walk tells against: Laplace's rule of
   succession, (0 + 1) / (0 + 2). */
#define SD_FLOW_SUPPORT 0.5

#endif
