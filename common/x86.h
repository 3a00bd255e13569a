/*
 * x86: what the bytes of x86-64 instructions tell.
 *
 * It uses no C library, so the Valgrind tool links it, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An instruction without its legacy prefixes and REX; *size is how many bytes
   are left.  (Intel's manual, volume 2, 2.1.1 and 2.2.1.)  LOCK stays: it needs
   an operand in memory. */
static inline const unsigned char *x86_after_prefixes(const unsigned char *code,
                                                      size_t *size)
{
    for (; *size > 0; code++, --*size)
        switch (*code) {
        case 0x26:
        case 0x2E:
        case 0x36:
        case 0x3E:
        case 0x40 ... 0x4F:
        case 0x64 ... 0x67:
        case 0xF2:
        case 0xF3:
            break;
        default:
            return code;
        }
    return code;
}

/* The size in bytes of the relative distance that ends a direct jump or call; 0
   for other instructions.  (Intel SDM volume 2, Jcc, JMP, CALL, LOOP, XBEGIN.)
   Capstone lets an operand-size prefix shorten the distance, Intel's processors
   do not: 0 then, too. */
static inline unsigned x86_distance_size(const unsigned char *code, size_t size)
{
    code = x86_after_prefixes(code, &size);
    if (size == 2 && ((code[0] >= 0x70 && code[0] <= 0x7F) || code[0] == 0xEB ||
                      (code[0] >= 0xE0 && code[0] <= 0xE3)))
        return 1;
    if (size == 5 && (code[0] == 0xE8 || code[0] == 0xE9))
        return 4;
    if (size == 6 && ((code[0] == 0x0F && (code[1] & 0xF0) == 0x80) ||
                      (code[0] == 0xC7 && code[1] == 0xF8)))
        return 4;
    return 0;
}

/* VEX translates some instructions into accesses that no processor makes.  Is
   the instruction at `code`, of `size` bytes, BT, BTS, BTR or BTC of a
   register by a register?  VEX stores the register 288 bytes below the stack
   pointer, tests and changes one byte of it there, and loads it again.  The
   instructions are 0F A3, AB, B3 and BB; the two highest bits of ModRM are set
   where it names a register.  (Intel's manual, volume 2, BT to BTS.) */
static inline bool x86_tests_bit_of_register(const unsigned char *code,
                                             size_t size)
{
    code = x86_after_prefixes(code, &size);
    return size >= 3 && code[0] == 0x0F && (code[1] & 0xE7) == 0xA3 &&
           code[2] >= 0xC0;
}
