/*
 * trisolv: solves L x = b for a lower triangular L.
 *
 * Each unknown in turn: the unknowns before it are known, and their products
 * are subtracted from its entry, in place.  Where no entry should be read, L
 * holds NaN.  The check multiplies L x.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(200)

HOT static void trisolv(double (*l)[N], double *b, double *x)
{
    for (int i = 0; i < N; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] = LAST(x[i], b[i]) - l[i][j] * x[j];
        x[i] /= l[i][i];
    }
}

static double l[N][N], b[N], x[N];

/* Makes a matrix that its diagonal dominates. */
static void fill(void)
{
    kernel_fill(b, sizeof(b), kernel_fill(l, sizeof(l), 0));
    for (int i = 0; i < N; i++) {
        l[i][i] += N;
        for (int j = i + 1; j < N; j++)
            l[i][j] = NAN;
    }
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_expect(SUM(j, i + 1, l[i][j] * x[j]), b[i]);
}

KERNEL("trisolv", fill(), trisolv(kernel_any(l), kernel_any(b), kernel_any(x)))
