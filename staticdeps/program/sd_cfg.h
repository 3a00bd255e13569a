/*
 * sd_cfg: the graph of where control may go from each basic block.
 *
 * The known edges are fixed targets of jumps, falling through, and the return
 * of a call.  An indirect jump leads to the blocks of its function to which no
 * known edge leads, if there are any: the cases of a switch.  Returns have no
 * edges, and there are no edges to undecodable bytes.
 *
 * A jump into another function is an edge: compilers move the cold parts of a
 * function far away, under another name.  A call directly before the start of a
 * function has no edge to that start: such a call does not return.
 *
 * Compilers align the head of a loop by nops, and jump over them.  Such padding
 * has no edges, because it would be one more entry to the loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "decode/sd_blocks.h"
#include "graph/loops.h"
#include "lift/sd_insn.h"

/* A basic block. */
struct sd_node {
    const struct sd_cfg *cfg;
    uint64_t address;
    const uint8_t *bytes; /* belong to the image */
    const uint8_t *insns; /* lengths of instructions, as in struct sd_blocks */
    uint32_t n_insns;
    uint32_t number;         /* index in the graph's nodes */
    uint32_t loop;           /* the innermost loop around it; 0: none */
    uint32_t n_more;         /* successors in `more` */
    bool is_header;          /* the header of `loop` */
    bool calls;              /* the block ends with a call */
    bool returns;            /* the block ends by leaving the function */
    struct sd_node *entry;   /* first block of the function; NULL: unknown */
    struct sd_node *next[2]; /* the block after it, its target; NULL: none */
    struct sd_node **more;   /* more successors */
};

/* The number of successors of a block, some of which are NULL. */
static inline uint32_t sd_node_n_next(const struct sd_node *node)
{
    return 2 + node->n_more;
}

static inline struct sd_node *sd_node_next(const struct sd_node *node,
                                           uint32_t number)
{
    return number < 2 ? node->next[number] : node->more[number - 2];
}

/* A cursor before the block's first instruction. */
static inline struct sd_lift_cursor sd_node_begin(const struct sd_node *node)
{
    return (struct sd_lift_cursor){.bytes = node->bytes,
                                   .insns = node->insns,
                                   .n_insns = node->n_insns,
                                   .next = node->address};
}

/* Can the block execute twice in a row? */
static inline bool sd_node_follows_itself(const struct sd_node *node)
{
    return node->next[0] == node || node->next[1] == node;
}

/* What a block or a loop writes as a whole.  A summary is computed on its first
   use, and kept as long as the graph. */
struct sd_summary {
    bool is_known;    /* the other fields are set */
    bool is_liftable; /* all instructions of a block can be lifted */
    struct sd_regset writes;
};

struct sd_cfg {
    uint64_t serial;       /* unique in the process */
    struct sd_node *nodes; /* blocks, in their order; then hubs, to which all
                              indirect jumps of a function lead */
    size_t n_nodes;
    size_t *first; /* first block of each section; then the number of blocks */
    uint8_t *insns;
    struct sd_node **indirect_targets; /* targets, function by function */
    size_t n_indirect_targets;
    struct loops loops;
    enum arch arch;
    struct sd_abi abi;
    struct sd_summary *block_summaries; /* indexed by node */
    struct sd_summary *loop_summaries;
};

/* Builds the graph of all blocks of an image, and sets the nodes of the blocks.
   The caller frees the graph by sd_cfg_free(). */
struct sd_cfg *sd_cfg_new(struct sd_blocks *blocks,
                          const struct sd_image *image);

/* Finds the loops of n blocks, whose numbers are their places in `nodes`, and
   sets the loop of each. */
void sd_cfg_find_loops(struct loops *loops, struct sd_node *nodes, size_t n);

/* Accepts NULL. */
void sd_cfg_free(struct sd_cfg *cfg);

/* What a block may write: what its instructions write and, if it ends with a
   call, what the callee may write. */
const struct sd_summary *sd_summary_of_block(const struct sd_node *node);

/* What a loop may write: what its blocks write, but not the stack pointer,
   which is assumed to be the same in each iteration. */
const struct sd_summary *sd_summary_of_loop(const struct sd_cfg *cfg,
                                            uint32_t number);
