/*
 * sd_operands_a64: what an AArch64 instruction does that VEX does not know, as
 * far as its operands tell.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_OPERANDS_A64_H
#define SD_OPERANDS_A64_H

#include "ir/sd_insn.h"

/* As sd_operands. */
bool sd_operands_a64(struct sd_insn *out, uint32_t word);

#endif
