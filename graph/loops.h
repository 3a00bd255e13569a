/*
 * loops: the loops of a graph, and how they nest.
 *
 * A loop is a maximal set of nodes that can all reach each other; its headers
 * are the nodes that are entered from outside.  The loops inside it are those
 * that remain when the edges to its headers are removed.  In structured code
 * these are the natural loops, where loops with the same header are one.
 * (Steensgaard: Sequentializing program dependence graphs for irreducible
 * programs, Microsoft Research MSR-TR-93-14, 1993.)
 *
 * Loops inside LOOPS_DEEPEST others are part of the one around them: code that
 * people write has ten levels, but a hostile file may have thousands.
 *
 * Loops are found as the strongly connected components of all nodes, then of
 * each loop without its headers, and so on.  This takes one pass over a loop's
 * nodes for each level of loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GRAPH_LOOPS_H
#define GRAPH_LOOPS_H

#include <assert.h>
#include <stdbool.h>

#include "graph/scc.h"

#define LOOPS_DEEPEST 64

struct loop {
    uint32_t parent;   /* the loop around it; 0: none */
    uint32_t depth;    /* the number of loops around it */
    uint32_t first, n; /* the places of its nodes, with those of inner loops */
};

struct loops {
    struct loop *list; /* number 0: all nodes */
    size_t n, room;
    uint32_t *nodes; /* by place: those of a loop are adjacent */
    /* By node. */
    uint32_t *places;
    uint32_t *innermost; /* loop around it; 0: none */
    bool *is_header;     /* of that loop */
};

/* Finds the loops of a graph.  The order of their numbers, and of their nodes,
   depends on the graph alone. */
void loops_find(struct loops *loops, const struct graph *graph);

/* Does nothing to what is all zeros. */
void loops_fini(struct loops *loops);

/* Is a node in that loop, or in one inside it? */
static inline bool loops_hold(const struct loops *loops, uint32_t loop,
                              uint32_t node)
{
    assert(loop < loops->n && node < loops->list[0].n);
    return loops->places[node] - loops->list[loop].first < loops->list[loop].n;
}

/* The loop directly inside loop `outer` that contains loop `inner`, or is it; 0
   if there is none. */
uint32_t loops_child(const struct loops *loops, uint32_t outer, uint32_t inner);

#endif
