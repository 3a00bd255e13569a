/*
 * cy_levels: measures the caches and the TLBs.
 *
 * A chase is a chain of loads, each of the address of the next: a random
 * permutation of lines, so that no prefetcher helps.  Its cycles tell which
 * level has a set of lines of that size.
 *
 * Limits: sizes and ways of the caches are what the processor says of them, but
 * for the last one, which other processes and other virtual machines use, too:
 * of that, chases tell what this process had, which differs from time to time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "calibrate/cy_clock.h"
#include "machine/cy_machine.h"

enum cy_walk {
    CY_CHASE,  /* of lines, at random */
    CY_STRIDE, /* of lines, one after the other */
    CY_SPREAD, /* lines at random, none of which waits for another */
    CY_PAGES,  /* of pages of 4 KiB, at random, a line of each */
    CY_AGED,   /* of lines, at random, the next time that they are touched */
};

/* Cycles that each step of a walk through so many bytes takes; NAN: it could
   not be measured.  Lines of CY_AGED were touched `age` cycles before, or as
   many as it takes to touch them all. */
typedef double cy_walking(void *context, enum cy_walk walk, size_t bytes,
                          double age);

/* Completes `memory`, which has the sizes and ways of all caches.  False if the
   levels cannot be told apart. */
bool cy_levels_find(struct cy_memory *memory, cy_walking *walking,
                    void *context);

/* Writes the key of a machine file, after another one; nothing without
   `misses`. */
void cy_levels_write(FILE *out, const struct cy_memory *memory);

/* Finds the levels of this processor, in at most about 15 seconds besides what
   the clock waits.  `misses` is 0 if that failed. */
void cy_levels_measure(struct cy_memory *memory, struct cy_clock *clock);
