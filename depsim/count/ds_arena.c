/*
 * ds_arena: records that translated code reaches from one register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_arena.h"

#include "base/ds_message.h"
#include "count/ds_shadow.h"

static SizeT n_used;

void *ds_arena_new(SizeT size)
{
    size = (size + 15) & ~(SizeT)15;
    if (size > DS_SHADOW_FRONT - n_used)
        ds_message_refuse("memory: the records of code take more than %lu MiB, "
                          "the run is lost",
                          DS_SHADOW_FRONT >> 20);
    n_used += size;
    return (UChar *)ds_shadow_granules - n_used;
}

ULong ds_arena_offset(const void *field)
{
    return (Addr)ds_shadow_granules - (Addr)field;
}
