/*
 * A level that decays, to which two inputs are added, one after the other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 1000 };

static double left[N], right[N], levels[N];

__attribute__((noinline)) static void decay(const double *a, const double *b,
                                            double *out)
{
    double level = 0;

    for (int i = 0; i < N; i++) {
#ifdef FAST
        level = level * 0.9 + (a[i] + b[i]);
#else
        level = level * 0.9 + a[i] + b[i];
#endif
        out[i] = level;
    }
}

static void once(void)
{
    decay(left, right, levels);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        left[i] = right[i] = i;
    measure(argc, argv, N, once);
    printf("last: %g\n", levels[N - 1]);
    return 0;
}
