/*
 * bicg: q := A p and s := A^T r, the two products of a step of the biconjugate
 * gradient method, for a matrix A of N rows and M columns.
 *
 * Both are gathered in one walk over A.  The check takes each entry of q and of
 * s as one scalar product, from its end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(120)
#define M (N + N / 8)

HOT static void bicg(double (*a)[M], double *p, double *q, double *r, double *s)
{
    for (int j = 0; j < M; j++)
        s[j] = 0;
    for (int i = 0; i < N; i++) {
        q[i] = 0;
        for (int j = 0; j < M; j++) {
            q[i] = LAST(q[i], p[0]) + a[i][j] * p[j];
            s[j] += a[i][j] * r[i];
        }
    }
}

static double a[N][M], p[M], q[N], r[N], s[M];

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_expect(q[i], SUM(j, M, a[i][j] * p[j]));
    for (int j = 0; j < M; j++)
        kernel_expect(s[j], SUM(i, N, a[i][j] * r[i]));
}

KERNEL("bicg", (FILL(a), FILL(p), FILL(r)),
       bicg(kernel_any(a), kernel_any(p), kernel_any(q), kernel_any(r),
            kernel_any(s)))
