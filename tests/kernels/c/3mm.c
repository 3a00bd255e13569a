/*
 * 3mm: G := (A B) (C D) for square matrices, three products one after another.
 *
 * Each entry of a product gathers its sum in its place.  The check knows that
 * column j of G is A (B (C d)) for column d of D, and multiplies vectors only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(20)

HOT static void multiply(double (*product)[N], double (*left)[N],
                         double (*right)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            product[i][j] = 0;
            for (int k = 0; k < N; k++)
                product[i][j] =
                    LAST(product[i][j], right[0][0]) + left[i][k] * right[k][j];
        }
}

static double a[N][N], b[N][N], c[N][N], d[N][N];
static double ab[N][N], cd[N][N], g[N][N];

static void compute(void)
{
    multiply(kernel_any(ab), kernel_any(a), kernel_any(b));
    multiply(kernel_any(cd), kernel_any(c), kernel_any(d));
    multiply(kernel_any(g), kernel_any(ab), kernel_any(cd));
}

/* v := M v */
static void apply(double (*m)[N], double *v)
{
    double product[N] = {0};

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            product[i] += m[i][j] * v[j];
    memcpy(v, product, sizeof(product));
}

static void check(void)
{
    for (int j = 0; j < N; j++) {
        double v[N];

        for (int i = 0; i < N; i++)
            v[i] = d[i][j];
        apply(c, v);
        apply(b, v);
        apply(a, v);
        for (int i = 0; i < N; i++)
            kernel_expect(g[i][j], v[i]);
    }
}

KERNEL("3mm", (FILL(a), FILL(b), FILL(c), FILL(d)), compute())
