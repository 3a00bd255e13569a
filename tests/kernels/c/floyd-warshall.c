/*
 * floyd-warshall: the lengths of the shortest paths between all nodes of a
 * graph, allowing node 0 on the way, then 0 and 1, and so on.
 *
 * Repeated when all lengths are known, it does the same work and changes
 * nothing.
 *
 * The check: no detour over a third node is shorter, no edge is, and from a few
 * nodes Bellman and Ford's relaxation of all edges gives the same lengths.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N   SIZE_OR(32)
#define FAR 1000000 /* length of a missing edge; twice FAR is still an int */

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

HOT static void floyd_warshall(int (*length)[N])
{
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                length[i][j] =
                    smaller(length[i][j], length[i][k] + length[k][j]);
}

static int edge[N][N], length[N][N];

/* Makes about a quarter of the possible edges, and a cycle through all nodes,
   so that each node can be reached. */
static void fill(void)
{
    unsigned n = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = kernel_sample(n++);

            edge[i][j] = x < 0.25 ? 1 + (int)(x * 400) : FAR;
            if (j == (i + 1) % N)
                edge[i][j] = 50;
            if (j == i)
                edge[i][j] = 0;
            length[i][j] = edge[i][j];
        }
}

static void check_from(int from)
{
    int best[N];
    bool changed = true;

    for (int j = 0; j < N; j++)
        best[j] = j == from ? 0 : FAR;
    while (changed) {
        changed = false;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (best[i] + edge[i][j] < best[j]) {
                    best[j] = best[i] + edge[i][j];
                    changed = true;
                }
    }
    for (int j = 0; j < N; j++)
        kernel_require(best[j] == length[from][j]);
}

/* There is no shorter detour, and edges that are relaxed give the same. */
static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                kernel_require(length[i][j] <= edge[i][j] &&
                               length[i][j] <= length[i][k] + length[k][j]);
    check_from(0);
    check_from(N / 2);
    check_from(N - 1);
}

KERNEL("floyd-warshall", fill(), floyd_warshall(kernel_any(length)))
