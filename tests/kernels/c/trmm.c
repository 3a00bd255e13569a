/*
 * trmm: B := alpha A^T B, in place, for a lower triangular A with ones on the
 * diagonal, which are not stored.
 *
 * Row i of the product needs B's rows from i on, so that the rows above may be
 * new already.  Where no entry should be read, A holds NaN.  The check computes
 * each entry from the old B.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(36)

static const double alpha = 1.5;

HOT static void trmm(double (*b)[N], double (*a)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            for (int k = i + 1; k < N; k++)
                b[i][j] = LAST(b[i][j], b[N - 1][N - 1]) + a[k][i] * b[k][j];
            b[i][j] *= alpha;
        }
}

static double a[N][N], b[N][N], b0[N][N];

static void fill(void)
{
    kernel_fill(b0, sizeof(b0), kernel_fill(a, sizeof(a), 0));
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            a[i][j] = NAN;
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double rest = SUM(k, N, (k > i ? a[k][i] : 0) * b0[k][j]);

            kernel_expect(b[i][j], alpha * (b0[i][j] + rest));
        }
}

KERNEL("trmm", fill(), kernel_restore(b, b0, sizeof(b));
       trmm(kernel_any(b), kernel_any(a)))
