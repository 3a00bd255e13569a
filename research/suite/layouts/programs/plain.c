/*
 * plain: a chain of products.  Layouts change where branches are and which
 * loads alias, but neither is on the chain, so that they cost nothing.
 *
 * layouts: heap=4096
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define PARTS  12
#define LENGTH 32

/* The input of a part, and where it leaves its result. */
struct part {
    uint64_t *factors, *result;
};

#define PART(i)                                                    \
    HOT static uint64_t part_##i(uint64_t x, const struct part *p) \
    {                                                              \
        for (unsigned j = 0; j < LENGTH; j++)                      \
            x = (x ^ p->factors[j]) * 0x9e3779b97f4a7c15U;         \
        *(volatile uint64_t *)p->result = x;                       \
        return x;                                                  \
    }
PART(0)
PART(1)
PART(2)
PART(3)
PART(4)
PART(5)
PART(6)
PART(7)
PART(8)
PART(9)
PART(10)
PART(11)

static uint64_t (*const parts[PARTS])(uint64_t x, const struct part *p) = {
    part_0, part_1, part_2, part_3, part_4,  part_5,
    part_6, part_7, part_8, part_9, part_10, part_11};

static struct part work[PARTS];

static uint64_t *block(void)
{
    uint64_t *p = malloc(LENGTH * sizeof *p);

    if (p == NULL)
        exit(2);
    for (unsigned i = 0; i < LENGTH; i++)
        p[i] = i;
    return p;
}

static uint64_t once(uint64_t x)
{
    for (unsigned i = 0; i < PARTS; i++)
        x = parts[i](x, &work[i]);
    return x;
}

/* The result, computed without the parts. */
static uint64_t expected(uint64_t x)
{
    for (unsigned i = 0; i < PARTS * LENGTH; i++)
        x = (x ^ i % LENGTH) * 0x9e3779b97f4a7c15U;
    return x;
}

int main(int argc, char **argv)
{
    unsigned long repeats = kernel_repeats(argc, argv);
    uint64_t x = 1;

    if (work[0].factors == NULL)
        for (unsigned i = 0; i < PARTS; i++)
            work[i] = (struct part){block(), block()};
    for (unsigned long i = 0; i < 8 * repeats; i++)
        x = once(x);
    return kernel_verdict("plain", once(1) == expected(1) && x != 0);
}
