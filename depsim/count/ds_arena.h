/*
 * ds_arena: records that translated code reaches from one register.
 *
 * A 64-bit address takes an instruction of its own; an offset of 31 bits from
 * an address in a register does not.  So the records that translated code uses
 * most lie in front of shadow memory's granules, and each superblock loads that
 * address once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARENA_H
#define DS_ARENA_H

#include "pub_tool_basics.h"

#include "count/ds_shadow.h"

/* `size` zeroed bytes, aligned to 16, for the rest of the run.  Call it after
   ds_shadow_init.  Out of memory ends the run with a message. */
void *ds_arena_new(SizeT size);

/* The offset of a record, or a field of one: how many bytes in front of the
   granules it begins.  It has 31 bits, and is never 0. */
ULong ds_arena_offset(const void *field);

/* The record or field at an offset. */
static inline void *ds_arena_at(ULong offset)
{
    return (UChar *)ds_shadow_granules - offset;
}

#endif
