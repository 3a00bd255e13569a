/*
 * prefix-sum: in place, the sums of all prefixes of LANES sequences that lie
 * interleaved in one array.
 *
 * Of a single sequence, compilers keep the last sum in a register; from
 * several, each sum comes back through memory.  The sum of the first n odd
 * numbers is n^2, and that is the check.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(20000)
#define LANES 5

static uint64_t a[N], a0[N];

HOT static void prefix_sum(void)
{
    for (int i = LANES; i < N; i++)
        a[i] += LAST(a, a0)[i - LANES];
}

static void check(void)
{
    for (uint64_t i = 0; i < N; i++)
        kernel_require(a[i] == (i / LANES + 1) * (i / LANES + 1));
}

static void fill(void)
{
    for (uint64_t i = 0; i < N; i++)
        a0[i] = 2 * (i / LANES) + 1;
}

KERNEL("prefix-sum", fill(), kernel_restore(a, a0, sizeof(a)); prefix_sum())
