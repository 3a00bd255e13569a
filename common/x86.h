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

/* How many bytes decide how long an instruction is and how it transfers
   control: up to SIB, if what stands in the place of ModRM asks for it, and up
   to the opcode for the commonest that have neither.  0: more than 8, or more
   than `size`.  (Intel SDM volume 2, 2.1 "Instruction format" and A.3 "Opcode
   maps".)  3DNow! ends with its opcode, and VEX, EVEX and XOP have theirs
   elsewhere. */
static inline unsigned x86_deciding(const unsigned char *code, size_t size)
{
    size_t left = 8; /* a run of prefixes to its end takes quadratic time */
    const unsigned char *opcode;
    unsigned n;

    if (size < 8)
        return 0;
    opcode = x86_after_prefixes(code, &left);
    n = (unsigned)(opcode - code) + 1;
    if (n > 4)
        return 0;
    switch (*opcode) {
    case 0x50 ... 0x5f: /* push, pop */
    case 0x70 ... 0x7f: /* jcc */
    case 0x90 ... 0xbf: /* xchg, movs to scas, mov with a constant */
    case 0xc2 ... 0xc3: /* ret */
    case 0xe0 ... 0xef: /* loop, call, jmp, in, out */
        return n;
    case 0x62:          /* EVEX */
    case 0x8f:          /* XOP, or pop */
    case 0xc4 ... 0xc5: /* VEX */
    case 0xf0:          /* LOCK */
        return 0;
    case 0x0f:
        opcode++, n++;
        if (*opcode >= 0x80 && *opcode <= 0x8f) /* jcc */
            return n;
        if (*opcode == 0x0f)
            return 0;
        if (*opcode == 0x38 || *opcode == 0x3a)
            opcode++, n++;
    }
    return n + (opcode[1] < 0xc0 && (opcode[1] & 7) == 4 ? 2 : 1);
}
