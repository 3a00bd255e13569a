/*
 * alias: loads right behind stores.  A load aliases its store if both cells lie
 * at the same place of their pages.
 *
 * Cells are in blocks of their own, which begin at one of two places of a page,
 * so that the layout decides of each pair whether it aliases.  No two pairs
 * can.
 *
 * layouts: heap=32 direct
 *
 * With DIRECT, the cells are in an array instead: about three quarters of the
 * pairs alias if it is 1, and a quarter if it is 0; SEED decides which.  What
 * the processor takes for one more depends a little on how many there are, and
 * layouts make half of the pairs alias.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "draw.h"
#include "kernel.h"

#define PAIRS  24
#define ROUNDS 200
#define PAGE   4096

/* Cells of different pairs are in different lines of the cache, and the table
   of them in others. */
#define PLACE(i) (64 * (i))
#define BLOCK    (2 * PLACE(PAIRS))

struct pair {
    uint64_t *stored, *loaded;
};

static char *block(unsigned i)
{
#ifdef DIRECT
    static char area[(2 * PAIRS + 1) * PAGE] __attribute__((aligned(PAGE)));

    return area + i * PAGE +
           (i % 2 == 1 && (draw(SEED, i, 4) != 0) != DIRECT ? 16 : 0);
#else
    char *block = calloc(1, BLOCK);

    (void)i;
    if (block == NULL)
        exit(2);
    return block;
#endif
}

static struct pair *make(void)
{
    struct pair *pairs = (struct pair *)(block(2 * PAIRS) + PLACE(PAIRS));

    for (unsigned i = 0; i < PAIRS; i++) {
        pairs[i].stored = (uint64_t *)(block(2 * i) + PLACE(i));
        pairs[i].loaded = (uint64_t *)(block(2 * i + 1) + PLACE(i));
        *pairs[i].loaded = i;
    }
    return pairs;
}

HOT static uint64_t run(const struct pair *pairs)
{
    uint64_t sum = 0;

    for (uint64_t round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < PAIRS; i++) {
            volatile uint64_t *stored = pairs[i].stored;
            volatile uint64_t *loaded = pairs[i].loaded;

            *stored = round;
            sum += *loaded * 3;
        }
    return sum;
}

int main(int argc, char **argv)
{
    static const struct pair *pairs;
    unsigned long repeats = kernel_repeats(argc, argv);
    bool right = true;

    if (pairs == NULL)
        pairs = make();
    for (unsigned long i = 0; i < repeats; i++)
        right &= run(pairs) == 3 * ROUNDS * PAIRS * (PAIRS - 1) / 2;
    return kernel_verdict("alias", right);
}
