/*
 * sd_pairs: the pairs that walks show: a table by their two ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PAIRS_H
#define SD_PAIRS_H

#include "random/sd_keys.h"
#include "run/sd_overlap.h"

#define SD_ANY_DELTA UINT32_MAX /* there is no fixed number of iterations */

struct sd_walk_pair {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t n_walks;  /* that show it */
    uint32_t last;     /* walk that showed it */
    uint32_t distance; /* the fewest instructions between its ends */
    uint32_t delta_k;  /* executions of the block between them */
    uint8_t is_again;  /* do its ends always lie in two calls of the root? */
    uint8_t is_uneven; /* do walks disagree on its vector? (sd_vectors) */
    struct sd_overlap overlap;
    uint32_t header; /* of the loop that was re-entered between its ends, in
                        the walk with that distance: a block, plus 1; 0: of
                        none */
};

/* Is empty if it is zeroed. */
struct sd_pairs {
    struct sd_walk_pair *list; /* by number of the key */
    size_t n, room;
    struct sd_keys keys;
};

void sd_pairs_fini(struct sd_pairs *pairs);
void sd_pairs_clear(struct sd_pairs *pairs);

/* Adds what walk number pair->last, from 1 on, shows. */
void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair);

/* Notes that walks disagree on the vector of a pair that was added. */
void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst);

/* Sorts pairs->list by src and dst, and returns it.  From then on, the pairs
   can only be cleared. */
const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs);

/* Compares by src and dst, for qsort(). */
int sd_pairs_compare(const void *a, const void *b);

#endif
