/*
 * sd_support: what the walks of all functions show together, and the support
 * of pairs: the share of walks that show a pair, among those that visited the
 * blocks of both its ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SUPPORT_H
#define SD_SUPPORT_H

#include "walk/sd_pairs.h"
#include "walk/sd_visits.h"

struct sd_support {
    struct sd_pairs pairs;
    struct sd_visits **blocks; /* by block */
    size_t n_blocks;
    size_t n_numbers; /* visits in the lists of all blocks */
    uint32_t n_walks, n_roots;
};

void sd_support_init(struct sd_support *s, size_t n_blocks);
void sd_support_fini(struct sd_support *s);

/* Adds what one function's walks show, as sd_explorer has it. */
void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs);

/* The number of walks that visited block a and later block b, if the order of
   their visits means anything.  For a block and itself: all that visited it,
   or, if `is_round`, those that did so again. */
uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round);

/* Finds the support of many pairs.  That compares two lists of walks for each
   pair, and some lists have thousands.  But the pairs of a function share its
   few blocks: the longer of two lists is made a set of bits, which is kept for
   the next pairs, and only the shorter one is read.  The sets take some
   megabytes. */
struct sd_shares {
    const struct sd_support *support;
    struct sd_attendance *sets; /* by block, as far as there is room */
    size_t n_sets;
};

/* No walk may be added until the end. */
void sd_shares_init(struct sd_shares *shares, const struct sd_support *support);
void sd_shares_fini(struct sd_shares *shares);

/* In (0, 1].  The blocks are those of the pair's ends. */
double sd_shares_of(struct sd_shares *shares, const struct sd_walk_pair *pair,
                    uint32_t src_block, uint32_t dst_block);

#endif
