/*
 * Instructions that are decoded without capstone are as long as capstone says,
 * and transfer control if their names say so (staticdeps/decode/sd_length.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "binary/disasm.h"
#include "decode/sd_length.h"
#include "decode/sd_decode.h"

static struct disasm *disasm;
static struct sd_decoder *decoder;
static unsigned n_common;

/* Does the decoder's instruction do what its name says? */
static bool has_name(const struct sd_decoded *insn, const char *name)
{
    bool is_call = strcmp(name, "call") == 0, is_ret = strcmp(name, "ret") == 0,
         is_jmp = strcmp(name, "jmp") == 0, is_jump = name[0] == 'j';

    return insn->is_call == is_call && insn->is_last == (is_jmp || is_ret) &&
           insn->has_target == (is_call || is_jump) && !insn->is_nop &&
           insn->ends_block == (is_call || is_ret || is_jump) &&
           insn->has_no_effect == is_jump && strcmp(name, "nop") != 0;
}

static void check(const uint8_t *code, size_t n)
{
    unsigned opcode, length = sd_length_of_common(code, n, &opcode);
    struct sd_decoded decoded;
    struct disasm_insn insn;

    if (length == 0)
        return;
    n_common++;
    disasm_insn(disasm, code, n, 0, &insn);
    if (length == insn.length && strcmp(insn.text, "(bad)") != 0 &&
        sd_decode(decoder, code, n, 0, &decoded) && decoded.length == length &&
        has_name(&decoded, insn.name) &&
        sd_length_of_common(code, length - 1, &opcode) == 0)
        return;
    fail_msg("%02x %02x %02x %02x %02x: %u, capstone: %u %s", code[0], code[1],
             code[2], code[3], code[4], length, insn.length, insn.text);
}

/* All forms of ModRM, with some of SIB, after each opcode of a map. */
static void check_map(unsigned rex, bool is_0f)
{
    static const uint8_t bases[] = {0x00, 0x25, 0x65, 0xa4};

    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (unsigned modrm = 0; modrm < 256; modrm++)
            for (unsigned i = 0; i < sizeof bases; i++) {
                uint8_t code[512] = {0};
                size_t n = 0;

                if (rex != 0)
                    code[n++] = (uint8_t)rex;
                if (is_0f)
                    code[n++] = 0x0f;
                code[n++] = (uint8_t)opcode;
                code[n++] = (uint8_t)modrm;
                code[n] = bases[i];
                check(code, sizeof code);
            }
}

TEST(common_instructions_are_as_long_as_capstone_says)
{
    static const unsigned prefixes[] = {0, 0x40, 0x41, 0x44, 0x48, 0x4d, 0x4f};

    disasm = disasm_new("x86-64");
    decoder = sd_decoder_new(ARCH_X86_64);
    assert_non_null(disasm);
    n_common = 0;
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        check_map(prefixes[i], false);
        check_map(prefixes[i], true);
    }
    assert_true(n_common > 500000);
    sd_decoder_free(decoder);
    disasm_free(disasm);
}
