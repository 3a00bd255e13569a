/*
 * atax: y := A^T (A x) for a matrix A of N rows and M columns.
 *
 * A row of A serves twice while it is at hand: its product with x says how much
 * of the same row goes into y.  The check computes A x first, and then each
 * entry of y as one scalar product with a column.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(120)
#define M (N + N / 8)

HOT static void atax(double (*a)[M], double *x, double *y, double *ax)
{
    for (int j = 0; j < M; j++)
        y[j] = 0;
    for (int i = 0; i < N; i++) {
        ax[i] = 0;
        for (int j = 0; j < M; j++)
            ax[i] = LAST(ax[i], x[0]) + a[i][j] * x[j];
        for (int j = 0; j < M; j++)
            y[j] += a[i][j] * ax[i];
    }
}

static double a[N][M], x[M], y[M], ax[N];

static void check(void)
{
    double right_ax[N] = {0};

    for (int i = 0; i < N; i++)
        for (int j = M - 1; j >= 0; j--)
            right_ax[i] += a[i][j] * x[j];
    for (int j = 0; j < M; j++)
        kernel_expect(y[j], SUM(i, N, a[i][j] * right_ax[i]));
}

KERNEL("atax", (FILL(x), FILL(a)),
       atax(kernel_any(a), kernel_any(x), kernel_any(y), kernel_any(ax)))
