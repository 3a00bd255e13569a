/*
 * Adds the rows of a picture to sums whose addresses have the same last 12
 * bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <string.h>

enum { N = 4000, PAGE = 4096 };

static _Alignas(PAGE) char memory[10 * PAGE];

__attribute__((noinline)) static void add(int *to, const int *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

#ifndef FAST
#define TO (4 * PAGE + 4)
#else
#define TO (4 * PAGE + 2048)
#endif

static void once(void)
{
    for (int i = 0; i < 4; i++)
        add((int *)(memory + TO), (const int *)memory, N / 4);
}

int main(int argc, char **argv)
{
    measure(argc, argv, N, once);
    return 0;
}
