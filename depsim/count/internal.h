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

/* Notes that a thread other than the current one made the store of an
   occurrence at this distance before `now`, if so. */
static inline void ds_threads_note(struct ds_dep *dep, ULong distance,
                                   ULong now)
{
    if (UNLIKELY(distance > now - ds_clock_turn) && !dep->cross_thread)
        dep->cross_thread = ds_threads_differ(ds_clock_count(now - distance));
}

/* ds_access: */

#define DS_STUBS 65536 /* functions, of DS_ARCH_STUB_SIZE bytes each */

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
    if (n < DS_GRANULE && *e == DS_SHADOW_SINGLE) {
        e = ds_shadow_bytes + a;
        i = n - 1;
    }
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

/* The distances, from `first` to `end`, at which another occurrence of the
   same dependency adds one to a counter, and may raise the largest distance;
   with a NULL counter it changes nothing. */
struct ds_deps_range {
    ULong first, end;
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
    ULong below = distance - (distance > 0), first;
    UInt i = ds_deps_first_bound[below == 0 ? 0 : 64 - __builtin_clzll(below)];

    if (UNLIKELY(distance >= ds_deps_end))
        return (struct ds_deps_range){ds_deps_end, ~(ULong)0, NULL};
    while (ds_deps_bound[i] < distance)
        i++;
    dep->occurrences[i]++;
    ds_deps_note(dep, distance);
    first = i == 0 ? 0 : ds_deps_bound[i - 1] + 1;
    first = first < dep->min_distance ? dep->min_distance : first;
    return (struct ds_deps_range){first, ds_deps_bound[i],
                                  &dep->occurrences[i]};
}

/* ds_expect: */

/* In the tag of a load that is wider than a word: its entries differ, though
   one of its writer's stores could have made them all.  No distance has this
   bit, nor has the difference of two times, so a tag with it is never between
   tags without. */
#define DS_DIFFERS (DS_TIME_LAST + 1)

/* The places of kinds that a load has met, by writer and distance. */
#define DS_KINDS_MAX 64

/* The kinds that loads have met are those of a generation: a new one begins
   when what counts, or how, has changed. */
extern UInt ds_expect_generation;

/* The base of what a load expects that has nothing to expect: no entry has this
   writer. */
#define DS_EXPECT_NONE (0 - ((ULong)DS_WRITER_NONE << DS_TIME_BITS))

/* Notes the kind that an access with this tag had, which was counted, and
   expects it from now on, at this time of the load. */
void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag, ULong time);

/* Expects this kind from now on, as far as it cannot be of another thread's
   stores; at this time of the load. */
void ds_expect_set(struct ds_expect *load, const struct ds_kind *kind,
                   ULong time);

/* Settles n occurrences of a kind.  There may be none, or one too few for now,
   where a segment was counted before it was executed, so the largest distance
   does not depend on n. */
static inline void ds_expect_settle_kind(const struct ds_kind *k, ULong n)
{
    if (k->dep == NULL)
        return;
    k->dep->occurrences[k->bound] += n;
    if (k->dep->max_distance < k->first + k->span)
        k->dep->max_distance = k->first + k->span;
    if ((Long)n > 0)
        ds_deps_note(k->dep, k->first + k->span);
}

/* Takes the hits that crossed a line out of n, and settles them. */
static inline ULong ds_expect_settle_crossed(struct ds_expect *load, ULong n)
{
    const struct ds_kind *k = &load->expected;
    ULong crossed = load->crossed - load->crossed_mark;

    load->crossed_mark = load->crossed;
    if (k->dep != NULL && crossed > 0) {
        k->across->occurrences[k->bound] += crossed;
        ds_deps_note(k->across, k->first + k->span);
    }
    return n - crossed;
}

static inline void ds_expect_settle(struct ds_expect *load)
{
    ULong n = *load->executions - load->mark;

    load->mark = *load->executions;
    if (UNLIKELY(load->n > DS_WORD))
        n = ds_expect_settle_crossed(load, n);
    ds_expect_settle_kind(&load->expected, n);
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

/* The place of an access's kind among those that the load has met: bounds are
   mostly powers of two, so accesses of one kind have one place. */
static inline UInt ds_expect_place(const struct ds_expect *load, ULong tag)
{
    ULong distance = tag + (ULong)(Long)load->ahead;
    UInt log = 63 - (UInt)__builtin_clzll(((distance - 1) & DS_TIME_LAST) | 1);

    /* A store has two numbers. */
    log += (tag & DS_DIFFERS) != 0 ? 5 : 0;
    return (UInt)(log + 9 * (tag >> DS_TIME_BITS >> 1)) & (load->n_seen - 1);
}

/* The current execution, which crosses a line or not, does not count as a
   hit. */
static inline void ds_expect_take_back(struct ds_expect *load, Bool crosses)
{
    load->mark++;
    load->crossed_mark += crosses;
}

/* Should the load, which missed, expect the kind at this place from now on?  If
   kinds alternate, what is expected now comes back soon; if they come in runs,
   it does not.  So the kind of each miss is watched: did it come again? */
static inline Bool ds_expect_repeats(struct ds_expect *load, UInt place)
{
    Bool is_next = (UInt)*load->executions - load->missed_at <= 1;
    Bool is_again = is_next && load->missed == place;
    Bool came_again = load->has_changed ? !is_next : is_again;

    if (came_again && load->in_runs < 3)
        load->in_runs++;
    if (!came_again && load->in_runs > 0)
        load->in_runs--;
    load->missed = (UChar)place;
    load->missed_at = (UInt)*load->executions;
    load->has_changed =
        is_again || load->in_runs >= 3 || load->expected.base == DS_EXPECT_NONE;
    return load->has_changed;
}

/* If the load has met this kind before, counts the current execution, which was
   taken back, at this time of the load.  The kind counts it, so that only its
   own line of the cache is needed. */
static inline Bool ds_expect_has_seen(struct ds_expect *load, ULong tag,
                                      Bool crosses, ULong time)
{
    struct ds_kind *kind;
    UInt place;

    if (load->seen == NULL || load->generation != ds_expect_generation)
        return False;
    place = ds_expect_place(load, tag);
    kind = &load->seen[place];
    if (!ds_expect_is_of(kind, tag))
        return False;
    if (UNLIKELY(crosses && kind->dep != NULL)) {
        kind->across->occurrences[kind->bound]++;
        ds_deps_note(kind->across, kind->first + tag - kind->base);
    } else {
        kind->n++;
    }
    if (kind->dep != NULL)
        ds_threads_note(kind->dep, kind->first + tag - kind->base, time);
    if (ds_expect_repeats(load, place))
        ds_expect_set(load, kind, time);
    return True;
}

#endif
