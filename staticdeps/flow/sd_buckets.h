/*
 * sd_buckets: which of many sorted keys is the last that is not above a number.
 *
 * A table tells where the keys of each 64 numbers begin, so a search looks at
 * few of them, however many there are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_BUCKETS_H
#define SD_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

struct sd_buckets {
    uint64_t base;   /* the first key */
    uint32_t *first; /* by bucket: its first key, by number */
    size_t n, room;
    uint32_t n_keys;
};

void sd_buckets_fini(struct sd_buckets *buckets);

/* Adds the next key, which is not below the last one.  The table takes 4 bytes
   for each 64 numbers from the first key to the last. */
void sd_buckets_add(struct sd_buckets *buckets, uint64_t key);

/* The last key that is not above `number`, which is not below the first, has a
   number in [*low, *high). */
void sd_buckets_find(const struct sd_buckets *buckets, uint64_t number,
                     size_t *low, size_t *high);

#endif
