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

#define N SIZE_OR(14)

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

static void check(void)
{
    for (int r = 0; r < N; r++)
        for (int q = 0; q < N; q++)
            for (int p = 0; p < N; p++)
                kernel_expect(a[r][q][p], SUM(s, N, a0[r][q][s] * c[s][p]));
}

KERNEL("doitgen", (FILL(a0), FILL(c)), kernel_restore(a, a0, sizeof(a));
       doitgen(kernel_any(a), kernel_any(c), kernel_any(sum)))
