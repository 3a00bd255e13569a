/*
 * life: Conway's Game of Life, STEPS generations, within a border of cells that
 * stay dead.  A cell lives if three of its eight neighbours lived, or if it
 * lived itself and two did.
 *
 * The check has each living cell tell its neighbours, and knows that a glider,
 * alone, moves by one cell in either direction in four generations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(48)
#define STEPS 20 /* even, so that the result is in cells again */
_Static_assert(N >= 8, "the glider must not meet the border");

HOT static void step(uint8_t (*to)[N], uint8_t (*from)[N])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            int n = from[i - 1][j - 1] + from[i - 1][j] + from[i - 1][j + 1] +
                    from[i][j - 1] + from[i][j + 1] + from[i + 1][j - 1] +
                    from[i + 1][j] + from[i + 1][j + 1];

            to[i][j] = n == 3 || (n == 2 && from[i][j]);
        }
}

static uint8_t cells[N][N], cells0[N][N], others[N][N];

static void compute(void)
{
    step(kernel_any(others), kernel_any(cells0));
    step(kernel_any(cells), kernel_any(others));
    for (int t = 2; t < STEPS; t += 2) {
        step(kernel_any(others), kernel_any(cells));
        step(kernel_any(cells), kernel_any(others));
    }
}

/* Makes a third of the cells live. */
static void fill(void)
{
    for (unsigned i = 1; i < N - 1; i++)
        for (unsigned j = 1; j < N - 1; j++)
            cells0[i][j] = kernel_sample((i * N + j) * (i * N + j)) < 1. / 3;
}

static uint8_t expected[N][N], n_told[N][N];

static void tell(int i, int j)
{
    for (int k = i - 1; k <= i + 1; k++)
        for (int l = j - 1; l <= j + 1; l++)
            n_told[k][l]++;
}

/* A cell lives next if three are told, itself or not, or four with itself. */
static void next_expected(void)
{
    memset(n_told, 0, sizeof(n_told));
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            if (expected[i][j])
                tell(i, j);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            expected[i][j] =
                n_told[i][j] == 3 || (n_told[i][j] == 4 && expected[i][j]);
}

static void put_glider(uint8_t (*to)[N], int at)
{
    static const uint8_t glider[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

    memset(to, 0, sizeof(expected));
    for (int i = 0; i < 3; i++)
        memcpy(&to[at + i][at], glider[i], sizeof(glider[i]));
}

static uint8_t now[N][N], then[N][N];

static void check(void)
{
    memcpy(expected, cells0, sizeof(expected));
    for (int t = 0; t < STEPS; t++)
        next_expected();
    kernel_require(memcmp(cells, expected, sizeof(cells)) == 0);
    put_glider(now, 2);
    memset(then, 0, sizeof(then));
    for (int t = 0; t < 4; t += 2) {
        step(kernel_any(then), kernel_any(now));
        step(kernel_any(now), kernel_any(then));
    }
    put_glider(then, 3);
    kernel_require(memcmp(now, then, sizeof(now)) == 0);
}

KERNEL("life", fill(), compute())
