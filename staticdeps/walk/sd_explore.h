/*
 * sd_explore: a function -> what walks from it show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXPLORE_H
#define SD_EXPLORE_H

#include "flow/sd_program.h"
#include "walk/sd_access_notes.h"
#include "walk/sd_agreements.h"
#include "walk/sd_effort.h"
#include "walk/sd_pairs.h"
#include "walk/sd_visits.h"

struct sd_explorer {
    const struct sd_program *program;
    struct sd_walker *walker;
    struct sd_chunks *chunks; /* the walker's */
    struct sd_effort effort;
    uint64_t seed;
    uint32_t *n_visits; /* by block: the walks of this function */

    /* What the last function's walks show. */
    struct sd_visit *walks; /* of each walk: the number of blocks that it
                               visited, as a number alone, then these */
    size_t walks_size, walks_room;
    uint32_t n_walks;
    uint64_t n_insns;
    const struct sd_walk_pair *pairs; /* sorted */
    size_t n_pairs;
    const struct sd_agreed *vectors;
    size_t n_vectors;
    const struct sd_site_notes *notes;
    size_t n_notes;
};

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed);
void sd_explorer_fini(struct sd_explorer *e);

void sd_explore(struct sd_explorer *e, uint32_t routine);

#endif
