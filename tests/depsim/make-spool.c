/*
 * make-spool N: writes a spool of N dependencies to standard output, to
 * measure and test depsim-import.
 *
 * Like those of real programs, most dependencies occurred within one or two of
 * the bounds, and there is a segment for every second one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "occurrence.h"
#include "spool.h"

static void put_run(const struct lifetimes *bounds)
{
    fputs(SPOOL_MAGIC, stdout);
    PUT(stdout, "uulu", SPOOL_VERSION, 0 /* append */, 1 /* started */,
        1 /* pid */);
    PUT(stdout, "uullu", SPOOL_EXIT, 0, 1000000 /* instructions */,
        1000000 /* recorded */, 1 /* complete */);
    put_text(stdout, "session");
    put_text(stdout, "make-spool");
    put_text(stdout, "/made/by/make-spool");
    put_text(stdout, ""); /* successor */
    PUT(stdout, "u", bounds->n);
    for (unsigned i = 0; i < bounds->n; i++)
        PUT(stdout, "l", bounds->bound[i]);
    PUT(stdout, "u", 1);
    put_text(stdout, "/made/by/make-spool");
    put_text(stdout, "00");
}

static void put_segments(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        PUT(stdout, "uulll", 1, 0, 0x1000 + 20 * i, 0x1000 + 20 * i + 20,
            i + 1);
    PUT(stdout, "u", 0);
}

/* The next number of a sequence that looks random. */
static uint64_t draw(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33;
}

static void put_dep(const struct lifetimes *bounds)
{
    uint64_t first = draw() % bounds->n, last = first + draw() % 3;

    if (last >= bounds->n)
        last = bounds->n - 1;
    PUT(stdout, "uul", 1, 0, 0x1000 + draw() % 10000000);
    PUT(stdout, "ul", 0, 0x1000 + draw() % 10000000);
    PUT(stdout, "lllu", bounds->bound[first], bounds->bound[last], 0, 1);
    PUT(stdout, "u", (uint32_t)draw() % 8);
    for (unsigned i = 0; i < bounds->n; i++)
        PUT(stdout, "l", i == first || i == last ? 1 + draw() % 1000 : 0);
}

int main(int argc, char **argv)
{
    struct lifetimes bounds;
    uint64_t n = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;

    if (n == 0) {
        fprintf(stderr, "Usage: make-spool N\n");
        return 2;
    }
    lifetimes_default(&bounds);
    put_run(&bounds);
    put_segments(n / 2);
    for (uint64_t i = 0; i < n; i++)
        put_dep(&bounds);
    /* No more, and no pairs that shared lines, pieces, places and windows. */
    PUT(stdout, "uuuuu", 0, 0, 0, 0, 0);
    fputs(SPOOL_END, stdout);
    return fflush(stdout) == 0 ? 0 : 2;
}
