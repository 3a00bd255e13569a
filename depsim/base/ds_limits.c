/*
 * ds_limits: the tool's own memory, under limits that the program has set.
 *
 * A program that limits its memory leaves room for its own needs, not for the
 * tool's.  So a soft limit is lifted while the tool maps memory; the program
 * cannot see that.
 *
 * Limits: memory that the tool and Valgrind have mapped counts against the
 * limit when the program itself maps memory.  A process without privilege
 * cannot go beyond its hard limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#define INFINITE (~0UL)

/* Constants of the kernel that the SDK lacks: RLIMIT_DATA, _MEMLOCK and _AS. */
static const Int numbers[] = {2, 8, 9};

#define LIMITS (sizeof numbers / sizeof numbers[0])

static struct vki_rlimit before[LIMITS];
static Bool is_lifted[LIMITS];

void ds_limits_lift(void)
{
    for (SizeT i = 0; i < LIMITS; i++) {
        struct vki_rlimit none = {INFINITE, INFINITE}, hard;

        tl_assert(!is_lifted[i]);
        if (VG_(getrlimit)(numbers[i], &before[i]) != 0)
            continue;
        hard.rlim_cur = hard.rlim_max = before[i].rlim_max;
        is_lifted[i] = VG_(setrlimit)(numbers[i], &none) == 0 ||
                       VG_(setrlimit)(numbers[i], &hard) == 0;
    }
}

void ds_limits_restore(void)
{
    for (SizeT i = 0; i < LIMITS; i++) {
        if (is_lifted[i])
            VG_(setrlimit)(numbers[i], &before[i]);
        is_lifted[i] = False;
    }
}
