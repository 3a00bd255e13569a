/*
 * gemver: A := A + u1 v1^T + u2 v2^T, in place, then with that A
 *     x := z + beta A^T y  and  w := alpha A x.
 *
 * The check never forms the new A: it multiplies by the old one and adds the
 * scalar products that the two outer products come to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(100)

static const double alpha = 1.5, beta = 0.5;

struct vectors {
    double u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];
};

HOT static void add_outer(double (*a)[N], double *u1, double *v1, double *u2,
                          double *v2)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
}

HOT static void multiply(double *w, double *x, double (*a)[N], double *y,
                         double *z)
{
    for (int i = 0; i < N; i++) {
        x[i] = z[i];
        for (int j = 0; j < N; j++)
            x[i] = LAST(x[i], z[0]) + beta * a[j][i] * y[j];
    }
    for (int i = 0; i < N; i++) {
        w[i] = 0;
        for (int j = 0; j < N; j++)
            w[i] = LAST(w[i], z[0]) + alpha * a[i][j] * x[j];
    }
}

static double a[N][N], a0[N][N];
static struct vectors v;

static void compute(void)
{
    kernel_restore(a, a0, sizeof(a));
    add_outer(kernel_any(a), kernel_any(v.u1), kernel_any(v.v1),
              kernel_any(v.u2), kernel_any(v.v2));
    multiply(kernel_any(v.w), kernel_any(v.x), kernel_any(a), kernel_any(v.y),
             kernel_any(v.z));
}

static void check(void)
{
    double u1_y = SUM(i, N, v.u1[i] * v.y[i]),
           u2_y = SUM(i, N, v.u2[i] * v.y[i]);
    double v1_x = SUM(i, N, v.v1[i] * v.x[i]),
           v2_x = SUM(i, N, v.v2[i] * v.x[i]);

    for (int i = 0; i < N; i++) {
        double x =
            u1_y * v.v1[i] + u2_y * v.v2[i] + SUM(j, N, a0[j][i] * v.y[j]);
        double w =
            v1_x * v.u1[i] + v2_x * v.u2[i] + SUM(j, N, a0[i][j] * v.x[j]);

        kernel_expect(v.x[i], beta * x + v.z[i]);
        kernel_expect(v.w[i], alpha * w);
    }
}

KERNEL("gemver", (FILL(a0), FILL(v)), compute())
