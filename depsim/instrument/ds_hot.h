/*
 * ds_hot: which superblocks are executed often, and how they are translated.
 *
 * The fast path of an access (ds_fastpath) is many statements, which take
 * Valgrind longer to translate than most superblocks ever run: half of what
 * depsim adds to the start of a program.  So at first a superblock calls a
 * function at each access, and counts its executions.  When it has become hot,
 * it is translated anew, in the shortest form, which relies on registers being
 * multiples of a word or a granule (ds_aligned); once they are not, it is
 * translated again, in a form that relies on granules alone, and then in one
 * that relies on nothing.
 *
 * A superblock that is to be translated anew is left by an exit to an address
 * where no code can be, which says which superblock it is.  So it need not say
 * so each time that it is executed.
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

/* Is the superblock of this translation hot?  What may its registers be relied
   on to be multiples of, at most: DS_WORD, DS_GRANULE, or 1? */
Bool ds_hot_is(const VgCallbackClosure *closure);
SizeT ds_hot_unit(const VgCallbackClosure *closure);

/* Adds what counts its executions, and leaves it when it is hot, behind the
   mark of its first instruction; for a superblock that is not hot. */
void ds_hot_add_count(IRSB *sb, IRExpr *arena, const VgCallbackClosure *closure,
                      Int offset_ip);

/* Adds, there too, what leaves it if `bits` are not all 0, and says that its
   registers were not what it relied on. */
void ds_hot_add_check(IRSB *sb, IRExpr *bits, const VgCallbackClosure *closure,
                      Int offset_ip);

/* A thread has left translated code, and would go on at *ip.  If it left by one
   of these exits, discards the superblock's translation and returns True; *ip
   is then where the superblock begins. */
Bool ds_hot_left(Addr *ip);

#endif
