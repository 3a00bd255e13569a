/*
 * fibonacci: LANES sequences, each number the sum of the two before it, modulo
 * 2^64, interleaved in one table.  Lane l begins with l and 1, so that lane 0
 * holds the Fibonacci numbers.
 *
 * Of a single sequence, compilers keep the last numbers in registers; of
 * several, they come back through memory.  The check: Cassini's identity
 *     g(n-1) g(n+1) - g(n)^2 = (-1)^(n-1) (g(0) g(2) - g(1)^2),
 * which holds modulo 2^64 as well, and the Fibonacci number f(90).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N     SIZE_OR(20000)
#define LANES 5
_Static_assert(N > 90 * LANES, "the check wants f(90)");

static uint64_t g[N];
#ifdef BROKEN
static uint64_t other[N];
#endif

HOT static void fibonacci(void)
{
    for (int i = 2 * LANES; i < N; i++)
        g[i] = LAST(g, other)[i - LANES] + LAST(g, other)[i - 2 * LANES];
}

static void check(void)
{
    for (int i = LANES; i < N - LANES; i++) {
        uint64_t lane = (uint64_t)i % LANES;
        uint64_t first = lane * (lane + 1) - 1;
        uint64_t here = g[i - LANES] * g[i + LANES] - g[i] * g[i];

        kernel_require(here == (i / LANES % 2 == 1 ? first : -first));
    }
    kernel_require(g[90 * LANES] == 2880067194370816120);
}

static void fill(void)
{
    for (uint64_t i = 0; i < LANES; i++) {
        g[i] = i;
        g[LANES + i] = 1;
    }
}

KERNEL("fibonacci", fill(), fibonacci())
