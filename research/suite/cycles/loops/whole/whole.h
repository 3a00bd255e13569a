/*
 * whole: included by every function that is measured as a whole.
 *
 * WHOLE(NAME) begins a function.  A round is one call, with all that it
 * calls; `turn` is the number of rounds before, for those whose data should
 * differ from call to call.  A call takes some thousand cycles, reads and
 * writes at most 24 KiB, and does about as much in every turn.  The file's name
 * is the group: what makes the cycles of a call hard to predict.
 *
 *     nests      inner loops are short, and the outer loop carries values on
 *     calls      loops call functions, or jump to where a value says
 *     ways       a loop has several paths, and data decide
 *     distances  data decide how far a load is from the store that it reads
 *     fresh_*    code of a trade, written after the rules of the model
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdint.h>

#include "../loop.h"

typedef void whole_function(long turn, void *data);

#define WHOLE(name)                                                        \
    whole_function name;                                                   \
    __attribute__((noinline)) void name(long turn __attribute__((unused)), \
                                        void *data)

/* A function that is not inlined, so that calls of it remain. */
#define CALLEE static __attribute__((noinline))

/* Keeps the result x in use. */
#define USE(x) (*(volatile __typeof__(x) *)SLOT(5) = (x))

/* Ints from 0 to 255 in random order, the same in every turn.  A branch
   predictor can learn some thousand decisions by heart if they come again and
   again. */
#define INTS    ((int *)SLOT(3))
#define N_INTS  2048
#define DOUBLES 1024 /* in each of the slots 0 to 2 */

/* Int i of this turn, from 0 to 255 in random order, which each turn changes.
   Any i is valid. */
#define FRESH(i) fresh(INTS, i, turn)
static inline int fresh(const int *ints, long i, long turn)
{
    uint32_t factor = ((uint32_t)turn + 1) * 2654435761U;

    return (int)((uint32_t)(ints[i & (N_INTS - 1)] + 1) * factor >> 24);
}

/* A number from 0 to 7; of eight that follow each other from a multiple of
   eight on, each is another, in an order that each turn changes. */
#define EIGHTH(i) eighth(INTS, i, turn)
static inline int eighth(const int *ints, long i, long turn)
{
    int order = fresh(ints, i / 8, turn);

    return (int)(i * (order | 1) + order / 8) & 7;
}

/* The next number of a sequence that looks random; its high bits are good. */
static inline uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}
