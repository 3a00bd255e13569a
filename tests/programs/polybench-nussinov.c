/*
 * polybench-nussinov [REPEATS]: the dynamic programme of PolyBench's nussinov,
 * in its own formulation: the cases by `if`, the larger value by a macro, and
 * everything in the table.  For measuring time; tests/kernels/c/nussinov.c has
 * a check that is independent of the loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "../kernels/c/kernel.h"

#define N SIZE_OR(64)

#define MATCH(a, b)     ((a) + (b) == 3 ? 1 : 0)
#define MAX_SCORE(a, b) ((a) >= (b) ? (a) : (b))

HOT static void nussinov(const char *seq, int (*table)[N])
{
    for (int i = N - 1; i >= 0; i--)
        for (int j = i + 1; j < N; j++) {
            if (j - 1 >= 0)
                table[i][j] = MAX_SCORE(table[i][j], table[i][j - 1]);
            if (i + 1 < N)
                table[i][j] = MAX_SCORE(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < N) {
                if (i < j - 1)
                    table[i][j] =
                        MAX_SCORE(table[i][j],
                                  table[i + 1][j - 1] + MATCH(seq[i], seq[j]));
                else
                    table[i][j] = MAX_SCORE(table[i][j], table[i + 1][j - 1]);
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] =
                    MAX_SCORE(table[i][j], table[i][k] + table[k + 1][j]);
        }
}

static char seq[N];
static int table[N][N];

/* Checks that no base is in two pairs, and that each entry is at least as large
   as its two neighbours. */
static void check(void)
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            kernel_require(table[i][j] <= (j - i + 1) / 2);
            kernel_require(table[i][j] >= table[i][j - 1]);
            kernel_require(i + 1 == N || table[i][j] >= table[i + 1][j]);
        }
    kernel_require(table[0][N - 1] > 0);
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        seq[i] = (char)((i + 1) % 4);
}

KERNEL("polybench-nussinov", fill(), kernel_clear(table, sizeof table);
       nussinov(kernel_any(seq), kernel_any(table)))
