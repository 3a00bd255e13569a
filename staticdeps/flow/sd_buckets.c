/*
 * sd_buckets: finds the last of many sorted keys that is not above a number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_buckets.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

#define WIDTH 64

void sd_buckets_fini(struct sd_buckets *b)
{
    free(b->first);
    *b = (struct sd_buckets){.first = NULL};
}

void sd_buckets_add(struct sd_buckets *b, uint64_t key)
{
    if (b->n_keys == 0)
        b->base = key;
    assert(key >= b->base && b->n <= (key - b->base) / WIDTH + 1);
    while (b->n <= (key - b->base) / WIDTH) {
        array_push(b->first, b->n, b->room, b->n_keys);
    }
    b->n_keys++;
}

void sd_buckets_find(const struct sd_buckets *b, uint64_t number, size_t *low,
                     size_t *high)
{
    uint64_t bucket = (number - b->base) / WIDTH;

    assert(b->n > 0 && number >= b->base);
    if (bucket >= b->n)
        bucket = b->n - 1;
    *low = b->first[bucket] > 0 ? b->first[bucket] - 1 : 0;
    *high = bucket + 1 < b->n ? b->first[bucket + 1] : b->n_keys;
}
