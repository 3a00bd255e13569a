/*
 * seidel-2d: each inner point of a grid in turn becomes the mean of the nine
 * points around it, those before it new already, those after it still old.
 *
 * The check keeps the old and the new grid apart, which gives the same result
 * without working in place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N      SIZE_OR(40)
#define SWEEPS 20

HOT static void sweep(double (*u)[N])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            u[i][j] = (u[i - 1][j - 1] + u[i - 1][j] + u[i - 1][j + 1] +
                       LAST(u[i][j - 1], u[0][j - 1]) + u[i][j] + u[i][j + 1] +
                       u[i + 1][j - 1] + u[i + 1][j] + u[i + 1][j + 1]) /
                      9;
}

static double u[N][N], old[N][N], new[N][N];

static void fill(void)
{
    unsigned n = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            old[i][j] = kernel_sample(n++);
}

static void compute(void)
{
    kernel_restore(u, old, sizeof(u));
    for (int t = 0; t < SWEEPS; t++)
        sweep(kernel_any(u));
}

static double mean(int i, int j)
{
    double sum = old[i][j] + old[i][j + 1] + new[i][j - 1];

    for (int k = j - 1; k <= j + 1; k++)
        sum += new[i - 1][k] + old[i + 1][k];
    return sum / 9;
}

static void check(void)
{
    memcpy(new, old, sizeof(new));
    for (int t = 0; t < SWEEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                new[i][j] = mean(i, j);
        memcpy(old, new, sizeof(old));
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(u[i][j], new[i][j]);
}

KERNEL("seidel-2d", fill(), compute())
