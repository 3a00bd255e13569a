/*
 * jacobi-2d: each inner point of a grid becomes the mean of itself and its
 * four neighbours, all at once, STEPS times.
 *
 * With a border of zeros, u(i, j) = sin(p i) sin(p j), p = pi / (N - 1), is an
 * eigenvector of one step: it is multiplied by (1 + 4 cos p) / 5.  The check
 * compares with that power.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(40)
#define STEPS 20 /* even, so that the result is in u again */

static double u[N][N], u0[N][N], v[N][N];

HOT static void step(double (*to)[N], double (*from)[N])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            to[i][j] = (from[i][j] + from[i - 1][j] + from[i + 1][j] +
                        from[i][j - 1] + from[i][j + 1]) /
                       5;
}

static double mode(int i, int j)
{
    double p = acos(-1) / (N - 1);

    return sin(p * i) * sin(p * j);
}

static void compute(void)
{
    step(v, u0);
    step(u, v);
    for (int t = 2; t < STEPS; t += 2) {
        step(v, u);
        step(u, v);
    }
}

static void check(void)
{
    double shrunk = pow((1 + 4 * cos(acos(-1) / (N - 1))) / 5, STEPS);

    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            kernel_expect(u[i][j], shrunk * mode(i, j));
}

static void fill(void)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            u0[i][j] = mode(i, j);
}

KERNEL("jacobi-2d", fill(), compute())
