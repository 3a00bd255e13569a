/*
 * sd_graph: where control may go from each basic block.
 *
 * Known are the fixed targets of jumps, what stands behind a block, and that a
 * call comes back.  An indirect jump is taken to lead to those blocks of its
 * function that nothing known leads to, if there are any: the cases of a
 * switch.  Returns lead nowhere, and so does what leads to bytes that are no
 * instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_GRAPH_H
#define SD_GRAPH_H

#include "sd_blocks.h"
#include "sd_code.h"
#include "sd_loops.h"

struct sd_node {
    const struct sd_graph *graph;
    uint64_t address;
    const uint8_t *bytes; /* the image's */
    const uint8_t *insns; /* as in sd_blocks */
    uint32_t n_insns;
    uint32_t number;         /* in its graph */
    uint32_t place;          /* in the order of the loops' blocks */
    uint32_t loop;           /* the innermost one around it; 0: none */
    bool heads;              /* control comes to that loop here */
    bool calls;              /* its end is a call */
    bool returns;            /* its end leads out of the function */
    struct sd_node *entry;   /* where its function begins; NULL: unknown */
    struct sd_node *next[2]; /* behind it, then its target; NULL: nowhere */
    struct sd_node **more;   /* and further ones */
    uint32_t n_more;
    /* What sd_between knows of it so far. */
    bool has_effects, is_liftable;
    struct sd_words writes;
};

/* The blocks that a block leads to, some of them NULL. */
static inline uint32_t sd_node_n_next(const struct sd_node *node)
{
    return 2 + node->n_more;
}

static inline struct sd_node *sd_node_next(const struct sd_node *node,
                                           uint32_t number)
{
    return number < 2 ? node->next[number] : node->more[number - 2];
}

/* Can control come back to the block at once? */
static inline bool sd_node_follows_itself(const struct sd_node *node)
{
    return node->next[0] == node || node->next[1] == node;
}

struct sd_graph {
    struct sd_node *nodes; /* one for each block, in their order, and some
                              without instructions, where the indirect jumps of
                              a function meet */
    size_t n_nodes;
    uint8_t *insns;
    struct sd_node **orphans; /* what indirect jumps lead to */
    size_t n_orphans;
    struct sd_loops loops;
};

/* The graph of all blocks of an image, and of nothing else, which get to know
   their nodes.  The caller frees. */
struct sd_graph *sd_graph_new(struct sd_blocks *blocks,
                              struct sd_decoder *decoder,
                              const struct sd_image *image);

/* NULL is fine. */
void sd_graph_free(struct sd_graph *graph);

#endif
