/*
 * sd_support: what the walks of all functions show, together.
 *
 * Of each block it has the walks that came there; sd_shares makes the support
 * of pairs of that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SUPPORT_H
#define SD_SUPPORT_H

#include "walk/sd_visits.h"
#include "walk/sd_pairs.h"

struct sd_support {
    struct sd_pairs pairs;
    struct sd_visits **blocks; /* which walks came to each */
    size_t n_blocks;
    size_t n_numbers; /* in the lists of all blocks */
    uint32_t n_walks, n_roots;
};

void sd_support_init(struct sd_support *s, size_t n_blocks);
void sd_support_fini(struct sd_support *s);

/* Adds what one function's walks show, as sd_explorer has it. */
void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs);

/* How many came to the first and later to the second, if their order means
   anything.  Of a block and itself, all did that came to it; or, if `is_round`,
   that came to it again. */
uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round);

#endif
