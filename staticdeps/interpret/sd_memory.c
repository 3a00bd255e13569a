/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interpret/sd_memory.h"

#define LARGE 64 /* granules: accesses of so many are made as a whole */

void sd_memory_fini(struct sd_memory *memory)
{
    keys_fini(&memory->numbers);
    free(memory->granules);
    *memory = (struct sd_memory){0};
}

void sd_memory_clear(struct sd_memory *memory, uint64_t key)
{
    memory->key = key;
    memory->n_fills = 0;
    keys_clear(&memory->numbers);
}

/* What a granule holds before it is written. */
static struct sd_value initial(const struct sd_memory *memory, uint64_t number)
{
    struct sd_value value = {0, UINT64_MAX};

    if (memory->contents != NULL)
        value.bottom = sd_contents_at(memory->contents, number, &value.bits);
    if (memory->key == SD_SAME_KEY)
        value.bits |= SD_SAME & value.bottom;
    else if (value.bottom != 0)
        value.bits |= sd_random(memory->key, number) & value.bottom;
    if (!memory->draws)
        value.bottom = 0;
    return value;
}

/* The granule with a number; NULL if it is not in the table. */
static struct sd_granule *find(const struct sd_memory *memory, uint64_t number)
{
    uint32_t i = keys_find(&memory->numbers, number);

    return i != NO_KEY ? &memory->granules[i] : NULL;
}

/* The last fill that contains a granule outside of the table, or NULL. */
static const struct sd_fill *fill_of(const struct sd_memory *memory,
                                     uint64_t number)
{
    for (size_t i = memory->n_fills; i > 0; i--)
        if (number - memory->fills[i - 1].first < memory->fills[i - 1].n)
            return &memory->fills[i - 1];
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

/* Returns the granule with a number.  A new granule gets its first contents,
   unless `is_whole` says that all of it is written next. */
static struct sd_granule *insert(struct sd_memory *memory, uint64_t number,
                                 bool is_whole)
{
    size_t n = memory->numbers.n;
    uint32_t i = keys_add(&memory->numbers, number);

    if (i < n)
        return &memory->granules[i];
    assert(i == n && memory->numbers.n == n + 1);
    array_reserve(memory, granules, i);
    struct sd_granule *g = &memory->granules[i];
    *g = (struct sd_granule){.value = sd_known(0)};
    if (is_whole)
        return g;
    const struct sd_fill *fill = fill_of(memory, number);
    if (fill != NULL)
        fill_granule(g, fill->writer);
    else
        g->value = initial(memory, number);
    return g;
}

/* Loads bytes `from` up to `from + n` of a granule to bit `at` of *value, and
   the writers of these bytes. */
static void load_part(const struct sd_memory *memory, uint64_t number,
                      unsigned from, unsigned n, unsigned at, bool is_drawn,
                      struct sd_value *value, uint32_t *writers)
{
    const struct sd_granule *g = find(memory, number);
    uint64_t mask = sd_mask(8 * n);
    struct sd_value whole;

    assert(from + n <= 8 && at + 8 * n <= 64);
    if (g != NULL) {
        whole = g->value;
        memcpy(writers, &g->writers[from], n * sizeof *writers);
    } else {
        const struct sd_fill *fill = fill_of(memory, number);

        whole = fill != NULL ? sd_bottom(64) : initial(memory, number);
        if (is_drawn)
            whole.bottom = UINT64_MAX;
        set_writers(writers, n, fill != NULL ? fill->writer : SD_NO_WRITER);
    }
    value->bits |= (whole.bits >> 8 * from & mask) << at;
    value->bottom |= (whole.bottom >> 8 * from & mask) << at;
}

struct sd_value sd_memory_load(const struct sd_memory *memory, uint64_t address,
                               unsigned size, bool is_drawn,
                               uint32_t writers[8])
{
    unsigned from = (unsigned)(address % 8), first = 8 - from;
    struct sd_value value = {0, 0};

    assert(size >= 1 && size <= 8);
    if (first > size)
        first = size;
    load_part(memory, address / 8, from, first, 0, is_drawn, &value, writers);
    if (first < size) /* the address may wrap around to 0 */
        load_part(memory, (address + first) / 8, 0, size - first, 8 * first,
                  is_drawn, &value, writers + first);
    return value;
}

const uint32_t SD_UNWRITTEN[8];

const uint32_t *sd_memory_peek(const struct sd_memory *memory, uint64_t address,
                               unsigned size, struct sd_value *value)
{
    unsigned from = (unsigned)(address % 8);
    uint64_t mask = sd_mask(8 * size);

    if (from + size > 8 || memory->n_fills > 0)
        return NULL;
    const struct sd_granule *g = find(memory, address / 8);
    if (g == NULL)
        *value = initial(memory, address / 8);
    else
        *value = g->value;
    value->bits = value->bits >> 8 * from & mask;
    value->bottom = value->bottom >> 8 * from & mask;
    return g == NULL ? SD_UNWRITTEN : &g->writers[from];
}

/* Sets the value of bytes and, unless `writer` is NULL, their writer. */
static void put(struct sd_memory *memory, uint64_t address, unsigned size,
                struct sd_value value, const uint32_t *writer)
{
    unsigned from = (unsigned)(address % 8), n;

    assert(size >= 1 && size <= 8);
    for (unsigned done = 0; done < size; done += n, from = 0) {
        n = size - done < 8 - from ? size - done : 8 - from;
        uint64_t mask = sd_mask(8 * n);
        struct sd_granule *g = insert(memory, (address + done) / 8, n == 8);
        g->value.bits &= ~(mask << 8 * from);
        g->value.bits |= (value.bits >> 8 * done & mask) << 8 * from;
        g->value.bottom &= ~(mask << 8 * from);
        g->value.bottom |= (value.bottom >> 8 * done & mask) << 8 * from;
        if (writer != NULL)
            set_writers(&g->writers[from], n, *writer);
    }
}

void sd_memory_store(struct sd_memory *memory, uint64_t address, unsigned size,
                     struct sd_value value, uint32_t writer)
{
    struct sd_granule *g;

    if (size < 8 || address % 8 != 0) {
        put(memory, address, size, value, &writer);
        return;
    }
    g = insert(memory, address / 8, true); /* the usual case */
    g->value = value;
    set_writers(g->writers, 8, writer);
}

void sd_memory_poke(struct sd_memory *memory, uint64_t address, unsigned size,
                    struct sd_value value)
{
    assert(memory->n_fills == 0); /* fills have writers */
    put(memory, address, size, value, NULL);
}

/* A large access: `before` bytes up to a border of granules, n whole granules,
   and `after` more bytes. */
struct large {
    uint64_t first, n; /* whole granules */
    unsigned before, after;
};

/* Divides an access; false if the access is not large, or wraps around. */
static bool is_large(uint64_t address, uint64_t size, struct large *l)
{
    if (size < 8 * LARGE || address + size < address)
        return false;
    l->before = (unsigned)(-address % 8);
    l->first = (address + l->before) / 8;
    l->n = (size - l->before) / 8;
    l->after = (unsigned)((size - l->before) % 8);
    assert(l->before + 8 * l->n + l->after == size);
    return true;
}

/* The number of bytes that an access has in its first granule. */
static unsigned part(uint64_t address, uint64_t size)
{
    unsigned n = 8 - (unsigned)(address % 8);

    return size < n ? (unsigned)size : n;
}

/* Iterates over those of n granules, from `first` on, that are in the table; *i
   must be 0 at first.  NULL after the last granule. */
static struct sd_granule *next_present(const struct sd_memory *memory,
                                       uint64_t first, uint64_t n, size_t *i)
{
    const struct keys *numbers = &memory->numbers;

    while (n < numbers->n && *i < n) {
        struct sd_granule *g = find(memory, first + (*i)++);

        if (g != NULL)
            return g;
    }
    while (n >= numbers->n && *i < numbers->n)
        if (numbers->list[(*i)++] - first < n)
            return &memory->granules[*i - 1];
    return NULL;
}

void sd_memory_fill(struct sd_memory *memory, uint64_t address, uint64_t size,
                    uint32_t writer)
{
    struct sd_granule *g;
    struct large l;

    if (memory->n_fills == SD_MAX_FILLS || !is_large(address, size, &l)) {
        for (unsigned n; size > 0; address += n, size -= n) {
            n = part(address, size);
            sd_memory_store(memory, address, n, sd_bottom(64), writer);
        }
        return;
    }
    if (l.before > 0)
        sd_memory_store(memory, address, l.before, sd_bottom(64), writer);
    if (l.after > 0)
        sd_memory_store(memory, 8 * (l.first + l.n), l.after, sd_bottom(64),
                        writer);
    for (size_t i = 0; (g = next_present(memory, l.first, l.n, &i)) != NULL;)
        fill_granule(g, writer);
    memory->fills[memory->n_fills++] = (struct sd_fill){l.first, l.n, writer};
}

/* The receiver of the writers of a large load. */
struct viewer {
    const struct sd_memory *memory;
    void (*see)(void *context, const uint32_t *writers, unsigned n);
    void *context;
};

static void show(const struct viewer *viewer, uint64_t address, uint64_t size)
{
    uint32_t writers[8];

    for (unsigned n; size > 0; address += n, size -= n) {
        n = part(address, size);
        sd_memory_load(viewer->memory, address, n, false, writers);
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

void sd_memory_writers(const struct sd_memory *memory, uint64_t address,
                       uint64_t size,
                       void (*see)(void *context, const uint32_t *writers,
                                   unsigned n),
                       void *context)
{
    const struct viewer viewer = {memory, see, context};
    const struct sd_granule *g;
    struct large l;

    if (!is_large(address, size, &l)) {
        show(&viewer, address, size);
        return;
    }
    show(&viewer, address, l.before);
    show(&viewer, 8 * (l.first + l.n), l.after);
    for (size_t i = 0; (g = next_present(memory, l.first, l.n, &i)) != NULL;)
        see(context, g->writers, 8);
    for (size_t i = 0; i < memory->n_fills; i++)
        show_fill(&viewer, &l, &memory->fills[i]);
}

struct sd_overlap sd_overlap_of(const struct sd_bytes *load,
                                const struct sd_bytes *store, unsigned n,
                                enum sd_relation other)
{
    int64_t offset = (int64_t)(load->address - store->address);
    enum sd_relation relation = other;

    if (load->size - 1 >= SD_MOST_OVERLAP || store->size - 1 >= SD_MOST_OVERLAP)
        return (struct sd_overlap){0};
    assert(n >= 1 && n <= load->size);
    assert(offset < store->size && -offset < load->size);
    if (n == load->size)
        relation = n == store->size ? SD_SAME_BYTES : SD_CONTAINED;
    if (relation == SD_UNKNOWN_RELATION)
        return (struct sd_overlap){0};
    return (struct sd_overlap){.relation = relation & 15,
                               .offset = (int8_t)offset};
}

static bool is_incomplete(struct sd_overlap o)
{
    return o.relation == SD_PARTIAL || o.relation == SD_SEVERAL;
}

struct sd_overlap sd_overlap_join(struct sd_overlap a, struct sd_overlap b)
{
    if (a.is_old != b.is_old)
        return a.is_old ? b : a;
    if (a.offset != b.offset)
        a.offset = SD_NO_OFFSET;
    if (a.relation == b.relation)
        return a;
    if (!is_incomplete(a) || !is_incomplete(b))
        return (struct sd_overlap){.is_old = a.is_old};
    a.relation = SD_SEVERAL;
    return a;
}

const char *sd_relation_name(struct sd_overlap overlap)
{
    static const char *const names[] = {
        [SD_UNKNOWN_RELATION] = "unknown", [SD_SAME_BYTES] = "same",
        [SD_CONTAINED] = "contained",      [SD_PARTIAL] = "partial",
        [SD_SEVERAL] = "several",
    };

    assert(overlap.relation < sizeof names / sizeof names[0]);
    return names[overlap.relation];
}
