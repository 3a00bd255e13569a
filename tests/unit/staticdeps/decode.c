/*
 * The decoding of machine code: usual instructions, against capstone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <string.h>

#include "decode/sd_decode.h"

#define OTHER 0x2e /* a prefix that changes nothing, and that is not usual */

/* Decodes code that capstone decodes after another prefix. */
static void compare(struct sd_decoder *decoder, const uint8_t *code, size_t n)
{
    struct sd_decoded own = {0}, capstones = {0};
    bool is_own = sd_decode(decoder, code + 1, n - 1, 0x1001, &own),
         is_capstones = sd_decode(decoder, code, n, 0x1000, &capstones);

    assert_int_equal(is_own, is_capstones);
    if (!is_own)
        return;
    assert_int_equal(own.length + 1, capstones.length);
    capstones.length = own.length;
    assert_memory_equal(&own, &capstones, sizeof own);
}

/* Compares an opcode with all of ModRM, and with SIB with a base and without,
   in whole code and in code that ends too early. */
static void compare_opcode(struct sd_decoder *decoder, uint8_t rex,
                           bool is_after_0f, uint8_t opcode)
{
    uint8_t code[16];

    for (unsigned modrm = 0; modrm < 256; modrm++) {
        size_t at = 0;

        memset(code, modrm % 2 ? 0x24 : 0x25, sizeof code);
        code[at++] = OTHER;
        if (rex != 0)
            code[at++] = rex;
        if (is_after_0f)
            code[at++] = 0x0f;
        code[at++] = opcode;
        code[at] = (uint8_t)modrm;
        compare(decoder, code, sizeof code);
        compare(decoder, code, at + 1 + modrm % 8);
    }
}

TEST(usual_instructions_are_as_capstone_decodes_them)
{
    static const uint8_t rexes[] = {0, 0x40, 0x41, 0x44, 0x48, 0x4f};
    struct sd_decoder *decoder = sd_decoder_new(ARCH_X86_64);

    for (size_t r = 0; r < sizeof rexes; r++)
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            /* Prefixes, and what the prefix of vectors tells. */
            if (memchr("\x0f\x62\xc4\xc5\xf0", (int)opcode, 5) == NULL)
                compare_opcode(decoder, rexes[r], false, (uint8_t)opcode);
            /* Capstone has 0f ff without other prefixes only. */
            if (opcode >= 0x40 && opcode != 0xff)
                compare_opcode(decoder, rexes[r], true, (uint8_t)opcode);
        }
    sd_decoder_free(decoder);
}
