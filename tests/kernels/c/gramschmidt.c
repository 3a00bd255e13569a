/*
 * gramschmidt: A = Q R with orthonormal columns in Q and an upper triangular R,
 * for a matrix of M rows and N columns, by the modified Gram-Schmidt process.
 *
 * Each column of A in turn, scaled to length 1, is a column of Q, and its share
 * is taken away from all later columns of A, in place.  The check: Q R is
 * the old A, and Q^T Q is the unit matrix.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(28)
#define M (N + N / 4)

HOT static void gramschmidt(double (*a)[N], double (*q)[N], double (*r)[N])
{
    for (int k = 0; k < N; k++) {
        double square = 0;

        for (int i = 0; i < M; i++)
            square += a[i][k] * a[i][k];
        r[k][k] = sqrt(square);
        for (int i = 0; i < M; i++)
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < N; j++) {
            r[k][j] = 0;
            for (int i = 0; i < M; i++)
                r[k][j] = LAST(r[k][j], r[k][k]) + q[i][k] * a[i][j];
            for (int i = 0; i < M; i++)
                a[i][j] -= q[i][k] * r[k][j];
        }
    }
}

static double a[M][N], a0[M][N], q[M][N], r[N][N];

/* Makes columns of which none is near a combination of others. */
static void fill(void)
{
    kernel_fill(a0, sizeof(a0), 0);
    for (int j = 0; j < N; j++)
        a0[j][j] += 4;
}

static void check(void)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(SUM(k, j + 1, q[i][k] * r[k][j]), a0[i][j]);
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++)
            kernel_expect(SUM(i, M, q[i][j] * q[i][k]), j == k);
}

KERNEL("gramschmidt", fill(), kernel_restore(a, a0, sizeof(a));
       gramschmidt(kernel_any(a), kernel_any(q), kernel_any(r)))
