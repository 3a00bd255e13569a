/*
 * ds_fastpath: the fast path of a load and a store, in translated code.
 *
 * What counts is the number of instructions.  A plain address, which is a
 * multiple of the access's unit and below DS_LINEAR_END, leads to its entries
 * as it is. From any other address the fast path first takes away the bits that
 * it cannot handle, so that what is left leads to entries in any case; whether
 * bits were taken away is part of the one comparison that decides on the slow
 * path.  So the only branch is that around the call of the slow path, and the
 * processor does all this while it waits for the program's own work.
 *
 * What hits on the fast path is forwarded as its kind says.  A load of up to a
 * granule lies within one, and a load of a word has a word's address: neither
 * crosses a line, and the entries tell the rest (ds_sites).  A wider one hits
 * if its entries are all the same, or if they are not, as its kind wants it;
 * and it counts how often it crosses a line.  That such entries have one
 * writer, and the last one is the most recent, is part of the comparison.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_FASTPATH_H
#define DS_FASTPATH_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "count/ds_access.h"

/* Is there one, for an access of n bytes that is always made? */
Bool ds_fastpath_has_load(SizeT n);
Bool ds_fastpath_has_store(SizeT n);

/* What a plain address is a multiple of, in bytes. */
SizeT ds_fastpath_unit_of_load(SizeT n);
SizeT ds_fastpath_unit_of_store(SizeT n);

/* Adds what records a load, after the program's own; it calls the slow path
   (ds_access_missed) when need be.  `arena` is what ds_ir_arena made for the
   superblock.  A load of a single byte is plain at any address below
   DS_LINEAR_END; one of two bytes never is.  With `counts` it counts the load's
   executions. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address,
                      struct ds_expect *load, Bool is_plain, Bool counts);

/* Adds what leaves this entry in shadow memory for a store, likewise. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry, Bool is_plain);

#endif
