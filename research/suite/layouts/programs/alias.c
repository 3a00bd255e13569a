/*
 * alias: loops of a store to one cell and two loads from another.  The loads
 * alias if both cells lie at the same place of their pages.
 *
 * Each pair has a block of the heap that begins at one of two places of a page,
 * and that decides whether the pair aliases: so the layout decides how many do.
 * Each pair has a loop of its own, so that a predictor learns nothing from one
 * pair that is wrong for another.
 *
 * All cells that are stored to are on one page, all others on the next.  Some
 * processors also compare bits of the physical address, which is chance.  With
 * two pages this chance is the same for all pairs of a run, and runs in which
 * the bits agree stand out.
 *
 * layouts: heap=32 direct
 *
 * With DIRECT, all pairs alias if it is 1, and none if it is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define PAIRS  24
#define ROUNDS 200
#define PAGE   4096

/* Cells of different pairs are in different lines of the cache. */
#define PLACE(i) (64 * (i))

/* Aligned, because the place of a short loop in a line of the cache changes its
 * cycles, too. */
#define ALIGNED __attribute__((aligned(64)))

struct pair {
    uint64_t *stored, *loaded;
};

#define PAIR(i)                                                           \
    HOT ALIGNED static uint64_t pair_##i(volatile uint64_t *stored,       \
                                         const volatile uint64_t *loaded) \
    {                                                                     \
        uint64_t sum = 0;                                                 \
                                                                          \
        for (uint64_t round = 0; round < ROUNDS; round++) {               \
            *stored = round;                                              \
            sum += *loaded;                                               \
            sum += *loaded;                                               \
        }                                                                 \
        return sum;                                                       \
    }
PAIR(0)
PAIR(1)
PAIR(2)
PAIR(3)
PAIR(4)
PAIR(5)
PAIR(6)
PAIR(7)
PAIR(8)
PAIR(9)
PAIR(10)
PAIR(11)
PAIR(12)
PAIR(13)
PAIR(14)
PAIR(15)
PAIR(16)
PAIR(17)
PAIR(18)
PAIR(19)
PAIR(20)
PAIR(21)
PAIR(22)
PAIR(23)

static uint64_t (*const loops[PAIRS])(volatile uint64_t *stored,
                                      const volatile uint64_t *loaded) = {
    pair_0,  pair_1,  pair_2,  pair_3,  pair_4,  pair_5,  pair_6,  pair_7,
    pair_8,  pair_9,  pair_10, pair_11, pair_12, pair_13, pair_14, pair_15,
    pair_16, pair_17, pair_18, pair_19, pair_20, pair_21, pair_22, pair_23};

static bool does_alias(const void *block)
{
#ifdef DIRECT
    (void)block;
    return DIRECT;
#else
    return (uintptr_t)block / 16 % 2 != 0;
#endif
}

static void make(struct pair *pairs)
{
    static char area[2 * PAGE] __attribute__((aligned(PAGE)));

    for (unsigned i = 0; i < PAIRS; i++) {
        char *block = malloc(2048);

        if (block == NULL)
            exit(2);
        pairs[i].stored = (uint64_t *)(area + PLACE(i));
        pairs[i].loaded =
            (uint64_t *)(area + PAGE + PLACE(i) + (does_alias(block) ? 0 : 16));
        *pairs[i].loaded = i;
    }
}

int main(int argc, char **argv)
{
    static struct pair pairs[PAIRS];
    unsigned long repeats = kernel_repeats(argc, argv);
    bool right = true;

    if (pairs[0].stored == NULL)
        make(pairs);
    for (unsigned long i = 0; i < repeats; i++)
        for (unsigned j = 0; j < PAIRS; j++)
            right &= loops[j](pairs[j].stored, pairs[j].loaded) ==
                     (uint64_t)2 * ROUNDS * j;
    return kernel_verdict("alias", right);
}
