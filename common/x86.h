/*
 * x86: x86-64 instructions that VEX translates into accesses which no processor
 * makes, told by their bytes.
 *
 * It uses no C library, so the Valgrind tool links it too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_X86_H
#define COMMON_X86_H

#include <stdbool.h>
#include <stddef.h>

/* An instruction without its legacy prefixes, except LOCK, and REX; *size is
   how many bytes are left. */
const unsigned char *x86_after_prefixes(const unsigned char *code,
                                        size_t *size);

/* Is the instruction at `code`, of `size` bytes, BT, BTS, BTR or BTC of a
   register by a register?  VEX stores the register 288 bytes below the stack
   pointer, tests and changes one byte of it there, and loads it again. */
bool x86_tests_bit_of_register(const unsigned char *code, size_t size);

#endif
