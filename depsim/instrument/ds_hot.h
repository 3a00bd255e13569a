/*
 * ds_hot: which superblocks are executed often.
 *
 * The fast path of an access (ds_fastpath) is many statements, which take
 * Valgrind longer to translate than most superblocks ever run: half of what
 * depsim adds to the start of a program.  So at first a superblock calls a
 * function at each access, and counts its executions; when it has become hot,
 * it has its own translation discarded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_HOT_H
#define DS_HOT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* The number of the superblock that is being translated, not 0: the same for
   the same code at the same place. */
UInt ds_hot_number(const VgCallbackClosure *closure);

/* Is the superblock of this translation hot? */
Bool ds_hot_is(const VgCallbackClosure *closure);

/* Adds what counts its executions, behind the mark of its first instruction;
   for a superblock that is not hot. */
void ds_hot_add(IRSB *sb, IRExpr *arena, const VgCallbackClosure *closure,
                Int offset_ip);

#endif
