/*
 * Running totals of the rows of a table, each by one thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

enum { ROWS = 40, N = 1000 };

static double a[ROWS][N];

static void totals(void)
{
#pragma omp parallel for
    for (int row = 0; row < ROWS; row++)
        for (int i = 1; i < N; i++)
            a[row][i] += a[row][i - 1];
}

int main(void)
{
    for (int row = 0; row < ROWS; row++)
        a[row][0] = row;
    totals();
    printf("%g\n", a[ROWS - 1][N - 1]);
    return 0;
}
