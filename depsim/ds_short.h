/*
 * ds_short: the short way of a load and a store, in translated code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SHORT_H
#define DS_SHORT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "ds_access.h"

/* Is there one, for an access of n bytes that is always made? */
Bool ds_short_load_is(SizeT n);
Bool ds_short_store_is(SizeT n);

/* `near` is what ds_ir_near made for the superblock.

   Adds a load, behind the program's own: `start` is the count of instructions
   at the superblock's start.  What does not go the short way calls
   ds_access_missed. */
void ds_short_load(IRSB *sb, IRExpr *near, IRExpr *address, IRExpr *start,
                   struct ds_load *load, Bool counts);

/* Adds a store that leaves this entry in shadow memory, likewise. */
void ds_short_store(IRSB *sb, IRExpr *near, IRExpr *address, SizeT n,
                    IRExpr *entry);

#endif
