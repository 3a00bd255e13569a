/*
 * ds_confine: adds to a superblock what --fn has to know of it: where its
 * functions are entered and left (ds_functions).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_CONFINE_H
#define DS_CONFINE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* To be called where a segment begins, before it is counted, with the offset of
   the stack pointer, which must be up to date, and the segment's run-time
   address.  A function that matches begins a segment.  Without --fn it does
   nothing; with it, a segment costs two loads and a comparison more. */
void ds_confine_add(IRSB *sb, Int sp_offset, Addr address);

#endif
