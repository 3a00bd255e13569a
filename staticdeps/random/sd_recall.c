/*
 * sd_recall: the memory of a walk: what it holds, and which store wrote each
 * byte last.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_recall.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "memory.h"

#define FIRST_BITS 9

void sd_recall_init(struct sd_recall *recall,
                    const struct sd_contents *contents)
{
    *recall = (struct sd_recall){.contents = contents,
                                 .room = (size_t)1 << FIRST_BITS,
                                 .bits = FIRST_BITS,
                                 .generation = 1};
    recall->table = memory_new(recall->room, sizeof *recall->table);
}

void sd_recall_fini(struct sd_recall *recall)
{
    free(recall->table);
    free(recall->spare);
    *recall = (struct sd_recall){0};
}

/* Makes all places of the tables free at once. */
static void renew(struct sd_recall *recall)
{
    if (++recall->generation != 0)
        return;
    /* The numbers start again, so old places would seem to be in use. */
    memset(recall->table, 0, recall->room * sizeof *recall->table);
    if (recall->spare != NULL)
        memset(recall->spare, 0, recall->spare_room * sizeof *recall->spare);
    recall->generation = 1;
}

void sd_recall_clear(struct sd_recall *recall, uint64_t key)
{
    recall->key = key;
    recall->n_used = 0;
    recall->bits = FIRST_BITS;
    renew(recall);
}

/* The place of a granule, or the free one where it would be put. */
static struct sd_cell *place(const struct sd_recall *recall, uint64_t number)
{
    size_t mask = ((size_t)1 << recall->bits) - 1;
    size_t i = hash_place(number, recall->bits);

    while (recall->table[i].generation == recall->generation &&
           recall->table[i].number != number)
        i = (i + 1) & mask;
    return &recall->table[i];
}

static void grow(struct sd_recall *recall)
{
    struct sd_cell *old = recall->table;
    size_t n = (size_t)1 << recall->bits, old_room = recall->room;
    uint32_t generation = recall->generation;

    assert(recall->bits < 63);
    recall->bits++;
    if (recall->spare_room < 2 * n) {
        free(recall->spare);
        recall->spare = memory_new(2 * n, sizeof *recall->spare);
        recall->spare_room = 2 * n;
    }
    recall->table = recall->spare;
    recall->room = recall->spare_room;
    recall->spare = old;
    recall->spare_room = old_room;
    if (generation == UINT32_MAX) /* the next would wrap around */
        memset(recall->table, 0, recall->room * sizeof *recall->table);
    else
        recall->generation++;
    for (size_t i = 0; i < n; i++)
        if (old[i].generation == generation) {
            struct sd_cell *c = place(recall, old[i].number);

            *c = old[i];
            c->generation = recall->generation;
        }
}

/* What a granule holds before it is written. */
static struct sd_drawn initial(const struct sd_recall *recall, uint64_t number)
{
    struct sd_drawn value = {0, UINT64_MAX};

    if (recall->contents != NULL)
        value.drawn = sd_contents_at(recall->contents, number, &value.bits);
    if (value.drawn != 0)
        value.bits |= sd_random(recall->key, number) & value.drawn;
    return value;
}

/* The place of a granule, which gets its first contents if it is new, unless
   `is_whole` says that all of it is written next. */
static struct sd_cell *insert(struct sd_recall *recall, uint64_t number,
                              bool is_whole)
{
    struct sd_cell *c = place(recall, number);

    if (c->generation == recall->generation)
        return c;
    if (2 * ++recall->n_used > (size_t)1 << recall->bits) {
        grow(recall);
        c = place(recall, number);
    }
    assert(2 * recall->n_used <= (size_t)1 << recall->bits);
    *c = (struct sd_cell){.number = number, .generation = recall->generation};
    if (!is_whole)
        c->value = initial(recall, number);
    return c;
}

/* Adds bytes `from` up to `from + n` of a granule to the result, at bit `at`,
   and stores their writers. */
static void load_part(const struct sd_recall *recall, uint64_t number,
                      unsigned from, unsigned n, unsigned at, bool is_drawn,
                      struct sd_drawn *value, uint32_t *stores)
{
    const struct sd_cell *c = place(recall, number);
    uint64_t mask = sd_mask(8 * n);
    struct sd_drawn whole;

    if (c->generation == recall->generation) {
        whole = c->value;
        memcpy(stores, &c->stores[from], n * sizeof *stores);
    } else {
        whole = initial(recall, number);
        memset(stores, 0, n * sizeof *stores);
        if (is_drawn)
            whole.drawn = UINT64_MAX;
    }
    value->bits |= (whole.bits >> 8 * from & mask) << at;
    value->drawn |= (whole.drawn >> 8 * from & mask) << at;
}

struct sd_drawn sd_recall_load(const struct sd_recall *recall, uint64_t address,
                               unsigned size, bool is_drawn, uint32_t stores[8])
{
    unsigned from = (unsigned)(address % 8), first = 8 - from;
    struct sd_drawn value = {0, 0};

    assert(size >= 1 && size <= 8);
    if (first > size)
        first = size;
    load_part(recall, address / 8, from, first, 0, is_drawn, &value, stores);
    if (first < size) /* addresses wrap around */
        load_part(recall, (address + first) / 8, 0, size - first, 8 * first,
                  is_drawn, &value, stores + first);
    return value;
}

static void put(struct sd_recall *recall, uint64_t address, unsigned size,
                struct sd_drawn value, const uint32_t *store)
{
    unsigned from = (unsigned)(address % 8), n;

    assert(size >= 1 && size <= 8);
    for (unsigned done = 0; done < size; done += n, from = 0) {
        struct sd_cell *c;
        uint64_t mask;

        n = size - done < 8 - from ? size - done : 8 - from;
        mask = sd_mask(8 * n);
        c = insert(recall, (address + done) / 8, n == 8);
        c->value.bits &= ~(mask << 8 * from);
        c->value.bits |= (value.bits >> 8 * done & mask) << 8 * from;
        c->value.drawn &= ~(mask << 8 * from);
        c->value.drawn |= (value.drawn >> 8 * done & mask) << 8 * from;
        for (unsigned i = from; i < from + n && store != NULL; i++)
            c->stores[i] = *store;
    }
}

void sd_recall_store(struct sd_recall *recall, uint64_t address, unsigned size,
                     struct sd_drawn value, uint32_t store)
{
    struct sd_cell *c;

    if (size == 8 && address % 8 == 0) { /* the usual case */
        c = insert(recall, address / 8, true);
        c->value = value;
        for (unsigned i = 0; i < 8; i++)
            c->stores[i] = store;
        return;
    }
    put(recall, address, size, value, &store);
}

void sd_recall_poke(struct sd_recall *recall, uint64_t address, unsigned size,
                    struct sd_drawn value)
{
    put(recall, address, size, value, NULL);
}
