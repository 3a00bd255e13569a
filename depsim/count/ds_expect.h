/*
 * ds_expect: an inline cache for each load in translated code.
 *
 * A load mostly reads what the same store wrote, at a distance that falls under
 * the same lifetime bound.  So each load expects one kind of access.
 * Translated code compares what it finds in shadow memory with that kind, and
 * does nothing on a hit: the number of hits is the executions less the misses.
 * On a miss, ds_access counts the access, and sets another kind to expect.  The
 * kinds that a load has met are kept in a second level, because many loads have
 * several that alternate: an access of such a kind is counted there, and the
 * load goes on to expect what it did, unless that kind comes twice in a row, or
 * kinds have come in runs lately.
 *
 * The tag of an access is what the clock shows less the entry that it reads in
 * shadow memory, modulo 2^64: its upper bits depend on the writer only, the
 * lower ones are a distance, but for the instructions since the clock advanced.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_EXPECT_H
#define DS_EXPECT_H

#include "base/ds_valgrind.h"

#include "base/ds_table.h"
#include "count/ds_deps.h"
#include "count/ds_shadow.h"
#include "count/ds_sites.h"

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
    ULong n; /* occurrences that have not been settled */
    struct ds_dep *dep, *across;
    UChar bound, beyond;
    Bool differs;
};

/* A load in translated code.  It has hit what it expects as often as what
   `executions` points to has grown since it was `mark`.  One that is wider than
   a word has crossed a line in `crossed` of all its executions, which were
   `crossed_mark` then. */
struct ds_expect {
    struct ds_key key;
    struct ds_kind expected;
    const ULong *executions;
    ULong mark;
    struct ds_kind *seen; /* kinds; NULL while it has rarely missed */
    UInt generation;      /* that they are of */
    UInt missed_at;       /* executions when it was last of another kind */
    UChar missed;         /* that kind's place */
    UChar n_seen;         /* places of kinds, a power of two */
    UChar in_runs;        /* 0 to 3: how surely kinds come more than once */
    Bool has_changed;     /* the load expected that kind from then on */
    UShort n;             /* bytes */
    Short ahead;          /* from what ds_clock_now shows to this instruction */

    /* From here on, rarely used, but for loads that are wider than a word. */
    ULong differs; /* DS_DIFFERS, or 0 */
    ULong beyond;  /* the bits that no difference of times has */
    ULong crossed, crossed_mark;
    ULong own; /* executions, if no segment counts them */
    UInt n_missed;
    UInt stub; /* its number in ds_access, from 1; 0: it has none */
    Bool is_remembering;
    UInt n_before; /* instructions in the superblock before this one */
    struct ds_site *site;
};

/* The load of n bytes that is number `place` of an instruction.  n_before
   others come before the instruction in the superblock with this number;
   ds_clock_now counts n_counted of them. */
struct ds_expect *ds_expect_obtain(struct ds_site *site, UInt superblock,
                                   SizeT n, UInt place, ULong n_before,
                                   ULong n_counted);

/* From now on, this counts its executions: its own counter, or one that counts
   the whole run of instructions that it belongs to, when the run begins. */
void ds_expect_attach(struct ds_expect *load, const ULong *executions);

/* A run of instructions that is counted by this ended early: the loads from the
   one after n_before instructions in the superblock on were not executed. */
void ds_expect_interrupt(const ULong *executions, ULong n_before);

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_expect_settle_all(void);

/* The current thread's turn has begun: no load expects any longer what could be
   another thread's store.  O(loads that remember). */
void ds_expect_begin_turn(void);

/* Brings the counters up to date, and clears what all loads expect and
   remember.  For changes of what is counted, or how.  O(loads since the last
   time). */
void ds_expect_forget_all(void);

#endif
