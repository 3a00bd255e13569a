/*
 * Prices with tax, and their sum, which is in memory since each price that is
 * stored could be it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 2000 };

struct bill {
    double total;
};

static double prices[N], taxed[N];
static struct bill bill;

__attribute__((noinline)) static void add_tax(struct bill *b, double *to,
                                              const double *from, int n)
{
#ifndef FAST
    for (int i = 0; i < n; i++) {
        to[i] = 1.2 * from[i];
        b->total += from[i];
    }
#else
    double total = b->total;

    for (int i = 0; i < n; i++) {
        to[i] = 1.2 * from[i];
        total += from[i];
    }
    b->total = total;
#endif
}

static void once(void)
{
    add_tax(&bill, taxed, prices, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        prices[i] = i % 7;
    measure(argc, argv, N, once);
    printf("average %g\n", bill.total > 0 ? taxed[1] : 0);
    return 0;
}
