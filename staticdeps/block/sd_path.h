/*
 * sd_path: the back path of a block, from its end to its next start, which is
 * appended to its trace.
 *
 * If the block can follow itself, nothing is appended; otherwise, the path with
 * the fewest blocks is appended; of several such paths, the one that falls
 * through earliest.  The path stays in the innermost loop around the block.  If
 * the block is in no loop, the path leads to the nearest return, and from the
 * function's start, as if it were called again, to the block.
 *
 * On the path, registers become unknown if a callee may change them, or if a
 * loop on the path writes them, because its number of iterations is unknown.
 * Only the last iteration of such a loop is run, as far as it is on the path;
 * the stack pointer is assumed to be the same after each iteration.  If there
 * is no path, or the path cannot be run, all registers become unknown.
 *
 * Limits: the search covers the 16,384 nearest blocks of the loop or function.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "block/sd_trace.h"
#include "program/sd_cfg.h"

struct sd_step {
    struct sd_node *node; /* NULL: the function returns and is called again */
    uint32_t inner; /* the loop entered here that lacks the block; 0: none */
};

/* A search through the blocks of a graph. */
struct sd_search {
    uint64_t graph;       /* the graph's serial number */
    struct sd_node *from; /* the block where the search began */
    uint32_t number;
    struct sd_trail *trails; /* indexed by a block's number */
    struct sd_node **queue;
    size_t trails_room, queue_room;
};

struct sd_path {
    enum arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit;   /* the most instructions of a path that is appended */
    uint32_t longest; /* the most blocks of a part of the path */

    struct sd_step *steps;
    size_t n_steps, steps_room;
    struct sd_search search;
    struct sd_search entry; /* the last search from a function's entry, for all
                               blocks of that function */
};

void sd_path_init(struct sd_path *path, enum arch arch, uint32_t limit);
void sd_path_fini(struct sd_path *path);

/* Finds the blocks between the end of `node` and its next start.  False if
   there is no path back. */
bool sd_path_find(struct sd_path *path, struct sd_node *node);

/* Appends the back path of `node` to the trace of its block. */
void sd_path_append(struct sd_path *path, struct sd_trace *trace,
                    struct sd_node *node);
