/*
 * ds_fastpath: the fast path of a load and a store, in translated code.
 *
 * The number of instructions determines the cost.  A plain address is a
 * multiple of the access's unit and below DS_LINEAR_END; arithmetic gives its
 * entries.  From any other address the fast path first removes the bits that it
 * cannot handle, so that the rest leads to entries in any case.  The one
 * comparison that decides on the slow path also tests whether bits were
 * removed.  So the only branch is the one around the call of the slow path, and
 * the processor executes all this while it waits for the program's own work.
 *
 * The kind of a hit says how the load was forwarded.  A load of up to a granule
 * lies within one, and a load of a word has a word's address: neither crosses a
 * line, and the entries tell the rest (ds_sites).  The kind of a wider load
 * says whether its entries are equal or differ; the load also counts how often
 * it crosses a line.  The comparison includes a test that differing entries
 * have one writer, and that the last one is the most recent.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_FASTPATH_H
#define DS_FASTPATH_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "count/ds_access.h"

/* Is there a fast path for an access of n bytes that is always made? */
Bool ds_fastpath_has_load(SizeT n);
Bool ds_fastpath_has_store(SizeT n);

/* The unit of which a plain address is a multiple, in bytes. */
SizeT ds_fastpath_unit_of_load(SizeT n);
SizeT ds_fastpath_unit_of_store(SizeT n);

/* Adds statements that record a load, after the program's own load; they call
   the slow path (ds_access_missed) if it misses.  `arena` is what ds_ir_arena
   made for the superblock.  A load of a single byte is plain at any address
   below DS_LINEAR_END; one of two bytes never is.  With `counts` they count the
   load's executions. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address,
                      struct ds_expect *load, Bool is_plain, Bool counts);

/* Adds statements that write a store's entry to shadow memory, or call
   ds_access_store if its address is not plain. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry, Bool is_plain);

#endif
