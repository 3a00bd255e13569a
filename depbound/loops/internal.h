/*
 * internal: the graph of all blocks during the search for loops.  cy_loops
 * finds the loops and how often each edge was taken, cy_way the path through
 * each loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "loops/cy_loops.h"

/* A block in the graph, with at most two successors. */
struct cy_node {
    uint32_t next[2];           /* next block and jump target, or CY_NO_BLOCK */
    uint64_t least[2], most[2]; /* bounds on edges' executions, or 0 */
    bool has_other;             /* may it also lead outside all blocks? */
    bool calls;
    uint8_t n_tried; /* successors that the search has tried */
    bool is_open;    /* is it on the path of the search? */
    uint32_t order;  /* when the search reached it, from 1; 0: not yet */
};

struct cy_back_edge {
    uint32_t header, latch;
};

/* A loop's body: the blocks members[first] to members[first + n - 1]. */
struct cy_body {
    uint32_t header;
    size_t first, n;
};

struct cy_finder {
    const struct cy_data *data;
    struct cy_loops *loops;
    struct cy_node *nodes; /* nodes, indexed by block */
    /* Block b's predecessors: before[first_before[b]] and the following. */
    uint32_t *first_before, *before;
    struct cy_back_edge *edges;
    size_t n_edges, edges_room;
    struct cy_body *bodies;
    size_t n_bodies, bodies_room;
    uint32_t *members;
    size_t n_members, members_room;
    uint32_t *in_loop;   /* by block: body being built or followed, + 1 */
    uint32_t *innermost; /* by block: 1 + the smallest body that contains it */
    uint32_t *around;    /* by body: 1 + the smallest body around it; 0: none */
    struct cy_code *code;
    struct cy_traits *traits; /* traits by block; NULL: none needed yet */
    uint32_t first, last;     /* adjacent blocks around the loop's header */
};

static inline uint64_t cy_heat(const struct cy_finder *f, uint32_t block)
{
    return f->data->blocks[block].executions;
}

/* Which edge of a block, 0 or 1, leads to another block?  The edges differ. */
static inline int cy_edge_to(const struct cy_finder *f, uint32_t from,
                             uint32_t to)
{
    return f->nodes[from].next[1] == to;
}

/* The executions of the known edges to a block, at least or, if `most`, at
   most. */
uint64_t cy_come_to(const struct cy_finder *f, uint32_t block, bool most);

/* Follows the most frequent path through a loop, whose blocks get `number` in
   `in_loop`.  Returns false if there is no such path. */
bool cy_follow(struct cy_finder *f, const struct cy_body *body, uint32_t number,
               struct cy_loop *loop);
