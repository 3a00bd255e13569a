/*
 * deriche: smooths a picture along its rows, then along its columns, with
 * Deriche's recursive filter.
 *
 * Its response to a point is h(n) = k (1 + ALPHA |n|) q^|n|, q = exp(-ALPHA),
 * with k such that all h(n) add up to 1.  Summed as power series, h is what two
 * recurrences over a line x give together, one from each end:
 *     y1(n) = k (x(n) + q (ALPHA - 1) x(n-1)) + 2 q y1(n-1) - q^2 y1(n-2)
 *     y2(n) = k (q (ALPHA + 1) x(n+1) - q^2 x(n+2))
 *             + 2 q y2(n+1) - q^2 y2(n+2)
 * Beyond the picture all is 0.  The check convolves with h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(64)
#define ALPHA 0.25

/* The weights of x(n), x(n-1), x(n+1), x(n+2) and of the two y before. */
struct filter {
    double here, before, after, after2, y1, y2;
};

HOT static void along_rows(double (*to)[N], double (*from)[N], double (*up)[N],
                           double (*down)[N], struct filter f)
{
    for (int i = 0; i < N; i++) {
        double x1 = 0, y1 = 0, y2 = 0;

        for (int j = 0; j < N; j++) {
            up[i][j] =
                f.here * from[i][j] + f.before * x1 + f.y1 * y1 + f.y2 * y2;
            x1 = from[i][j];
            y2 = y1;
            y1 = up[i][j];
        }
    }
    for (int i = 0; i < N; i++) {
        double x1 = 0, x2 = 0, y1 = 0, y2 = 0;

        for (int j = N - 1; j >= 0; j--) {
            down[i][j] = f.after * x1 + f.after2 * x2 + f.y1 * y1 + f.y2 * y2;
            x2 = x1;
            x1 = from[i][j];
            y2 = y1;
            y1 = down[i][j];
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            to[i][j] = up[i][j] + down[i][j];
}

HOT static void along_columns(double (*to)[N], double (*from)[N],
                              double (*up)[N], double (*down)[N],
                              struct filter f)
{
    for (int j = 0; j < N; j++) {
        double x1 = 0, y1 = 0, y2 = 0;

        for (int i = 0; i < N; i++) {
            up[i][j] =
                f.here * from[i][j] + f.before * x1 + f.y1 * y1 + f.y2 * y2;
            x1 = from[i][j];
            y2 = y1;
            y1 = up[i][j];
        }
    }
    for (int j = 0; j < N; j++) {
        double x1 = 0, x2 = 0, y1 = 0, y2 = 0;

        for (int i = N - 1; i >= 0; i--) {
            down[i][j] = f.after * x1 + f.after2 * x2 + f.y1 * y1 + f.y2 * y2;
            x2 = x1;
            x1 = from[i][j];
            y2 = y1;
            y1 = down[i][j];
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            to[i][j] = up[i][j] + down[i][j];
}

static double picture[N][N], smooth[N][N], up[N][N], down[N][N];

static double k_of(double q)
{
    return (1 - q) * (1 - q) / (1 + 2 * ALPHA * q - q * q);
}

static void compute(void)
{
    double q = exp(-ALPHA), k = k_of(q);
    struct filter f = {.here = k,
                       .before = k * q * (ALPHA - 1),
                       .after = k * q * (ALPHA + 1),
                       .after2 = -k * q * q,
                       .y1 = 2 * q,
                       .y2 = -q * q};

    along_rows(kernel_any(smooth), kernel_any(picture), kernel_any(up),
               kernel_any(down), f);
    along_columns(kernel_any(smooth), kernel_any(smooth), kernel_any(up),
                  kernel_any(down), f);
}

/* Compares row by row: h is first convolved along the columns. */
static void check(void)
{
    double q = exp(-ALPHA), h[N], line[N];

    for (int n = 0; n < N; n++)
        h[n] = k_of(q) * (1 + ALPHA * n) * pow(q, n);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            line[j] = 0;
            for (int n = 0; n < N; n++)
                line[j] += h[abs(i - n)] * picture[n][j];
        }
        for (int j = 0; j < N; j++)
            kernel_expect(smooth[i][j], SUM(n, N, h[abs(j - n)] * line[n]));
    }
}

KERNEL("deriche", kernel_fill(picture, sizeof(picture), 0), compute())
