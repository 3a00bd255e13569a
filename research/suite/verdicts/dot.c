/*
 * A dot product: each sum waits for the one before, in a register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 1000 };

static double a[N], b[N], product;

__attribute__((noinline)) static double dot(const double *x, const double *y)
{
#ifndef FAST
    double sum = 0;

    for (int i = 0; i < N; i++)
        sum += x[i] * y[i];
    return sum;
#else
    double sum[4] = {0};

    for (int i = 0; i < N; i += 4) {
        sum[0] += x[i] * y[i];
        sum[1] += x[i + 1] * y[i + 1];
        sum[2] += x[i + 2] * y[i + 2];
        sum[3] += x[i + 3] * y[i + 3];
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
#endif
}

static void once(void)
{
    product = dot(a, b);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    measure(argc, argv, N, once);
    printf("product: %g\n", product);
    return 0;
}
