/*
 * sd_support: what the walks of all functions show, together.
 *
 * A pair's support is the share of walks that show it, of those that came to
 * the blocks of both its ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SUPPORT_H
#define SD_SUPPORT_H

#include "walk/sd_comings.h"
#include "walk/sd_pairs.h"

struct sd_support {
    struct sd_pairs pairs;
    struct sd_comings **blocks; /* which walks came to each */
    size_t n_blocks;
    size_t n_numbers; /* in the lists of all blocks */
    uint32_t n_walks, n_roots;
};

void sd_support_init(struct sd_support *s, size_t n_blocks);
void sd_support_fini(struct sd_support *s);

/* Adds what one function's walks show, as sd_explorer has it. */
void sd_support_add(struct sd_support *s, const struct sd_coming *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs);

/* Of two blocks: how many walks came to both. */
uint32_t sd_support_together(const struct sd_support *s, uint32_t a,
                             uint32_t b);

/* How many came to the first and later to the second, if their order means
   anything.  Of a block and itself, all did that came to it; or, if `is_round`,
   that came to it again. */
uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round);

/* In (0, 1].  The blocks are those of the pair's ends. */
double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block);

#endif
