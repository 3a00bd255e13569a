/*
 * sd_cfg: where control may go from each basic block.
 *
 * Known are the fixed targets of jumps, the block after a block, and that a
 * call comes back.  An indirect jump leads to those blocks of its function that
 * nothing known leads to, if there are any: the cases of a switch.  Returns
 * lead nowhere, and so does what leads to bytes that are no instruction.
 *
 * A jump into another function is followed: compilers put the parts of one
 * that are seldom reached far away, under a name of their own.  What lies
 * after a call is not, if a function begins there: the call does not come
 * back.
 *
 * Compilers align the head of a loop by instructions that do nothing, and jump
 * over them.  Such padding leads nowhere: it would be one more entry to the
 * loop.
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
    uint64_t serial;       /* no other graph of the process has it */
    struct sd_node *nodes; /* one for each block, in their order, and some
                              without instructions, where the indirect jumps of
                              a function meet */
    size_t n_nodes;
    uint8_t *insns;
    struct sd_node **indirect_targets; /* what indirect jumps lead to */
    size_t n_indirect_targets;
    struct sd_loops loops;
    struct sd_summaries summaries;
};

/* The graph of all blocks of an image, and of nothing else, which get to know
   their nodes.  The caller frees. */
struct sd_cfg *sd_cfg_new(struct sd_blocks *blocks,
                          const struct sd_image *image);

/* Accepts NULL. */
void sd_cfg_free(struct sd_cfg *cfg);

#endif
