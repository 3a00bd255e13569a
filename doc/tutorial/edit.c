/*
 * The edit distance of two texts: how many characters must be changed, added or
 * dropped to make one of the other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <string.h>

enum { N = 300 };

static char a[N], b[N];
static int above[N + 1], row[N + 1];

/* A row of the table: at[j] is the distance to the first j characters of b. */
__attribute__((noinline)) static void next_row(int *at, const int *over, char c)
{
#ifndef FAST
    for (int j = 1; j <= N; j++) {
        int best = b[j - 1] == c ? over[j - 1] : over[j - 1] + 1;

        if (over[j] + 1 < best)
            best = over[j] + 1;
        if (at[j - 1] + 1 < best)
            best = at[j - 1] + 1;
        at[j] = best;
    }
#else
    int least = at[0];

    for (int j = 1; j <= N; j++) {
        int best = b[j - 1] == c ? over[j - 1] : over[j - 1] + 1;

        if (over[j] + 1 < best)
            best = over[j] + 1;
        if (best - j < least)
            least = best - j;
        at[j] = least + j;
    }
#endif
}

static void distance(void)
{
    for (int j = 0; j <= N; j++)
        above[j] = j;
    for (int i = 0; i < N; i++) {
        row[0] = i + 1;
        next_row(row, above, a[i]);
        memcpy(above, row, sizeof row);
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++) {
        a[i] = (char)('a' + i * 7 % 13);
        b[i] = (char)('a' + i * 5 % 11);
    }
    measure(argc, argv, N * N, distance);
    printf("distance %d\n", row[N]);
    return 0;
}
