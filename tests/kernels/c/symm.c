/*
 * symm: C := alpha A B + beta C for a symmetric A, of which only the lower
 * triangle is stored.
 *
 * An entry left of the diagonal serves twice while it is at hand: in the row of
 * C that it stands in, and in the one that its mirror image would, which is
 * scaled already.  Where no entry should be read, A holds NaN.  The check looks
 * each entry up on its side of the diagonal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(36)

static const double alpha = 1.5, beta = 0.5;

HOT static void symm(double (*c)[N], double (*a)[N], double (*b)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;

            for (int k = 0; k < i; k++) {
                c[k][j] += alpha * a[i][k] * b[i][j];
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = beta * c[i][j] + alpha * (sum + a[i][i] * b[i][j]);
        }
}

static double a[N][N], b[N][N], c[N][N], c0[N][N];

/* What no kernel should read. */
static void spoil(void)
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            a[i][j] = NAN;
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(
                c[i][j],
                alpha * SUM(k, N, (k <= i ? a[i][k] : a[k][i]) * b[k][j]) +
                    beta * c0[i][j]);
}

KERNEL("symm", (FILL(a), FILL(b), FILL(c0), spoil()),
       kernel_restore(c, c0, sizeof(c));
       symm(kernel_any(c), kernel_any(a), kernel_any(b)))
