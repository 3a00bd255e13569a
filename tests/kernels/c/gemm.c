/*
 * gemm: C := alpha A B + beta C for square matrices.
 *
 * Row i of C gathers multiples of the rows of B, so that the innermost loop
 * walks along rows.  The check computes each entry as one scalar product.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(32)

static const double alpha = 1.5, beta = 0.5;

HOT static void gemm(double (*c)[N], double (*a)[N], double (*b)[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            c[i][j] *= beta;
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[i][j] += alpha * a[i][k] * b[k][j];
    }
}

static double a[N][N], b[N][N], c[N][N], c0[N][N];

static void fill(void)
{
    unsigned n = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = kernel_sample(n++);
            b[i][j] = kernel_sample(n++);
            c0[i][j] = kernel_sample(n++);
        }
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(c[i][j], alpha * SUM(k, N, a[i][k] * b[k][j]) +
                                       beta * c0[i][j]);
}

KERNEL("gemm", fill(), kernel_restore(c, c0, sizeof(c));
       gemm(kernel_any(c), kernel_any(a), kernel_any(b)))
