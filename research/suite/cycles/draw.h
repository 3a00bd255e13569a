/*
 * draw: random numbers of a seed, the same on every machine.
 *
 * The function is splitmix64's: G. Steele et al., Fast splittable pseudorandom
 * number generators, OOPSLA 2014.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdint.h>

/* The number of a seed at `index`, from 0 to below `range` > 0. */
static inline uint64_t draw(uint64_t seed, uint64_t index, uint64_t range)
{
    uint64_t x = seed * 0xd1342543de82ef95 + index * 0x9e3779b97f4a7c15;

    for (int i = 0; i < 2; i++) {
        x += 0x9e3779b97f4a7c15;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        x ^= x >> 31;
    }
    return x % range;
}
