/*
 * jacobi-1d: each inner point of a line becomes the mean of itself and its two
 * neighbours, all at once, STEPS times.
 *
 * With zeros at both ends, u(i) = sin(p i), p = pi / (N - 1), is an eigenvector
 * of one step: it is multiplied by (1 + 2 cos p) / 3.  So is each overtone
 * sin(m p i), by (1 + 2 cos(m p)) / 3.  The check compares a sum of three of
 * them with the sum of their powers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(400)
#define STEPS 100 /* even, so that the result is in u again */

static double u[N], u0[N], v[N];

HOT static void step(double *to, const double *from)
{
    for (int i = 1; i < N - 1; i++)
        to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}

/* The sum of the three tones at point i after n_steps steps. */
static double tones(int i, int n_steps)
{
    double p = acos(-1) / (N - 1), sum = 0;

    for (int m = 1; m <= 3; m++)
        sum += pow((1 + 2 * cos(m * p)) / 3, n_steps) * sin(m * p * i);
    return sum;
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
    for (int i = 0; i < N; i++)
        kernel_expect(u[i], tones(i, STEPS));
}

static void fill(void)
{
    for (int i = 1; i < N - 1; i++)
        u0[i] = tones(i, 0);
}

KERNEL("jacobi-1d", fill(), compute())
