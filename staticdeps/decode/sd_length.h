/*
 * sd_length: how long an instruction is that the disassembler does not know.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LENGTH_H
#define SD_LENGTH_H

#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the VEX- or EVEX-coded instruction, or of the one of
   group 0f 01, that begins at `code`, of which n bytes are there; 0 if it is
   none of them or is not complete. */
unsigned sd_length(const uint8_t *code, size_t n);

#endif
