/* Loops within loops, each in a function of its own. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#define N     60
#define TIMES 25

static long sums[N];
static double grid[N][N];

/* Limited by memory: each round loads what the round before stored. */
__attribute__((noipa)) static void through_memory(volatile long *x)
{
    for (int i = 1; i < N; i++)
        x[i] = x[i - 1] * 3 + 1;
}

/* Limited by a chain through registers, in the inner of two loops. */
__attribute__((noipa)) static double through_registers(double (*g)[N])
{
    double sum = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = sum * 0.5 + g[i][j];
    return sum;
}

/* Limited by the execution units. */
__attribute__((noipa)) static void by_units(volatile long *x)
{
    for (int i = 0; i < N; i++) {
        x[i] = i;
        x[i] = i + 1;
        x[i] = i + 2;
        x[i] = i + 3;
        x[i] = i + 4;
        x[i] = i + 5;
        x[i] = i + 6;
        x[i] = i + 7;
    }
}

int main(void)
{
    double sum = 0;

    for (int i = 0; i < TIMES; i++) {
        through_memory(sums);
        sum += through_registers(grid);
        by_units(sums);
    }
    printf("%g %ld\n", sum, sums[N - 1]);
    return 0;
}
