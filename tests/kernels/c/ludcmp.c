/*
 * ludcmp: solves A x = b by A = L U: L y = b downwards, then U x = y upwards.
 *
 * L and U take the place of A, as in lu, but the new value of an entry is kept
 * in a variable until it is final.  The check multiplies the old A with x.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(44)

HOT static void factor(double (*a)[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            double rest = a[i][j];

            for (int k = 0; k < j; k++)
                rest -= a[i][k] * a[k][j];
            a[i][j] = rest / a[j][j];
        }
        for (int j = i; j < N; j++) {
            double rest = a[i][j];

            for (int k = 0; k < i; k++)
                rest -= a[i][k] * a[k][j];
            a[i][j] = rest;
        }
    }
}

HOT static void solve(double (*lu)[N], double *b, double *y, double *x)
{
    for (int i = 0; i < N; i++) {
        double rest = b[i];

        for (int j = 0; j < i; j++)
            rest -= lu[i][j] * y[j];
        y[i] = rest;
    }
    for (int i = N - 1; i >= 0; i--) {
        double rest = y[i];

        for (int j = i + 1; j < N; j++)
            rest -= lu[i][j] * x[j];
        x[i] = rest / lu[i][i];
    }
}

static double a[N][N], a0[N][N], b[N], x[N], y[N];

/* Makes a matrix that its diagonal dominates. */
static void fill(void)
{
    kernel_fill(b, sizeof(b), kernel_fill(a0, sizeof(a0), 0));
    for (int i = 0; i < N; i++)
        a0[i][i] += N;
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_expect(SUM(j, N, a0[i][j] * x[j]), b[i]);
}

KERNEL("ludcmp", fill(), kernel_restore(a, a0, sizeof(a));
       factor(kernel_any(a));
       solve(kernel_any(a), kernel_any(b), kernel_any(y), kernel_any(x)))
