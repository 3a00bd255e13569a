/*
 * How well two texts match: each cell of a row needs the one on its left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 256 };

static char a[N], b[N];
static int row[N + 1];

static int larger(int x, int y)
{
    return x > y ? x : y;
}

/* Computes the cells of a row, in place of those of the row before. */
__attribute__((noinline)) static void next_row(int *cells, const char *text,
                                               char letter)
{
    int corner = cells[0];
#ifdef FAST
    int left = cells[0];
#endif

    for (int i = 1; i <= N; i++) {
        int match = corner + (text[i - 1] == letter ? 2 : -1);

        corner = cells[i];
#ifndef FAST
        cells[i] = larger(match, larger(cells[i], cells[i - 1]) - 1);
#else
        cells[i] = left = larger(match, larger(cells[i], left) - 1);
#endif
    }
}

static void once(void)
{
    for (int i = 0; i < N; i++)
        next_row(row, b, a[i]);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++) {
        a[i] = "acgt"[i * 7 % 4];
        b[i] = "acgt"[i * i % 4];
    }
    measure(argc, argv, N * N, once);
    printf("last: %d\n", row[N]);
    return 0;
}
