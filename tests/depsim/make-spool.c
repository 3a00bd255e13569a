/*
 * make-spool N: writes a spool of N dependencies to standard output, to
 * measure and test depsim-import.
 *
 * Like those of real programs, most dependencies occurred within one or two of
 * the bounds, and there is a segment for every second one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../depsim/spool_format.h"
#include "occurrence.h"

static void put_u32(uint32_t value)
{
    fwrite(&value, sizeof value, 1, stdout);
}

static void put_u64(uint64_t value)
{
    fwrite(&value, sizeof value, 1, stdout);
}

static void put_text(const char *text)
{
    put_u32((uint32_t)strlen(text));
    fputs(text, stdout);
}

static void put_run(const struct lifetimes *bounds)
{
    fwrite(SPOOL_MAGIC, 8, 1, stdout);
    put_u32(SPOOL_VERSION);
    put_u32(0); /* append */
    put_u64(1); /* started */
    put_u32(1); /* pid */
    put_u32(SPOOL_EXIT);
    put_u32(0);       /* exit status */
    put_u64(1000000); /* instructions */
    put_u64(1000000); /* recorded */
    put_u32(1);       /* complete */
    put_text("session");
    put_text("make-spool");
    put_text("/made/by/make-spool");
    put_text(""); /* successor */
    put_u32(bounds->n);
    for (unsigned i = 0; i < bounds->n; i++)
        put_u64(bounds->bound[i]);
    put_u32(1);
    put_text("/made/by/make-spool");
    put_text("00");
}

static void put_segments(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        put_u32(1); /* a row */
        put_u32(0);
        put_u64(0x1000 + 20 * i);
        put_u64(0x1000 + 20 * i + 20);
        put_u64(i + 1);
    }
    put_u32(0);
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
    put_u32(1); /* a row */
    put_u32(0);
    put_u64(0x1000 + draw() % 10000000);
    put_u32(0);
    put_u64(0x1000 + draw() % 10000000);
    put_u64(bounds->bound[first]);
    put_u64(bounds->bound[last]);
    put_u64(0);
    put_u32(1);
    put_u32((uint32_t)draw() % 8);
    for (unsigned i = 0; i < bounds->n; i++)
        put_u64(i == first || i == last ? 1 + draw() % 1000 : 0);
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
    put_u32(0);
    put_u32(0); /* pairs that shared lines */
    put_u32(0); /* pieces */
    put_u32(0); /* places */
    put_u32(0); /* windows */
    fwrite(SPOOL_END, 8, 1, stdout);
    return fflush(stdout) == 0 ? 0 : 2;
}
