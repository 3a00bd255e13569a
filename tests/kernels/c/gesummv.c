/*
 * gesummv: y := alpha A x + beta B x for square matrices.
 *
 * Both products of a row are gathered side by side, that with B in y itself.
 * The check adds the matrices first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#ifndef N
#define N 120
#endif

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

static bool right(void)
{
    for (int i = 0; i < N; i++) {
        double product = 0;

        for (int j = 0; j < N; j++)
            product += (alpha * a[i][j] + beta * b[i][j]) * x[j];
        if (!kernel_close(y[i], product))
            return false;
    }
    return true;
}

KERNEL("gesummv", (FILL(a), FILL(b), FILL(x)),
       gesummv(kernel_any(a), kernel_any(b), kernel_any(x), kernel_any(y),
               kernel_any(ax)))
