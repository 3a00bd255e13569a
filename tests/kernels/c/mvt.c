/*
 * mvt: x := x + A y and z := z + A^T w for a square matrix A.
 *
 * The check takes each entry as one scalar product, from its end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(120)

HOT static void mvt(double (*a)[N], double *x, double *y, double *z, double *w)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i] = LAST(x[i], y[0]) + a[i][j] * y[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            z[i] = LAST(z[i], y[0]) + a[j][i] * w[j];
}

static double a[N][N], x[N], x0[N], y[N], z[N], z0[N], w[N];

static void check(void)
{
    for (int i = 0; i < N; i++) {
        kernel_expect(x[i], x0[i] + SUM(j, N, a[i][j] * y[j]));
        kernel_expect(z[i], z0[i] + SUM(j, N, a[j][i] * w[j]));
    }
}

KERNEL("mvt", (FILL(a), FILL(x0), FILL(y), FILL(z0), FILL(w)),
       kernel_restore(x, x0, sizeof(x));
       kernel_restore(z, z0, sizeof(z));
       mvt(kernel_any(a), kernel_any(x), kernel_any(y), kernel_any(z),
           kernel_any(w)))
