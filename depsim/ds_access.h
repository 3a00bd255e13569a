/*
 * ds_access: what happens at each load and store.
 *
 * Translated code does the usual thing itself (ds_short): a load whose bytes
 * have one writer, the same as last time, at a distance of the same kind, only
 * adds one to a counter.  Which writer and which distances those are is what a
 * load of a translation remembers; everything else is done here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ACCESS_H
#define DS_ACCESS_H

#include "pub_tool_basics.h"

#include "ds_sites.h"

/* What translated code needs of all loads and stores, near (ds_near). */
struct ds_access {
    ULong now;      /* the count of instructions since the epoch of shadow
                       memory, as far as translated code has advanced it */
    ULong running;  /* the number (ds_near) of the counter of the segment that
                       is being executed, or was last, or 0 */
    ULong known[3]; /* the bits that an address may have that is found by
                       arithmetic and is a multiple of 1, 2 or 4 */
    ULong trash[8]; /* for entries that have no place */
};
extern struct ds_access *ds_access;

/* A load in translated code.  If the count at its superblock's start less the
   entry in shadow memory lies from `base` to `base` + `span`, modulo 2^64, then
   the load is one more of `hits`, and nothing else.  Hits belong to *counter.
 */
struct ds_load {
    struct ds_key key;
    ULong base, span;
    ULong hits;
    ULong *counter;
    struct ds_site *site;
    SizeT n;        /* bytes */
    ULong n_before; /* instructions in the superblock before this one */
    ULong n_behind; /* how many more than ds_access_now counts, modulo 2^64: the
                       rest of an instruction behind an exit is counted */
    Bool is_remembering;
};

/* Call it when shadow memory is there, and first. */
void ds_access_init(void);

/* The load of n bytes that is number `place` of an instruction, which stands
   behind n_before others in its superblock, of which ds_access_now counts
   n_counted. */
struct ds_load *ds_access_obtain(struct ds_site *site, SizeT n, UInt place,
                                 ULong n_before, ULong n_counted);

/* The load has read the bytes at a; the second function gets its offset near,
   and takes back that it was counted. */
void ds_access_load(Addr a, struct ds_load *load);
void ds_access_missed(Addr a, ULong load);

/* A store has left this entry in shadow memory.  There is a function of its own
   for n = 1, 2, 4, 8, 16 and 32. */
void ds_access_store(Addr a, SizeT n, ULong entry);
typedef void (*ds_access_store_n)(Addr a, ULong entry);
ds_access_store_n ds_access_store_of(SizeT n);

/* Brings the dependencies' counters up to date.  O(loads that remember). */
void ds_access_settle(void);

/* The same, and no load remembers anything any more: to be called when what
   counts, or how, has changed.  O(loads since the last time). */
void ds_access_forget(void);

/* Another thread's turn has begun, or the epoch of shadow memory has moved:
   before it were so many instructions. */
void ds_access_turn(ULong n_past);

#endif
