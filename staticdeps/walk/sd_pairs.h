/*
 * sd_pairs: the pairs that walks show: a table by their two ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PAIRS_H
#define SD_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SD_ANY_DELTA UINT32_MAX /* there is no fixed number of iterations */

struct sd_walk_pair {
    uint32_t src, dst;  /* sites, from 1 on */
    uint32_t n_walks;   /* that show it */
    uint32_t last;      /* of them */
    uint32_t distance;  /* the fewest instructions between its ends */
    uint32_t delta_k;   /* executions of the block between them */
    uint16_t is_again;  /* do its ends lie in two calls of the root, always? */
    uint16_t is_uneven; /* do walks not agree on its vector? (sd_vectors) */
    uint32_t header;    /* of the loop that was re-entered between them, in the
                           walk with that distance: a block, plus 1; 0: none */
};

struct sd_pairs {
    struct sd_walk_pair *table; /* open addressing; src 0: a free place */
    unsigned bits;
    size_t n;
};

void sd_pairs_init(struct sd_pairs *pairs);
void sd_pairs_fini(struct sd_pairs *pairs);
void sd_pairs_clear(struct sd_pairs *pairs);

/* Walk number `walk`, from 1 on, shows a pair. */
void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair);

/* Walks do not agree on the vector of a pair that was added. */
void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst);

/* Makes a list of the table, sorted by src and dst; ->n of them.  It can only
   be cleared then. */
const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs);

/* By src and dst; as qsort wants it. */
int sd_pairs_compare(const void *a, const void *b);

#endif
