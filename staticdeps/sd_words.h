/*
 * sd_words: sets of the words that hold the guest's registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WORDS_H
#define SD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Guest state is kept in words of 8 bytes; that of no architecture has more. */
#define SD_N_WORDS 160

/* A set of words. */
struct sd_words {
    uint64_t bits[(SD_N_WORDS + 63) / 64];
};

static inline void sd_words_add(struct sd_words *words, unsigned number)
{
    words->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void sd_words_remove(struct sd_words *words, unsigned number)
{
    words->bits[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static inline void sd_words_join(struct sd_words *words,
                                 const struct sd_words *more)
{
    for (size_t i = 0; i < sizeof words->bits / sizeof words->bits[0]; i++)
        words->bits[i] |= more->bits[i];
}

static inline bool sd_words_have(const struct sd_words *words, unsigned number)
{
    return (words->bits[number / 64] >> number % 64 & 1) != 0;
}

#endif
