/*
 * correlation: Pearson's coefficients of N variables, each observed M times.
 *
 * In place, each variable is shifted to mean 0 and scaled to length 1; then the
 * coefficients are scalar products of columns, half of them, by symmetry, with
 * ones on the diagonal.  The check computes each from the sums of x, y, x^2,
 * y^2 and x y.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(32)
#define M (N + N / 4)

/* x has a row for each observation and a column for each variable. */
HOT static void normalise(double (*x)[N], double *mean, double *deviation)
{
    for (int j = 0; j < N; j++) {
        mean[j] = 0;
        for (int i = 0; i < M; i++)
            mean[j] = LAST(mean[j], x[0][1]) + x[i][j];
        mean[j] /= M;
        deviation[j] = 0;
        for (int i = 0; i < M; i++)
            deviation[j] = LAST(deviation[j], x[0][1]) +
                           (x[i][j] - mean[j]) * (x[i][j] - mean[j]);
        deviation[j] = sqrt(deviation[j] / M);
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            x[i][j] -= mean[j];
            x[i][j] /= sqrt(M) * deviation[j];
        }
}

HOT static void correlate(double (*x)[N], double (*corr)[N])
{
    for (int j = 0; j < N; j++) {
        corr[j][j] = 1;
        for (int k = j + 1; k < N; k++) {
            corr[j][k] = 0;
            for (int i = 0; i < M; i++)
                corr[j][k] = LAST(corr[j][k], corr[0][0]) + x[i][j] * x[i][k];
            corr[k][j] = corr[j][k];
        }
    }
}

static double x[M][N], x0[M][N], mean[N], deviation[N], corr[N][N];

/* M^2 times the covariance of variables j and k. */
static double spread(int j, int k)
{
    return M * SUM(i, M, x0[i][j] * x0[i][k]) -
           SUM(i, M, x0[i][j]) * SUM(i, M, x0[i][k]);
}

static void check(void)
{
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
            kernel_expect(corr[j][k],
                          spread(j, k) / sqrt(spread(j, j) * spread(k, k)));
}

KERNEL("correlation", kernel_fill(x0, sizeof(x0), 0),
       kernel_restore(x, x0, sizeof(x));
       normalise(kernel_any(x), kernel_any(mean), kernel_any(deviation));
       correlate(kernel_any(x), kernel_any(corr)))
