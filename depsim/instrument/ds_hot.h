/*
 * ds_hot: which superblocks are executed often, and how they are translated.
 *
 * The fast path of an access (ds_fastpath) is many statements.  Valgrind takes
 * longer to translate these than to run most superblocks; that would be half of
 * the time that depsim adds to the start of a program.  So a superblock first
 * calls a function at each access, and counts its executions.  When it is hot,
 * it is translated anew, in the shortest form, which relies on registers being
 * multiples of a word or a granule (ds_aligned).  If one is not, the superblock
 * is translated again, in a form that relies on granules alone, and then in one
 * that relies on nothing.
 *
 * A superblock that is to be translated anew exits to an address without code,
 * which holds the superblock's number.  So the superblock need not store its
 * number each time it is executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_HOT_H
#define DS_HOT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* The number of the superblock that is being translated, which is not 0.  Each
   translation of the same code at the same place has the same number. */
UInt ds_hot_number(const VgCallbackClosure *closure);

/* Is the superblock of this translation hot?  And the largest unit of which its
   registers may be relied on to be multiples: DS_WORD, DS_GRANULE, or 1. */
Bool ds_hot_is(const VgCallbackClosure *closure);
SizeT ds_hot_unit(const VgCallbackClosure *closure);

/* For a superblock that is not hot: adds, after the mark of its first
   instruction, statements that count its executions and exit when it is hot. */
void ds_hot_add_count(IRSB *sb, IRExpr *arena, const VgCallbackClosure *closure,
                      Int offset_ip);

/* Adds, at the same place, an exit that is taken if `bits` are not all 0, and
   says that its registers were misaligned. */
void ds_hot_add_check(IRSB *sb, IRExpr *bits, const VgCallbackClosure *closure,
                      Int offset_ip);

/* Call it when a thread has left translated code and would continue at *ip.  If
   it left by one of these exits, discards the superblock's translation, sets
   *ip to the superblock's start, and returns True. */
Bool ds_hot_left(Addr *ip);

#endif
