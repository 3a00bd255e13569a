/*
 * ds_arena: records that translated code reaches from one register.
 *
 * A 64-bit address in an instruction is an instruction of its own; the distance
 * from another address is not, if it fits 31 bits.  So what translated code
 * needs again and again lies in front of shadow memory's granules, and each
 * superblock loads their address once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARENA_H
#define DS_ARENA_H

#include "pub_tool_basics.h"

#include "count/ds_shadow.h"

/* `size` zeroed bytes, aligned to 16, for the rest of the run.  When shadow
   memory is there.  Out of memory ends the run with a message. */
void *ds_arena_new(SizeT size);

/* The offset of a record, or a field of one: how many bytes in front of the
   granules it begins.  It has 31 bits, and is never 0. */
ULong ds_arena_offset(const void *field);

/* What begins there. */
static inline void *ds_arena_at(ULong offset)
{
    return (UChar *)ds_shadow_granules - offset;
}

#endif
