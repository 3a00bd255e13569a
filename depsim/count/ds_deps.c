/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/ds_deps.h"

#include "base/ds_options.h"
#include "count/ds_shadow.h"

ULong ds_deps_bound[LIFETIMES_MAX];
ULong ds_deps_end;
UChar ds_deps_first_bound[65];

static UInt n_bounds;
static UInt n_records;

struct ds_dep *ds_deps_parts[1 << 16];

void ds_deps_init(const struct lifetimes *l)
{
    tl_assert(l->n >= 1 && l->n <= LIFETIMES_MAX);
    n_bounds = l->n;
    for (UInt i = 0; i < l->n; i++) {
        tl_assert(i == 0 || l->bound[i - 1] < l->bound[i]);
        ds_deps_bound[i] = l->bound[i];
    }
    for (UInt bits = 1; bits <= 64; bits++)
        ds_deps_first_bound[bits] =
            (UChar)lifetimes_find(l, ((ULong)1 << (bits - 1)) + 1);
}

#define NEVER (~(ULong)0) /* the minimum where there are no distances */

void ds_deps_record(Bool on)
{
    tl_assert(n_bounds > 0);
    ds_deps_end = on ? ds_deps_bound[n_bounds - 1] + 1 : 0;
}

/* The place of a key in a reader's table, or the free place for it. */
static struct ds_deps_place *place_of(const struct ds_reader *reader, UInt key)
{
    UInt i = key, mask = reader->n_places - 1;

    while (reader->places[i & mask].key != 0 &&
           reader->places[i & mask].key != key)
        i++;
    return &reader->places[i & mask];
}

static void grow(struct ds_reader *reader)
{
    struct ds_reader old = *reader;

    reader->n_places = old.n_places == 0 ? 2 : 2 * old.n_places;
    reader->places = ds_memory_new(reader->n_places * sizeof *reader->places);
    for (UInt i = 0; i < old.n_places; i++)
        if (old.places[i].key != 0)
            *place_of(reader, old.places[i].key) = old.places[i];
    tl_assert(2 * reader->n_records <= reader->n_places);
    ds_memory_free(old.places, old.n_places * sizeof *old.places);
}

/* A record of a pair, or NULL if the pair has none. */
static struct ds_dep *any_of(const struct ds_reader *reader, UInt writer)
{
    for (UInt forward = 0; forward < DS_N_FORWARDS; forward++) {
        UInt key = ds_deps_key(writer, forward);
        const struct ds_deps_place *place = place_of(reader, key);

        if (place->key == key)
            return ds_deps_at(place->dep);
    }
    return NULL;
}

/* Makes a record, and returns its number. */
static UInt new_dep(const struct ds_reader *reader, UInt writer, UInt forward)
{
    UInt number = n_records++;
    struct ds_dep *dep, *other = any_of(reader, writer);

    tl_assert(n_records != 0);
    if (number % DS_DEPS_PART == 0)
        ds_deps_parts[number / DS_DEPS_PART] =
            ds_memory_new(DS_DEPS_PART * sizeof *dep);
    dep = ds_deps_at(number);
    *dep = (struct ds_dep){.writer = writer & 0xffffff,
                           .forward = forward & 0xff,
                           .reader = reader->id,
                           .of_pair = number,
                           .min_distance = NEVER};
    if (other != NULL) {
        dep->of_pair = other->of_pair;
        other->of_pair = number;
    }
    return number;
}

struct ds_dep *ds_deps_find(struct ds_reader *reader, UInt writer, UInt forward)
{
    UInt key = ds_deps_key(writer, forward);

    tl_assert(writer != 0 && writer >> 24 == 0 && reader->id != 0);
    tl_assert(forward < DS_N_FORWARDS);
    if (2 * reader->n_records >= reader->n_places)
        grow(reader);
    struct ds_deps_place *place = place_of(reader, key);
    if (place->key == 0) {
        place->dep = new_dep(reader, writer, forward);
        place->key = key;
        reader->n_records++;
    }
    struct ds_dep *dep = ds_deps_at(place->dep);
    tl_assert(dep->writer == writer && dep->reader == reader->id);
    tl_assert(dep->forward == forward);
    return dep;
}

ULong *ds_deps_new_counter(struct ds_dep *dep, UInt bound)
{
    struct ds_dep old = *dep;
    UInt first = bound, end = bound + 1;

    tl_assert(bound < n_bounds);
    if (old.n_bounds > 0 && old.first_bound < first)
        first = old.first_bound;
    if (old.n_bounds > 0 && old.first_bound + old.n_bounds > end)
        end = old.first_bound + old.n_bounds;
    dep->first_bound = (UShort)first;
    dep->n_bounds = (UShort)(end - first);
    dep->occurrences = ds_memory_new((end - first) * sizeof(ULong));
    for (UInt i = 0; i < old.n_bounds; i++)
        *ds_deps_counter(dep, old.first_bound + i) = old.occurrences[i];
    if (old.n_bounds > 0)
        ds_memory_free(old.occurrences, old.n_bounds * sizeof(ULong));
    return ds_deps_counter(dep, bound);
}

Bool ds_deps_occurred(const struct ds_dep *dep)
{
    tl_assert(dep->min_distance == NEVER ||
              dep->min_distance <= dep->max_distance);
    return dep->min_distance != NEVER;
}

const struct ds_dep *ds_deps_of_pair(const struct ds_dep *first,
                                     const struct ds_dep *dep)
{
    dep = ds_deps_at(dep->of_pair);
    return dep == first ? NULL : dep;
}

/* Is it the first record of its pair, and does the pair have an occurrence? */
static Bool is_first(UInt number)
{
    const struct ds_dep *dep = ds_deps_at(number);
    Bool occurred = ds_deps_occurred(dep);

    for (UInt i = dep->of_pair; i != number; i = ds_deps_at(i)->of_pair) {
        if (i < number)
            return False;
        occurred |= ds_deps_occurred(ds_deps_at(i));
    }
    return occurred;
}

const struct ds_dep *ds_deps_next(SizeT *cursor)
{
    while (*cursor < n_records)
        if (is_first((UInt)(*cursor)++))
            return ds_deps_at((UInt)*cursor - 1);
    return NULL;
}

SizeT ds_deps_number(void)
{
    SizeT n = 0;

    for (UInt i = 0; i < n_records; i++)
        n += is_first(i);
    return n;
}

ULong ds_deps_occurrences(const struct ds_dep *dep, UInt bound)
{
    UInt i = bound - dep->first_bound;

    return i < dep->n_bounds ? dep->occurrences[i] : 0;
}

ULong ds_deps_total(const struct ds_dep *dep)
{
    ULong n = 0;

    for (UInt i = 0; i < dep->n_bounds; i++)
        n += dep->occurrences[i];
    return n;
}

ULong ds_deps_total_of_all(void)
{
    ULong n = 0;

    for (UInt i = 0; i < n_records; i++)
        n += ds_deps_total(ds_deps_at(i));
    return n;
}

void ds_deps_reset(void)
{
    for (UInt i = 0; i < n_records; i++) {
        struct ds_dep *dep = ds_deps_at(i);

        dep->min_distance = NEVER;
        dep->max_distance = 0;
        dep->cross_thread = 0;
        for (UInt j = 0; j < dep->n_bounds; j++)
            dep->occurrences[j] = 0;
    }
}

static struct ds_table table;

static struct ds_site **sites; /* all sites, by id - 1 */
static SizeT n_sites, n_room;

struct ds_writer *ds_sites_writers;
SizeT ds_sites_n_writers;
static SizeT writers_room;

struct ds_site *ds_sites_obtain(UInt object, Addr address)
{
    struct ds_site *site = ds_table_obtain(
        &table, (struct ds_key){{object, address, 0}}, sizeof *site);

    if (site->reader.id != 0)
        return site;
    sites = ds_memory_grow(sites, &n_room, n_sites, sizeof *sites);
    if (n_sites >= DS_WRITER_MAX)
        ds_message_refuse("instructions: more than %llu access memory",
                          DS_WRITER_MAX);
    sites[n_sites++] = site;
    site->reader.id = (UInt)n_sites;
    tl_assert(site->reader.id <= DS_WRITER_MAX);
    return site;
}

const struct ds_site *ds_sites_get(ULong id)
{
    tl_assert(id >= 1 && id <= n_sites && sites[id - 1]->reader.id == id);
    return sites[id - 1];
}

static UInt new_writer(struct ds_writer w)
{
    SizeT n = ds_sites_n_writers;

    ds_sites_writers =
        ds_memory_grow(ds_sites_writers, &writers_room, n, sizeof w);
    if (2 * n + 3 > DS_WRITER_MAX)
        ds_message_refuse("instructions: more than %llu stores",
                          DS_WRITER_MAX / 2);
    ds_sites_writers[n] = w;
    ds_sites_n_writers = n + 1;
    return (UInt)(2 * n + 2);
}

UInt ds_sites_writer(struct ds_site *site, SizeT n, UInt place)
{
    tl_assert(n >= 1 && n >> 32 == 0);
    for (UInt i = site->writers; i != 0;) {
        struct ds_writer w = ds_sites_writer_get(i);

        if (w.size == n && w.place == place)
            return i;
        i = w.next;
    }
    site->writers = new_writer(
        (struct ds_writer){site->reader.id, (UInt)n, place, site->writers});
    return site->writers;
}
