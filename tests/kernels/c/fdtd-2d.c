/*
 * fdtd-2d: an electromagnetic wave in a box with conducting walls, by finite
 * differences in time on Yee's grid: the magnetic field hz in the middle of
 * N - 1 times N - 1 cells, the electric fields ex and ey on their edges, and
 * zero along the walls.
 *
 * The check: a standing wave
 *     hz(i, j) = h cos(p (i + 1/2)) cos(q (j + 1/2))
 *     ex(i, j) = x cos(p (i + 1/2)) sin(q j)
 *     ey(i, j) = y sin(p i) cos(q (j + 1/2))
 * with p and q multiples of pi / (N - 1) remains one.  A step changes only h, x
 * and y, by
 *     x -= 2 C sin(q / 2) h,   y += 2 C sin(p / 2) h,
 *     h += 2 C (sin(q / 2) x - sin(p / 2) y).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(32)
#define STEPS 20

static const double C = 0.5; /* speed of light; stable below sqrt(1/2) */

HOT static void step(double (*ex)[N], double (*ey)[N], double (*hz)[N])
{
    for (int i = 0; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            ex[i][j] += C * (hz[i][j] - hz[i][j - 1]);
    for (int i = 1; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++)
            ey[i][j] -= C * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++)
            hz[i][j] += C * (ex[i][j + 1] - ex[i][j] - ey[i + 1][j] + ey[i][j]);
}

static double ex[N][N], ey[N][N], hz[N][N], hz0[N][N];

static double p(void)
{
    return acos(-1) / (N - 1);
}

static double q(void)
{
    return 2 * p();
}

static void fill(void)
{
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++)
            hz0[i][j] = cos(p() * (i + 0.5)) * cos(q() * (j + 0.5));
}

static void compute(void)
{
    kernel_clear(ex, sizeof(ex));
    kernel_clear(ey, sizeof(ey));
    kernel_restore(hz, hz0, sizeof(hz));
    for (int t = 0; t < STEPS; t++)
        step(kernel_any(ex), kernel_any(ey), kernel_any(hz));
}

static void check(void)
{
    double h = 1, x = 0, y = 0;
    double sin_p = 2 * C * sin(p() / 2), sin_q = 2 * C * sin(q() / 2);

    for (int t = 0; t < STEPS; t++) {
        x -= sin_q * h;
        y += sin_p * h;
        h += sin_q * x - sin_p * y;
    }
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < N - 1; j++) {
            double cos_i = cos(p() * (i + 0.5)), cos_j = cos(q() * (j + 0.5));

            kernel_expect(hz[i][j], h * cos_i * cos_j);
            kernel_expect(ex[i][j], x * cos_i * sin(q() * j));
            kernel_expect(ey[i][j], y * sin(p() * i) * cos_j);
        }
}

KERNEL("fdtd-2d", fill(), compute())
