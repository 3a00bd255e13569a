/*
 * ds_arena: records that translated code reaches from one register.
 *
 * A 64-bit address in an instruction is an instruction of its own; the distance
 * from another address is not, if it fits 31 bits.  So what translated code
 * needs time and again lies in front of shadow memory's granules, and each
 * superblock loads their address once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARENA_H
#define DS_ARENA_H

#include "pub_tool_basics.h"

#include "count/ds_shadow.h"

/* `size` zeroed bytes, aligned to 16, for the rest of the run; not before
   ds_shadow_init.  Out of memory ends the run with a message. */
void *ds_arena_new(SizeT size);

/* How many bytes in front of the granules a record, or a field of one, begins:
   a number of 31 bits, and never 0. */
ULong ds_arena_offset(const void *field);

/* What begins there. */
static inline void *ds_arena_at(ULong number)
{
    return (UChar *)ds_shadow_granules - number;
}

#endif
