/*
 * ds_unroll: makes several rounds of a loop into one superblock.
 *
 * What is added at the start of a superblock, whatever it executes, is a good
 * part of what a short loop takes: where the arena is, the test of registers
 * (ds_aligned), and the core's own bookkeeping, which --tool=none has too.  So
 * a superblock that leads to its own start is repeated a few times.  Each round
 * is instrumented as if it began the superblock again: with the same counters,
 * the same expected loads, and the clock up to date.  Nothing learns anything
 * twice.
 *
 * VEX can unroll, too, but only at a level at which it deletes loads; and to a
 * tool its rounds are other instructions, each with counters of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_UNROLL_H
#define DS_UNROLL_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Is a superblock whose code is at this address a loop that can be repeated?
   Not if a statement must be at its start, or is one of the rare kinds. */
Bool ds_unroll_can(const IRSB *sb, Addr start);

/* Appends copies of the statements to such a superblock, with temporaries of
   their own: the temporary t of the first round is t + i * n in round i, where
   n is the number of temporaries before.  Returns how many statements a round
   has, in O(statements). */
UInt ds_unroll(IRSB *sb);

#endif
