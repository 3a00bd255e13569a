/*
 * sd_vector: what a vector instruction does that VEX does not know.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VECTOR_H
#define SD_VECTOR_H

#include "ir/sd_insn.h"

/* As sd_operands, for the instructions in the table of sd_avx. */
bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length);

/* The same for any instruction with an EVEX prefix that has no operand in
   memory: each register that it names becomes bottom. */
bool sd_vector_registers(struct sd_insn *out, const uint8_t *code,
                         unsigned length);

#endif
