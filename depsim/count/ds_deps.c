/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance and by how the bytes were forwarded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

#include "base/ds_memory.h"

ULong ds_deps_bound[LIFETIMES_MAX];
ULong ds_deps_end;
UChar ds_deps_first_bound[65];

static UInt n_bounds;
static struct ds_dep *records, **last = &records;

void ds_deps_init(const struct lifetimes *l)
{
    tl_assert(l->n >= 1 && l->n <= LIFETIMES_MAX);
    n_bounds = l->n;
    for (UInt i = 0; i < l->n; i++) {
        tl_assert(i == 0 || l->bound[i - 1] < l->bound[i]);
        ds_deps_bound[i] = l->bound[i];
    }
    ds_deps_first_bound[0] = 0;
    for (UInt bits = 1; bits <= 64; bits++)
        ds_deps_first_bound[bits] =
            (UChar)lifetimes_find(l, ((ULong)1 << (bits - 1)) + 1);
}

#define NEVER (~(ULong)0) /* the minimum of no distances */

void ds_deps_record(Bool on)
{
    tl_assert(n_bounds > 0);
    ds_deps_end = on ? ds_deps_bound[n_bounds - 1] + 1 : 0;
}

/* Where a record is or belongs. */
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

    reader->n_places = old.n_places == 0 ? 4 : 2 * old.n_places;
    reader->places =
        VG_(calloc)("ds.deps", reader->n_places, sizeof *reader->places);
    for (UInt i = 0; i < old.n_places; i++)
        if (old.places[i].key != 0)
            *place_of(reader, old.places[i].key) = old.places[i];
    tl_assert(2 * reader->n_records <= reader->n_places);
    if (old.places != NULL)
        VG_(free)(old.places);
}

/* The first record of a pair, or NULL. */
static struct ds_dep *first_of(const struct ds_reader *reader, UInt writer)
{
    for (UInt forward = 0; forward < DS_N_FORWARDS; forward++) {
        UInt key = ds_deps_key(writer, forward);
        const struct ds_deps_place *place = place_of(reader, key);

        if (place->key == key)
            return place->dep->first_of_pair;
    }
    return NULL;
}

static struct ds_dep *new_dep(const struct ds_reader *reader, UInt writer,
                              UInt forward)
{
    struct ds_dep *dep =
        ds_memory_new(sizeof *dep + n_bounds * sizeof dep->occurrences[0]);
    struct ds_dep *first = first_of(reader, writer);

    dep->writer = writer;
    dep->reader = reader->id;
    dep->forward = forward;
    dep->min_distance = NEVER;
    if (first != NULL) {
        dep->first_of_pair = first;
        dep->of_pair = first->of_pair;
        first->of_pair = dep;
        return dep;
    }
    dep->first_of_pair = dep;
    *last = dep;
    last = &dep->next;
    return dep;
}

struct ds_dep *ds_deps_find(struct ds_reader *reader, UInt writer, UInt forward)
{
    UInt key = ds_deps_key(writer, forward);
    struct ds_deps_place *place;

    tl_assert(writer != 0 && writer >> 24 == 0 && reader->id != 0);
    tl_assert(forward < DS_N_FORWARDS);
    if (2 * reader->n_records >= reader->n_places)
        grow(reader);
    place = place_of(reader, key);
    if (place->key == 0) {
        place->dep = new_dep(reader, writer, forward);
        place->key = key;
        reader->n_records++;
    }
    tl_assert(place->dep->writer == writer && place->dep->reader == reader->id);
    tl_assert(place->dep->forward == forward);
    return place->dep;
}

Bool ds_deps_occurred(const struct ds_dep *dep)
{
    tl_assert(dep->min_distance == NEVER ||
              dep->min_distance <= dep->max_distance);
    return dep->min_distance != NEVER;
}

static Bool pair_occurred(const struct ds_dep *dep)
{
    while (dep != NULL && !ds_deps_occurred(dep))
        dep = dep->of_pair;
    return dep != NULL;
}

const struct ds_dep *ds_deps_next(const struct ds_dep *dep)
{
    do
        dep = dep == NULL ? records : dep->next;
    while (dep != NULL && !pair_occurred(dep));
    return dep;
}

SizeT ds_deps_number(void)
{
    const struct ds_dep *dep = NULL;
    SizeT n = 0;

    while ((dep = ds_deps_next(dep)) != NULL)
        n++;
    return n;
}

ULong ds_deps_total(const struct ds_dep *dep)
{
    ULong n = 0;

    for (UInt i = 0; i < n_bounds; i++)
        n += dep->occurrences[i];
    return n;
}

ULong ds_deps_total_of_all(void)
{
    ULong n = 0;

    for (const struct ds_dep *first = records; first != NULL;
         first = first->next)
        for (const struct ds_dep *dep = first; dep != NULL; dep = dep->of_pair)
            n += ds_deps_total(dep);
    return n;
}

static void reset(struct ds_dep *dep)
{
    dep->min_distance = NEVER;
    dep->max_distance = 0;
    dep->cross_thread = False;
    for (UInt i = 0; i < n_bounds; i++)
        dep->occurrences[i] = 0;
}

void ds_deps_reset(void)
{
    for (struct ds_dep *first = records; first != NULL; first = first->next)
        for (struct ds_dep *dep = first; dep != NULL; dep = dep->of_pair)
            reset(dep);
}
