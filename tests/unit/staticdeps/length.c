/*
 * What the decoder knows of earlier instructions holds for others that begin
 * alike: they are as long as capstone says, and transfer control if their names
 * say so (staticdeps/decode/sd_decode.c); and so is what the disassembler says
 * of their lengths (binary/disasm.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <time.h>

#include "x86.h"
#include "binary/disasm.h"
#include "decode/sd_blocks.h"

static struct disasm *disasm;
static struct sd_decoder *decoder;
static unsigned n_known;

/* Does the decoder's instruction do what its name says? */
static bool has_name(const struct sd_decoded *insn, const char *name)
{
    bool is_call = strcmp(name, "call") == 0, is_jmp = strcmp(name, "jmp") == 0;

    return insn->is_call == is_call && (!is_jmp || insn->is_last) &&
           (strcmp(name, "ret") != 0 || insn->is_last) &&
           (name[0] != 'j' || insn->ends_block);
}

/* Decodes `code`, and then the same with other bytes at its end. */
static void check(uint8_t *code, size_t n, size_t n_first)
{
    struct sd_decoded decoded, again;
    struct disasm_insn insn;
    unsigned length;

    if (!sd_decode(decoder, code, n, 0, &decoded))
        return;
    disasm_length(disasm, code, n);
    memset(code + n_first, 0xfe, n - n_first);
    disasm_insn(disasm, code, n, 0, &insn);
    length = insn.name[0] != '\0' ? insn.length : 0;
    n_known++;
    if (disasm_length(disasm, code, n) == length &&
        sd_decode(decoder, code, n, 0, &again) &&
        again.length == decoded.length && again.is_nop == decoded.is_nop &&
        (strcmp(insn.text, "(bad)") == 0 ||
         (again.length == insn.length && has_name(&again, insn.name))) &&
        (again.length > n_first ||
         sd_decode(decoder, code, again.length, 0, &again)) &&
        !sd_decode(decoder, code, again.length - 1u, 0, &again))
        return;
    fail_msg("%02x %02x %02x %02x %02x: %u, capstone: %u %s", code[0], code[1],
             code[2], code[3], code[4], decoded.length, insn.length, insn.text);
}

/* Not prefixes, nor what has its opcode elsewhere. */
static bool has_known_form(const char *before, uint8_t opcode)
{
    size_t n = 1;

    if (before[0] != '\0' && before[strlen(before) - 1] == 0x0f)
        return opcode != 0x0f;
    return strstr(before, "\x0f") != NULL ||
           (memchr("\x62\x8f\xc4\xc5\xf0", opcode, 5) == NULL &&
            (x86_after_prefixes(&opcode, &n), n > 0));
}

/* Forms of ModRM, with some of SIB, after each opcode of a map. */
static void check_map(const char *before)
{
    static const uint8_t forms[][2] = {
        {0x00, 0x11}, {0x04, 0x00}, {0x04, 0x25}, {0x05, 0x11}, {0x42, 0x11},
        {0x44, 0x25}, {0x85, 0x11}, {0x84, 0xa4}, {0xc0, 0x11}, {0xc4, 0x25}};

    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (unsigned reg = 0; reg < 8; reg++)
            for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
                uint8_t code[15] = {0};
                size_t n = strlen(before);

                if (!has_known_form(before, (uint8_t)opcode))
                    continue;
                memcpy(code, before, n);
                code[n++] = (uint8_t)opcode;
                code[n++] = (uint8_t)(forms[i][0] | reg << 3);
                code[n++] = forms[i][1];
                check(code, sizeof code, n);
            }
}

TEST(what_instructions_that_begin_alike_share_is_as_capstone_says)
{
    static const char *const prefixes[] = {"",     "\x41", "\x48",     "\x66",
                                           "\xf2", "\xf3", "\x66\x4c", "\x2e"};
    static const char *const maps[] = {"", "\x0f", "\x0f\x38", "\x0f\x3a"};

    disasm = disasm_new("x86-64");
    decoder = sd_decoder_new(ARCH_X86_64);
    assert_non_null(disasm);
    n_known = 0;
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (unsigned j = 0; j < sizeof maps / sizeof *maps; j++) {
            char *before = memory_printf("%s%s", prefixes[i], maps[j]);

            check_map(before);
            free(before);
        }
    assert_true(n_known > 250000);
    sd_decoder_free(decoder);
    disasm_free(disasm);
}

TEST(a_run_of_prefixes_takes_linear_time)
{
    size_t n = (size_t)1 << 17;
    uint8_t *code = memory_new(n, 1);
    struct sd_decoded decoded;
    clock_t begin = clock();

    memset(code, 0x66, n);
    decoder = sd_decoder_new(ARCH_X86_64);
    for (size_t i = 0; i < n; i++)
        sd_decode(decoder, code + i, n - i, i, &decoded);
    assert_true(clock() - begin < 4 * CLOCKS_PER_SEC); /* or else some 30 */
    sd_decoder_free(decoder);
    free(code);
}
