/*
 * sd_operands: what an instruction does that VEX does not know, as far as its
 * encoding and its operands tell.  Private to sd_lift and the files that this
 * header declares.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_OPERANDS_H
#define SD_OPERANDS_H

#include "ir/sd_insn.h"

/* Appends the accesses of the x86 instruction at `code`, with their addresses
   and widths, and bottom for each register that it writes.  False, and nothing
   appended, if its operands are not known either, or do not tell.  16 bytes can
   be read, whatever the length. */
bool sd_operands(struct sd_insn *out, const uint8_t *code, unsigned length);

/* Finds the operands of an AArch64 instruction that VEX cannot decode. */
bool sd_operands_a64(struct sd_insn *out, uint32_t word);

/* Sets *alias to an older AArch64 instruction that does the same to registers
   and memory.  False if there is none. */
bool sd_alias_a64(uint32_t word, uint32_t *alias);

/* Steps of sd_operands: a vector instruction in the table of sd_vector; */
bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length);

/* and any instruction with an EVEX prefix that has no operand in memory: each
   register that it names becomes bottom. */
bool sd_vector_registers(struct sd_insn *out, const uint8_t *code,
                         unsigned length);

/* Which of an instruction's operands are read and written; capstone's. */
struct cs_insn;

/* Does it name memory and leave it alone? */
bool sd_access_is_none(const struct cs_insn *insn);

/* Does it write the flags alone, although capstone says more? */
bool sd_access_compares(const struct cs_insn *insn);

/* Is its index a vector, where capstone 4 shows a general register? */
bool sd_access_is_scatter(const struct cs_insn *insn);

/* Is it one with vectors, whose first operand is what it writes? */
bool sd_access_writes_first(const struct cs_insn *insn, const uint8_t *code);

/* CS_AC_READ, CS_AC_WRITE or both, of the operand in memory of that number;
   `is_first_written` is what sd_access_writes_first says. */
uint8_t sd_access_of(const struct cs_insn *insn, unsigned number,
                     bool is_first_written);

/* How many bytes of it are accessed. */
uint8_t sd_access_size(const struct cs_insn *insn, unsigned number);

#endif
