/*
 * Running totals of an array, in place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 2000 };

static double a[N];

#ifndef FAST
__attribute__((noinline)) static void totals(double *p, int n)
{
    for (int i = 1; i < n; i++)
        p[i] += p[i - 1];
}
#else
__attribute__((noinline)) static void totals(double *p, int n)
{
    double total = p[0];

    for (int i = 1; i < n; i++) {
        total += p[i];
        p[i] = total;
    }
}
#endif

static void once(void)
{
    totals(a, N);
}

int main(int argc, char **argv)
{
    a[0] = 1;
    measure(argc, argv, N - 1, once);
    return 0;
}
