/*
 * heat-3d: heat that spreads in a cube with cold walls.  In each of STEPS steps
 * each inner point takes over C times its second differences along the three
 * directions, all points at once.
 *
 * The check: u = sin(p i) sin(2 p j) sin(3 p k), p = pi / (N - 1), is an
 * eigenvector.  The second difference of sin(m p i) is -4 sin^2(m p / 2) times
 * itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(12)
#define STEPS 20 /* even, so that the result is in u again */

static const double C = 0.125; /* stable up to 1/6 */

HOT static void step(double (*to)[N][N], double (*from)[N][N])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++) {
                double here = from[i][j][k];

                to[i][j][k] =
                    here +
                    C * (from[i - 1][j][k] - 2 * here + from[i + 1][j][k]) +
                    C * (from[i][j - 1][k] - 2 * here + from[i][j + 1][k]) +
                    C * (from[i][j][k - 1] - 2 * here + from[i][j][k + 1]);
            }
}

static double u[N][N][N], u0[N][N][N], v[N][N][N];

static void compute(void)
{
    step(kernel_any(v), kernel_any(u0));
    step(kernel_any(u), kernel_any(v));
    for (int t = 2; t < STEPS; t += 2) {
        step(kernel_any(v), kernel_any(u));
        step(kernel_any(u), kernel_any(v));
    }
}

static double angle(void)
{
    return acos(-1) / (N - 1);
}

static void fill(void)
{
    double p = angle();

    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++)
                u0[i][j][k] = sin(p * i) * sin(2 * p * j) * sin(3 * p * k);
}

static void check(void)
{
    double shrunk = 1;

    for (int m = 1; m <= 3; m++)
        shrunk -= C * 4 * pow(sin(m * angle() / 2), 2);
    shrunk = pow(shrunk, STEPS);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                kernel_expect(u[i][j][k], shrunk * u0[i][j][k]);
}

KERNEL("heat-3d", fill(), compute())
