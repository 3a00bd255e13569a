/*
 * sd_vectors: the distance vectors on which walks agree.
 *
 * A vector has, for a pair, the number of rounds of each loop between store and
 * load.  Each time a walk shows a pair, it shows a vector and an address.  A
 * pair keeps its vector as long as all walks show the same one, and the address
 * is an affine function of the rounds' numbers in each walk.  All drawn numbers
 * differ from walk to walk, also those by which addresses move.  A vector
 * counts if it was checked in three or more rounds of each loop, and if in two
 * walks it is the only vector that the pair could have.  Only the loops of the
 * function in which both ends lie count, and pairs between two calls of this
 * function have no vector.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "walk/sd_rounds.h"
#include "keys.h"

#define SD_PROOFS 2 /* walks that must prove a vector */

/* A vector on which walks agree. */
struct sd_agreed {
    uint32_t src, dst; /* sites, from 1 on */
    uint32_t loop;     /* the innermost loop that holds both */
    uint16_t n_proofs; /* walks that allow no other vector */
    uint8_t n;         /* loops */
    uint8_t checked;   /* bit mask of loops that went three rounds */
    int32_t rounds[SD_MOST_LEVELS]; /* of each loop, the outermost first */
};

/* --- Test whether a pair can have only one distance vector --- */

struct sd_equation {
    uint32_t n;                     /* number of loops, the outermost first */
    int64_t steps[SD_MOST_LEVELS];  /* how a round of each moves addresses */
    uint32_t most[SD_MOST_LEVELS];  /* the most rounds; UINT32_MAX: not known */
    int32_t vector[SD_MOST_LEVELS]; /* rounds from the store to the load */
    /* The bytes of store and load overlap if the store moves, from its place
       with this vector, by more than `below` and less than `above`. */
    int32_t below, above;
    bool may_be_first; /* may the store come before the load in a round? */
};

/* Is the vector the only one that the addresses allow? */
bool sd_equation_has_one_solution(const struct sd_equation *e);

/* --- The vectors of a function's walks --- */

/* A load that shows a pair. */
struct sd_shown {
    uint32_t src, dst;
    const void *part; /* part of the load, if an instruction has several */
    uint64_t address; /* the address of the load */
    int32_t offset;   /* from the start of the store to that of the load */
    uint32_t loaded, stored; /* bytes */
    bool may_be_first; /* may the store come before the load in a round? */
};

struct sd_vectors {
    const struct sd_rounds *rounds;
    struct sd_vector_of *list; /* indexed by the number of the key */
    size_t room;
    struct keys keys;
    uint32_t *touched; /* pairs shown in the current walk */
    size_t n_touched, touched_room;
    struct sd_agreed *agreed;
    size_t agreed_room;
};

void sd_vectors_init(struct sd_vectors *v, const struct sd_rounds *rounds);
void sd_vectors_fini(struct sd_vectors *v);
void sd_vectors_clear(struct sd_vectors *v);

/* Notes that the walk of *v->rounds shows a pair and its vector.  Returns false
   if the pair thereby loses its vector. */
bool sd_vectors_see(struct sd_vectors *v, const struct sd_shown *shown,
                    const struct sd_nest *nest);

/* Ends a walk, after sd_rounds_leave_all(). */
void sd_vectors_end_walk(struct sd_vectors *v);

/* The vectors on which the walks agree; stores their number into *n. */
const struct sd_agreed *sd_vectors_list(struct sd_vectors *v, size_t *n);

/* --- The vectors on which the walks of several functions agree --- */

/* A structure of zeros is empty. */
struct sd_agreements {
    struct sd_agreed *list; /* by number of the key; loop 0: walks disagree */
    size_t room;
    struct keys keys;
};

void sd_agreements_fini(struct sd_agreements *a);
void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed);

/* The vector of a pair, if all walks agree on it, and enough walks prove it;
   otherwise NULL. */
const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst);
