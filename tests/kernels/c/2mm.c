/*
 * 2mm: D := alpha A B C + beta D for square matrices.
 *
 * The product alpha A B is kept, and each entry of both products gathers its
 * sum in its place.  The check multiplies the other way, A (B C).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(24)

static const double alpha = 1.5, beta = 0.5;

HOT static void two_mm(double (*d)[N], double (*a)[N], double (*b)[N],
                       double (*c)[N], double (*ab)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            ab[i][j] = 0;
            for (int k = 0; k < N; k++)
                ab[i][j] = LAST(ab[i][j], c[0][0]) + alpha * a[i][k] * b[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            d[i][j] *= beta;
            for (int k = 0; k < N; k++)
                d[i][j] = LAST(d[i][j], c[0][0]) + ab[i][k] * c[k][j];
        }
}

static double a[N][N], b[N][N], c[N][N], d[N][N], d0[N][N], ab[N][N];

/* The check goes column by column. */
static void check(void)
{
    for (int j = 0; j < N; j++) {
        double bc[N] = {0};

        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                bc[i] += b[i][k] * c[k][j];
        for (int i = 0; i < N; i++)
            kernel_expect(d[i][j],
                          alpha * SUM(k, N, a[i][k] * bc[k]) + beta * d0[i][j]);
    }
}

KERNEL("2mm", (FILL(a), FILL(b), FILL(c), FILL(d0)),
       kernel_restore(d, d0, sizeof(d));
       two_mm(kernel_any(d), kernel_any(a), kernel_any(b), kernel_any(c),
              kernel_any(ab)))
