/*
 * ds_arena: records that translated code reaches from one register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_arena.h"

#include "pub_tool_libcassert.h"

#include "base/ds_message.h"
#include "count/ds_shadow.h"

static SizeT n_used;

void *ds_arena_new(SizeT size)
{
    tl_assert(ds_shadow_granules != NULL);
    tl_assert(size > 0 && n_used <= DS_SHADOW_FRONT);
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
    ULong offset = (Addr)ds_shadow_granules - (Addr)field;

    tl_assert(offset >= 1 && offset <= n_used && offset >> 31 == 0);
    return offset;
}
