/*
 * ds_deps: how often each instruction read what each other one had written,
 * by distance and by how the bytes were forwarded.
 *
 * A pair (writer, reader) has one record for each kind of forward that
 * occurred, for the whole run.  A reader finds its records in a small table of
 * its own: as a rule, stores of one loop have neighbouring numbers, so the
 * first place is the right one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "base/ds_memory.h"

#include "occurrence.h"

/* Added to an occurrence's `enum forward` if the load crosses a line. */
#define DS_CROSSES    ((UInt)FORWARD_N)
#define DS_N_FORWARDS (2 * DS_CROSSES)

/* The occurrences of one dependency that were forwarded alike.  Distances are
   in instructions; with no occurrence the smallest is the largest number. Those
   of all records of a pair together are exact, and so is cross_thread; a single
   record may have another one's (ds_expect).

   A record has counters of few lifetime bounds, from one on without a gap: cc1
   has 350,000 records, and of 22 bounds each uses two. */
struct ds_dep {
    UInt writer : 24, forward : 8;
    UInt reader;  /* like the writer, the id of a site */
    UInt of_pair; /* the number of the next record of this pair, in a ring */
    UShort first_bound, n_bounds; /* of its counters */
    ULong *occurrences;           /* the counters: see ds_deps_counter */
    ULong min_distance, max_distance;
    ULong cross_thread; /* occurrences whose store was another thread's */
};

/* An instruction that loads, with the table of its records: the number of
   places is a power of two, and at most half of them are taken.  With no
   records yet, all but the id is zero. */
struct ds_reader {
    UInt id; /* the id of its site */
    UInt n_records, n_places;
    struct ds_deps_place {
        UInt key; /* of ds_deps_key; 0: free */
        UInt dep; /* the record's number */
    } * places;
};

/* Which bounds to count.  Call it first. */
void ds_deps_init(const struct lifetimes *bounds);

/* Turns the counting of occurrences on or off; at first it is off. */
void ds_deps_record(Bool on);

/* The first record of the next pair with an occurrence, in the order in which
   they were made; NULL after the last.  The cursor starts as 0. */
const struct ds_dep *ds_deps_next(SizeT *cursor);

/* The next record of the pair of the first one; NULL after the last. */
const struct ds_dep *ds_deps_of_pair(const struct ds_dep *first,
                                     const struct ds_dep *dep);

/* The number of pairs with an occurrence. */
SizeT ds_deps_number(void);

/* Does a record have an occurrence? */
Bool ds_deps_occurred(const struct ds_dep *dep);

/* The occurrences of one record under one bound; of one record, and of all
   records: the sum over all bounds. */
ULong ds_deps_occurrences(const struct ds_dep *dep, UInt bound);
ULong ds_deps_total(const struct ds_dep *dep);
ULong ds_deps_total_of_all(void);

/* Forgets all occurrences, in O(records). */
void ds_deps_reset(void);

/* A record's counter of a bound, made if there is none.  It moves when the
   record gets a counter of another bound. */
ULong *ds_deps_new_counter(struct ds_dep *dep, UInt bound);

static inline ULong *ds_deps_counter(struct ds_dep *dep, UInt bound)
{
    UInt i = bound - dep->first_bound;

    return LIKELY(i < dep->n_bounds) ? &dep->occurrences[i]
                                     : ds_deps_new_counter(dep, bound);
}

/* The records in the order in which they were made, in parts that stay. */
#define DS_DEPS_PART ((UInt)1 << 16)
extern struct ds_dep *ds_deps_parts[1 << 16];

static inline struct ds_dep *ds_deps_at(UInt number)
{
    return &ds_deps_parts[number / DS_DEPS_PART][number % DS_DEPS_PART];
}

/* The key of a record in its reader's table.  A site's id has 24 bits. */
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
        return ds_deps_at(place->dep);
    return ds_deps_find(reader, writer, forward);
}

/* The distances, from `first` to `end`, at which another occurrence of the
   same dependency counts under the same bound, and may raise the largest
   distance; unless it counts, it changes nothing. */
struct ds_deps_range {
    ULong first, end;
    Bool counts;
    UChar bound;
};

/* The lifetime bounds, in instructions. */
extern ULong ds_deps_bound[LIFETIMES_MAX];
/* Distances from here on are not counted: the last bound + 1; 0: none are. */
extern ULong ds_deps_end;
/* The first bound that can hold a distance, by the number of significant bits
   of the distance - 1: for powers of two there is nothing left to try. */
extern UChar ds_deps_first_bound[65];

/* Notes a distance of the same pair that was counted in another of its records:
   the smallest and the largest are those of all records of a pair. */
static inline void ds_deps_note(struct ds_dep *dep, ULong distance)
{
    if (distance < dep->min_distance)
        dep->min_distance = distance;
    if (distance > dep->max_distance)
        dep->max_distance = distance;
}

/* Counts one occurrence at this distance. */
static inline __attribute__((always_inline)) struct ds_deps_range
ds_deps_count(struct ds_dep *dep, ULong distance)
{
    ULong below = distance - (distance > 0), first;
    UInt i = ds_deps_first_bound[below == 0 ? 0 : 64 - __builtin_clzll(below)];

    if (UNLIKELY(distance >= ds_deps_end))
        return (struct ds_deps_range){ds_deps_end, ~(ULong)0, False, 0};
    while (ds_deps_bound[i] < distance)
        i++;
    ++*ds_deps_counter(dep, i);
    ds_deps_note(dep, distance);
    first = i == 0 ? 0 : ds_deps_bound[i - 1] + 1;
    first = first < dep->min_distance ? dep->min_distance : first;
    return (struct ds_deps_range){first, ds_deps_bound[i], True, (UChar)i};
}

/* ds_sites: the instructions that access memory, each with a small number.

   An instruction is known by (object, ELF address), so code that is translated
   again, or mapped again elsewhere, keeps its sites.

   Shadow memory knows each store of an instruction by a number of its own, the
   writer, which determines the width of the store.  A store of more than a
   granule has two numbers, and leaves the second one where it does not store
   whole words.  So if the two halves of a word have the same first number, the
   same store wrote them, not two stores that overlap. */

struct ds_site {
    struct ds_key key;       /* the object, and the ELF virtual address */
    struct ds_reader reader; /* its id is the site's, from 1 */
    UInt loads;   /* the offset (ds_arena) of one of its loads; 0: none */
    UInt writers; /* the number of one of its stores; 0: none */
};

/* The site of an instruction, made if it is new; it stays where it is. */
struct ds_site *ds_sites_obtain(UInt object, Addr address);

/* The site with this id. */
const struct ds_site *ds_sites_get(ULong id);

struct ds_writer {
    UInt site;
    UInt size;  /* bytes that the store writes */
    UInt place; /* the number of the store in the instruction */
    UInt next;  /* another store of the site; 0: none */
};

/* The first number of the store of n bytes that is number `place` of an
   instruction; the second one is one more. */
UInt ds_sites_writer(struct ds_site *site, SizeT n, UInt place);

/* All stores, indexed by half of a writer's number, less 1. */
extern struct ds_writer *ds_sites_writers;
extern SizeT ds_sites_n_writers;

/* The store with this number, which is its first or its second one. */
static inline struct ds_writer ds_sites_writer_get(ULong writer)
{
    tl_assert(writer / 2 - 1 < ds_sites_n_writers);
    return ds_sites_writers[writer / 2 - 1];
}
