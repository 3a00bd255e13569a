/*
 * A histogram of a picture most of which has one colour.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 8000, COLOURS = 256 };

static unsigned char picture[N];
static unsigned hist[COLOURS];

__attribute__((noinline)) static void count(const unsigned char *p, int n)
{
#ifndef FAST
    for (int i = 0; i < n; i++)
        hist[p[i]]++;
#else
    static unsigned part[4][COLOURS];

    for (int i = 0; i < n; i += 4)
        for (int j = 0; j < 4; j++)
            part[j][p[i + j]]++;
    for (int c = 0; c < COLOURS; c++)
        for (int j = 0; j < 4; j++) {
            hist[c] += part[j][c];
            part[j][c] = 0;
        }
#endif
}

static void once(void)
{
    count(picture, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        picture[i] = i % 100 == 99 ? (unsigned char)i : 7;
    measure(argc, argv, N, once);
    printf("most: %s\n", hist[7] > hist[8] ? "7" : "another");
    return 0;
}
