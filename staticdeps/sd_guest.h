/*
 * sd_guest: what has to be known of VEX's guest of each architecture.
 * Private to the files that interpret IR.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_GUEST_H
#define SD_GUEST_H

#include <libvex.h>

#include "sd_arch.h"
#include "sd_code.h"

struct sd_guest {
    VexArch arch;
    unsigned hwcaps;
    /* Places in the guest state, in bytes. */
    int program_counter;
    unsigned answer; /* where the kernel's answer to a system call goes */
    int lost;        /* what the instruction for it overwrites; -1: nothing */
    struct sd_initial initial[16]; /* ends with offset UINT_MAX */
};

const struct sd_guest *sd_guest(enum sd_arch arch);

#endif
