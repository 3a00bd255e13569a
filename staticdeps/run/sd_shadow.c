/*
 * sd_shadow: what a block's memory holds, and which store wrote it last.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "memory.h"

#define FIRST_BITS 9
#define N_TABLES   (sizeof((struct sd_shadow *)0)->tables / sizeof(void *))

/* Nothing in it is of this run. */
static void use_table(struct sd_shadow *shadow, unsigned bits)
{
    assert(bits < N_TABLES);
    if (shadow->tables[bits] == NULL)
        shadow->tables[bits] =
            memory_new((size_t)1 << bits, sizeof *shadow->table);
    shadow->table = shadow->tables[bits];
    shadow->bits = bits;
}

void sd_shadow_init(struct sd_shadow *shadow)
{
    *shadow = (struct sd_shadow){.generation = 1};
    use_table(shadow, FIRST_BITS);
}

void sd_shadow_fini(struct sd_shadow *shadow)
{
    for (unsigned bits = 0; bits < N_TABLES; bits++)
        free(shadow->tables[bits]);
    *shadow = (struct sd_shadow){0};
}

void sd_shadow_clear(struct sd_shadow *shadow, uint64_t key)
{
    shadow->key = key;
    shadow->n_used = 0;
    use_table(shadow, FIRST_BITS);
    if (++shadow->generation != 0)
        return;
    /* Once in 2^32 runs, old stamps would come to life again. */
    for (unsigned bits = 0; bits < N_TABLES; bits++)
        if (shadow->tables[bits] != NULL)
            memset(shadow->tables[bits], 0,
                   ((size_t)1 << bits) * sizeof *shadow->table);
    shadow->generation = 1;
}

/* The granule's place, or the free one where it would be put. */
static struct sd_granule *place(const struct sd_shadow *shadow, uint64_t number)
{
    size_t mask = ((size_t)1 << shadow->bits) - 1;
    size_t i = hash_place(number, shadow->bits);

    while (shadow->table[i].generation == shadow->generation &&
           shadow->table[i].number != number)
        i = (i + 1) & mask;
    return &shadow->table[i];
}

static void grow(struct sd_shadow *shadow)
{
    const struct sd_granule *old = shadow->table;
    size_t n = (size_t)1 << shadow->bits;

    use_table(shadow, shadow->bits + 1);
    for (size_t i = 0; i < n; i++)
        if (old[i].generation == shadow->generation)
            *place(shadow, old[i].number) = old[i];
}

static struct sd_granule *insert(struct sd_shadow *shadow, uint64_t number)
{
    struct sd_granule *g = place(shadow, number);

    if (g->generation == shadow->generation)
        return g;
    if (2 * ++shadow->n_used > (size_t)1 << shadow->bits) {
        grow(shadow);
        g = place(shadow, number);
    }
    assert(2 * shadow->n_used <= (size_t)1 << shadow->bits);
    *g =
        (struct sd_granule){.number = number, .generation = shadow->generation};
    g->value = sd_known(sd_random(shadow->key, number));
    return g;
}

/* Bytes `from` up to `from + n` of a granule, moved to bit `at` of the
   result, and their writers. */
static void load_part(const struct sd_shadow *shadow, uint64_t number,
                      unsigned from, unsigned n, unsigned at,
                      struct sd_value *value, uint32_t *writers)
{
    const struct sd_granule *g = place(shadow, number);
    uint64_t mask = sd_mask(8 * n);

    if (g->generation != shadow->generation) {
        value->bits |= (sd_random(shadow->key, number) >> 8 * from & mask)
                       << at;
        memset(writers, 0, n * sizeof *writers);
        return;
    }
    value->bits |= (g->value.bits >> 8 * from & mask) << at;
    value->bottom |= (g->value.bottom >> 8 * from & mask) << at;
    memcpy(writers, &g->writers[from], n * sizeof *writers);
}

struct sd_value sd_shadow_load(const struct sd_shadow *shadow, uint64_t address,
                               unsigned size, uint32_t writers[8])
{
    unsigned from = (unsigned)(address % 8), first = 8 - from;
    struct sd_value value = {0, 0};

    assert(size >= 1 && size <= 8);
    if (first > size)
        first = size;
    load_part(shadow, address / 8, from, first, 0, &value, writers);
    if (first < size) /* the addresses end where they begin */
        load_part(shadow, (address + first) / 8, 0, size - first, 8 * first,
                  &value, writers + first);
    return value;
}

static void store_part(struct sd_shadow *shadow, uint64_t number, unsigned from,
                       unsigned n, struct sd_value value, uint32_t writer)
{
    struct sd_granule *g = insert(shadow, number);
    uint64_t mask = sd_mask(8 * n);

    g->value.bits &= ~(mask << 8 * from);
    g->value.bits |= (value.bits & mask) << 8 * from;
    g->value.bottom &= ~(mask << 8 * from);
    g->value.bottom |= (value.bottom & mask) << 8 * from;
    for (unsigned i = from; i < from + n; i++)
        g->writers[i] = writer;
}

void sd_shadow_store(struct sd_shadow *shadow, uint64_t address, unsigned size,
                     struct sd_value value, uint32_t writer)
{
    unsigned from = (unsigned)(address % 8), first = 8 - from;

    assert(size >= 1 && size <= 8);
    if (first > size)
        first = size;
    store_part(shadow, address / 8, from, first, value, writer);
    if (first < size)
        store_part(shadow, (address + first) / 8, 0, size - first,
                   (struct sd_value){value.bits >> 8 * first,
                                     value.bottom >> 8 * first},
                   writer);
}
