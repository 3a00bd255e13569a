/*
 * sd_shadow: the values of a block's memory, and the last writer of each byte.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_shadow.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define LARGE 64 /* granules: an access of this many is made as a whole */

void sd_shadow_fini(struct sd_shadow *shadow)
{
    sd_keys_fini(&shadow->numbers);
    free(shadow->granules);
    *shadow = (struct sd_shadow){0};
}

void sd_shadow_clear(struct sd_shadow *shadow, uint64_t key)
{
    shadow->key = key;
    shadow->n_fills = 0;
    sd_keys_clear(&shadow->numbers);
}

/* The contents of a granule that was never written. */
static uint64_t contents(const struct sd_shadow *shadow, uint64_t number)
{
    return shadow->key != SD_SAME_KEY ? sd_random(shadow->key, number)
                                      : SD_SAME;
}

/* The granule with that number, or NULL. */
static struct sd_granule *find(const struct sd_shadow *shadow, uint64_t number)
{
    uint32_t i = sd_keys_find(&shadow->numbers, number);

    return i != SD_NO_KEY ? &shadow->granules[i] : NULL;
}

/* The last fill that contains a granule, which is not in the table, or NULL. */
static const struct sd_fill *fill_of(const struct sd_shadow *shadow,
                                     uint64_t number)
{
    for (size_t i = shadow->n_fills; i > 0; i--)
        if (number - shadow->fills[i - 1].first < shadow->fills[i - 1].n)
            return &shadow->fills[i - 1];
    return NULL;
}

static void set_writers(uint32_t *writers, unsigned n, uint32_t writer)
{
    for (unsigned i = 0; i < n; i++)
        writers[i] = writer;
}

static void fill_granule(struct sd_granule *g, uint32_t writer)
{
    g->value = sd_bottom(64);
    set_writers(g->writers, 8, writer);
}

static struct sd_granule *insert(struct sd_shadow *shadow, uint64_t number)
{
    size_t n = shadow->numbers.n;
    uint32_t i = sd_keys_add(&shadow->numbers, number);
    const struct sd_fill *fill;
    struct sd_granule *g;

    if (i == n)
        array_reserve(shadow, granules, i);
    g = &shadow->granules[i];
    if (i < n)
        return g;
    *g = (struct sd_granule){.value = sd_known(0)};
    fill = fill_of(shadow, number);
    if (fill != NULL)
        fill_granule(g, fill->writer);
    else
        g->value = sd_known(contents(shadow, number));
    return g;
}

/* Loads bytes `from` up to `from + n` of a granule to bit `at` of the result,
   and their writers. */
static void load_part(const struct sd_shadow *shadow, uint64_t number,
                      unsigned from, unsigned n, unsigned at,
                      struct sd_value *value, uint32_t *writers)
{
    const struct sd_granule *g = find(shadow, number);
    const struct sd_fill *fill;
    uint64_t mask = sd_mask(8 * n);

    if (g == NULL) {
        fill = fill_of(shadow, number);
        if (fill != NULL) {
            value->bottom |= mask << at;
            set_writers(writers, n, fill->writer);
            return;
        }
        value->bits |= (contents(shadow, number) >> 8 * from & mask) << at;
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
    if (first < size) /* the address may wrap around to 0 */
        load_part(shadow, (address + first) / 8, 0, size - first, 8 * first,
                  &value, writers + first);
    return value;
}

const uint32_t SD_UNWRITTEN[8];

const uint32_t *sd_shadow_peek(const struct sd_shadow *shadow, uint64_t address,
                               unsigned size, struct sd_value *value)
{
    unsigned from = (unsigned)(address % 8);
    const struct sd_granule *g;
    uint64_t mask = sd_mask(8 * size);

    if (from + size > 8 || shadow->n_fills > 0)
        return NULL;
    g = find(shadow, address / 8);
    if (g == NULL) {
        *value = sd_known(contents(shadow, address / 8) >> 8 * from & mask);
        return SD_UNWRITTEN;
    }
    value->bits = g->value.bits >> 8 * from & mask;
    value->bottom = g->value.bottom >> 8 * from & mask;
    return &g->writers[from];
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
    set_writers(&g->writers[from], n, writer);
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

/* A large access: `before` bytes up to a border of granules, n whole granules,
   and `after` more bytes. */
struct large {
    uint64_t first, n; /* whole granules */
    unsigned before, after;
};

/* Divides a large access; false if it is not large, or wraps around. */
static bool is_large(uint64_t address, uint64_t size, struct large *l)
{
    if (size < 8 * LARGE || address + size < address)
        return false;
    l->before = (unsigned)(-address % 8);
    l->first = (address + l->before) / 8;
    l->n = (size - l->before) / 8;
    l->after = (unsigned)((size - l->before) % 8);
    return true;
}

/* The number of an access's bytes in its first granule. */
static unsigned part(uint64_t address, uint64_t size)
{
    unsigned n = 8 - (unsigned)(address % 8);

    return size < n ? (unsigned)size : n;
}

/* Iterates over those of n granules from `first` on that are in the table; *i
   must be 0 at first.  NULL after the last one. */
static struct sd_granule *next_present(const struct sd_shadow *shadow,
                                       uint64_t first, uint64_t n, size_t *i)
{
    const struct sd_keys *numbers = &shadow->numbers;

    while (n < numbers->n && *i < n) {
        struct sd_granule *g = find(shadow, first + (*i)++);

        if (g != NULL)
            return g;
    }
    while (n >= numbers->n && *i < numbers->n)
        if (numbers->list[(*i)++] - first < n)
            return &shadow->granules[*i - 1];
    return NULL;
}

void sd_shadow_fill(struct sd_shadow *shadow, uint64_t address, uint64_t size,
                    uint32_t writer)
{
    struct sd_granule *g;
    struct large l;

    if (shadow->n_fills == SD_MAX_FILLS || !is_large(address, size, &l)) {
        for (unsigned n; size > 0; address += n, size -= n) {
            n = part(address, size);
            sd_shadow_store(shadow, address, n, sd_bottom(64), writer);
        }
        return;
    }
    if (l.before > 0)
        sd_shadow_store(shadow, address, l.before, sd_bottom(64), writer);
    if (l.after > 0)
        sd_shadow_store(shadow, 8 * (l.first + l.n), l.after, sd_bottom(64),
                        writer);
    for (size_t i = 0; (g = next_present(shadow, l.first, l.n, &i)) != NULL;)
        fill_granule(g, writer);
    shadow->fills[shadow->n_fills++] = (struct sd_fill){l.first, l.n, writer};
}

/* The receiver of the writers of a large load. */
struct viewer {
    const struct sd_shadow *shadow;
    void (*see)(void *context, const uint32_t *writers, unsigned n);
    void *context;
};

static void show(const struct viewer *viewer, uint64_t address, uint64_t size)
{
    uint32_t writers[8];

    for (unsigned n; size > 0; address += n, size -= n) {
        n = part(address, size);
        sd_shadow_load(viewer->shadow, address, n, writers);
        viewer->see(viewer->context, writers, n);
    }
}

/* Shows the writers of the whole granules inside a fill. */
static void show_fill(const struct viewer *viewer, const struct large *l,
                      const struct sd_fill *fill)
{
    uint64_t first = fill->first > l->first ? fill->first : l->first;
    uint64_t end = fill->first + fill->n < l->first + l->n
                       ? fill->first + fill->n
                       : l->first + l->n;

    if (first < end)
        show(viewer, 8 * first, 8 * (end - first));
}

void sd_shadow_writers(const struct sd_shadow *shadow, uint64_t address,
                       uint64_t size,
                       void (*see)(void *context, const uint32_t *writers,
                                   unsigned n),
                       void *context)
{
    const struct viewer viewer = {shadow, see, context};
    const struct sd_granule *g;
    struct large l;

    if (!is_large(address, size, &l)) {
        show(&viewer, address, size);
        return;
    }
    show(&viewer, address, l.before);
    show(&viewer, 8 * (l.first + l.n), l.after);
    for (size_t i = 0; (g = next_present(shadow, l.first, l.n, &i)) != NULL;)
        see(context, g->writers, 8);
    for (size_t i = 0; i < shadow->n_fills; i++)
        show_fill(&viewer, &l, &shadow->fills[i]);
}
