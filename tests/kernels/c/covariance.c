/*
 * covariance: the covariances of N variables, each observed M times.
 *
 * The means are taken away from the observations in place, so that what remains
 * to be done are scalar products of columns, half of them, by symmetry.  The
 * check uses cov(x, y) = (sum x y - sum x sum y / M) / (M - 1).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(32)
#define M (N + N / 4)

/* x has a row for each observation and a column for each variable. */
HOT static void covariance(double (*x)[N], double *mean, double (*cov)[N])
{
    for (int j = 0; j < N; j++) {
        mean[j] = 0;
        for (int i = 0; i < M; i++)
            mean[j] = LAST(mean[j], x[0][0]) + x[i][j];
        mean[j] /= M;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            x[i][j] -= mean[j];
    for (int j = 0; j < N; j++)
        for (int k = j; k < N; k++) {
            cov[j][k] = 0;
            for (int i = 0; i < M; i++)
                cov[j][k] = LAST(cov[j][k], x[0][0]) + x[i][j] * x[i][k];
            cov[j][k] /= M - 1;
            cov[k][j] = cov[j][k];
        }
}

static double x[M][N], x0[M][N], mean[N], cov[N][N];

static void check(void)
{
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++) {
            double sum = SUM(i, M, x0[i][j] * x0[i][k]);
            double sums = SUM(i, M, x0[i][j]) * SUM(i, M, x0[i][k]);

            kernel_expect(cov[j][k], (sum - sums / M) / (M - 1));
        }
}

KERNEL("covariance", kernel_fill(x0, sizeof(x0), 0),
       kernel_restore(x, x0, sizeof(x));
       covariance(kernel_any(x), kernel_any(mean), kernel_any(cov)))
