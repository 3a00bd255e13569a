/*
 * doitgen: A(r, q, p) := sum over s of A(r, q, s) C(s, p), in place, as in the
 * analysis of wave functions on several scales.
 *
 * Each row of A is multiplied by C into a row beside it, which then takes its
 * place.  The check computes each entry from the old A.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#ifndef N
#define N 14
#endif

HOT static void doitgen(double (*a)[N][N], double (*c)[N], double *sum)
{
    for (int r = 0; r < N; r++)
        for (int q = 0; q < N; q++) {
            for (int p = 0; p < N; p++) {
                sum[p] = 0;
                for (int s = 0; s < N; s++)
                    sum[p] = LAST(sum[p], c[0][0]) + a[r][q][s] * c[s][p];
            }
            for (int p = 0; p < N; p++)
                a[r][q][p] = sum[p];
        }
}

static double a[N][N][N], a0[N][N][N], c[N][N], sum[N];

static bool right(void)
{
    for (int r = 0; r < N; r++)
        for (int q = 0; q < N; q++)
            for (int p = 0; p < N; p++) {
                double product = 0;

                for (int s = N - 1; s >= 0; s--)
                    product += a0[r][q][s] * c[s][p];
                if (!kernel_close(a[r][q][p], product))
                    return false;
            }
    return true;
}

KERNEL("doitgen", (FILL(a0), FILL(c)), kernel_restore(a, a0, sizeof(a));
       doitgen(kernel_any(a), kernel_any(c), kernel_any(sum)))
