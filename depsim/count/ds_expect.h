/*
 * ds_expect: what each load of a translation expects to read.
 *
 * Translated code compares what a load finds in shadow memory with the kind of
 * access that it expects, and only counts it if it is one.  The kinds that a
 * load has seen are kept, because loads often have several that alternate.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_EXPECT_H
#define DS_EXPECT_H

#include "pub_tool_basics.h"

#include "count/ds_deps.h"
#include "count/ds_shadow.h"
#include "count/ds_sites.h"
#include "base/ds_table.h"

/* Accesses that are counted alike.  If the count at the superblock's start less
   the entry in shadow memory, their number, lies from `base` to `base` +
   `span`, modulo 2^64, then the only thing to do is to add one to *counter.  Up
   to `base` + `room`, this is also a larger distance than any before, `first` +
   `span` from then on, of the dependency, if it is not NULL. */
struct ds_kind {
    ULong base, span, room;
    ULong first;
    ULong *counter;
    struct ds_dep *dep;
};

/* The kinds that a load has seen, by writer and distance, of this generation:
   a new one begins when what counts, or how, has changed. */
#define DS_KINDS 32
struct ds_kinds {
    ULong generation;
    struct ds_kind kind[DS_KINDS];
};
extern ULong ds_expect_generation;

/* A load in translated code.  It expects one kind, which it has met, without
   saying so, as often as *executions has grown since it was `mark`. */
struct ds_expect {
    struct ds_key key;
    struct ds_kind expected;
    const ULong *executions;
    ULong mark;
    ULong own;             /* executions, if nobody else counts them */
    struct ds_kinds *seen; /* NULL while it has rarely been wrong */
    UInt n_missed;
    Bool is_remembering;
    struct ds_site *site;
    SizeT n;         /* bytes */
    ULong n_before;  /* instructions in the superblock before this one */
    ULong n_counted; /* of them, those that ds_access_now counts; one more, if
                        the rest of an instruction behind an exit is counted */
};

/* The load of n bytes that is number `place` of an instruction, which stands
   behind n_before others in the superblock with this number, of which
   ds_access_now counts n_counted. */
struct ds_expect *ds_expect_obtain(struct ds_site *site, UInt superblock,
                                   SizeT n, UInt place, ULong n_before,
                                   ULong n_counted);

/* From now on, this counts its executions: its own counter, or one that counts
   the whole run of instructions in which it stands, when the run begins. */
void ds_expect_attach(struct ds_expect *load, const ULong *executions);

/* A run of instructions that is counted by this ended before the load that
   stands behind n_before instructions in the superblock, or any later one. */
void ds_expect_interrupt(const ULong *executions, ULong n_before);

/* From now on it expects this kind, which it met with that number. */
void ds_expect_learn(struct ds_expect *load, const struct ds_kind *kind,
                     ULong number);

/* For the writer 0, and for what is not counted: `counter` of a kind. */
extern ULong ds_expect_nothing;

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_expect_settle_all(void);

/* The same, and no load remembers anything any more: to be called when what
   counts, or how, has changed.  O(loads since the last time). */
void ds_expect_forget_all(void);

static inline void ds_expect_settle(struct ds_expect *load)
{
    const struct ds_kind *k = &load->expected;

    *k->counter += *load->executions - load->mark;
    load->mark = *load->executions;
    if (k->dep != NULL && k->dep->max_distance < k->first + k->span)
        k->dep->max_distance = k->first + k->span;
}

/* Is it of this kind, at a distance that may be larger than any before?  So it
   is, time and again, where a program reads what it wrote long ago. */
static inline Bool ds_expect_is_of(struct ds_kind *kind, ULong number)
{
    ULong x = number - kind->base;

    if (x > kind->room)
        return False;
    if (x > kind->span)
        kind->span = x;
    return True;
}

/* Where a kind with this number is kept.  The number's upper bits depend on the
   writer only, the lower ones are a distance. */
static inline struct ds_kind *ds_expect_place(struct ds_kinds *seen,
                                              ULong number)
{
    UInt log = 63 - (UInt)__builtin_clzll((number & DS_TIME_MASK) | 1);

    return &seen->kind[(log + 9 * (number >> DS_TIME_BITS)) % DS_KINDS];
}

/* The present execution is not to count as what the load expects. */
static inline void ds_expect_take_back(struct ds_expect *load)
{
    load->mark++;
}

/* If the load has seen a kind with this number before, counts the present
   execution, which was taken back, as one and expects this kind from now on. */
static inline Bool ds_expect_has_seen(struct ds_expect *load, ULong number)
{
    struct ds_kind *kind;

    if (load->seen == NULL || load->seen->generation != ds_expect_generation)
        return False;
    kind = ds_expect_place(load->seen, number);
    if (!ds_expect_is_of(kind, number))
        return False;
    ds_expect_settle(load);
    load->expected = *kind;
    load->mark--;
    return True;
}

#endif
