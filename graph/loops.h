/*
 * loops: the strongly connected components of a graph, its loops, and how these
 * nest.
 *
 * A component is a largest set of nodes in which each node reaches each other
 * one.  (Tarjan: Depth-first search and linear graph algorithms, SIAM Journal
 * on Computing 1, 1972.)  The search keeps its path in an array, since the path
 * through a deep graph would not fit the stack.  The cost is one visit of each
 * node and each edge.
 *
 * A loop is a maximal set of nodes that can all reach each other; its headers
 * are the nodes that are entered from outside.  The loops inside a loop are
 * those that remain when the edges to its headers are removed.  In structured
 * code these are the natural loops, where loops with the same header are one.
 * (Steensgaard: Sequentializing program dependence graphs for irreducible
 * programs, Microsoft Research MSR-TR-93-14, 1993.)
 *
 * Loops inside LOOPS_DEEPEST others are part of the loop around them: code that
 * people write has ten levels, but a hostile file may have thousands.
 *
 * Loops are found as the strongly connected components of all nodes, then of
 * each loop without its headers, and so on.  This takes one pass over a loop's
 * nodes for each level of loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* Results of graph.next that are no node. */
#define GRAPH_END  UINT32_MAX       /* the node has no more successors */
#define GRAPH_SKIP (UINT32_MAX - 1) /* the successor does not count */

/* Nodes are numbered from 0 to n - 1. */
struct graph {
    const void *of; /* the first argument of `next` */
    uint32_t n;
    /* The i-th successor of a node; i counts from 0 up to the first
       GRAPH_END. */
    uint32_t (*next)(const void *of, uint32_t node, uint32_t i);
};

static inline uint32_t graph_next(const struct graph *graph, uint32_t node,
                                  uint32_t i)
{
    return graph->next(graph->of, node, i);
}

struct scc {
    /* The nodes, component by component, each component before those that lead
       to it.  Component c has members[first[c]] up to members[first[c + 1]],
       exclusive; component[n] is the component of node n. */
    uint32_t *members, *first, *component;
    uint32_t n_components;

    /* Arrays of the search, of `room` elements each. */
    uint32_t *index, *lowest, *open, *path, *n_done;
    size_t room;
};

void scc_init(struct scc *scc);
void scc_fini(struct scc *scc);

/* Finds the components of a graph, in the memory used for the last one. */
void scc_find(struct scc *scc, const struct graph *graph);

#define LOOPS_DEEPEST 64

struct loop {
    uint32_t parent;   /* the loop around it; 0: none */
    uint32_t depth;    /* the number of loops around it */
    uint32_t first, n; /* places of its nodes, and of those of inner loops */
};

struct loops {
    struct loop *list; /* list[0] holds all nodes */
    size_t n, room;
    uint32_t *nodes; /* by place: the nodes of a loop are adjacent */
    /* The arrays below are indexed by node. */
    uint32_t *places;
    uint32_t *innermost; /* the innermost loop around the node; 0: none */
    bool *is_header;     /* is the node a header of `innermost`? */
};

/* Finds the loops of a graph.  The order of their numbers, and of their nodes,
   depends on the graph alone. */
void loops_find(struct loops *loops, const struct graph *graph);

/* Frees the loops; accepts a structure of zeros. */
void loops_fini(struct loops *loops);

/* Is a node in a loop, or in one inside the loop? */
static inline bool loops_hold(const struct loops *loops, uint32_t loop,
                              uint32_t node)
{
    assert(loop < loops->n && node < loops->list[0].n);
    return loops->places[node] - loops->list[loop].first < loops->list[loop].n;
}

/* The loop directly inside loop `outer` that contains or is loop `inner`; 0 if
   there is none. */
uint32_t loops_child(const struct loops *loops, uint32_t outer, uint32_t inner);
