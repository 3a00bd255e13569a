/*
 * sd_regset: sets of the words that hold the guest's registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REGSET_H
#define SD_REGSET_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lift/sd_value.h"

/* The most words of 8 bytes in the guest state of an architecture. */
#define SD_N_WORDS 160

/* The value of a register when a block starts: known, or bottom.  Registers
   that are not listed are random. */
struct sd_initial {
    unsigned offset; /* in the guest state, a multiple of 8 */
    struct sd_value value;
};

/* A set of words. */
struct sd_regset {
    uint64_t bits[(SD_N_WORDS + 63) / 64];
};

static inline void sd_regset_add(struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    words->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void sd_regset_remove(struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    words->bits[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static inline void sd_regset_join(struct sd_regset *words,
                                  const struct sd_regset *more)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        words->bits[i] |= more->bits[i];
}

static inline bool sd_regset_has(const struct sd_regset *words, unsigned number)
{
    assert(number < SD_N_WORDS);
    return (words->bits[number / 64] >> number % 64 & 1) != 0;
}

/* Is `part` a subset of `words`? */
static inline bool sd_regset_includes(const struct sd_regset *words,
                                      const struct sd_regset *part)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        if (part->bits[i] & ~words->bits[i])
            return false;
    return true;
}

#endif
