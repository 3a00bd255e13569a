/*
 * sd_lift: machine code -> flat operations, through VEX.
 *
 * VEX keeps its state in globals, so there is one lifter in a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LIFT_H
#define SD_LIFT_H

#include <stdint.h>

#include "elf/sd_arch.h"
#include "ir/sd_regset.h"

#define SD_INSN_MAX 15 /* bytes of the longest instruction */

/* Lifts the instruction of `length` bytes at `code`.  The result is valid
   until the next call; its status says whether it could be lifted. */
const struct sd_insn *sd_lift(enum sd_arch arch, const uint8_t *code,
                              unsigned length);

/* What a block finds in the registers that are not random. */
const struct sd_initial *sd_lift_initial(enum sd_arch arch);

/* What a call leaves behind when it comes back, by the architecture's ABI.  The
   other registers are as they were, but for the stack pointer, which is above
   the return address. */
struct sd_abi {
    unsigned stack_pointer; /* the word */
    unsigned
        return_address_size; /* the size of the return address on the stack */
    struct sd_regset caller_saved;
};

struct sd_abi sd_lift_abi(enum sd_arch arch);

/* Writes the name of the VEX operation of that number (see sd_insn), e.g.
   "Iop_Add8x16", cut to fit. */
void sd_lift_operation_name(uint16_t operation, char *name, size_t size);

#endif
