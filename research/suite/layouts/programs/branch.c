/*
 * branch: branches on random bits, which are never the same twice.  Half of
 * them are predicted wrongly.
 *
 * Each cell has a function with a branch of its own.  A cell's block begins at
 * one of two places of a page, and that decides whether its bits count or are
 * taken to be 0: so the layout decides how many branches can be predicted. What
 * is computed is the same.
 *
 * layouts: heap=32 direct
 *
 * With DIRECT, no bits count if it is 0, and all if it is 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define CELLS 24
#define STEPS 64

struct work {
    uint64_t state; /* of the random numbers */
    unsigned long done;
};

/* Both paths are equally long, but differ, so that no compiler joins them. */
#define CELL(i)                                                          \
    HOT static void cell_##i(struct work *w, uint64_t mask)              \
    {                                                                    \
        uint64_t state = w->state;                                       \
        unsigned long done = w->done;                                    \
                                                                         \
        for (int step = 0; step < STEPS; step++) {                       \
            state = state * 6364136223846793005U + 1442695040888963407U; \
            if ((state >> 63 & mask) != 0)                               \
                __asm__ volatile("inc %0" : "+r"(done));                 \
            else                                                         \
                __asm__ volatile("add $1, %0" : "+r"(done));             \
        }                                                                \
        w->state = state;                                                \
        w->done = done;                                                  \
    }
CELL(0)
CELL(1)
CELL(2)
CELL(3)
CELL(4)
CELL(5)
CELL(6)
CELL(7)
CELL(8)
CELL(9)
CELL(10)
CELL(11)
CELL(12)
CELL(13)
CELL(14)
CELL(15)
CELL(16)
CELL(17)
CELL(18)
CELL(19)
CELL(20)
CELL(21)
CELL(22)
CELL(23)

static void (*const cells[CELLS])(struct work *w, uint64_t mask) = {
    cell_0,  cell_1,  cell_2,  cell_3,  cell_4,  cell_5,  cell_6,  cell_7,
    cell_8,  cell_9,  cell_10, cell_11, cell_12, cell_13, cell_14, cell_15,
    cell_16, cell_17, cell_18, cell_19, cell_20, cell_21, cell_22, cell_23};

static uint64_t masks[CELLS];

static uint64_t mask_of(const void *block)
{
#ifdef DIRECT
    (void)block;
    return DIRECT;
#else
    return (uintptr_t)block / 16 % 2;
#endif
}

static void make(void)
{
    for (unsigned i = 0; i < CELLS; i++) {
        void *block = malloc(2048);

        if (block == NULL)
            exit(2);
        masks[i] = mask_of(block);
    }
}

int main(int argc, char **argv)
{
    static bool is_made;
    static struct work work = {.state = 1};
    unsigned long repeats = kernel_repeats(argc, argv);

    if (!is_made)
        make();
    is_made = true;
    work.done = 0;
    for (unsigned long i = 0; i < repeats; i++)
        for (unsigned cell = 0; cell < CELLS; cell++)
            cells[cell](&work, masks[cell]);
    return kernel_verdict("branch", work.done == repeats * CELLS * STEPS);
}
