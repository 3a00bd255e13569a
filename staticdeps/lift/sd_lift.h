/*
 * sd_lift: machine code -> flat operations, through VEX.
 *
 * VEX keeps its state in globals (vexfront), so there is one lifter in a
 * process.
 *
 * VEX's results are taken as they are.  It is wrong about xchg between ax and
 * another 16-bit register (66 91 to 66 97), where it clears the rest of rax,
 * and about cmpxchg of 32 bits, where it clears the upper half of what the
 * processor leaves alone: rax if the two are equal, the destination if not.
 *
 * Equal bytes are lifted once: most instructions of a program repeat (two in
 * three in bash, three in four in libc.so.6).  The cache is a table in which a
 * newcomer replaces what was in its place.  It grows with what it holds, since
 * touching memory for the first time is what costs most in a small program, up
 * to a bound; no result depends on it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LIFT_H
#define SD_LIFT_H

#include <stdint.h>

#include "elf/sd_arch.h"
#include "ir/sd_insn.h"
#include "ir/sd_regset.h"

#define SD_INSN_MAX 15 /* bytes of the longest instruction */

/* Lifts the instruction of `length` bytes at `code`.  The result is valid
   until the next call; its status says whether it could be lifted. */
const struct sd_insn *sd_lift(enum sd_arch arch, const uint8_t *code,
                              unsigned length);

/* The instructions of a block that have an effect, one after the other. */
struct sd_lift_cursor {
    const uint8_t *bytes; /* the next instruction's */
    const uint8_t *insns; /* lengths, or'ed with SD_NO_EFFECT */
    uint32_t n_insns;     /* that are left */
    uint64_t next;        /* the next instruction's address, */
    uint64_t address;     /* and that of the last one returned */
};

/* The next one, or NULL at the end. */
const struct sd_insn *sd_lift_next(enum sd_arch arch,
                                   struct sd_lift_cursor *cursor);

/* What a block finds in the registers that are not random. */
const struct sd_initial *sd_lift_initial(enum sd_arch arch);

/* What a call leaves behind when it comes back, by the architecture's ABI.  The
   other registers are as they were, but for the stack pointer, which is above
   the return address. */
struct sd_abi {
    unsigned stack_pointer;       /* the word */
    unsigned return_address_size; /* on the stack, in bytes */
    struct sd_regset caller_saved;
    unsigned arguments[8]; /* the words of a callee's first arguments */
    unsigned n_arguments;
    unsigned result;     /* the word */
    unsigned first, end; /* the words of the general registers */
};

struct sd_abi sd_lift_abi(enum sd_arch arch);

/* Writes the name of the VEX operation of that number (see sd_insn), e.g.
   "Iop_Add8x16", cut to fit. */
void sd_lift_operation_name(uint16_t operation, char *name, size_t size);

#endif
