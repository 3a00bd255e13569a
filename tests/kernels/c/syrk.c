/*
 * syrk: C := alpha A A^T + beta C, of which only the lower triangle is
 * computed.
 *
 * Row i of C gathers multiples of the columns of A, each entry in its place.
 * The check computes each entry as one scalar product of rows, and wants those
 * above the diagonal unchanged.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(36)

static const double alpha = 1.5, beta = 0.5;

HOT static void syrk(double (*c)[N], double (*a)[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < N; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

static double a[N][N], c[N][N], c0[N][N];

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = SUM(k, N, a[i][k] * a[j][k]);

            kernel_expect(c[i][j],
                          j > i ? c0[i][j] : alpha * sum + beta * c0[i][j]);
        }
}

KERNEL("syrk", (FILL(a), FILL(c0)), kernel_restore(c, c0, sizeof(c));
       syrk(kernel_any(c), kernel_any(a)))
