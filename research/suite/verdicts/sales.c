/*
 * Adds up sales by region; most of them are of one region.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 8000, REGIONS = 8 };

struct sale {
    unsigned region;
    float amount;
};

static struct sale sales[N];
static double revenue[REGIONS];

__attribute__((noinline)) static void add_up(const struct sale *s, int n)
{
#ifndef FAST
    for (int i = 0; i < n; i++)
        revenue[s[i].region] += (double)s[i].amount;
#else
    static double part[4][REGIONS];

    for (int i = 0; i < n; i += 4)
        for (int j = 0; j < 4; j++)
            part[j][s[i + j].region] += (double)s[i + j].amount;
    for (int r = 0; r < REGIONS; r++)
        for (int j = 0; j < 4; j++) {
            revenue[r] += part[j][r];
            part[j][r] = 0;
        }
#endif
}

static void once(void)
{
    add_up(sales, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        sales[i] = (struct sale){i % 16 == 15 ? (unsigned)i / 16 % REGIONS : 3,
                                 (float)(i % 100)};
    measure(argc, argv, N, once);
    printf("most: %s\n", revenue[3] > revenue[4] ? "3" : "another");
    return 0;
}
