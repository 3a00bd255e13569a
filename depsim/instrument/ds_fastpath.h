/*
 * ds_fastpath: the short way of a load and a store, in translated code.
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

/* `near` is what ds_ir_arena made for the superblock.

   Adds a load, behind the program's own: `start` is the count of instructions
   at the superblock's start.  What does not go the short way calls
   ds_access_missed. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address, IRExpr *start,
                      struct ds_expect *load, Bool counts);

/* Adds a store that leaves this entry in shadow memory, likewise. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry);

#endif
