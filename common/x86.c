/*
 * x86: a few instructions told by their bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "x86.h"

/* Is the byte a legacy prefix or REX? (Intel's manual, volume 2, 2.1.1 and
   2.2.1.)  LOCK does not count: it needs an operand in memory. */
static bool is_prefix(unsigned char byte)
{
    switch (byte) {
    case 0x26:
    case 0x2E:
    case 0x36:
    case 0x3E:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xF2:
    case 0xF3:
        return true;
    default:
        return (byte & 0xF0) == 0x40;
    }
}

const unsigned char *x86_after_prefixes(const unsigned char *code, size_t *size)
{
    for (; *size > 0 && is_prefix(*code); code++)
        --*size;
    return code;
}

/* 0F A3, AB, B3 and BB; the two highest bits of ModRM are set where it names a
   register.  (Intel's manual, volume 2, BT to BTS.) */
bool x86_tests_bit_of_register(const unsigned char *code, size_t size)
{
    code = x86_after_prefixes(code, &size);
    return size >= 3 && code[0] == 0x0F && (code[1] & 0xE7) == 0xA3 &&
           code[2] >= 0xC0;
}
