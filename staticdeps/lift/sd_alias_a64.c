/*
 * sd_alias_a64: replaces AArch64 instructions that VEX does not know by others
 * with the same effect (Arm ARM, C6.2).
 *
 * The order that other processors see does not matter here, and neither do
 * privileges.  Limits: the upper bits of pointers stay: signing a pointer,
 * checking or tagging it does not change it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_operands.h"

#include <stddef.h>

#define NOP 0xd503201f

static const struct {
    uint32_t mask, bits; /* recognise the instruction */
    uint32_t kept, rest; /* make its alias: kept bits, and the others */
} aliases[] = {
    /* ldapr: ldar */
    {0x3ffffc00, 0x38bfc000, 0xc00003ff, 0x08dffc00},
    /* ldlar: ldar; stllr: stlr */
    {0x3fe08000, 0x08c00000, 0xc00003ff, 0x08dffc00},
    {0x3fe08000, 0x08800000, 0xc00003ff, 0x089ffc00},
    /* ldapur, stlur: ldur, stur */
    {0x3f200c00, 0x19000000, 0xc0dff3ff, 0x38000000},
    /* ldtr, sttr: ldur, stur */
    {0x3f200c00, 0x38000800, 0xc0dff3ff, 0x38000000},
    /* braa, blraa: br, blr; retaa: ret */
    {0xfedff800, 0xd61f0800, 0x002003e0, 0xd61f0000},
    {0xfffffbff, 0xd65f0bff, 0x00000000, 0xd65f03c0},
    /* pacia, autia, xpaci, ... */
    {0xffff8000, 0xdac10000, 0x00000000, NOP},
    /* irg: add of zero, which may name the stack pointer, too */
    {0xffe0fc00, 0x9ac01000, 0x000003ff, 0x91000000},
    /* ldg, and stg and st2g without a new base; dc gva */
    {0xffe00c00, 0xd9600000, 0x00000000, NOP},
    {0xff600c00, 0xd9200800, 0x00000000, NOP},
    {0xffffffe0, 0xd50b7460, 0x00000000, NOP},
    /* sb; cfp, dvp, cpp; msr of a field of the processor's state other than the
       flags */
    {0xffffffff, 0xd50330ff, 0x00000000, NOP},
    {0xffffff80, 0xd50b7380, 0x00000000, NOP},
    {0xfff8f09f, 0xd500409f, 0x00000000, NOP},
    {0xfff8f0ff, 0xd500407f, 0x00000000, NOP},
    {0xfffff01f, 0xd503401f, 0x00000000, NOP},
};

bool sd_alias_a64(uint32_t word, uint32_t *alias)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if ((word & aliases[i].mask) != aliases[i].bits)
            continue;
        *alias = (word & aliases[i].kept) | aliases[i].rest;
        return true;
    }
    return false;
}
