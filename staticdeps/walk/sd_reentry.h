/*
 * sd_reentry: which loop was re-entered between two times of a walk.
 *
 * Of each loop it is known when control came to it from outside, and when it
 * last came to a header.  A loop holds the way from a store to a load if it was
 * entered before the store.  Of those around the load the innermost that does
 * is the only one that can have been re-entered in between: to re-enter another
 * around it, control would have left it.
 *
 * Limits: of a function that calls itself, the last call to come to a loop is
 * the one that is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REENTRY_H
#define SD_REENTRY_H

#include "flow/sd_loops.h"
#include "flow/sd_node.h"

struct sd_reentry {
    uint32_t walk, frame; /* in which control came to it */
    uint32_t header;      /* the last one */
    uint64_t entered, last;
};

struct sd_reentries {
    const struct sd_loops *loops;
    const struct sd_node *nodes; /* by block */
    struct sd_reentry *list;     /* by loop */
};

void sd_reentries_init(struct sd_reentries *r, const struct sd_loops *loops,
                       const struct sd_node *nodes);
void sd_reentries_fini(struct sd_reentries *r);

/* In a frame of a walk, which is numbered from 1 on, control comes to a header
   at a time; from another block, or from none: UINT32_MAX. */
void sd_reentries_arrive(struct sd_reentries *r, uint32_t walk, uint32_t frame,
                         uint32_t header, uint32_t from, uint64_t time);

/* The last header of the loop that was re-entered since a time when the frame
   was there, plus 1, now that control is in a block; 0: none was. */
uint32_t sd_reentries_since(const struct sd_reentries *r, uint32_t walk,
                            uint32_t frame, uint32_t block, uint64_t time);

#endif
