/*
 * sd_cfg: the graph of where control may go from each basic block.
 *
 * The known edges are fixed targets of jumps, falling through, and the return
 * of a call.  An indirect jump leads to the blocks of its function that have no
 * known edge to them, if there are any: the cases of a switch.  Returns have no
 * edges, and there are no edges to undecodable bytes.
 *
 * A jump into another function is an edge: compilers move the cold parts of a
 * function far away, under another name.  A call before the start of a function
 * has no edge to it: such a call does not return.
 *
 * Compilers align the head of a loop by nops, and jump over them.  Such padding
 * has no edges, because it would be one more entry to the loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CFG_H
#define SD_CFG_H

#include "decode/sd_blocks.h"
#include "flow/sd_loops.h"
#include "flow/sd_node.h"
#include "flow/sd_summary.h"

struct sd_cfg {
    uint64_t serial;       /* unique in the process */
    struct sd_node *nodes; /* one for each block, in their order; then hubs,
                              where the indirect jumps of a function meet */
    size_t n_nodes;
    uint8_t *insns;
    struct sd_node **indirect_targets; /* of all functions */
    size_t n_indirect_targets;
    struct sd_loops loops;
    struct sd_summaries summaries;
};

/* Builds the graph of the blocks, which are all those of an image and no
   others.  Sets their nodes.  The caller frees. */
struct sd_cfg *sd_cfg_new(struct sd_blocks *blocks,
                          const struct sd_image *image);

/* Accepts NULL. */
void sd_cfg_free(struct sd_cfg *cfg);

#endif
