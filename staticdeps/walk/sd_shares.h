/*
 * sd_shares: the support of pairs: the share of walks that show a pair, of
 * those that came to the blocks of both its ends.
 *
 * So two lists of walks (sd_visits) have to be compared for each pair, and
 * some have thousands.  But the pairs of a function have its few blocks in
 * common: the longer of two lists is made a set of bits, which is kept for the
 * pairs that come next, and only the shorter one is read.
 *
 * Memory: some megabytes of sets, of a bit for each walk.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SHARES_H
#define SD_SHARES_H

#include "walk/sd_support.h"

struct sd_shares {
    const struct sd_support *support;
    struct sd_attendance *sets; /* by block, as far as there is room */
    size_t n_sets;
};

/* Of walks of which none is added until the end. */
void sd_shares_init(struct sd_shares *shares, const struct sd_support *support);
void sd_shares_fini(struct sd_shares *shares);

/* In (0, 1].  The blocks are those of the pair's ends. */
double sd_shares_of(struct sd_shares *shares, const struct sd_walk_pair *pair,
                    uint32_t src_block, uint32_t dst_block);

#endif
