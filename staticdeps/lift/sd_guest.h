/*
 * sd_guest: facts about VEX's guest of each architecture.  Private to the files
 * that interpret IR.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_GUEST_H
#define SD_GUEST_H

#include <libvex.h>

#include "elf/sd_arch.h"
#include "ir/sd_insn.h"
#include "ir/sd_regset.h"

/* Bytes of the guest state, from `first` up to but not including `end`. */
struct sd_span {
    unsigned first, end;
};

struct sd_guest {
    VexArch arch;
    /* Offsets in the guest state, in bytes. */
    int program_counter;
    unsigned syscall_result;       /* the register of a system call's result */
    int syscall_clobbers;          /* another that it overwrites; -1: none */
    struct sd_initial initial[16]; /* ends with offset UINT_MAX */
    unsigned stack_pointer;
    unsigned return_address_size; /* bytes that a return takes from the stack */
    unsigned arguments[9];        /* of a call; ends with 0 */
    struct sd_span general;       /* registers */
    struct sd_span caller_saved[16]; /* by a call; ends with an empty one */
};

const struct sd_guest *sd_guest(enum sd_arch arch);

#endif
