/*
 * sd_decode_a64: sd_decode for AArch64.
 *
 * An instruction is a little-endian word.  Words that are unallocated at the
 * top level of the encoding are not instructions; the lifter finds those that
 * are unallocated below it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "decode/sd_decode.h"

/* The instructions that transfer control.  (Arm ARM, C4.1.86 "Branches,
   Exception generating and System instructions".) */
static const struct {
    uint32_t mask, bits;
    struct sd_decoded is;
    uint8_t from, width; /* of the distance, in words; width 0: none */
} transfers[] = {
    /* b, bl */
    {0xfc000000, 0x14000000, {.has_no_effect = true, .is_last = true}, 0, 26},
    {0xfc000000, 0x94000000, {.is_call = true}, 0, 26},
    /* b.cond, bc.cond; cbz, cbnz; tbz, tbnz */
    {0xff000000, 0x54000000, {.has_no_effect = true}, 5, 19},
    {0x7e000000, 0x34000000, {.has_no_effect = true}, 5, 19},
    {0x7e000000, 0x36000000, {.has_no_effect = true}, 5, 14},
    /* blr, br, and those that authenticate; then ret, eret, drps */
    {0xfeff0000, 0xd63f0000, {.is_call = true}, 0, 0},
    {0xfeff0000, 0xd61f0000, {.is_last = true, .is_indirect = true}, 0, 0},
    {0xfe000000, 0xd6000000, {.is_last = true}, 0, 0},
    /* svc, hvc, smc; then brk, hlt, dcps */
    {0xffe0001c, 0xd4000000, {.length = 4}, 0, 0},
    {0xff000000, 0xd4000000, {.has_no_effect = true, .is_last = true}, 0, 0},
    /* udf */
    {0xffff0000, 0x00000000, {.has_no_effect = true, .is_last = true}, 0, 0},
};

static int64_t distance(uint32_t word, unsigned from, unsigned width)
{
    uint64_t field = word >> from & ((1u << width) - 1);

    return 4 * ((int64_t)(field << (64 - width)) >> (64 - width));
}

/* Bits 28 to 25 choose the group of an instruction.  (Arm ARM, C4.1 "A64
   instruction set encoding".) */
static bool is_allocated(uint32_t word)
{
    switch (word >> 25 & 15) {
    case 0: /* udf, or with the upper bit SME */
        return word >> 16 == 0 || word >> 31 != 0;
    case 1:
    case 3:
        return false;
    default:
        return true;
    }
}

bool sd_decode_a64(const uint8_t *code, size_t n, uint64_t address,
                   struct sd_decoded *out)
{
    uint32_t word;

    if (n < 4)
        return false;
    word = (uint32_t)code[0] | (uint32_t)code[1] << 8 |
           (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    if (!is_allocated(word))
        return false;
    *out = (struct sd_decoded){.length = 4, .is_nop = word == 0xd503201f};
    if ((word >> 26 & 7) != 5 && word >> 16 != 0)
        return true; /* most are neither branches nor udf */
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        if ((word & transfers[i].mask) != transfers[i].bits)
            continue;
        *out = transfers[i].is;
        out->length = 4;
        out->ends_block = true;
        if (transfers[i].width == 0)
            break;
        out->has_target = true;
        out->target = address + (uint64_t)distance(word, transfers[i].from,
                                                   transfers[i].width);
        break;
    }
    return true;
}
