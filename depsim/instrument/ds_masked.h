/*
 * ds_masked: which bytes MASKMOVDQU and MASKMOVQ store.
 *
 * VEX has no store with a mask of bytes: it loads all of them, puts the chosen
 * ones in, and stores all.  The processor does neither to the others.
 *
 * Limit: where VEX could tell the mask when it translated the instruction, it
 * is not found, and the instruction counts as what VEX makes of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MASKED_H
#define DS_MASKED_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Is the instruction of these bytes one of them? */
Bool ds_masked_is(const UChar *code, SizeT size);

/* The mask of the instruction that is the last in `sb`, whose statements from
   the mark on are searched: 8 or 16 bytes, each 0 or 255.  NULL: not found. */
IRExpr *ds_masked_mask(const IRSB *sb);

#endif
