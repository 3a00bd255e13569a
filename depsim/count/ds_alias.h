/*
 * ds_alias: loads that a processor may take for dependent on a store that wrote
 * elsewhere.
 *
 * Processors compare the low 12 bits of addresses first.  A load *aliases* if
 * the last store to one of its bytes, as far as these bits tell, is at most a
 * window of instructions old and wrote to another page.  So a table with the
 * last store for each of the 4,096 places of a page is enough.
 *
 * Limits: the stores of all threads are one sequence.  What the kernel writes
 * is no store.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ALIAS_H
#define DS_ALIAS_H

#include "base/ds_valgrind.h"

/* Call it before the program starts.  Without the call, or with a window of 0,
   nothing is counted.  The window is in instructions. */
void ds_alias_init(ULong window);

Bool ds_alias_is_on(void);

/* Loads count only while recording is on, which it is not before the first
   call; stores are followed all the time. */
void ds_alias_record(Bool on);

/* The program stores, or has loaded, the n bytes at a.  The instruction is
   number `ahead` after what ds_clock_now shows.  Call it only if ds_alias is
   on. */
void ds_alias_store(Addr a, SizeT n, ULong ahead);
void ds_alias_load(Addr a, SizeT n, ULong ahead);

/* How many loads have aliased. */
ULong ds_alias_count(void);

#endif
