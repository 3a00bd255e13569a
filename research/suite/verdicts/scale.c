/*
 * Converts numbers to another unit: each is divided by the same number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 1000 };

static double from[N], to[N];

__attribute__((noinline)) static void scale(const double *x, double *y,
                                            double unit)
{
#ifdef FAST
    double times = 1 / unit;
#endif

    for (int i = 0; i < N; i++)
#ifndef FAST
        y[i] = x[i] / unit;
#else
        y[i] = x[i] * times;
#endif
}

static void once(void)
{
    scale(from, to, 3);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        from[i] = i;
    measure(argc, argv, N, once);
    printf("last: %g\n", to[N - 1]);
    return 0;
}
