/*
 * sd_operands: describes instructions that VEX does not know, by their encoding
 * and their operands.  Private to sd_lift and the files that this header
 * declares.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "config.h"
#include "lift/sd_insn.h"

/* Instructions that capstone 4 and capstone 5 name differently: configure tests
   for the names.  An instruction that only capstone 5 knows gets a number that
   capstone 4 never gives. */
#if !HAVE_DECL_X86_INS_UD1
#define X86_INS_UD1 X86_INS_UD2B
#endif
#if !HAVE_DECL_X86_INS_MOVDIR64B
#define X86_INS_MOVDIR64B (X86_INS_ENDING + 1)
#endif

/* Appends the accesses of the x86 instruction at `code`, with their addresses
   and widths, and bottom for each register that it writes.  False, with nothing
   appended, if its operands are unknown or do not tell all accesses.  16 bytes
   must be readable at `code`. */
bool sd_operands(struct sd_insn *out, const uint8_t *code, unsigned length);

/* Does what sd_operands() does, for an AArch64 instruction. */
bool sd_operands_a64(struct sd_insn *out, uint32_t word);

/* Sets *alias to an older AArch64 instruction with the same effect on registers
   and memory.  False if there is none. */
bool sd_alias_a64(uint32_t word, uint32_t *alias);

/* Replaces an AArch64 load into the zero register that VEX drops by a load into
   another register, whose place it sets.  False if the instruction is none. */
bool sd_zero_load_a64(uint32_t *word, unsigned *place);

/* Does what sd_operands() does, for a vector instruction in the table of
   sd_vector. */
bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length);

/* Does what sd_operands() does, for an instruction with an EVEX prefix and no
   operand in memory: each register that it names becomes bottom. */
bool sd_vector_registers(struct sd_insn *out, const uint8_t *code,
                         unsigned length);
