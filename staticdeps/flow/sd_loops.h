/*
 * sd_loops: basic blocks as nodes of a control-flow graph; the loops of a
 * graph, and how they nest.
 *
 * A loop is a maximal set of blocks that can all reach each other; its headers
 * are the blocks that are entered from outside.  The loops inside it are those
 * that remain when the edges to its headers are removed.  In structured code
 * these are the natural loops, where loops with the same header are one.
 * (Steensgaard: Sequentializing program dependence graphs for irreducible
 * programs, Microsoft Research MSR-TR-93-14, 1993.)
 *
 * Loops inside SD_DEEPEST others are part of the one around them: code that
 * people write has ten levels, but a hostile file may have thousands.
 *
 * Loops are found as the strongly connected components of all blocks, then of
 * each loop without its headers, and so on.  This takes one pass over a
 * function's blocks for each level of loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LOOPS_H
#define SD_LOOPS_H

#include "lift/sd_lift.h"

#define SD_DEEPEST 64

struct sd_node {
    const struct sd_cfg *cfg;
    uint64_t address;
    const uint8_t *bytes; /* the image's */
    const uint8_t *insns; /* as in sd_blocks */
    uint32_t n_insns;
    uint32_t number;         /* in its graph */
    uint32_t place;          /* in the order of the loops' blocks */
    uint32_t loop;           /* the innermost loop around it; 0: none */
    uint32_t n_more;         /* successors in `more` */
    bool is_header;          /* of its loop */
    bool calls;              /* it ends with a call */
    bool returns;            /* it ends by leaving the function */
    struct sd_node *entry;   /* its function's first block; NULL: unknown */
    struct sd_node *next[2]; /* the block after it, its target; NULL: none */
    struct sd_node **more;   /* more successors */
};

/* The successors of a block, some of which are NULL. */
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

struct sd_loop {
    uint32_t parent;   /* the loop around it; 0: none */
    uint32_t first, n; /* its blocks, with those of inner loops */
    uint32_t depth;    /* the number of loops around it */
};

struct sd_loops {
    struct sd_loop *list; /* number 0: all blocks */
    size_t n, room;
    struct sd_node **nodes; /* the nodes of a loop are adjacent */
};

/* Finds the loops of n blocks, and sets the innermost loop of each block. */
void sd_loops_init(struct sd_loops *loops, struct sd_node *nodes, size_t n);
void sd_loops_fini(struct sd_loops *loops);

/* Is a block in that loop, or in one inside it? */
bool sd_loops_hold(const struct sd_loops *loops, uint32_t loop,
                   const struct sd_node *node);

/* The loop directly inside loop `outer` that contains loop `inner`, or is it; 0
   if there is none. */
uint32_t sd_loops_child(const struct sd_loops *loops, uint32_t outer,
                        uint32_t inner);

#endif
