/*
 * sd_node: a basic block as a node of a control-flow graph.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_NODE_H
#define SD_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "lift/sd_lift.h"

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

#endif
