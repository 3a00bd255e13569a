/*
 * sd_value: 64-bit values whose bits may be bottom (undecided), and the random
 * numbers that registers and memory hold when a block starts.
 *
 * A wider value is two or four of these.  The upper bits of a narrower value
 * are known to be zero.  Random numbers are a function of (key, index), so that
 * a register or a memory byte has its value before anything reads it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VALUE_H
#define SD_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct sd_value {
    uint64_t bits;
    uint64_t bottom; /* a mask of the undecided bits, which are 0 in `bits`, or
                        drawn (sd_drawn) */
};

/* A mask of the low `width` bits, 1 to 64. */
static inline uint64_t sd_mask(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

static inline struct sd_value sd_known(uint64_t bits)
{
    return (struct sd_value){bits, 0};
}

static inline struct sd_value sd_bottom(unsigned width)
{
    return (struct sd_value){0, sd_mask(width)};
}

static inline bool sd_is_known(struct sd_value v)
{
    return v.bottom == 0;
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
   Generators, OOPSLA 2014): the element number `index` of the sequence that
   starts at `key`. */
static inline uint64_t sd_random(uint64_t key, uint64_t index)
{
    uint64_t z = key + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
