/*
 * sd_operands: describes instructions that VEX does not know, by their encoding
 * and their operands.  Private to sd_lift and the files that this header
 * declares.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_OPERANDS_H
#define SD_OPERANDS_H

#include "ir/sd_insn.h"

/* Appends the accesses of the x86 instruction at `code`, with their addresses
   and widths, and bottom for each register that it writes.  False, with nothing
   appended, if its operands are unknown or do not tell all.  16 bytes must be
   readable at `code`. */
bool sd_operands(struct sd_insn *out, const uint8_t *code, unsigned length);

/* Does what sd_operands() does, for an AArch64 instruction. */
bool sd_operands_a64(struct sd_insn *out, uint32_t word);

/* Sets *alias to an older AArch64 instruction with the same effect on registers
   and memory.  False if there is none. */
bool sd_alias_a64(uint32_t word, uint32_t *alias);

/* Does what sd_operands() does, for a vector instruction in the table of
   sd_vector. */
bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length);

/* Does what sd_operands() does, for an instruction with an EVEX prefix and no
   operand in memory: each register that it names becomes bottom. */
bool sd_vector_registers(struct sd_insn *out, const uint8_t *code,
                         unsigned length);

/* An instruction of capstone; sd_access.c knows its operands better. */
struct cs_insn;

/* Does it name memory without accessing it? */
bool sd_access_is_none(const struct cs_insn *insn);

/* Does it write only the flags, although capstone reports more? */
bool sd_access_compares(const struct cs_insn *insn);

/* Is the index a vector, although capstone 4 shows a general register? */
bool sd_access_is_scatter(const struct cs_insn *insn);

/* Is it a vector instruction that writes its first operand? */
bool sd_access_writes_first(const struct cs_insn *insn, const uint8_t *code);

/* CS_AC_READ, CS_AC_WRITE or both, for operand `number`, which is in memory;
   `is_first_written` is the result of sd_access_writes_first(). */
uint8_t sd_access_of(const struct cs_insn *insn, unsigned number,
                     bool is_first_written);

/* The number of bytes accessed through operand `number`. */
uint8_t sd_access_size(const struct cs_insn *insn, unsigned number);

#endif
