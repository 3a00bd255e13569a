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
#include "count/internal.h"

#include "base/ds_memory.h"
#include "base/ds_message.h"

static SizeT n_used;
static Addr lowest_open; /* 0: none yet */

/* Maps the slabs up to a record, because records are read where faults are not
   caught. */
static void open_to(Addr record)
{
    if (lowest_open == 0)
        lowest_open = (Addr)ds_shadow_granules;
    tl_assert(lowest_open % DS_RESERVE_SLAB == 0);
    for (; record < lowest_open; lowest_open -= DS_RESERVE_SLAB)
        ds_reserve_open(lowest_open - DS_RESERVE_SLAB);
}

void *ds_arena_new(SizeT size)
{
    tl_assert(ds_shadow_granules != NULL);
    tl_assert(size > 0 && n_used <= DS_SHADOW_FRONT);
    size = (size + 15) & ~(SizeT)15;
    if (size >= 64)
        size = ((n_used + size + 63) & ~(SizeT)63) - n_used;
    if (size > DS_SHADOW_FRONT - n_used)
        ds_message_refuse("memory: the records of code need more than %lu MiB; "
                          "the run is lost",
                          DS_SHADOW_FRONT >> 20);
    n_used += size;
    open_to((Addr)ds_shadow_granules - n_used);
    return (UChar *)ds_shadow_granules - n_used;
}

ULong ds_arena_offset(const void *field)
{
    ULong offset = (Addr)ds_shadow_granules - (Addr)field;

    tl_assert(offset >= 1 && offset <= n_used && offset >> 31 == 0);
    return offset;
}
