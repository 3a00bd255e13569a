/*
 * ds_aligned: which addresses in a superblock are multiples of a granule or
 * word.
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

/* Looks at the superblock's statements, in O(statements), and forgets those of
   the one before: which registers decide it for the addresses of its loads and
   stores, but for those that the fast path wants to be multiples of more than
   `unit` bytes (DS_GRANULE or DS_WORD).  False if no register decides. */
Bool ds_aligned_find(const IRSB *sb, SizeT unit);

/* If those registers are as they should at the superblock's start, are they so
   at its end, too? */
Bool ds_aligned_lasts(void);

/* The superblock has been repeated (ds_unroll) since, and that was so: what is
   known of the temporaries of one round holds in all. */
void ds_aligned_repeat(const IRSB *sb);

/* Is this atom of the superblock a multiple of `unit` if those registers are as
   they should? */
Bool ds_aligned_has(const IRExpr *address, SizeT unit);

/* Adds the bits that those registers, at least one, must not have at the
   superblock's start; before they are written. */
IRExpr *ds_aligned_add(IRSB *sb);

#endif
