/*
 * sd_pairs: the pairs that walks show, and their support.
 *
 * Each function's walks fill a table of pairs; sd_support puts those of all
 * functions together.  A pair's support is the share of walks that show it, of
 * those that came to the blocks of both its ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PAIRS_H
#define SD_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SD_ANY_DELTA UINT32_MAX /* there is no fixed number of iterations */

/* A walk comes to a block. */
struct sd_coming {
    uint32_t number;      /* of the walk, or of the block */
    uint16_t first, last; /* instructions walked before it did, for the first
                             and the last time; UINT16_MAX: or more, or the
                             order means nothing */
};

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

/* What the walks of all functions show, together. */

/* Walks that came to a block, by ascending numbers. */
struct sd_walk_list {
    struct sd_coming *comings;
    uint32_t n, room;
};

struct sd_support {
    struct sd_pairs pairs;
    struct sd_walk_list *blocks; /* which walks came to each */
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
