/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance and by how the bytes were forwarded.
 *
 * A pair (writer, reader) has one record for each kind of forward that
 * occurred, for the whole run.  A reader finds these in a small table of its
 * own: as a rule, stores of one loop have neighbouring numbers, so the first
 * place is the right one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_DEPS_H
#define DS_DEPS_H

#include "pub_tool_basics.h"

#include "forward.h"
#include "lifetimes.h"

/* How an occurrence was forwarded: an `enum forward`, and this if the load
   crosses a line. */
#define DS_CROSSES    ((UInt)FORWARD_N)
#define DS_N_FORWARDS (2 * DS_CROSSES)

/* The occurrences of one dependency that were forwarded alike.  Distances are
   in instructions; with no occurrence the smallest is the largest number. Those
   of all records of a pair together are exact, and so is cross_thread; a single
   record may have another one's (ds_expect). */
struct ds_dep {
    struct ds_dep *next;    /* the first record of another pair */
    struct ds_dep *of_pair; /* the next of this pair */
    struct ds_dep *first_of_pair;
    UInt writer, reader; /* sites */
    UInt forward;
    Bool cross_thread; /* an occurrence's store was another thread's */
    ULong min_distance, max_distance;
    ULong occurrences[]; /* one a lifetime bound, as ds_deps_init was told */
};

/* An instruction that loads, with the table of its records: the number of
   places is a power of two, and at most half of them are taken.  With no
   records yet, all but the id is zero. */
struct ds_reader {
    UInt id; /* its site */
    UInt n_records, n_places;
    struct ds_deps_place {
        UInt key; /* of ds_deps_key; 0: free */
        struct ds_dep *dep;
    } * places;
};

/* Which bounds to count.  Call it first. */
void ds_deps_init(const struct lifetimes *bounds);

/* Are occurrences counted?  Not before the first call. */
void ds_deps_record(Bool on);

/* The key of a record.  A site has 24 bits. */
static inline UInt ds_deps_key(UInt writer, UInt forward)
{
    return forward << 24 | writer;
}

/* The record of a writer and a forward, made if there is none.  The second
   function tries the likely place first. */
struct ds_dep *ds_deps_find(struct ds_reader *reader, UInt writer,
                            UInt forward);

static inline struct ds_dep *ds_deps_obtain(struct ds_reader *reader,
                                            UInt writer, UInt forward)
{
    struct ds_deps_place *place =
        reader->places + (writer & (reader->n_places - 1));

    if (LIKELY(reader->n_places != 0 &&
               place->key == ds_deps_key(writer, forward)))
        return place->dep;
    return ds_deps_find(reader, writer, forward);
}

/* The distances, from `first` to `last`, at which another occurrence of the
   same dependency adds one to a counter and changes nothing else; with a NULL
   counter it changes nothing.  At distances up to `end` it also raises the
   largest distance. */
struct ds_deps_range {
    ULong first, last, end;
    ULong *counter;
};

extern ULong ds_deps_bound[LIFETIMES_MAX]; /* the bounds */
/* Distances from here on are not counted: the largest bound + 1, or 0. */
extern ULong ds_deps_end;
/* The first bound that can hold a distance, by the number of significant bits
   of the distance - 1: for powers of two there is nothing left to try. */
extern UChar ds_deps_first_bound[65];

/* A distance of the same pair that has been counted, in another of its records:
   the smallest and the largest are those of all records of a pair. */
static inline void ds_deps_note(struct ds_dep *dep, ULong distance)
{
    if (distance < dep->min_distance)
        dep->min_distance = distance;
    if (distance > dep->max_distance)
        dep->max_distance = distance;
}

/* One occurrence at this distance. */
static inline __attribute__((always_inline)) struct ds_deps_range
ds_deps_count(struct ds_dep *dep, ULong distance)
{
    ULong below = distance - (distance > 0), first, end;
    UInt i = ds_deps_first_bound[below == 0 ? 0 : 64 - __builtin_clzll(below)];

    if (UNLIKELY(distance >= ds_deps_end))
        return (struct ds_deps_range){ds_deps_end, ~(ULong)0, ~(ULong)0, NULL};
    while (ds_deps_bound[i] < distance)
        i++;
    dep->occurrences[i]++;
    ds_deps_note(dep, distance);
    first = i == 0 ? 0 : ds_deps_bound[i - 1] + 1;
    first = first < dep->min_distance ? dep->min_distance : first;
    end = ds_deps_bound[i];
    return (struct ds_deps_range){
        first, end > dep->max_distance ? dep->max_distance : end, end,
        &dep->occurrences[i]};
}

/* The first record of the next pair with an occurrence, in no order; that of
   the first pair for NULL.  NULL after the last. */
const struct ds_dep *ds_deps_next(const struct ds_dep *dep);

/* The number of these pairs. */
SizeT ds_deps_number(void);

/* Does a record have an occurrence? */
Bool ds_deps_occurred(const struct ds_dep *dep);

/* The occurrences of one record, and of a pair by its first record, within all
   bounds. */
ULong ds_deps_total(const struct ds_dep *dep);
ULong ds_deps_total_of_pair(const struct ds_dep *dep);

/* Forgets all occurrences, in O(records). */
void ds_deps_reset(void);

#endif
