/*
 * durbin: solves T y = -r in N^2 steps, where T is the symmetric Toeplitz
 * matrix with 1 on the diagonal and T(i, j) = r(|i - j| - 1) beside it (the
 * Yule-Walker equations).
 *
 * From a solution of order k, the last entry of that of order k + 1 is
 *     c = -(r(k) + sum r(k - 1 - i) y(i)) / e,   e = 1 + sum r(i) y(i),
 * the others are y(i) + c y(k - 1 - i), and e shrinks to e (1 - c^2).  The
 * check puts the result into the equations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(160)

HOT static void durbin(const double *r, double *y)
{
    double z[N], e = 1;

    for (int k = 0; k < N; k++) {
        double sum = r[k];

        for (int i = 0; i < k; i++)
            sum += r[k - 1 - i] * y[i];

        double c = -sum / e;

        for (int i = 0; i < k; i++)
            z[i] = y[i] + c * y[k - 1 - i];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = c;
        e *= 1 - c * c;
    }
}

static double r[N], y[N];

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_expect(SUM(j, N, (j == i ? 1 : r[abs(j - i) - 1]) * y[j]),
                      -r[i]);
}

static void fill(void)
{
    /* Sum |r| < 1/2, so that T is dominated by its diagonal. */
    for (int i = 0; i < N; i++)
        r[i] = (kernel_sample((unsigned)i) - 0.5) / N;
}

KERNEL("durbin", fill(), durbin(kernel_any(r), kernel_any(y)))
