/*
 * Gauss-Seidel sweeps over a grid, in place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 40 };

static double grid[N][N];

__attribute__((noinline)) static void sweep(double (*a)[N])
{
    for (int i = 1; i < N - 1; i++) {
#if !defined REGISTER && !defined FAST
        for (int j = 1; j < N - 1; j++)
            a[i][j] =
                0.25 * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
#else
        double left = a[i][0];

        for (int j = 1; j < N - 1; j++) {
#ifdef REGISTER
            left = 0.25 * (left + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
#else
            double others = a[i][j + 1] + a[i - 1][j] + a[i + 1][j];

            left = 0.25 * (others + left);
#endif
            a[i][j] = left;
        }
#endif
    }
}

static void once(void)
{
    sweep(grid);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        grid[i][0] = grid[0][i] = i;
    measure(argc, argv, (N - 2) * (N - 2), once);
    return 0;
}
