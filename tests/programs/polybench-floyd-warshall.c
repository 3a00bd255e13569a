/*
 * polybench-floyd-warshall [REPEATS]: the loops of PolyBench's floyd-warshall,
 * in its own formulation and on its own data.  For measuring time;
 * tests/kernels/c/floyd-warshall.c has a check that is independent of the
 * loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "../kernels/c/kernel.h"

#define N SIZE_OR(32)

HOT static void floyd_warshall(int (*path)[N])
{
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j]
                                 ? path[i][j]
                                 : path[i][k] + path[k][j];
}

static int path[N][N];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            path[i][j] = i * j % 7 + 1;
            if ((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0)
                path[i][j] = 999;
        }
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                kernel_require(path[i][j] <= path[i][k] + path[k][j]);
}

KERNEL("polybench-floyd-warshall", (void)0, fill();
       floyd_warshall(kernel_any(path)))
