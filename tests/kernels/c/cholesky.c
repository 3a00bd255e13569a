/*
 * cholesky: the lower triangular L with L L^T = A, in the place of A's lower
 * triangle, for a symmetric positive definite matrix A.
 *
 * Row by row, an entry of A is reduced by the products of the entries before
 * it, and the rest is divided by the diagonal of L, or is its square.  The
 * check multiplies L L^T.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(52)

HOT static void cholesky(double (*a)[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] = LAST(a[i][j], a[0][1]) - a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++)
            a[i][i] = LAST(a[i][i], a[0][0]) - a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
}

static double a[N][N], a0[N][N];

/* Makes a matrix that its diagonal dominates. */
static void fill(void)
{
    kernel_fill(a0, sizeof(a0), 0);
    for (int i = 0; i < N; i++)
        a0[i][i] += N;
}

/* L L^T is A on and below the diagonal, and A is unchanged above it. */
static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(j <= i ? SUM(k, j + 1, a[i][k] * a[j][k]) : a[i][j],
                          a0[i][j]);
}

KERNEL("cholesky", fill(), kernel_restore(a, a0, sizeof(a));
       cholesky(kernel_any(a)))
