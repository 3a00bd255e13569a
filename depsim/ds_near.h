/*
 * ds_near: records that translated code reaches from one register.
 *
 * A 64-bit address in an instruction is an instruction of its own; the distance
 * from another address is not, if it fits 31 bits.  So what translated code
 * needs time and again lies in one range of addresses, and each superblock
 * loads its start once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_NEAR_H
#define DS_NEAR_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* `size` zeroed bytes, aligned to 16, for the rest of the run.  Out of memory
   ends the run with a message, here and below. */
void *ds_near_new(SizeT size);

/* Where in the range a record, or a field of one, lies. */
ULong ds_near_offset(const void *field);

/* Adds to a superblock the address of the range, and makes of it that of a
   field.  VEX makes one instruction of this and its use, if it has only one. */
IRExpr *ds_near_base(IRSB *sb);
IRExpr *ds_near_address(IRSB *sb, IRExpr *base, const void *field);

#endif
