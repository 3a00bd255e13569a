/*
 * gesummv: y := alpha A x + beta B x for square matrices.
 *
 * Both products of a row are gathered side by side, that with B in y itself.
 * The check adds the matrices first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(120)

static const double alpha = 1.5, beta = 0.5;

HOT static void gesummv(double (*a)[N], double (*b)[N], double *x, double *y,
                        double *ax)
{
    for (int i = 0; i < N; i++) {
        ax[i] = 0;
        y[i] = 0;
        for (int j = 0; j < N; j++) {
            ax[i] = LAST(ax[i], x[0]) + a[i][j] * x[j];
            y[i] = LAST(y[i], x[0]) + b[i][j] * x[j];
        }
        y[i] = alpha * ax[i] + beta * y[i];
    }
}

static double a[N][N], b[N][N], x[N], y[N], ax[N];

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_expect(y[i],
                      SUM(j, N, (alpha * a[i][j] + beta * b[i][j]) * x[j]));
}

KERNEL("gesummv", (FILL(a), FILL(b), FILL(x)),
       gesummv(kernel_any(a), kernel_any(b), kernel_any(x), kernel_any(y),
               kernel_any(ax)))
