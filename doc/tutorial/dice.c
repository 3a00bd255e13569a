/*
 * Throws of a die by a generator whose state is in memory, behind a call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <stdint.h>

enum { N = 4000 };

static unsigned thrown[6];

#ifndef FAST
struct generator {
    uint64_t state;
};

__attribute__((noinline)) static unsigned next(struct generator *g)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return (unsigned)(g->state >> 32);
}
#else
static uint64_t step(uint64_t state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}
#endif

static void once(void)
{
#ifndef FAST
    struct generator g = {88172645463325252};

    for (int i = 0; i < N; i++)
        thrown[(uint64_t)next(&g) * 6 >> 32]++;
#else
    uint64_t state = 88172645463325252;

    for (int i = 0; i < N; i++) {
        state = step(state);
        thrown[(state >> 32) * 6 >> 32]++;
    }
#endif
}

int main(int argc, char **argv)
{
    measure(argc, argv, N, once);
    printf("all numbers: %s\n", thrown[0] && thrown[5] ? "yes" : "no");
    return 0;
}
