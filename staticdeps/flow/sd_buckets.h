/*
 * sd_buckets: finds the last of many sorted keys that is not above a number.
 *
 * A table has the first key of each range of 64 numbers, so that a search looks
 * at few keys.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_BUCKETS_H
#define SD_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

struct sd_buckets {
    uint64_t base;   /* the first key */
    uint32_t *first; /* the number of the first key, by bucket */
    size_t n, room;
    uint32_t n_keys;
};

void sd_buckets_fini(struct sd_buckets *buckets);

/* Adds a key, which must not be below the last one.  The table takes 4 bytes
   for each range of 64 numbers between the first and the last key. */
void sd_buckets_add(struct sd_buckets *buckets, uint64_t key);

/* The last key that is not above `number` is key number *low to *high - 1.
   `number` must not be below the first key. */
void sd_buckets_find(const struct sd_buckets *buckets, uint64_t number,
                     size_t *low, size_t *high);

#endif
