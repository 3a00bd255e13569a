/*
 * polybench-floyd-warshall [REPEATS]: the loops of PolyBench's floyd-warshall,
 * in its own formulation and on its own data.  For measuring time;
 * tests/kernels/c/floyd-warshall.c has a check that is independent of the
 * loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "../kernels/c/kernel.h"

#ifndef N
#define N 32
#endif

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

static bool right(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                if (path[i][j] > path[i][k] + path[k][j])
                    return false;
    return true;
}

int main(int argc, char **argv)
{
    unsigned long repeats = kernel_repeats(argc, argv);

    for (unsigned long i = 0; i < repeats; i++) {
        fill();
        floyd_warshall(kernel_any(path));
    }
    return kernel_verdict("polybench-floyd-warshall", repeats == 0 || right());
}
