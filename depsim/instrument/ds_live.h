/*
 * ds_live: which temporaries of a superblock are of use.
 *
 * VEX drops a load whose value is of no use, and with it the fault that the
 * load may raise.  Who knows of such a load can give its value a use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_LIVE_H
#define DS_LIVE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Looks at a superblock, in O(statements); what was known of the one before
   is forgotten. */
void ds_live_look(const IRSB *sb);

/* Does the value of a temporary reach a register, memory, an exit or a call? */
Bool ds_live_is(IRTemp t);

#endif
