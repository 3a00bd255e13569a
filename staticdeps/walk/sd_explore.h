/*
 * sd_explore: a function -> what walks from it show.
 *
 * First come walks from its entry, as long as they show pairs that are new;
 * then some from the blocks of it that few of these came to, with random
 * registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXPLORE_H
#define SD_EXPLORE_H

#include "walk/sd_walk.h"

struct sd_effort {
    unsigned rules;        /* enum sd_rule */
    unsigned walks, depth; /* walks: of a small function, at most */
    uint32_t fuel;         /* of each walk, in instructions */
    bool is_narrow;        /* only pairs within one function are wanted */
    unsigned enough;       /* walks that come to a block, or more start there */
    uint32_t middle_fuel;  /* of those */
    /* What an object may take for each of its blocks: n_visits of walks to
       blocks, and instructions; some times what real programs do. */
    uint32_t most_visits, most_insns;
};

/* What a level from 1 to 9 means. */
struct sd_effort sd_effort_of(unsigned level);

struct sd_explorer {
    struct sd_walker walker;
    struct sd_effort effort;
    uint64_t seed;
    uint32_t *n_visits; /* by block: walks of this function that came to it */

    /* What the last function's walks show.  Of each walk: the number of blocks
       that it came to, as a number alone, then these. */
    struct sd_visit *walks;
    size_t walks_size, walks_room;
    uint32_t n_walks;
    uint64_t n_insns;
    const struct sd_walk_pair *pairs; /* sorted */
    size_t n_pairs;
};

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed);
void sd_explorer_fini(struct sd_explorer *e);

void sd_explore(struct sd_explorer *e, uint32_t routine);

#endif
