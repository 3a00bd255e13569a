/*
 * A moving average, whose sum is a member of a structure behind a pointer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 8000, WIDTH = 16 };

struct average {
    double sum, ring[WIDTH];
    unsigned place;
};

static double samples[N], means[N];

__attribute__((noinline)) static void
filter(struct average *a, const double *in, double *out, int n)
{
#ifndef FAST
    for (int i = 0; i < n; i++) {
        a->sum -= a->ring[a->place];
        a->ring[a->place] = in[i];
        a->sum += in[i];
        a->place = (a->place + 1) % WIDTH;
        out[i] = a->sum * (1.0 / WIDTH);
    }
#else
    double sum = a->sum;
    unsigned place = a->place;

    for (int i = 0; i < n; i++) {
        sum -= a->ring[place];
        a->ring[place] = in[i];
        sum += in[i];
        place = (place + 1) % WIDTH;
        out[i] = sum * (1.0 / WIDTH);
    }
    a->sum = sum;
    a->place = place;
#endif
}

static void once(void)
{
    struct average a = {0};

    filter(&a, samples, means, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        samples[i] = i % 97;
    measure(argc, argv, N, once);
    printf("last: %.3f\n", means[N - 1]);
    return 0;
}
