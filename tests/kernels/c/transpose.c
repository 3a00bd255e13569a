/* transpose: A := A^T for a square matrix, in place, PASSES times. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel.h"

#define N      SIZE_OR(100)
#define PASSES 5 /* odd, so that the result is a transposed matrix */

HOT static void transpose(double (*a)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            double kept = a[i][j];

            a[i][j] = a[j][i];
            a[j][i] = kept;
        }
}

static double a[N][N], a0[N][N];

static void compute(void)
{
    kernel_restore(a, a0, sizeof(a));
    for (int i = 0; i < PASSES; i++)
        transpose(kernel_any(a));
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_require(a[i][j] == a0[j][i]);
}

KERNEL("transpose", kernel_fill(a0, sizeof(a0), 0), compute())
