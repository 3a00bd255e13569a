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

#include "base/ds_valgrind.h"

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

/* The first record of the next pair with an occurrence, in no order; that of
   the first pair for NULL.  NULL after the last. */
const struct ds_dep *ds_deps_next(const struct ds_dep *dep);

/* The number of pairs with an occurrence. */
SizeT ds_deps_number(void);

/* Does a record have an occurrence? */
Bool ds_deps_occurred(const struct ds_dep *dep);

/* The occurrences of one record, and of all, within all bounds. */
ULong ds_deps_total(const struct ds_dep *dep);
ULong ds_deps_total_of_all(void);

/* Forgets all occurrences, in O(records). */
void ds_deps_reset(void);

#endif
