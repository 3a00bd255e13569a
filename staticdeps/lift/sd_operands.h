/*
 * sd_operands: what an instruction does that VEX does not know, as far as its
 * operands tell.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_OPERANDS_H
#define SD_OPERANDS_H

#include "ir/sd_insn.h"

/* Appends the accesses of the instruction at `code`, with their addresses and
   widths, and bottom for each register that it writes.  False, and nothing
   appended, if its operands are not known either, or do not tell.  16 bytes can
   be read, whatever the length. */
bool sd_operands(struct sd_insn *out, const uint8_t *code, unsigned length);

#endif
