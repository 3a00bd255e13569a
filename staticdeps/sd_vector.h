/*
 * sd_vector: what a vector instruction does that the disassembler does not
 * know either.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VECTOR_H
#define SD_VECTOR_H

#include "sd_insn.h"

/* As sd_operands, for the instructions of the table in sd_vector.c. */
bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length);

#endif
