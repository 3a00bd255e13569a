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

#include "pub_tool_basics.h"

#include "base/ds_table.h"
#include "count/ds_deps.h"
#include "count/ds_shadow.h"
#include "count/ds_sites.h"

/* In the tag of a load that is wider than a word: its entries differ, though
   one of its writer's stores could have made them all.  No distance has this
   bit, nor has the difference of two times, so a tag with it is never between
   tags without. */
#define DS_DIFFERS (DS_TIME_LAST + 1)

/* Accesses that are counted alike: those whose tag lies from `base` to `base` +
   `span`, modulo 2^64, add one to *counter and change nothing else.  Up to
   `base` + `room`, an access has a larger distance than any before as well:
   `first` + `span` from then on, of the dependency, if that is not NULL.  For
   loads that are wider than a word, those that cross a line add one to
   *crossing instead, of the dependency's record `across`; and `differs` is
   DS_DIFFERS, or 0 if it says nothing of these accesses. */
struct ds_kind {
    ULong base, span, room, differs;
    ULong first;
    ULong *counter, *crossing;
    struct ds_dep *dep, *across;
};

/* The kinds that a load has met, by writer and distance, in this generation: a
   new one begins when what counts, or how, has changed. */
#define DS_KINDS 32
struct ds_kinds {
    ULong generation;
    struct ds_kind kind[DS_KINDS];
};
extern ULong ds_expect_generation;

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

/* Sets the kind that the load expects, which an access with this tag had. */
void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong tag);

/* The counter of the kinds that are not counted, or have the writer 0. */
extern ULong ds_expect_nothing;

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_expect_settle_all(void);

/* Brings the counters up to date, and clears what all loads expect and
   remember.  For changes of what is counted, or how.  O(loads since the last
   time). */
void ds_expect_forget_all(void);

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
