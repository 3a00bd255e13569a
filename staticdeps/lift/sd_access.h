/*
 * sd_access: which of an x86 instruction's operands are read, and which are
 * written.  Private to sd_operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ACCESS_H
#define SD_ACCESS_H

#include <capstone/capstone.h>

/* Does it name memory and leave it alone? */
bool sd_access_is_none(const cs_insn *insn);

/* Does it write the flags alone, although capstone says more? */
bool sd_access_compares(const cs_insn *insn);

/* Is its index a vector, where capstone 4 shows a general register? */
bool sd_access_is_scatter(const cs_insn *insn);

/* Is it one with vectors, whose first operand is what it writes? */
bool sd_access_writes_first(const cs_insn *insn, const uint8_t *code);

/* CS_AC_READ, CS_AC_WRITE or both, of the operand in memory of that number;
   `is_first_written` is what sd_access_writes_first says. */
uint8_t sd_access_of(const cs_insn *insn, unsigned number,
                     bool is_first_written);

/* How many bytes of it are accessed. */
uint8_t sd_access_size(const cs_insn *insn, unsigned number);

#endif
