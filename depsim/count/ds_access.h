/* ds_access: what happens at each load and store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

#include "count/ds_expect.h"

/* Values in the arena that translated code uses in all loads and stores. */
struct ds_access {
    ULong running;  /* the offset (ds_arena) of the counter of the part of a
                       segment that is being executed, or was last, or 0 */
    ULong known[4]; /* the bits that may be set in an address below
                       DS_LINEAR_END that is a multiple of 1, 2, 4 or 8 */
    ULong bytes;    /* the value of ds_shadow_bytes */
    ULong single;   /* the value of DS_SHADOW_SINGLE */
    ULong trash[8]; /* takes entries that have no place in shadow memory */
};
extern struct ds_access *ds_access;

/* Call it after ds_shadow_init, before the program starts. */
void ds_access_init(void);

/* Note in ds_shadow_touches which lines are touched by the loads of
   ds_access_load, the stores of ds_access_store, and loads that have missed?
   False at first. */
extern Bool ds_access_touches;

/* A load of n bytes, and what it has met; or an access that is traced. */
struct ds_load {
    struct ds_site *site; /* NULL: its dependencies do not count */
    struct ds_dep *dep;   /* the record for all bytes from one such store */
    UInt writer; /* the store that it met last; of a store: its own first
                    number; or 0 */
    UShort n;

    /* Only of accesses that are traced (ds_trace). */
    UChar n_before; /* instructions of the superblock before */
    Bool is_store;
};

/* Records that the load has read the bytes at a. */
void ds_access_load(struct ds_load *load, Addr a, ULong time);

/* ds_access_load for a load that counts its executions itself and has missed;
   `offset` is the load's offset in the arena. */
void ds_access_missed(Addr a, ULong offset);

/* The same for each execution of a load that looks up its kinds (ds_expect). */
void ds_access_look_up(Addr a, ULong offset);

/* Records a store at the time of its entry, or a store without a writer if
   that is 0.  `entry` has the first number of its writer; where the store does
   not write whole words, it leaves the second number instead (ds_sites). */
void ds_access_store(Addr a, SizeT n, ULong entry);

/* ds_alias: loads that a processor may take for dependent on a store that wrote
   elsewhere. */

/* Call it before the program starts.  Without the call, or with a window of 0,
   nothing is counted.  The window is in instructions. */
void ds_alias_init(ULong window);

Bool ds_alias_is_on(void);

/* Loads count only while recording is on, which it is not before the first
   call; stores are followed all the time. */
void ds_alias_record(Bool on);

/* The program stores, or has loaded, the n bytes at a.  The instruction is
   number `ahead` after what ds_clock_now shows.  Only while ds_alias is on. */
void ds_alias_store(Addr a, SizeT n, ULong ahead);
void ds_alias_load(Addr a, SizeT n, ULong ahead);

/* How many loads have aliased. */
ULong ds_alias_count(void);
