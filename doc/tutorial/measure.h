/*
 * How long a round of a loop takes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Does it thirty times as often as the first argument says, or 1, and prints
   the best of thirty times that it took.  `rounds` are those of once. */
static void measure(int argc, char **argv, double rounds, void (*once)(void))
{
    int repeat = argc > 1 ? atoi(argv[1]) : 1;
    double best = 0;

    for (int i = 0; i < 30; i++) {
        double start = now(), taken;

        for (int j = 0; j < repeat; j++)
            once();
        taken = now() - start;
        if (i == 0 || taken < best)
            best = taken;
    }
    printf("%s: %.2f ns an iteration\n", argv[0], best / repeat / rounds);
}
