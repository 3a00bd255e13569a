/*
 * adi: heat that spreads over a plate with a cold border, by Peaceman and
 * Rachford's alternating directions, STEPS steps of two halves.
 *
 * With D the second difference along a direction, the first half solves
 *     (1 - RI Di) v = (1 + RJ Dj) u
 * along each column, the second
 *     (1 - RJ Dj) u = (1 + RI Di) v
 * along each row.  Either is a tridiagonal system with -r, 1 + 2 r, -r in each
 * row; elimination (Thomas's) turns its unknowns into x(i) = p(i) x(i+1) + q(i)
 * on the way up, and finds them on the way down.
 *
 * The check: u = sin(P i) sin(2 P j), P = pi / (N - 1), is an eigenvector.  D
 * multiplies sin(m P i) by -l(m), l(m) = 4 sin^2(m P / 2), so that a step
 * multiplies u by
 *     (1 - RJ l(2)) / (1 + RI l(1)) * (1 - RI l(1)) / (1 + RJ l(2)).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(24)
#define STEPS 10

/* RI, RJ: half the step in time over the square of that in space. */
static const double RI = 0.75, RJ = 0.5;

HOT static void solve_columns(double (*v)[N], double (*from)[N], double *p,
                              double *q)
{
    for (int j = 1; j < N - 1; j++) {
        for (int i = 1; i < N - 1; i++) {
            double known = from[i][j] + RJ * (from[i][j - 1] - 2 * from[i][j] +
                                              from[i][j + 1]);
            double pivot = 1 + 2 * RI - RI * LAST(p[i - 1], v[0][i - 1]);

            p[i] = RI / pivot;
            q[i] = (known + RI * LAST(q[i - 1], v[0][i - 1])) / pivot;
        }
        for (int i = N - 2; i >= 1; i--)
            v[i][j] = p[i] * LAST(v[i + 1][j], v[i + 1][0]) + q[i];
    }
}

HOT static void solve_rows(double (*u)[N], double (*v)[N], double *p, double *q)
{
    for (int i = 1; i < N - 1; i++) {
        for (int j = 1; j < N - 1; j++) {
            double known =
                v[i][j] + RI * (v[i - 1][j] - 2 * v[i][j] + v[i + 1][j]);
            double pivot = 1 + 2 * RJ - RJ * LAST(p[j - 1], u[0][j - 1]);

            p[j] = RJ / pivot;
            q[j] = (known + RJ * LAST(q[j - 1], u[0][j - 1])) / pivot;
        }
        for (int j = N - 2; j >= 1; j--)
            u[i][j] = p[j] * LAST(u[i][j + 1], u[0][j + 1]) + q[j];
    }
}

static double u[N][N], u0[N][N], v[N][N];
static double p[N], q[N];

static void compute(void)
{
    double *p_any = kernel_any(p), *q_any = kernel_any(q);

    solve_columns(kernel_any(v), kernel_any(u0), p_any, q_any);
    solve_rows(kernel_any(u), kernel_any(v), p_any, q_any);
    for (int t = 1; t < STEPS; t++) {
        solve_columns(kernel_any(v), kernel_any(u), p_any, q_any);
        solve_rows(kernel_any(u), kernel_any(v), p_any, q_any);
    }
}

static double angle(void)
{
    return acos(-1) / (N - 1);
}

static double eigenvalue(int m)
{
    return 4 * pow(sin(m * angle() / 2), 2);
}

static void check(void)
{
    double i_part = RI * eigenvalue(1), j_part = RJ * eigenvalue(2);
    double step = (1 - j_part) / (1 + i_part) * (1 - i_part) / (1 + j_part);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            kernel_expect(u[i][j], pow(step, STEPS) * u0[i][j]);
}

static void fill(void)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            u0[i][j] = sin(angle() * i) * sin(2 * angle() * j);
}

KERNEL("adi", fill(), compute())
