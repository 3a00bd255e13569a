/*
 * ds_fastpath: the fast path of a load and a store, in translated code.
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

/* Adds what records a load, behind the program's own; it calls the slow path
   (ds_access_missed) when need be.  `arena` is what ds_ir_arena made for the
   superblock, `start` the time at its start.  With `counts` it counts the
   load's executions. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address, IRExpr *start,
                      struct ds_expect *load, Bool counts);

/* Adds what leaves this entry in shadow memory for a store, likewise. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry);

#endif
