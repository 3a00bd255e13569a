/*
 * sd_walk: one way through the code, over numbers that are drawn.
 *
 * A walk begins at a function, or in its middle.  It computes with concrete
 * numbers, so each address is one, and a load shows which store wrote its bytes
 * last.  What is known (sd_drawn) decides branches; where it does not, the walk
 * is forced: it takes the way that was taken less often, and goes round a loop
 * a few times.  What was forced once is decided from then on (sd_decide).
 *
 * A loop whose test is decided is wound forward, once its registers moved by
 * the same steps twice: only the last two rounds are walked.
 *
 * Calls are entered to a depth, and for a share of the fuel; others are
 * skipped: they leave unknown registers, and unknown bytes where their
 * arguments point into the stack.  A call that never comes back ends the walk.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WALK_H
#define SD_WALK_H

#include "run/sd_walker.h"

void sd_walker_init(struct sd_walker *w, const struct sd_program *program,
                    unsigned rules, unsigned depth);
void sd_walker_fini(struct sd_walker *w);

/* Begins the walks of another function. */
void sd_walker_root(struct sd_walker *w);

/* Walks from an address until the function returns, or `fuel` instructions are
   walked, or nothing leads on.  `key` decides all that is random.  The pairs
   are added to w->pairs. */
void sd_walk(struct sd_walker *w, uint64_t address, uint64_t key, uint64_t fuel,
             bool is_again);

#endif
