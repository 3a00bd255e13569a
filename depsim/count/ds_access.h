/*
 * ds_access: what happens at each load and store.
 *
 * Translated code does the usual thing itself (ds_fastpath): a load that meets
 * what it expects (ds_expect) only adds one to a counter.  Everything else is
 * the slow path, and is done here.
 *
 * ds_stubs: functions that know who calls them.
 *
 * Translated code calls the slow path of a load rarely, but it sets up the
 * arguments each time.  So there are many functions, and the one that is called
 * says which load it is: only the address is left as an argument.  Each is two
 * instructions, which add its number and jump to a function of two arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ACCESS_H
#define DS_ACCESS_H

#include "pub_tool_basics.h"

#include "count/ds_expect.h"

/* What translated code needs for all loads and stores, in the arena. */
struct ds_access {
    ULong running;  /* the offset (ds_arena) of the counter of the part of a
                       segment that is being executed, or was last, or 0 */
    ULong known[4]; /* the bits that an address may have that is found by
                       arithmetic and is a multiple of 1, 2, 4 or 8 */
    ULong beyond;   /* the bits that no distance has */
    ULong trash[8]; /* for entries that have no place */
};
extern struct ds_access *ds_access;

/* When shadow memory is there; before the program starts. */
void ds_access_init(void);

/* The load has read the bytes at a. */
void ds_access_load(Addr a, struct ds_expect *load);

/* The same, for a load that counts itself and has not met what it expects;
   `offset` is its own in the arena. */
void ds_access_missed(Addr a, ULong offset);

#define DS_STUBS 65536 /* functions, of 10 bytes each */

/* The function with this number, less than DS_STUBS.  It calls
   ds_access_missed_by(a, number). */
typedef void (*ds_stub)(Addr a);
ds_stub ds_stubs_get(UInt number);

/* The slow path as a function of this load alone, or NULL: there are DS_STUBS.
 */
ds_stub ds_access_missed_of(struct ds_expect *load);

/* What such a function calls: its load is the one with this number. */
void ds_access_missed_by(Addr a, ULong number);

/* A store leaves an entry in shadow memory, of its writer's first number: this
   one, or that of the second (ds_sites).  There is a function for each n of 1,
   2, 4, 8, 16 and 32; NULL for others. */
void ds_access_store(Addr a, SizeT n, ULong entry);
typedef void (*ds_access_store_n)(Addr a, ULong entry);
ds_access_store_n ds_access_store_of(SizeT n);

#endif
