/*
 * sd_path: the shortest way from a block back to itself.
 *
 * It stays in the innermost loop around the block.  That of a block in no loop
 * leads to the nearest return, and from the start of the function, which is
 * called again, to the block.  A way has the fewest blocks; of several such
 * ways, it is the one that falls through earliest.  It is looked for among the
 * 16,384 nearest blocks of the loop or function.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PATH_H
#define SD_PATH_H

#include "flow/sd_cfg.h"

struct sd_step {
    struct sd_node *node; /* NULL: the function is called again */
    uint32_t inner; /* a loop without the block that is entered; 0: none */
};

struct sd_path {
    uint32_t longest; /* blocks: no longer part of a way is looked for */
    struct sd_step *steps;
    size_t n_steps, steps_room;

    /* The search. */
    uint32_t search;
    struct sd_trail *trails; /* by a block's number */
    struct sd_node **queue;
    size_t trails_room, queue_room;
};

void sd_path_init(struct sd_path *way);
void sd_path_fini(struct sd_path *way);

/* Finds the blocks between an end of `node` and its next start.  False if there
   is no way back. */
bool sd_path_find(struct sd_path *way, struct sd_node *node);

#endif
