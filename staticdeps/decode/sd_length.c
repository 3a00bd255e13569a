/*
 * sd_length: how long an instruction is that the disassembler does not know.
 *
 * The prefixes VEX (c4, c5) and EVEX (62) tell the length of whatever follows
 * them, so a vector instruction of another decade need not derail the sweep
 * (Intel SDM volume 2, 2.3 "Intel AVX" and 2.7 "Intel AVX-512 encoding").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "decode/sd_length.h"

#include <stdbool.h>

/* The bytes of ModRM, SIB and displacement, given those that are there. */
static unsigned operand_length(const uint8_t *code, size_t n)
{
    unsigned mod, length = 1;

    if (n < 1)
        return 1; /* one more than there is */
    mod = code[0] >> 6;
    if (mod == 3)
        return length;
    if ((code[0] & 7) == 4) {
        length++;
        if (n >= 2 && mod == 0 && (code[1] & 7) == 5)
            return length + 4;
    } else if (mod == 0 && (code[0] & 7) == 5) {
        return length + 4;
    }
    return length + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

/* In opcode map 3 everything has an immediate byte, in map 1 the shuffles,
   shifts, comparisons, insertions and extractions, and in map 2 nothing. */
static bool has_immediate(unsigned map, uint8_t opcode)
{
    if (map != 1)
        return map == 3;
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
           (opcode >= 0xc4 && opcode <= 0xc6);
}

unsigned sd_length(const uint8_t *code, size_t n)
{
    unsigned prefix, map, length;

    if (n < 3)
        return 0;
    switch (code[0]) {
    case 0x0f: /* rdpkru, wrpkru, ...: no memory operand */
        return code[1] == 0x01 && code[2] >> 6 == 3 ? 3 : 0;
    case 0xc5:
        prefix = 2;
        map = 1;
        break;
    case 0xc4:
        prefix = 3;
        map = code[1] & 0x1f;
        break;
    case 0x62:
        prefix = 4;
        map = code[1] & 0x07;
        break;
    default:
        return 0;
    }
    if (map < 1 || map > 3 || n < prefix + 1)
        return 0;
    length = prefix + 1;
    length += operand_length(code + length, n - length);
    length += has_immediate(map, code[prefix]) ? 1 : 0;
    return length <= n ? length : 0;
}
