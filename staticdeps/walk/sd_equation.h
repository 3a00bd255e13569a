/*
 * sd_equation: is a distance vector the only one that a pair can have?  Pure.
 *
 * Where both addresses of a pair are affine in the numbers of the rounds of the
 * loops around them, with the same steps, a load meets the store of those
 * rounds that lie a solution of one linear equation before: the steps times the
 * vector make the distance of the two addresses.  Another vector is refuted if
 * the greatest common divisor of the steps does not divide what is left, or if
 * more rounds would be needed than the loops have.  (Banerjee, Dependence
 * Analysis for Supercomputing, 1988; with numbers in place of unknowns, the
 * bounds leave a few candidates a loop, which are all tried.)
 *
 * A loop in which the addresses do not move allows every number of its rounds.
 * The store of the last one is the one that counts: that of this round, or of
 * the round before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EQUATION_H
#define SD_EQUATION_H

#include <stdbool.h>
#include <stdint.h>

#include "walk/sd_rounds.h"

struct sd_equation {
    uint32_t n;                     /* loops, the outermost first */
    int64_t steps[SD_MOST_LEVELS];  /* of the addresses, a round */
    uint32_t most[SD_MOST_LEVELS];  /* rounds; UINT32_MAX: not known */
    int32_t vector[SD_MOST_LEVELS]; /* rounds from the store to the load */
    /* The store's bytes meet the load's if what it moves by, seen from where it
       is with that vector, lies between these, both excluded. */
    int32_t below, above;
    bool may_be_first; /* may the store come before the load in a round? */
};

bool sd_equation_has_one_solution(const struct sd_equation *e);

#endif
