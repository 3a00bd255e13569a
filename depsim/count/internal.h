/*
 * internal: what the files of count/ share, and no others need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_COUNT_INTERNAL_H
#define DS_COUNT_INTERNAL_H

#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_expect.h"
#include "count/ds_shadow.h"

/* ds_threads: */

/* Notes that a thread is about to run.  True if another thread ran before, or
   none did. */
Bool ds_threads_resume(ThreadId tid, ULong count);

/* When the current thread's turn began: no other thread has executed since. */
ULong ds_threads_since(void);

/* Did a thread other than the current one execute at this time? */
Bool ds_threads_differ(ULong count);

/* ds_access: */

#define DS_STUBS 65536 /* functions, of 10 bytes each */

/* Called by function number `number` of ds_access_missed_of: the slow path of
   its load. */
void ds_access_missed_by(Addr a, ULong number);

/* ds_shadow: */

/* Bytes in front of the granules for the arena. */
#define DS_SHADOW_FRONT ((SizeT)1 << 30)

/* What an entry says. */
struct ds_write {
    UInt writer, n; /* bytes of the read that it wrote */
    ULong distance; /* from the store to the time of the read */
};

/* Any store and any read; the inline functions below have fast paths.  A read
   reports each store that wrote one of its bytes once; those of one execution
   of a writer are one. */
void ds_shadow_write_any(Addr a, SizeT n, ULong entry);
UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX]);

/* Moves the epoch when `now` comes close to DS_TIME_LAST.  Returns by how much,
   mostly 0; the caller subtracts it from `now`.  To be called at least once in
   2^37 instructions.  O(shadow memory) when it moves. */
ULong ds_shadow_advance(ULong now);

/* The entry of the granule at an address below DS_LINEAR_END. */
static inline ULong *ds_shadow_granule(Addr a)
{
    return ds_shadow_granules + a / DS_GRANULE;
}

/* Is it a range of whole granules below DS_LINEAR_END? */
static inline Bool ds_shadow_is_whole(Addr a, SizeT n)
{
    return ((a | n) & (DS_GRANULE - 1)) == 0 && a <= DS_LINEAR_END - n;
}

void ds_shadow_write_byte(Addr a, ULong entry);

/* A store of n bytes. */
static inline void ds_shadow_write(Addr a, SizeT n, ULong entry)
{
    if (LIKELY(ds_shadow_is_whole(a, n)))
        for (SizeT i = 0; i < n / DS_GRANULE; i++)
            ds_shadow_granule(a)[i] = entry;
    else if (n == 1)
        ds_shadow_write_byte(a, entry);
    else
        ds_shadow_write_any(a, n, entry);
}

/* Which stores wrote the bytes of a read, and their entries.  Mixed: several
   writers, or stores from before the epoch; only ds_shadow_read_any can tell
   which. */
enum ds_shadow_read {
    DS_READ_MIXED,
    DS_READ_TWO_AGES,   /* as the next, but some are near and others not; that
                           is for ds_access to say, which knows the time */
    DS_READ_ONE_WRITER, /* but several of its stores */
    DS_READ_ONE_STORE,  /* or all bytes have no writer */
};

struct ds_entries {
    ULong latest, second, oldest; /* the second is not the latest, or is 0 */
};

/* The entries of the n bytes at a, unless they are mixed; 0 if they have no
   writer. */
enum ds_shadow_read ds_shadow_read_mixed(Addr a, SizeT n, struct ds_entries *);

/* ds_shadow_read_mixed with a fast path for equal entries.  If a and n - 1 have
   no low bit in common, their sum carries nothing into the next granule, so the
   bytes lie in no more granules than n bytes must. */
static inline enum ds_shadow_read ds_shadow_read(Addr a, SizeT n,
                                                 struct ds_entries *found)
{
    const ULong *e = ds_shadow_granule(a);
    SizeT i = (n - 1) / DS_GRANULE;

    if (UNLIKELY((a & (n - 1) & (DS_GRANULE - 1)) != 0 || n > 64 ||
                 a > DS_LINEAR_END - n))
        return ds_shadow_read_mixed(a, n, found);
    *found = (struct ds_entries){e[i], 0, e[i]};
    while (i > 0)
        if (UNLIKELY(e[--i] != found->latest))
            return ds_shadow_read_mixed(a, n, found);
    if (LIKELY(ds_shadow_writer(found->latest) <= DS_WRITER_MAX))
        return DS_READ_ONE_STORE;
    return ds_shadow_read_mixed(a, n, found);
}

/* ds_deps: */

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

/* The lifetime bounds, in instructions. */
extern ULong ds_deps_bound[LIFETIMES_MAX];
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

/* ds_expect: */

/* In the tag of a load that is wider than a word: its entries differ, though
   one of its writer's stores could have made them all.  No distance has this
   bit, nor has the difference of two times, so a tag with it is never between
   tags without. */
#define DS_DIFFERS (DS_TIME_LAST + 1)

/* The kinds that a load has met, by writer and distance, in this generation: a
   new one begins when what counts, or how, has changed. */
#define DS_KINDS 32
struct ds_kinds {
    ULong generation;
    struct ds_kind kind[DS_KINDS];
};
extern ULong ds_expect_generation;

/* Sets the kind that the load expects, which an access with this tag had. */
void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag);

/* The counter of the kinds that are not counted, or have the writer 0. */
extern ULong ds_expect_nothing;

/* Settles n hits of a load that is wider than a word: its crossings of
   lines. */
static inline void ds_expect_settle_wide(struct ds_expect *load, ULong n)
{
    const struct ds_kind *k = &load->expected;
    ULong crossed = load->crossed - load->crossed_mark;

    load->crossed_mark = load->crossed;
    *k->counter -= crossed;
    *k->crossing += crossed;
    if (k->dep != NULL && (Long)n > (Long)crossed)
        ds_deps_note(k->dep, k->first + k->span);
    if (k->across != NULL && crossed > 0)
        ds_deps_note(k->across, k->first + k->span);
}

static inline void ds_expect_settle(struct ds_expect *load)
{
    const struct ds_kind *k = &load->expected;
    ULong n = *load->executions - load->mark;

    *k->counter += n;
    load->mark = *load->executions;
    if (k->dep != NULL && k->dep->max_distance < k->first + k->span)
        k->dep->max_distance = k->first + k->span;
    if (UNLIKELY(load->n > DS_WORD))
        ds_expect_settle_wide(load, n);
}

/* Is an access of this kind?  If its distance is larger than any before, the
   kind notes that; this happens often where a program reads what it wrote long
   ago. */
static inline Bool ds_expect_is_of(struct ds_kind *kind, ULong tag)
{
    ULong x = tag - kind->base;

    if (x > kind->room)
        return False;
    if (x > kind->span)
        kind->span = x;
    return True;
}

/* The place of an access's kind among those that the load has met. */
static inline struct ds_kind *ds_expect_place(struct ds_kinds *seen, ULong tag)
{
    UInt log = 63 - (UInt)__builtin_clzll((tag & DS_TIME_LAST) | 1);

    /* A store has two numbers. */
    log += (tag & DS_DIFFERS) != 0 ? 5 : 0;
    return &seen->kind[(log + 9 * (tag >> DS_TIME_BITS >> 1)) % DS_KINDS];
}

/* The current execution, which crosses a line or not, does not count as a
   hit. */
static inline void ds_expect_take_back(struct ds_expect *load, Bool crosses)
{
    load->mark++;
    load->crossed_mark += crosses;
}

/* If the load has met this kind before, expects it from now on, and counts the
   current execution, which was taken back, as a hit. */
static inline Bool ds_expect_has_seen(struct ds_expect *load, ULong tag,
                                      Bool crosses)
{
    struct ds_kind *kind;

    if (load->seen == NULL || load->seen->generation != ds_expect_generation)
        return False;
    kind = ds_expect_place(load->seen, tag);
    if (!ds_expect_is_of(kind, tag))
        return False;
    ds_expect_settle(load);
    load->expected = *kind;
    load->mark--;
    load->crossed_mark -= crosses;
    return True;
}

#endif
