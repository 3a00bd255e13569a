/*
 * sd_step: what the operations of a chunk do to the registers and the memory of
 * a walk, and the pairs that its loads show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_STEP_H
#define SD_STEP_H

#include "run/sd_walker.h"

/* Runs the operations of a chunk.  The elements of a rep instruction, but for
   the first, are added to w->time. */
void sd_step(struct sd_walker *w, struct sd_chunk *c);

#endif
