/*
 * sd_length: how long x86-64 instructions are that need no disassembler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* Both return the length of the instruction that begins the n bytes at `code`,
   or 0 if there is no complete one of their kind. */

/* The commonest instructions, nine in ten of compiled code: capstone prints
   what it decodes, which takes most of its time.  Their only prefix is REX.
   *opcode is the opcode's byte, or 0x0f00 and its second byte.  No nop is among
   them. */
unsigned sd_length_of_common(const uint8_t *code, size_t n, unsigned *opcode);

/* An instruction coded with VEX or EVEX, or of group 0f 01: the prefixes VEX
   (c4, c5) and EVEX (62) determine the length, so that the sweep can continue
   after a vector instruction that capstone does not know.  (Intel SDM volume 2,
   2.3 "Intel AVX" and 2.7 "Intel AVX-512 encoding".) */
unsigned sd_length_by_prefix(const uint8_t *code, size_t n);
