/*
 * ds_expect: an inline cache for each load in translated code.
 *
 * A load mostly reads what the same store wrote, at a distance that falls under
 * the same lifetime bound.  So each load expects one kind of access.
 * Translated code compares what it finds in shadow memory with that kind, and
 * does nothing on a hit: the number of hits is the executions less the misses.
 * On a miss, ds_access counts the access, and sets another kind to expect.  The
 * kinds that a load has seen are kept in a second level, because many loads
 * have several that alternate: an access of such a kind is counted there, and
 * the load goes on to expect what it did, unless that kind comes twice in a
 * row, or kinds have come in runs lately.
 *
 * The tag of an access is what the clock shows less the entry that it reads in
 * shadow memory, modulo 2^64: its upper bits depend on the writer only, the
 * lower ones are a distance, but for the instructions since the clock advanced.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "base/ds_memory.h"
#include "count/ds_deps.h"
#include "count/ds_shadow.h"

/* Accesses that are counted alike: those whose tag lies from `base` to `base` +
   `room`, modulo 2^64.  Up to `base` + `span`, no distance is larger than all
   before.  They have distances from `first` on, and are occurrences of a
   dependency that fall under its lifetime bound number `bound`; with no
   dependency they are not counted.  For loads that are wider than a word, those
   that cross a line are occurrences of the record `across` instead; the entries
   of its accesses differ, or need not be compared, if `differs` says so; and no
   difference of the times of two entries has bit number `beyond` or a higher
   one, nor has `room`. */
struct ds_kind {
    ULong base, span, room, first;
    struct ds_dep *dep, *across;
    UChar bound, beyond;
    Bool differs;
};

/* A kind that a load has had, and its occurrences that were not settled. */
struct ds_seen {
    struct ds_kind kind;
    ULong n;
};

/* A load in translated code.  It has hit what it expects *executions - mark
   times.  One that is wider than a word has crossed a line in `crossed` of all
   its executions, which were `crossed_mark` then.  A load begins a line of the
   cache, which has all that a hit needs, and a miss that repeats a kind. */
struct ds_expect {
    const ULong *executions;
    ULong mark;
    struct ds_seen *seen; /* kinds it has had; NULL while it rarely missed */
    UInt generation;      /* the generation of these kinds */
    UShort missed_at;     /* executions, modulo 2^16, when another kind came */
    UShort n;             /* width of the load, in bytes */
    Short ahead;          /* from what ds_clock_now shows to this instruction */
    UChar missed;         /* the place of the kind that came last */
    UChar n_seen;         /* places of kinds, a power of two */
    UChar n_missed;       /* how often it missed while that was rare */
    UChar in_runs;        /* 0 to 3: how surely kinds come more than once */
    Bool has_changed;     /* the load has expected the last kind since */
    Bool is_remembering;
    struct ds_kind expected; /* the line ends after its `room` */

    struct ds_site *site;
    ULong own;       /* executions, if no segment counts them */
    UInt next;       /* the offset (ds_arena) of another load of the site; 0 */
    UInt stub;       /* number of its function in ds_access, from 1; 0: none */
    UInt superblock; /* its number */
    UShort n_before; /* instructions in the superblock before this one */
    UShort place;    /* the number of the load in the instruction */

    /* Only of loads that are wider than a word. */
    ULong differs; /* DS_DIFFERS, or 0 */
    ULong beyond;  /* the bits that no difference of times has */
    ULong crossed, crossed_mark;
};

/* The load of n bytes that is number `place` of an instruction.  n_before
   others come before the instruction in the superblock with this number;
   ds_clock_now counts n_counted of them. */
struct ds_expect *ds_expect_obtain(struct ds_site *site, UInt superblock,
                                   SizeT n, UInt place, ULong n_before,
                                   ULong n_counted);

/* From now on, *executions counts the load's executions: it is its own counter,
   or counts the run of instructions around it, when the run begins. */
void ds_expect_attach(struct ds_expect *load, const ULong *executions);

/* A run of instructions that *executions counts ended early: the loads from the
   one after n_before instructions in the superblock on were not executed. */
void ds_expect_interrupt(const ULong *executions, ULong n_before);

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_expect_settle_all(void);

/* The current thread's turn has begun: no load expects any longer what could be
   another thread's store.  O(loads that remember). */
void ds_expect_begin_turn(void);

/* Brings the counters up to date, and clears what all loads expect and
   remember.  Call it when what is counted, or how, changes.  O(loads since the
   last time). */
void ds_expect_forget_all(void);

/* In the tag of a load that is wider than a word: its entries differ, though
   one of its writer's stores could have made them all.  No distance has this
   bit, nor has the difference of two times, so a tag with it is never between
   tags without. */
#define DS_DIFFERS (DS_TIME_LAST + 1)

/* The most places for the kinds of a load, by writer and distance. */
#define DS_KINDS_MAX 64

/* The kinds that loads keep belong to a generation: a new one begins when what
   counts, or how, has changed. */
extern UInt ds_expect_generation;

/* The base of the kind that a load expects while it has nothing to expect: no
   entry has this writer. */
#define DS_EXPECT_NONE (0 - ((ULong)DS_WRITER_NONE << DS_TIME_BITS))

/* Notes the kind that an access with this tag had, which was counted, and
   expects it from now on, at this time of the load. */
void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag, ULong time);

/* Expects this kind from now on, as far as it cannot be of another thread's
   stores; at this time of the load. */
void ds_expect_set(struct ds_expect *load, const struct ds_kind *kind,
                   ULong time);

/* Is an access with this tag of this kind?  If its distance is larger than any
   before, the kind notes that; this happens often where a program reads what it
   wrote long ago. */
static inline Bool ds_expect_is_of(struct ds_kind *kind, ULong tag)
{
    ULong x = tag - kind->base;

    if (x > kind->room)
        return False;
    if (x > kind->span)
        kind->span = x;
    return True;
}

/* The place of an access's kind among those that the load has seen: bounds are
   mostly powers of two, so accesses of one kind have one place. */
static inline UInt ds_expect_place(const struct ds_expect *load, ULong tag)
{
    ULong distance = tag + (ULong)(Long)load->ahead;
    UInt log = 63 - (UInt)__builtin_clzll(((distance - 1) & DS_TIME_LAST) | 1);

    /* The two numbers of a store differ in the last bit. */
    log += (tag & DS_DIFFERS) != 0 ? 5 : 0;
    return (UInt)(log + 9 * (tag >> DS_TIME_BITS >> 1)) & (load->n_seen - 1);
}

/* Takes back the hit for which the current execution, which crosses a line or
   not, has been counted. */
static inline void ds_expect_take_back(struct ds_expect *load, Bool crosses)
{
    load->mark++;
    if (crosses)
        load->crossed_mark++;
}

/* Should the load, which missed, expect the kind at this place from now on?  If
   kinds alternate, what is expected now comes back soon; if they come in runs,
   it does not.  So the kind of each miss is watched: did it come again? */
static inline Bool ds_expect_repeats(struct ds_expect *load, UInt place)
{
    Bool is_next = (UShort)(*load->executions - load->missed_at) <= 1;
    Bool is_again = is_next && load->missed == place;
    Bool came_again = load->has_changed ? !is_next : is_again;

    if (came_again && load->in_runs < 3)
        load->in_runs++;
    if (!came_again && load->in_runs > 0)
        load->in_runs--;
    load->missed = (UChar)place;
    load->missed_at = (UShort)*load->executions;
    load->has_changed =
        is_again || load->in_runs >= 3 || load->expected.base == DS_EXPECT_NONE;
    return load->has_changed;
}
