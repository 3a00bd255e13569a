/*
 * ds_expect: an inline cache for each load in translated code.
 *
 * A load mostly reads what the same store wrote, at a distance that falls under
 * the same lifetime bound.  So each load expects one kind of access.
 * Translated code compares what it finds in shadow memory with that kind, and
 * does nothing on a hit: the number of hits is the executions less the misses.
 * On a miss, ds_access counts the access, and sets another kind to expect.  The
 * kinds that a load has seen are kept in a second level, because many loads
 * have several that alternate: an access of such a kind is counted there.  Each
 * change of kind is a call, and a branch that may be mispredicted; while kinds
 * change often, translated code always calls, and the load looks up its kind.
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
    Short ahead;          /* from what ds_clock_now shows to this instruction */
    UChar n;              /* width of the load, in bytes */
    UChar n_seen;         /* places of kinds, a power of two */
    UChar n_others;       /* changes of kind in this round */
    UChar n_called;       /* calls in this round, if it looks up its kinds */
    UChar last;           /* the place of the last kind, if it looks them up */
    UChar n_missed;       /* how often it missed while that was rare */
    UChar n_rounds;       /* that ask for the other form, in a row */
    UChar patience;       /* how many of them it takes to look up kinds */
    Bool is_remembering : 1;
    Bool looks_up : 1;       /* its code only calls, and it expects nothing */
    Bool wants : 1;          /* will it look up when its code is made anew? */
    struct ds_kind expected; /* the line ends after its `room` */

    struct ds_site *site;
    ULong own;       /* executions, if no segment counts them */
    UInt next;       /* the offset (ds_arena) of another load of the site; 0 */
    UInt superblock; /* its number */
    UShort n_before; /* instructions in the superblock before this one */
    UShort place;    /* the number of the load in the instruction */
    UInt began;      /* executions, modulo 2^32, when this round began */

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

/* After so many changes of kind or, if the load looks them up, executions. */
#define DS_EXPECT_ROUND 255
void ds_expect_end_round(struct ds_expect *load);

/* A load that looks up its kinds has found one at this place. */
static inline void ds_expect_note(struct ds_expect *load, UChar place)
{
    load->n_others = (UChar)(load->n_others + (load->last != place));
    load->last = place;
    if (UNLIKELY(++load->n_called == DS_EXPECT_ROUND))
        ds_expect_end_round(load);
}

/* Decides, when code is made for the load, whether that looks up its kinds. */
void ds_expect_choose(struct ds_expect *load);

/* The number of a superblock with a load that wants new code; 0: no other. */
UInt ds_expect_take_often(void);

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_expect_settle_all(void);

/* The current thread's turn has begun: no load expects any longer what could be
   another thread's store.  O(loads that remember). */
void ds_expect_begin_turn(void);

/* Brings the counters up to date, and clears what all loads expect and
   remember.  Call it when what is counted, or how, changes.  O(new loads). */
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
