/*
 * sd_lift: turns machine code into flat operations, through VEX.
 *
 * VEX keeps its state in globals (vexfront), so there is one lifter in a
 * process.
 *
 * Limits: VEX's errors are not corrected.  Its xchg of ax with another 16-bit
 * register (66 91 to 66 97) clears the rest of rax.  Its cmpxchg of 32 bits
 * clears the upper half of the register that the processor does not change: rax
 * if the operands are equal, the destination if not.
 *
 * A cache lifts equal bytes once: most instructions of a program repeat (two in
 * three in bash, three in four in libc.so.6).  The cache is a table in which a
 * new entry replaces the old one in its place.  It starts small and grows up to
 * a bound, because touching new memory takes most of the time of a small
 * program.  No result depends on the cache.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/guest.h"
#include "lift/sd_insn.h"

#define SD_INSN_MAX 15 /* bytes of the longest instruction */

/* Lifts the instruction of `length` bytes at `code`.  The result is valid
   until the next call; its status says whether it could be lifted. */
const struct sd_insn *sd_lift(enum arch arch, const uint8_t *code,
                              unsigned length);

/* Lifts an instruction that VEX knows, to see what its results are made of, not
   their values.  Each value of VEX is one temporary, however wide; whatever is
   not arithmetic of a word is SD_OPAQUE; each side exit is an SD_LEAVE; and a
   rep prefix makes no loop. */
const struct sd_insn *sd_lift_whole(enum arch arch, const uint8_t *code,
                                    unsigned length);

/* Iterates over the instructions of a block that have an effect. */
struct sd_lift_cursor {
    const uint8_t *bytes; /* the next instruction's */
    const uint8_t *insns; /* lengths, or'ed with SD_NO_EFFECT */
    uint32_t n_insns;     /* the number of instructions left */
    uint64_t next;        /* the next instruction's address */
    uint64_t address;     /* the address of the last one returned */
};

/* Lifts the next instruction; NULL at the end. */
const struct sd_insn *sd_lift_next(enum arch arch,
                                   struct sd_lift_cursor *cursor);

/* Writes the name of the VEX operation of that number (see sd_insn), for
   example "Iop_Add8x16", cut to fit. */
void sd_lift_operation_name(uint16_t operation, char *name, size_t size);
