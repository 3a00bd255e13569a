/*
 * ds_access: what happens at each load and store.
 *
 * Translated code does the usual thing itself (ds_fastpath): a load that meets
 * what it expects (ds_expect) only adds one to a counter.  Everything else is
 * done here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ACCESS_H
#define DS_ACCESS_H

#include "pub_tool_basics.h"

#include "count/ds_expect.h"

/* What translated code needs of all loads and stores, near (ds_arena). */
struct ds_access {
    ULong now;      /* the count of instructions since the epoch of shadow
                       memory, as far as translated code has advanced it */
    ULong running;  /* the number (ds_arena) of the counter of the part of a
                       segment that is being executed, or was last, or 0 */
    ULong known[3]; /* the bits that an address may have that is found by
                       arithmetic and is a multiple of 1, 2 or 4 */
    ULong trash[8]; /* for entries that have no place */
};
extern struct ds_access *ds_access;

/* Call it when shadow memory is there, and first. */
void ds_access_init(void);

/* The load has read the bytes at a. */
void ds_access_load(Addr a, struct ds_expect *load);

/* The same, for a load that was counted but has not met what it expected; it
   gets its number near.  There is a function of its own for n = 1, 2, 4, 8, 16
   and 32. */
typedef void (*ds_access_missed_n)(Addr a, ULong load);
ds_access_missed_n ds_access_missed_of(SizeT n);

/* A store has left this entry in shadow memory.  There is a function of its own
   for n = 1, 2, 4, 8, 16 and 32. */
void ds_access_store(Addr a, SizeT n, ULong entry);
typedef void (*ds_access_store_n)(Addr a, ULong entry);
ds_access_store_n ds_access_store_of(SizeT n);

/* Another thread's turn has begun, or the epoch of shadow memory has moved:
   before it were so many instructions. */
void ds_access_turn(ULong n_past);

#endif
