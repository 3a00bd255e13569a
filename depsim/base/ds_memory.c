/*
 * ds_memory: memory that lives as long as the run.
 *
 * Zeroed pieces are cut from large mappings and never freed, so a piece needs
 * no header, and its untouched pages take no memory.  Out of memory ends the
 * run with a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#include "base/ds_message.h"

#define MAPPING ((SizeT)4 << 20)
#define PAGE    ((SizeT)4096)

static UChar *mapping;
static SizeT n_left;
static SizeT n_mapped;

static void *map(SizeT size)
{
    void *p = ds_valgrind_map(size);

    if (p == NULL) {
        ds_limits_lift();
        p = ds_valgrind_map(size);
        ds_limits_restore();
    }
    if (p == NULL)
        ds_message_refuse("memory: there is no more than %lu KiB for tables, "
                          "the run is lost",
                          n_mapped >> 10);
    n_mapped += size;
    return p;
}

void *ds_memory_new(SizeT size)
{
    void *p;

    tl_assert(size > 0);
    size = (size + 15) & ~(SizeT)15;
    if (size > MAPPING / 4)
        return map((size + PAGE - 1) & ~(PAGE - 1));
    if (size > n_left) {
        mapping = map(MAPPING);
        n_left = MAPPING;
    }
    p = mapping;
    tl_assert((Addr)p % 16 == 0);
    mapping += size;
    n_left -= size;
    return p;
}

SizeT ds_memory_total(void)
{
    return n_mapped;
}
