/*
 * sd_keys: keys of 64 bits, numbered from 0 on in the order in which they come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_KEYS_H
#define SD_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"

#define SD_NO_KEY UINT32_MAX

/* Is empty if it is zeroed. */
struct sd_keys {
    uint64_t *list; /* by number */
    size_t n, room;
    uint32_t *table; /* open addressing: numbers plus 1 */
    unsigned bits;   /* the table has 2^bits places; 0: there is none */
};

void sd_keys_fini(struct sd_keys *keys);
void sd_keys_clear(struct sd_keys *keys);

/* The place of a key in the table, which there must be; or the free one where
   it would be put. */
static inline uint32_t *sd_keys_place(const struct sd_keys *keys, uint64_t key)
{
    size_t mask = ((size_t)1 << keys->bits) - 1;
    size_t i = hash_place(key, keys->bits);

    while (keys->table[i] != 0 && keys->list[keys->table[i] - 1] != key)
        i = (i + 1) & mask;
    return &keys->table[i];
}

/* The number of a key; SD_NO_KEY if it has none: a free place holds 0. */
static inline uint32_t sd_keys_find(const struct sd_keys *keys, uint64_t key)
{
    return keys->n > 0 ? *sd_keys_place(keys, key) - 1 : SD_NO_KEY;
}

/* The number of a key, which is keys->n of before the call if it is new. */
uint32_t sd_keys_add(struct sd_keys *keys, uint64_t key);

/* The key of a pair of sites. */
static inline uint64_t sd_keys_pair(uint32_t src, uint32_t dst)
{
    return (uint64_t)src << 32 | dst;
}

#endif
