/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_deps.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

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

/* Where a writer is or belongs. */
static struct ds_deps_place *place_of(const struct ds_reader *reader,
                                      UInt writer)
{
    UInt i = writer, mask = reader->n_places - 1;

    while (reader->places[i & mask].writer != 0 &&
           reader->places[i & mask].writer != writer)
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
        if (old.places[i].writer != 0)
            *place_of(reader, old.places[i].writer) = old.places[i];
    tl_assert(2 * reader->n_writers <= reader->n_places);
    if (old.places != NULL)
        VG_(free)(old.places);
}

static struct ds_dep *new_dep(UInt writer, UInt reader)
{
    struct ds_dep *dep =
        ds_memory_new(sizeof *dep + n_bounds * sizeof dep->occurrences[0]);

    dep->writer = writer;
    dep->reader = reader;
    dep->min_distance = NEVER;
    *last = dep;
    last = &dep->next;
    return dep;
}

struct ds_dep *ds_deps_find(struct ds_reader *reader, UInt writer)
{
    struct ds_deps_place *place;

    tl_assert(writer != 0 && reader->id != 0);
    if (2 * reader->n_writers >= reader->n_places)
        grow(reader);
    place = place_of(reader, writer);
    if (place->writer == 0) {
        reader->n_writers++;
        place->writer = writer;
        place->dep = new_dep(writer, reader->id);
    }
    tl_assert(place->dep->writer == writer && place->dep->reader == reader->id);
    return place->dep;
}

const struct ds_dep *ds_deps_next(const struct ds_dep *dep)
{
    do
        dep = dep == NULL ? records : dep->next;
    while (dep != NULL && dep->min_distance == NEVER);
    tl_assert(dep == NULL || dep->min_distance <= dep->max_distance);
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

void ds_deps_reset(void)
{
    for (struct ds_dep *dep = records; dep != NULL; dep = dep->next) {
        dep->min_distance = NEVER;
        dep->max_distance = 0;
        dep->cross_thread = False;
        for (UInt i = 0; i < n_bounds; i++)
            dep->occurrences[i] = 0;
    }
}
