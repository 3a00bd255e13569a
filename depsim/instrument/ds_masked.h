/*
 * ds_masked: accesses of which a mask chooses the elements.
 *
 * Gathers.  VEX has no guarded load for them: it loads an element that the mask
 * leaves out as well, but from the stack pointer's address, and drops the
 * value.
 *
 * MASKMOVDQU and MASKMOVQ.  VEX has no store with a mask of bytes: it loads all
 * of them, puts the chosen ones in, and stores all.  The processor neither
 * loads nor stores the others.
 *
 * Limit: where VEX knew the mask when it translated the instruction, it is not
 * found, and the instruction counts as what VEX makes of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MASKED_H
#define DS_MASKED_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Is the instruction of these bytes a gather? */
Bool ds_masked_is_gather(const UChar *code, SizeT size);

/* The condition under which a load of a gather happens, given the statements
   before it and the load's address.  NULL: it always does. */
IRExpr *ds_masked_gather_guard(const IRSB *sb, const IRExpr *address);

/* Is the instruction of these bytes a store with a mask of bytes? */
Bool ds_masked_is_store(const UChar *code, SizeT size);

/* The mask of such a store that is the last instruction in `sb`: 8 or 16 bytes,
   each 0 or 255.  NULL: not found. */
IRExpr *ds_masked_store_mask(const IRSB *sb);

#endif
