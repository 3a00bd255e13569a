/*
 * sd_agreements: the distance vectors on which the walks of several functions
 * agree: for a pair, the number of rounds of each loop between store and load.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_AGREEMENTS_H
#define SD_AGREEMENTS_H

#include "random/sd_keys.h"

#define SD_MOST_LEVELS 6
#define SD_PROOFS      2 /* walks that must prove a vector */

/* A vector on which walks agree. */
struct sd_agreed {
    uint32_t src, dst;              /* sites, from 1 on */
    uint32_t loop;                  /* the innermost that holds both */
    uint16_t n_proofs;              /* walks in which it is the only one */
    uint8_t n;                      /* loops */
    uint8_t checked;                /* by bit: loops that went three rounds */
    int32_t rounds[SD_MOST_LEVELS]; /* of each, the outermost first */
};

/* Does it have this vector? */
bool sd_agreed_is(const struct sd_agreed *a, uint32_t loop,
                  const int32_t *rounds);

/* Is empty if it is zeroed. */
struct sd_agreements {
    struct sd_agreed *list; /* by number of the key; loop 0: they disagree */
    size_t room;
    struct sd_keys keys;
};

void sd_agreements_fini(struct sd_agreements *a);
void sd_agreements_add(struct sd_agreements *a, const struct sd_agreed *agreed);

/* The vector of a pair, if all walks agree on it, and enough of them prove it;
   else NULL. */
const struct sd_agreed *sd_agreements_of(const struct sd_agreements *a,
                                         uint32_t src, uint32_t dst);

#endif
