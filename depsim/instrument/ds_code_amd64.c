/* ds_code_amd64: x86-64's instructions whose accesses VEX does not show as the
 * processor makes them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument/ds_instrument.h"

#include "x86.h"

/* VGATHERxxx and VPGATHERxxx are VEX.128/256.66.0F38 90 to 93 (Intel's manual,
   volume 2). */
static Bool is_gather(const UChar *code, SizeT size)
{
    return size >= 4 && code[0] == 0xC4 && (code[1] & 0x1F) == 2 &&
           code[3] >= 0x90 && code[3] <= 0x93;
}

/* MASKMOVDQU and MASKMOVQ: 0F F7, or F7 in the same map with a VEX prefix of
   two bytes or three (Intel's manual, volume 2). */
static Bool is_masked_store(const UChar *code, SizeT size)
{
    return (size >= 3 && code[0] == 0x0F && code[1] == 0xF7) ||
           (size >= 4 && code[0] == 0xC5 && code[2] == 0xF7) ||
           (size >= 5 && code[0] == 0xC4 && (code[1] & 0x1F) == 1 &&
            code[3] == 0xF7);
}

enum ds_code ds_code_of(const UChar *code, SizeT size)
{
    if (x86_tests_bit_of_register(code, size))
        return DS_CODE_IN_REGISTERS;
    code = x86_after_prefixes(code, &size);
    if (is_gather(code, size))
        return DS_CODE_GATHER;
    if (is_masked_store(code, size))
        return DS_CODE_MASKED_STORE;
    return DS_CODE_PLAIN;
}

/* VEX translates all loads of x86-64's, and ds_passes keeps them. */
IRSB *ds_code_complete(IRSB *sb)
{
    return sb;
}
