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

#include "array.h"

void sd_recall_init(struct sd_recall *recall,
                    const struct sd_contents *contents)
{
    *recall = (struct sd_recall){.contents = contents};
}

void sd_recall_fini(struct sd_recall *recall)
{
    sd_keys_fini(&recall->granules);
    free(recall->cells);
    *recall = (struct sd_recall){0};
}

void sd_recall_clear(struct sd_recall *recall, uint64_t key)
{
    recall->key = key;
    sd_keys_clear(&recall->granules);
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

/* The cell of a granule, which gets its first contents if it is new, unless
   `is_whole` says that all of it is written next. */
static struct sd_cell *insert(struct sd_recall *recall, uint64_t number,
                              bool is_whole)
{
    size_t n = recall->granules.n;
    uint32_t i = sd_keys_add(&recall->granules, number);

    if (i < n)
        return &recall->cells[i];
    array_reserve(recall, cells, i);
    recall->cells[i] = (struct sd_cell){
        .value = is_whole ? sd_drawn_known(0) : initial(recall, number)};
    return &recall->cells[i];
}

/* Adds bytes `from` up to `from + n` of a granule to the result, at bit `at`,
   and stores their writers. */
static void load_part(const struct sd_recall *recall, uint64_t number,
                      unsigned from, unsigned n, unsigned at, bool is_drawn,
                      struct sd_drawn *value, uint32_t *stores)
{
    uint32_t i = sd_keys_find(&recall->granules, number);
    uint64_t mask = sd_mask(8 * n);
    struct sd_drawn whole;

    if (i != SD_NO_KEY) {
        whole = recall->cells[i].value;
        memcpy(stores, &recall->cells[i].stores[from], n * sizeof *stores);
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
