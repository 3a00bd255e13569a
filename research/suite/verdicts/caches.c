/*
 * Programs that wait for caches, memory or pages, by the macro that is set;
 * with FAST, an experiment takes the cause away, and little else.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <stdint.h>
#include <sys/mman.h>

enum { SIZE = 1 << 20, ROUNDS = 2000, PAGES = 1 << 14, PER_PAGE = 64 };

static struct record {
    uint64_t next, value, others[6];
} * records;

static uint64_t values[SIZE], key[512], at, sum;

/* Goes through n places, a power of two, in an order that no prefetcher knows.
 */
static uint64_t after(uint64_t i, uint64_t n)
{
    return (i * 1664525 + 1013904223) % n;
}

/* A list of n records in one circle. */
static void link_up(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        records[i] = (struct record){.next = after(i, n), .value = i};
}

#if defined far || defined near /* smaller data */
#ifdef FAST
#define LENGTH 256
#elif defined near
#define LENGTH 8192
#endif

static void step(void)
{
    at = records[at].next;
}

#elif defined scattered /* another layout */
static void step(void)
{
    at = after(at, SIZE / 8);
#ifdef FAST
    at += values[at] & 1;
#else
    at += records[at].value & 1;
#endif
}

#elif defined keyed /* a prefetch */
static void step(void)
{
    uint64_t x = records[at].value;

    at = after(at, SIZE);
#ifdef FAST
    __builtin_prefetch(&records[after(at, SIZE)].value);
#endif
    for (int i = 0; i < 512; i++)
        key[i] += x;
}

#elif defined paged /* huge pages */
static void step(void)
{
    at = after(at, PAGES);
    at += records[at * PER_PAGE + at % PER_PAGE].others[0];
}
#endif

static void once(void)
{
    for (int i = 0; i < ROUNDS; i++)
        step();
}

#ifndef LENGTH
#define LENGTH SIZE
#endif

int main(int argc, char **argv)
{
    records = aligned_alloc(1 << 21, SIZE * sizeof *records);
#if defined paged && defined FAST
    madvise(records, SIZE * sizeof *records, MADV_HUGEPAGE);
#endif
    link_up(LENGTH);
    for (int i = 0; i < SIZE; i++)
        values[i] = (uint64_t)i;
    measure(argc, argv, ROUNDS, once);
    printf("%lu\n", at + sum + key[0]);
    return 0;
}
