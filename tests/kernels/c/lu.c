/*
 * lu: A = L U without pivoting, both in the place of A: U on and
 * above the diagonal, L below it, with ones for a diagonal.
 *
 * Row by row, an entry of A is reduced by the products of L and U before it,
 * and the rest, left of the diagonal, is divided by the diagonal of U.  The
 * check multiplies L U.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(44)

HOT static void lu(double (*a)[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] = LAST(a[i][j], a[0][1]) - a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < N; j++)
            for (int k = 0; k < i; k++)
                a[i][j] = LAST(a[i][j], a[0][0]) - a[i][k] * a[k][j];
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

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int n = i <= j ? i : j + 1;

            kernel_expect((i <= j ? a[i][j] : 0) + SUM(k, n, a[i][k] * a[k][j]),
                          a0[i][j]);
        }
}

KERNEL("lu", fill(), kernel_restore(a, a0, sizeof(a)); lu(kernel_any(a)))
