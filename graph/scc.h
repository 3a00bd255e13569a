/*
 * scc: the strongly connected components of a graph: the largest sets of nodes
 * in which each node reaches each other one.
 *
 * Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on
 * Computing 1, 1972.  The search keeps its path in an array, since that through
 * a deep graph would not fit the stack.  The cost is one visit of each node and
 * each edge.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GRAPH_SCC_H
#define GRAPH_SCC_H

#include <stddef.h>
#include <stdint.h>

/* What a node's i-th successor may be instead of a node. */
#define GRAPH_END  UINT32_MAX       /* it has no more */
#define GRAPH_SKIP (UINT32_MAX - 1) /* this one does not count */

/* Nodes are numbered from 0 to n - 1. */
struct graph {
    const void *of; /* what `next` is called with */
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
    /* The nodes, component by component, each before those that lead to it;
       those of component c are members[first[c]] up to members[first[c + 1]].
       component[n] is the one of node n. */
    uint32_t *members, *first, *component;
    uint32_t n_components;

    /* The search. */
    uint32_t *index, *lowest, *open, *path, *n_done;
    size_t room;
};

void scc_init(struct scc *scc);
void scc_fini(struct scc *scc);

/* Finds the components of a graph; the room of the last one is used again. */
void scc_find(struct scc *scc, const struct graph *graph);

#endif
