/*
 * sd_guest: what has to be known of VEX's guest of each architecture.
 * Private to the files that interpret IR.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_GUEST_H
#define SD_GUEST_H

#include <libvex.h>

#include "elf/sd_arch.h"
#include "ir/sd_insn.h"
#include "ir/sd_regset.h"

/* Bytes of the guest state, up to the last. */
struct sd_span {
    unsigned first, end;
};

struct sd_guest {
    VexArch arch;
    /* Places in the guest state, in bytes. */
    int program_counter;
    unsigned syscall_result;       /* of a system call */
    int syscall_clobbers;          /* what it overwrites besides; -1: nothing */
    struct sd_initial initial[16]; /* ends with offset UINT_MAX */
    unsigned stack_pointer;
    unsigned return_address_size; /* bytes that a return takes from the stack */
    unsigned arguments[9];        /* of a call; ends with 0 */
    struct sd_span general;       /* registers */
    struct sd_span caller_saved[16]; /* by a call; ends with an empty one */
};

const struct sd_guest *sd_guest(enum sd_arch arch);

#endif
