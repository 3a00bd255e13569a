/*
 * internal: the graph of all blocks during the search for loops.  cy_loops
 * finds the loops and how often each edge was taken, cy_way the way around
 * each.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LOOPS_INTERNAL_H
#define CY_LOOPS_INTERNAL_H

#include "loops/cy_loops.h"

/* A block has at most two successors. */
struct cy_node {
    uint32_t next[2]; /* the block after it, and the target of its jump;
                         CY_NO_BLOCK: none */
    uint64_t least[2], most[2]; /* how often it went there; 0 and 0 without
                                   executions */
    bool has_other;             /* it may also go where no block begins */
    bool calls;
    uint8_t n_tried; /* successors that the search has tried */
    bool is_open;    /* it is on the search's path */
    uint32_t order;  /* in which the search met it, from 1; 0: not yet */
};

struct cy_back_edge {
    uint32_t header, latch;
};

/* A loop's blocks are members[first] up to members[first + n]. */
struct cy_body {
    uint32_t header;
    size_t first, n;
};

struct cy_finder {
    const struct cy_data *data;
    struct cy_loops *loops;
    struct cy_node *nodes; /* by block */
    /* The blocks that lead to block b: before[first_before[b]] ... */
    uint32_t *first_before, *before;
    struct cy_back_edge *edges;
    size_t n_edges, edges_room;
    struct cy_body *bodies;
    size_t n_bodies, bodies_room;
    uint32_t *members;
    size_t n_members, members_room;
    uint32_t *in_loop;   /* by block: the body that is built or followed, + 1 */
    uint32_t *innermost; /* by block: the smallest body with it, + 1 */
    uint32_t *around;    /* by body: the smallest one around it, + 1 */
    struct cy_code *code;
    struct cy_traits *traits; /* by block; NULL: nothing was asked yet */
    uint32_t first, last;     /* of the loop's blocks that lie around its header
                                 without a gap */
};

static inline uint64_t cy_heat(const struct cy_finder *f, uint32_t block)
{
    return f->data->blocks[block].executions;
}

/* Which edge of a block leads to another one; they differ. */
static inline int cy_edge_to(const struct cy_finder *f, uint32_t from,
                             uint32_t to)
{
    return f->nodes[from].next[1] == to;
}

/* How often the known edges led to a block, at least or at most. */
uint64_t cy_come_to(const struct cy_finder *f, uint32_t block, bool most);

/* Follows the way around a loop, whose blocks get a number in `in_loop`; false
   if there is none. */
bool cy_follow(struct cy_finder *f, const struct cy_body *body, uint32_t number,
               struct cy_loop *loop);

#endif
