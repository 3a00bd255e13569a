/*
 * ds_gather: which elements of a gather are loaded.
 *
 * VEX has no guarded load for them: it loads an element that the mask leaves
 * out as well, but from the stack pointer's address, and drops the value.
 *
 * Limit: where VEX could tell the mask when it translated the instruction,
 * nothing is left to choose, and such a load counts as one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_GATHER_H
#define DS_GATHER_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Is the instruction of these bytes a gather? */
Bool ds_gather_is(const UChar *code, SizeT size);

/* The condition under which a load of a gather happens, given the statements
   before it and the load's address; NULL: it always does. */
IRExpr *ds_gather_guard(const IRSB *sb, const IRExpr *address);

#endif
