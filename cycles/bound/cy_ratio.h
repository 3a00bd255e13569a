/*
 * cy_ratio: the cycle of a graph that takes longest for each round.
 *
 * Each edge has a weight, the cycles that its end waits for its beginning, and
 * a number of rounds that lie between the two.  What comes around in a loop
 * needs, for each round, the largest ratio of weight to rounds over all cycles.
 *
 * Howard's policy iteration, as in Cochet-Terrasson, Cohen, Gaubert, McGettrick
 * and Quadrat: Numerical computation of spectral elements in max-plus algebra,
 * IFAC 1998.  Each node follows one edge, so that following leads into a
 * cycle; the best of these cycles gives a ratio and each node a value, and
 * nodes change their edge while that gives a larger value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RATIO_H
#define CY_RATIO_H

#include <stddef.h>
#include <stdint.h>

struct cy_edge {
    uint32_t from, to;
    uint32_t rounds;
    double weight; /* in cycles, not negative */
};

struct cy_graph {
    struct cy_edge *edges;
    size_t n_edges, room;
    uint32_t n_nodes; /* numbered from 0 */
};

void cy_graph_add(struct cy_graph *graph, struct cy_edge edge);
void cy_graph_fini(struct cy_graph *graph);

struct cy_cycle {
    double ratio;    /* 0: there is no cycle with a weight */
    uint32_t *edges; /* of the graph, in the order of the cycle */
    size_t n;
};

/* Each cycle of the graph must span a round or more.  The caller frees
   cycle.edges. */
struct cy_cycle cy_graph_critical(const struct cy_graph *graph);

#endif
