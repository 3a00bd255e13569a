/*
 * ds_expect: an inline cache for each load in translated code.
 *
 * A load mostly reads what the same store wrote, at a distance that falls under
 * the same lifetime bound.  So each load expects one kind of access.
 * Translated code compares what it finds in shadow memory with that kind, and
 * does nothing on a hit: the number of hits is the executions less the misses.
 * On a miss, ds_access counts the access, and sets another kind to expect.  The
 * kinds that a load has met are kept in a second level, because many loads have
 * several that alternate.
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
   `span`, modulo 2^64, add one to *counter and change nothing else.  Up to
   `base` + `room`, an access has a larger distance than any before as well:
   `first` + `span` from then on, of the dependency, if that is not NULL.  For
   loads that are wider than a word, those that cross a line add one to
   *crossing instead, of the dependency's record `across`; `differs` is
   DS_DIFFERS, or 0 if it says nothing of these accesses; and `beyond` has the
   bits that no difference of the times of two of its entries has. */
struct ds_kind {
    ULong base, span, room, differs, beyond;
    ULong first;
    ULong *counter, *crossing;
    struct ds_dep *dep, *across;
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
    ULong crossed, crossed_mark;
    ULong own;             /* executions, if no segment counts them */
    struct ds_kinds *seen; /* NULL while it has rarely missed */
    UInt n_missed;
    UInt stub; /* its number in ds_access, from 1; 0: it has none */
    Bool is_remembering;
    struct ds_site *site;
    SizeT n;         /* bytes */
    ULong n_before;  /* instructions in the superblock before this one */
    ULong n_counted; /* of them, those that ds_clock_now counts; one more, if
                        the rest of an instruction after an exit is counted */
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

/* Brings the counters up to date, and clears what all loads expect and
   remember.  For changes of what is counted, or how.  O(loads since the last
   time). */
void ds_expect_forget_all(void);

#endif
