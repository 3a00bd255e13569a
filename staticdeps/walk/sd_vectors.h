/*
 * sd_vectors: the distance vectors of pairs in loops: how many rounds of each
 * loop lie between store and load.
 *
 * Each time that a walk shows a pair, it shows a vector (sd_rounds), and it
 * shows an address.  A pair keeps its vector as long as all walks show the
 * same, and the address is an affine function of the rounds' numbers in each
 * walk.  In the next walk all numbers that are drawn are others, among them
 * those that the addresses move by.  It has the vector at the end if it was
 * looked at in three rounds of each loop, or more, and in two walks the only
 * vector that it could have (sd_equation).
 *
 * Only the loops of the function in which both ends lie count, and what lies in
 * two calls of it does not.
 *
 * Limits: a round that no walk goes is not looked at.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VECTORS_H
#define SD_VECTORS_H

#include <stddef.h>

#include "walk/sd_rounds.h"

/* A vector that some walks agree on, of a function's walks or of all. */
struct sd_agreed {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t loop;     /* the innermost that holds both; 0: there is none */
    uint16_t n_proofs; /* walks in which it is the only one */
    uint8_t n;         /* loops */
    uint8_t checked;   /* those that went three rounds, by bit */
    int32_t rounds[SD_MOST_LEVELS]; /* of each, the outermost first */
};

/* A load that shows a pair. */
struct sd_shown {
    uint32_t src, dst;
    const void *part; /* of the load, as an instruction may have several */
    uint64_t address; /* of it */
    int32_t offset;   /* of that in what was stored */
    uint32_t loaded, stored; /* bytes */
    bool may_be_first; /* may the store come before the load in a round? */
};

struct sd_vectors {
    const struct sd_rounds *rounds;
    struct sd_vector_of *list;
    uint32_t *table; /* open addressing: their numbers, plus 1; 0: free */
    unsigned bits;
    size_t n, room;
    uint32_t *touched; /* in the current walk */
    size_t n_touched, touched_room;
};

void sd_vectors_init(struct sd_vectors *v, const struct sd_rounds *rounds);
void sd_vectors_fini(struct sd_vectors *v);
void sd_vectors_clear(struct sd_vectors *v);

/* The walk of *v->rounds shows a pair, and its vector.  False if the pair has
   lost its vector by that. */
bool sd_vectors_see(struct sd_vectors *v, const struct sd_shown *shown,
                    const struct sd_nest *nest);

/* The walk has ended, and all loops are left. */
void sd_vectors_end_walk(struct sd_vectors *v);

/* The vector that the walks agree on, of pair number i of v->n; NULL: none. */
const struct sd_agreed *sd_vectors_get(const struct sd_vectors *v, size_t i);

/* What several functions' walks agree on. */
struct sd_agreements {
    struct sd_agreed *table; /* open addressing; src 0: a free place */
    unsigned bits;
    size_t n;
};

void sd_agreements_init(struct sd_agreements *a);
void sd_agreements_fini(struct sd_agreements *a);
void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed);

/* The vector of a pair that all walks agree on, if it is one; else NULL. */
const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst);

#endif
