/*
 * sd_keys: keys of 64 bits, numbered from 0 on in the order in which they come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define FIRST_BITS 8
#define MOST_BITS  12 /* of the largest table that is cleared, not made anew */

void sd_keys_fini(struct sd_keys *k)
{
    free(k->list);
    free(k->table);
    *k = (struct sd_keys){0};
}

void sd_keys_clear(struct sd_keys *k)
{
    if (k->bits > MOST_BITS) { /* few runs need a large table */
        sd_keys_fini(k);
    } else if (k->n > 0) {
        memset(k->table, 0, ((size_t)1 << k->bits) * sizeof *k->table);
        k->n = 0;
    }
}

static void grow(struct sd_keys *k)
{
    free(k->table);
    k->bits = k->bits > 0 ? k->bits + 1 : FIRST_BITS;
    k->table = memory_new((size_t)1 << k->bits, sizeof *k->table);
    for (size_t i = 0; i < k->n; i++)
        *sd_keys_place(k, k->list[i]) = (uint32_t)i + 1;
}

uint32_t sd_keys_add(struct sd_keys *k, uint64_t key)
{
    uint32_t *at;

    if (k->bits == 0)
        grow(k);
    at = sd_keys_place(k, key);
    if (*at != 0)
        return *at - 1;
    assert(k->n < SD_NO_KEY - 1);
    array_push(k->list, k->n, k->room, key);
    *at = (uint32_t)k->n;
    if (k->n > ((size_t)3 << k->bits) / 4) /* saves memory: pairs are many */
        grow(k);
    return (uint32_t)k->n - 1;
}
