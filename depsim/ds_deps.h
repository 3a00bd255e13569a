/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance.
 *
 * A pair (writer, reader) has one record for the whole run.  A reader keeps
 * the records of a few writers at hand, because most loads have few; the
 * others are found by one hash probe.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_DEPS_H
#define DS_DEPS_H

#include "pub_tool_basics.h"

#include "ds_table.h"
#include "lifetimes.h"

/* One dependency.  Distances are in instructions. */
struct ds_dep {
    struct ds_key key; /* the sites: writer, reader */
    ULong min_distance, max_distance;
    Bool cross_thread;   /* an occurrence's store was another thread's */
    ULong occurrences[]; /* one a lifetime bound, as ds_deps_init was told */
};

/* The records that a reader keeps at hand, by the low bits of the writer: as a
   rule, stores of one loop have neighbouring numbers.  Zeros: none. */
#define DS_AT_HAND 8
struct ds_reader {
    UInt id;
    struct {
        UInt writer;
        struct ds_dep *dep;
    } at_hand[DS_AT_HAND];
};

/* Which bounds to count; the list must stay.  Call it first. */
void ds_deps_init(const struct lifetimes *bounds);

/* Are occurrences counted?  Not before the first call. */
void ds_deps_record(Bool on);

/* The record of a writer that is not at hand; now it is. */
struct ds_dep *ds_deps_obtain(struct ds_reader *reader, UInt writer);

/* The record of a writer, if it is at hand, or else NULL. */
static inline struct ds_dep *ds_deps_at_hand(const struct ds_reader *reader,
                                             ULong writer)
{
    ULong i = writer % DS_AT_HAND;

    return reader->at_hand[i].writer == writer ? reader->at_hand[i].dep : NULL;
}

/* Distances at which another occurrence of the same dependency would add one to
   a counter and change nothing else; or nothing at all, if that is NULL.  From
   there to `end` it would change the largest distance, too. */
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
    if (distance < dep->min_distance)
        dep->min_distance = distance;
    if (distance > dep->max_distance)
        dep->max_distance = distance;
    first = i == 0 ? 0 : ds_deps_bound[i - 1] + 1;
    first = first < dep->min_distance ? dep->min_distance : first;
    end = ds_deps_bound[i];
    return (struct ds_deps_range){
        first, end > dep->max_distance ? dep->max_distance : end, end,
        &dep->occurrences[i]};
}

/* The records that have an occurrence, in no order; *cursor starts as 0.
   NULL after the last. */
const struct ds_dep *ds_deps_next(SizeT *cursor);

/* The number of these records. */
SizeT ds_deps_number(void);

/* The occurrences of a record within all bounds. */
ULong ds_deps_total(const struct ds_dep *dep);

/* Forgets all occurrences, in O(records). */
void ds_deps_reset(void);

#endif
