/*
 * ds_memory: memory that lives as long as the run, under limits that the
 * program has set.
 *
 * Zeroed pieces are cut from large mappings and never freed, so a piece needs
 * no header, and its untouched pages take no memory.  Out of memory ends the
 * run with a message.
 *
 * A program that limits its memory leaves room for its own needs, not for the
 * tool's.  So a soft limit is lifted while the tool maps memory, and while
 * Valgrind translates code; the program cannot see that.
 *
 * Limits: memory that the tool and Valgrind have mapped counts against the
 * limit when the program itself maps memory.  A process without privilege
 * cannot go beyond its hard limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#include "base/ds_message.h"

#define MAPPING ((SizeT)4 << 20)
#define PAGE    ((SizeT)VKI_PAGE_SIZE)

static UChar *mapping;
static SizeT n_left;
static SizeT n_mapped;

#define INFINITE (~0UL)

/* Constants of the kernel that the SDK lacks: RLIMIT_DATA, _MEMLOCK and _AS. */
static const Int numbers[] = {2, 8, 9};

#define LIMITS (sizeof numbers / sizeof numbers[0])

static struct vki_rlimit before[LIMITS];
static Bool is_lifted[LIMITS];
static SizeT depth; /* lifts that are not undone */

void ds_limits_lift(void)
{
    if (depth++ > 0)
        return;
    for (SizeT i = 0; i < LIMITS; i++) {
        struct vki_rlimit none = {INFINITE, INFINITE}, hard;

        if (VG_(getrlimit)(numbers[i], &before[i]) != 0 ||
            before[i].rlim_cur == INFINITE)
            continue;
        hard.rlim_cur = hard.rlim_max = before[i].rlim_max;
        is_lifted[i] = VG_(setrlimit)(numbers[i], &none) == 0 ||
                       VG_(setrlimit)(numbers[i], &hard) == 0;
    }
}

void ds_limits_restore(void)
{
    tl_assert(depth > 0);
    if (--depth > 0)
        return;
    for (SizeT i = 0; i < LIMITS; i++) {
        if (is_lifted[i])
            VG_(setrlimit)(numbers[i], &before[i]);
        is_lifted[i] = False;
    }
}

static void *map(SizeT size)
{
    void *p = ds_valgrind_map(size);

    if (p == NULL) {
        ds_limits_lift();
        p = ds_valgrind_map(size);
        ds_limits_restore();
    }
    if (p == NULL)
        ds_message_refuse("memory: only %lu KiB for tables; the run is lost",
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
