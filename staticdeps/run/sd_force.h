/*
 * sd_force: which way a walk takes at a branch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FORCE_H
#define SD_FORCE_H

#include "run/sd_walker.h"

/* The comparison that an operation is: a comparison, or a condition of the
   flags.  False if it is another. */
bool sd_force_comparison(const struct sd_chunk *c, const struct sd_op *op,
                         struct sd_comparison *comparison);

/* 1 if the way of the condition is taken, else 0. */
unsigned sd_force_branch(struct sd_walker *w, struct sd_chunk *c);

#endif
