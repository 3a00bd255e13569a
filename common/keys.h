/*
 * keys: keys of 64 bits, numbered from 0 on in the order in which they come.
 *
 * What belongs to a key is the caller's, in an array by its number.  A key may
 * be a hash of more than 64 bits: then keys_match() finds it, and keys_append()
 * adds it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_KEYS_H
#define COMMON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"

#define NO_KEY UINT32_MAX

/* Is empty if it is zeroed. */
struct keys {
    uint64_t *list; /* by number */
    size_t n, room;
    uint32_t *table; /* open addressing: numbers plus 1 */
    unsigned bits;   /* the table has 2^bits places; 0: there is none */
};

void keys_fini(struct keys *keys);
void keys_clear(struct keys *keys);

/* The number of a hash for which `is_same`, an expression in which the number
   is called `i`, says that it is the one; NO_KEY if there is none. */
#define keys_match(known, hash, i, is_same)                       \
    __extension__({                                               \
        const struct keys *k_ = (known);                          \
        uint64_t hash_ = (hash);                                  \
        size_t at_ = k_->n > 0 ? hash_place(hash_, k_->bits) : 0; \
        uint32_t i = NO_KEY;                                      \
                                                                  \
        while (k_->n > 0 && (i = k_->table[at_] - 1) != NO_KEY && \
               (k_->list[i] != hash_ || !(is_same)))              \
            at_ = (at_ + 1) & (((size_t)1 << k_->bits) - 1);      \
        i;                                                        \
    })

/* The number of a key; NO_KEY if it has none. */
static inline uint32_t keys_find(const struct keys *keys, uint64_t key)
{
    return keys_match(keys, key, i, true);
}

/* Adds a key, even if it is there: its number, which is keys->n of before. */
uint32_t keys_append(struct keys *keys, uint64_t key);

/* The number of a key, which is keys->n of before the call if it is new. */
uint32_t keys_add(struct keys *keys, uint64_t key);

/* The key of a pair. */
static inline uint64_t keys_pair(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

#endif
