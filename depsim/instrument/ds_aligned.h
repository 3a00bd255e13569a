/*
 * ds_aligned: which addresses in a superblock are multiples of a granule.
 *
 * Nearly all addresses are, but the fast path of an access (ds_fastpath) must
 * be sure, and to test each address takes as long as all the rest.  Most
 * addresses are sums of registers and constants.  So they are multiples if
 * these registers are at the superblock's start, which one test tells for all
 * of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ALIGNED_H
#define DS_ALIGNED_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* A set of general registers: bit i is the i-th in Valgrind's guest state. */
typedef UInt ds_registers;

/* Looks at the superblock's statements, in O(statements), and forgets those of
   the one before.  Returns the registers that decide it for the addresses of
   its loads and stores of a granule and more. */
ds_registers ds_aligned_find(const IRSB *sb);

/* Is this atom of the superblock a multiple of a granule if those registers
   are? */
Bool ds_aligned_has(const IRExpr *address);

/* Adds the bits that these registers, at least one, must not have at the
   superblock's start; before they are written. */
IRExpr *ds_aligned_add(IRSB *sb, ds_registers registers);

#endif
