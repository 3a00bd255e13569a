/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/sd_length.h"

/* The number of bytes of ModRM, SIB and displacement; more than n if the code
   ends before. */
static unsigned operand_length(const uint8_t *code, size_t n)
{
    unsigned mod, length = 1;

    if (n < 1)
        return 1; /* more than n */
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

/* All instructions of opcode map 3 have an immediate byte; in map 2, none has;
   in map 1, shuffles, shifts, comparisons, insertions and extractions have. */
static bool has_immediate(unsigned map, uint8_t opcode)
{
    if (map != 1)
        return map == 3;
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
           (opcode >= 0xc4 && opcode <= 0xc6);
}

unsigned sd_length_by_prefix(const uint8_t *code, size_t n)
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

/* What follows the commonest opcodes, which no prefix but REX precedes: the
   size of an immediate, and a ModRM byte, of whose forms some are not for these
   opcodes.  (Intel SDM volume 2, A.3 "One, Two and Three-Byte Opcode Maps".) */
enum {
    IMMEDIATE = 0x07,
    LONG = 0x08,     /* 8 bytes with REX.W */
    MODRM = 0x10,    /* all 256 forms */
    MEMORY = 0x20,   /* with an operand in memory */
    ONLY_0 = 0x30,   /* its field reg is 0 */
    EXCEPT_1 = 0x40, /* reg is not 1, and of 0 is an immediate */
    EXCEPT_6 = 0x50, /* reg is not 6 */
    FORM = 0x70,
    COMMON = 0x80
};
#define ARITHMETIC(op)                                    \
    [op] = COMMON | MODRM, [op + 1] = COMMON | MODRM,     \
    [op + 2] = COMMON | MODRM, [op + 3] = COMMON | MODRM, \
    [op + 4] = COMMON | 1, [op + 5] = COMMON | 4

static const uint8_t common[256] = {
    ARITHMETIC(0x00),
    ARITHMETIC(0x08),
    ARITHMETIC(0x10),
    ARITHMETIC(0x18),
    ARITHMETIC(0x20),
    ARITHMETIC(0x28),
    ARITHMETIC(0x30),
    ARITHMETIC(0x38),
    [0x50 ... 0x5f] = COMMON, /* push, pop */
    [0x68] = COMMON | 4,
    [0x69] = COMMON | MODRM | 4,
    [0x6a] = COMMON | 1,
    [0x6b] = COMMON | MODRM | 1,
    [0x70 ... 0x7f] = COMMON | 1, /* jcc */
    [0x80] = COMMON | MODRM | 1,
    [0x81] = COMMON | MODRM | 4,
    [0x83] = COMMON | MODRM | 1,
    [0x84 ... 0x8b] = COMMON | MODRM, /* test, xchg, mov */
    [0x8d] = COMMON | MEMORY,         /* lea */
    [0x98 ... 0x99] = COMMON,
    [0xa8] = COMMON | 1,
    [0xa9] = COMMON | 4,
    [0xb0 ... 0xb7] = COMMON | 1,
    [0xb8 ... 0xbf] = COMMON | LONG | 4, /* mov */
    [0xc0 ... 0xc1] = COMMON | EXCEPT_6 | 1,
    [0xc3] = COMMON, /* ret */
    [0xc6] = COMMON | ONLY_0 | 1,
    [0xc7] = COMMON | ONLY_0 | 4,
    [0xc9] = COMMON,
    [0xd0 ... 0xd3] = COMMON | EXCEPT_6, /* shifts */
    [0xe8 ... 0xe9] = COMMON | 4,        /* call, jmp */
    [0xeb] = COMMON | 1,
    [0xf6] = COMMON | EXCEPT_1 | 1,
    [0xf7] = COMMON | EXCEPT_1 | 4,
};

/* The same after 0f. */
static const uint8_t common_0f[256] = {
    [0x10 ... 0x11] = COMMON | MODRM, [0x28 ... 0x29] = COMMON | MODRM,
    [0x2e ... 0x2f] = COMMON | MODRM, [0x40 ... 0x4f] = COMMON | MODRM,
    [0x54 ... 0x59] = COMMON | MODRM, [0x80 ... 0x8f] = COMMON | 4,
    [0x90 ... 0x9f] = COMMON | MODRM, [0xa3] = COMMON | MODRM,
    [0xab] = COMMON | MODRM,          [0xaf] = COMMON | MODRM,
    [0xb3] = COMMON | MODRM,          [0xb6 ... 0xb7] = COMMON | MODRM,
    [0xbe ... 0xbf] = COMMON | MODRM,
};

/* Is this form of ModRM a common one? */
static bool is_common(uint8_t modrm, uint8_t what)
{
    unsigned reg = modrm >> 3 & 7, form = what & FORM;

    return form == MODRM || (form == MEMORY && modrm >> 6 != 3) ||
           (form == ONLY_0 && reg == 0) || (form == EXCEPT_1 && reg != 1) ||
           (form == EXCEPT_6 && reg != 6);
}

unsigned sd_length_of_common(const uint8_t *code, size_t n, unsigned *opcode)
{
    unsigned at = n > 0 && (code[0] & 0xf0) == 0x40, length; /* REX */
    bool is_wide = at > 0 && (code[0] & 8), is_0f;
    uint8_t what, after;

    if (n < at + 3)
        return 0;
    is_0f = code[at] == 0x0f;
    at += is_0f;
    what = is_0f ? common_0f[code[at]] : common[code[at]];
    *opcode = (is_0f ? 0x0f00u : 0u) | code[at++];
    if (!(what & COMMON) || (what & FORM && !is_common(code[at], what)))
        return 0;
    after = what & IMMEDIATE;
    if ((what & FORM) == EXCEPT_1 && (code[at] >> 3 & 7) != 0)
        after = 0;
    length = at + after + (is_wide && what & LONG ? 4u : 0u) +
             (what & FORM ? operand_length(code + at, n - at) : 0u);
    return length <= n ? length : 0;
}
