/*
 * cy_ratio: the cycle of a graph that takes longest for each round.
 *
 * A loop needs, for each round, the largest ratio of weight to rounds over all
 * cycles of its graph.
 *
 * Howard's policy iteration, as in Cochet-Terrasson, Cohen, Gaubert, McGettrick
 * and Quadrat: Numerical computation of spectral elements in max-plus algebra,
 * IFAC 1998.  Each node follows one edge, so that following leads into a
 * cycle; the best of these cycles gives a ratio and each node a value, and
 * nodes change their edge while that gives a larger value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "scc.h"

#define NO_EDGE UINT32_MAX

/* Gains below this are rounding errors. */
#define EPSILON 1e-9

void cy_graph_add(struct cy_graph *graph, struct cy_edge edge)
{
    assert(edge.from < graph->n_nodes && edge.to < graph->n_nodes);
    assert(edge.weight >= 0);
    array_push(graph->edges, graph->n_edges, graph->room, edge);
}

void cy_graph_fini(struct cy_graph *graph)
{
    free(graph->edges);
    *graph = (struct cy_graph){0};
}

/* Edges of a graph, by the node that they leave. */
struct leaving {
    const struct cy_edge *edges;
    uint32_t *first, *list; /* from node n: list[first[n]] ... */
    uint32_t n_nodes;
};

/* The edge that each node follows, and what results from these edges. */
struct policy {
    uint32_t *edge; /* by node; NO_EDGE: none within its component */
    double *value;  /* by node: the weight up to the cycle */
    double *ratio;  /* by node: of the cycle that it leads to */
    uint32_t *mark; /* by node: in which search it was seen */
};

/* Sorts the edges that lie within a component; all edges if that is NULL. */
static void sort_edges(struct leaving *in, const struct cy_graph *graph,
                       const uint32_t *component)
{
    uint32_t n = graph->n_nodes;

    assert(graph->n_edges < NO_EDGE);
    in->edges = graph->edges;
    in->n_nodes = n;
    in->first = memory_new((size_t)n + 2, sizeof *in->first);
    in->list = memory_new(graph->n_edges, sizeof *in->list);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < graph->n_edges; i++) {
            const struct cy_edge *e = &graph->edges[i];

            if (component != NULL && component[e->from] != component[e->to])
                continue;
            if (pass == 0)
                in->first[e->from + 2]++;
            else
                in->list[in->first[e->from + 1]++] = i;
        }
        for (uint32_t i = 2; i < n + 2 && pass == 0; i++)
            in->first[i] += in->first[i - 1];
    }
}

static uint32_t successor(const void *graph, uint32_t node, uint32_t i)
{
    const struct leaving *all = graph;

    i += all->first[node];
    return i < all->first[node + 1] ? all->edges[all->list[i]].to : SCC_END;
}

/* Sorts the edges that lie on cycles. */
static void sort_inner(struct leaving *in, const struct cy_graph *graph)
{
    struct leaving all;
    struct scc scc;

    sort_edges(&all, graph, NULL);
    scc_init(&scc);
    scc_find(&scc, graph->n_nodes, successor, &all);
    sort_edges(in, graph, scc.component);
    scc_fini(&scc);
    free(all.first);
    free(all.list);
}

/* The ratio of the cycle that begins at a node of it. */
static double cycle_ratio(const struct leaving *in, const struct policy *p,
                          uint32_t start)
{
    double weight = 0, rounds = 0;
    uint32_t node = start;

    do {
        assert(p->edge[node] != NO_EDGE);
        const struct cy_edge *e = &in->edges[p->edge[node]];

        weight += e->weight;
        rounds += e->rounds;
        node = e->to;
    } while (node != start);
    assert(rounds > 0);
    return weight / rounds;
}

/* Gives each node the ratio and the value that its policy leads to. */
static void evaluate(const struct leaving *in, struct policy *p, uint32_t *path)
{
    uint32_t search = 0;

    memset(p->mark, 0, in->n_nodes * sizeof *p->mark);
    for (uint32_t root = 0; root < in->n_nodes; root++) {
        uint32_t node = root, n = 0;

        if (p->edge[root] == NO_EDGE || p->mark[root] != 0)
            continue;
        search++;
        while (p->mark[node] == 0) {
            p->mark[node] = search;
            path[n++] = node;
            node = in->edges[p->edge[node]].to;
        }
        if (p->mark[node] == search) { /* a new cycle */
            p->ratio[node] = cycle_ratio(in, p, node);
            p->value[node] = 0;
            /* The cycle's other nodes are after it on the path, and are
               reached from the end. */
        }
        while (n-- > 0) {
            const struct cy_edge *e = &in->edges[p->edge[path[n]]];

            if (path[n] == node && p->mark[node] == search)
                continue;
            p->ratio[path[n]] = p->ratio[e->to];
            p->value[path[n]] =
                e->weight - p->ratio[e->to] * e->rounds + p->value[e->to];
        }
    }
}

/* Follows better edges; false if there are none. */
static bool improve(const struct leaving *in, struct policy *p)
{
    bool improved = false;

    for (uint32_t n = 0; n < in->n_nodes; n++)
        for (uint32_t i = in->first[n]; i < in->first[n + 1]; i++) {
            const struct cy_edge *e = &in->edges[in->list[i]];
            const struct cy_edge *now = &in->edges[p->edge[n]];

            if (p->ratio[e->to] > p->ratio[now->to] + EPSILON) {
                p->edge[n] = in->list[i];
                improved = true;
            }
        }
    if (improved)
        return true;
    for (uint32_t n = 0; n < in->n_nodes; n++)
        for (uint32_t i = in->first[n]; i < in->first[n + 1]; i++) {
            const struct cy_edge *e = &in->edges[in->list[i]];
            double value =
                e->weight - p->ratio[e->to] * e->rounds + p->value[e->to];

            if (p->ratio[e->to] > p->ratio[n] - EPSILON &&
                value > p->value[n] + EPSILON) {
                p->edge[n] = in->list[i];
                p->value[n] = value;
                improved = true;
            }
        }
    return improved;
}

/* Follows edges from a node until one that has a mark, and marks the others
   with this one; returns the node with a mark. */
static uint32_t follow(const struct leaving *in, struct policy *p,
                       uint32_t node, uint32_t mark)
{
    for (; p->mark[node] == 0; node = in->edges[p->edge[node]].to)
        p->mark[node] = mark;
    return node;
}

/* The cycle that begins at a node of it. */
static struct cy_cycle cycle_at(const struct leaving *in,
                                const struct policy *p, uint32_t start)
{
    struct cy_cycle cycle = {.ratio = p->ratio[start]};
    uint32_t node = start;
    size_t room = 0;

    do {
        array_push(cycle.edges, cycle.n, room, p->edge[node]);
        node = in->edges[p->edge[node]].to;
    } while (node != start);
    assert(cycle.n <= in->n_nodes); /* it has each node once */
    return cycle;
}

/* Finds the edges to follow, and what results from them. */
static void solve(const struct cy_graph *graph, struct leaving *in,
                  struct policy *p)
{
    uint32_t n = graph->n_nodes;
    uint32_t *path = memory_new(n, sizeof *path);
    /* Policies never get worse, so none recurs; the bound is only against
       rounding errors. */
    size_t left = graph->n_edges * 4 + 100;

    *p = (struct policy){.edge = memory_new(n, sizeof *p->edge),
                         .value = memory_new(n, sizeof *p->value),
                         .ratio = memory_new(n, sizeof *p->ratio),
                         .mark = memory_new(n, sizeof *p->mark)};
    sort_inner(in, graph);
    for (uint32_t i = 0; i < n; i++)
        p->edge[i] =
            in->first[i] < in->first[i + 1] ? in->list[in->first[i]] : NO_EDGE;
    do
        evaluate(in, p, path);
    while (improve(in, p) && left-- > 0);
    evaluate(in, p, path);
    free(path);
}

static void unsolve(struct leaving *in, struct policy *p)
{
    free(in->first);
    free(in->list);
    free(p->edge);
    free(p->value);
    free(p->ratio);
    free(p->mark);
}

struct cy_cycle cy_graph_critical(const struct cy_graph *graph)
{
    struct cy_cycle cycle = {0};
    uint32_t best = NO_EDGE;
    struct leaving in;
    struct policy p;

    solve(graph, &in, &p);
    for (uint32_t n = 0; n < in.n_nodes; n++)
        if (p.edge[n] != NO_EDGE &&
            (best == NO_EDGE || p.ratio[n] > p.ratio[best] + EPSILON))
            best = n;
    memset(p.mark, 0, in.n_nodes * sizeof *p.mark);
    if (best != NO_EDGE && p.ratio[best] > 0)
        cycle = cycle_at(&in, &p, follow(&in, &p, best, 1));
    unsolve(&in, &p);
    return cycle;
}

struct cy_cycle *cy_graph_all_critical(const struct cy_graph *graph,
                                       double least, size_t *n)
{
    struct cy_cycle *cycles = NULL;
    uint32_t search = 0;
    struct leaving in;
    struct policy p;
    size_t room = 0;

    *n = 0;
    solve(graph, &in, &p);
    memset(p.mark, 0, in.n_nodes * sizeof *p.mark);
    for (uint32_t root = 0; root < in.n_nodes; root++) {
        uint32_t node;

        if (p.edge[root] == NO_EDGE || p.mark[root] != 0)
            continue;
        node = follow(&in, &p, root, ++search);
        if (p.mark[node] == search && p.ratio[node] > least)
            array_push(cycles, *n, room, cycle_at(&in, &p, node));
    }
    unsolve(&in, &p);
    return cycles;
}
