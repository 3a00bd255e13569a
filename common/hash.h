/*
 * hash: where a key is looked for in a table of open addressing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_HASH_H
#define COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The first place of 2^bits for a key, 1 <= bits <= 64: Fibonacci hashing (D.
   Knuth, The Art of Computer Programming 3, section 6.4), with 2^64 divided by
   the golden ratio. */
static inline size_t hash_place(uint64_t key, unsigned bits)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

#endif
