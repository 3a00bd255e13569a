/*
 * ds_aligned: which addresses in a superblock are multiples of a granule or
 * word.
 *
 * Nearly all addresses are, but the fast path of an access (ds_fastpath) must
 * be sure, and a test of each address would double its time.  Most addresses
 * are sums of registers and constants, so they are multiples if these registers
 * are at the superblock's start.  One test decides that for all of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ALIGNED_H
#define DS_ALIGNED_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Finds the registers that decide whether the addresses of the superblock's
   loads and stores are multiples; replaces the results for the superblock
   before.  Ignores accesses whose fast path needs multiples of more than `unit`
   bytes (DS_GRANULE or DS_WORD).  False if no register decides.
   O(statements). */
Bool ds_aligned_find(const IRSB *sb, SizeT unit);

/* If those registers are multiples at the superblock's start, are they
   multiples at its end, too? */
Bool ds_aligned_lasts(void);

/* Call it after the superblock was repeated (ds_unroll), which needs
   ds_aligned_lasts: the results for the temporaries of one round hold in all
   rounds. */
void ds_aligned_repeat(const IRSB *sb);

/* Is this atom of the superblock a multiple of `unit`, provided that those
   registers are multiples? */
Bool ds_aligned_has(const IRExpr *address, SizeT unit);

/* Adds an expression for the bits that must be 0 in those registers at the
   superblock's start; there must be one register at least.  Call it before
   statements that write them. */
IRExpr *ds_aligned_add(IRSB *sb);

#endif
