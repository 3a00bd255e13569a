/* AArch64 code is cut into blocks, and relocated. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <elf.h>

#include "decode/sd_blocks.h"
#include "binary/objrel.h"

#define NOP 0xd503201fu

/* Cuts the words, at 0x1000, into blocks and writes "WORD+INSTRUCTIONS" of
   each, with "!" if the block is not code. */
static const char *cut(const uint32_t *words, size_t n, struct sd_range *data)
{
    static char text[400];
    struct sd_section section = {
        .address = 0x1000, .bytes = (uint8_t *)(uintptr_t)words, .size = 4 * n};
    struct sd_image image = {.arch = ARCH_AARCH64,
                             .sections = &section,
                             .n_sections = 1,
                             .data = data,
                             .n_data = data != NULL ? 1 : 0};
    struct sd_decoder *decoder = sd_decoder_new(ARCH_AARCH64);
    struct sd_blocks blocks = {0};
    int at = 0;

    sd_blocks_of_image(&blocks, decoder, &image);
    text[0] = '\0';
    for (size_t i = 0; i < blocks.n_blocks; i++) {
        const struct sd_block *b = &blocks.blocks[i];

        at += snprintf(text + at, sizeof text - (size_t)at, "%s%x+%u%s",
                       i > 0 ? " " : "", (unsigned)(b->address - 0x1000) / 4,
                       b->n_insns, b->status != SD_OK ? "!" : "");
    }
    sd_blocks_fini(&blocks);
    sd_decoder_free(decoder);
    return text;
}

#define WORDS(...)                   \
    (const uint32_t[]){__VA_ARGS__}, \
        sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)
#define CUT(...) cut(WORDS(__VA_ARGS__), NULL)

TEST(a_block_ends_after_each_transfer_of_control)
{
    static const uint32_t transfers[] = {
        0xd63f0020, /* blr x1 */ 0xd61f0020, /* br x1 */
        0xd65f03c0, /* ret */ 0xd69f03e0,    /* eret */
        0xd4000001, /* svc #0 */ 0xd4200000, /* brk #0 */
        0x00000000, /* udf #0 */ 0xd63f083f, /* blraaz x1 */
        0xd65f0bff, /* retaa */ 0xd71f0822,  /* braa x1,x2 */
    };

    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++)
        assert_string_equal(CUT(NOP, transfers[i], NOP, NOP), "0+2 2+2");
    assert_string_equal(CUT(NOP, NOP), "0+2");
}

TEST(a_block_begins_at_each_target)
{
    static const uint32_t forward[] = {
        0x14000002, /* b .+8 */
        0x94000002, /* bl .+8 */
        0x54000040, /* b.eq .+8 */
        0xb4000040, /* cbz x0,.+8 */
        0x36000040, /* tbz x0,#0,.+8 */
    };
    static const uint32_t back[] = {
        0x17ffffff, /* b .-4 */
        0x54ffffe0, /* b.eq .-4 */
        0x35ffffe3, /* cbnz w3,.-4 */
        0xb747ffe9, /* tbnz x9,#40,.-4 */
    };

    for (size_t i = 0; i < sizeof forward / sizeof forward[0]; i++)
        assert_string_equal(CUT(forward[i], NOP, NOP, NOP), "0+1 1+1 2+2");
    for (size_t i = 0; i < sizeof back / sizeof back[0]; i++)
        assert_string_equal(CUT(NOP, NOP, back[i], NOP), "0+1 1+2 3+1");
}

static enum sd_flow flow_of(uint32_t word)
{
    return sd_lift(ARCH_AARCH64, (const uint8_t *)&word, 4)->exit.flow;
}

TEST(a_branch_is_a_call_if_it_leaves_a_return_address)
{
    assert_int_equal(flow_of(0x14000010), SD_FLOW_JUMP);   /* b */
    assert_int_equal(flow_of(0x17fffff0), SD_FLOW_JUMP);   /* b, backwards */
    assert_int_equal(flow_of(0x94000010), SD_FLOW_CALL);   /* bl */
    assert_int_equal(flow_of(0xd61f0020), SD_FLOW_JUMP);   /* br x1 */
    assert_int_equal(flow_of(0xd63f0020), SD_FLOW_CALL);   /* blr x1 */
    assert_int_equal(flow_of(0xd65f03c0), SD_FLOW_RETURN); /* ret */
    assert_int_equal(flow_of(0x54000080), SD_FLOW_JUMP);   /* b.eq */
    assert_int_equal(flow_of(0xb4000080), SD_FLOW_JUMP);   /* cbz */
}

TEST(unallocated_words_are_not_instructions)
{
    assert_string_equal(CUT(NOP, 0x00010000, NOP), "0+1 1+0! 2+1");
    assert_string_equal(CUT(NOP, 0x02000000, NOP), "0+1 1+0! 2+1");
    assert_string_equal(CUT(NOP, 0x06000000, NOP), "0+1 1+0! 2+1");
}

TEST(data_between_code_are_not_instructions)
{
    struct sd_range data = {0x1004, 0x100c};

    /* ret; b into the code; nop; nop */
    assert_string_equal(
        cut(WORDS(0xd65f03c0, 0x14000003, NOP, NOP, NOP), &data),
        "0+1 1+0! 3+2");
}

TEST(jumps_of_code_that_runs_into_data_are_not_followed)
{
    struct sd_range data = {0x1008, 0x100c};

    /* b.eq to the last but one; nop; a word of data */
    assert_string_equal(cut(WORDS(0x54000080, NOP, NOP, NOP, NOP, NOP), &data),
                        "0+1 1+1 2+0! 3+3");
}

/* The word at 0x5004, relocated to 0x12345678 or to its slot at 0x9870. */
static uint32_t relocated(uint32_t type, uint32_t word)
{
    const struct objreloc r = {.type = type,
                               .symbol = 0x12345000,
                               .place = 0x5004,
                               .slot = 0x9870,
                               .got = 0x9800,
                               .addend = 0x678};
    struct objreloc slot = r;

    slot.addend = 0;
    assert_true(objreloc_apply(
        EM_AARCH64, objreloc_needs_slot(EM_AARCH64, type) ? &slot : &r,
        (uint8_t *)&word, sizeof word));
    return word;
}

TEST(relocations_fill_the_fields_of_instructions)
{
    /* adrp x0: 0x12345 - 0x5 = 0x12340 pages, in two parts */
    assert_int_equal(relocated(R_AARCH64_ADR_PREL_PG_HI21, 0x90000000),
                     0x90000000 | (0x12340 >> 2) << 5);
    assert_int_equal(relocated(R_AARCH64_ADD_ABS_LO12_NC, 0x91000000),
                     0x91000000 | 0x678 << 10);
    assert_int_equal(relocated(R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400000),
                     0xf9400000 | 0x678 / 8 << 10);
    assert_int_equal(relocated(R_AARCH64_LDST8_ABS_LO12_NC, 0x39400000),
                     0x39400000 | 0x678 << 10);
    assert_int_equal(relocated(R_AARCH64_MOVW_UABS_G1, 0xd2a00000),
                     0xd2a00000 | 0x1234 << 5);
    assert_int_equal(relocated(R_AARCH64_ADR_GOT_PAGE, 0x90000000),
                     0x90000000 | 1 << 5);
    assert_int_equal(relocated(R_AARCH64_LD64_GOT_LO12_NC, 0xf9400000),
                     0xf9400000 | 0x870 / 8 << 10);
    assert_int_equal(relocated(R_AARCH64_LD64_GOTPAGE_LO15, 0xf9400000),
                     0xf9400000 | 0x870 / 8 << 10);
    assert_int_equal(relocated(R_AARCH64_TLSLE_ADD_TPREL_HI12, 0x91400000),
                     0x91400000 | 0x345 << 10);
}

TEST(a_branch_that_cannot_reach_gets_the_nearest_distance)
{
    assert_int_equal(relocated(R_AARCH64_CALL26, 0x94000000), 0x95ffffff);
    assert_int_equal(relocated(R_AARCH64_CONDBR19, 0x54000000),
                     0x54000000 | 0x3ffff << 5);
}

TEST(a_relocation_that_does_not_fit_or_is_unknown_writes_nothing)
{
    struct objreloc r = {.type = R_AARCH64_ABS64, .symbol = UINT64_MAX};
    uint8_t bytes[8] = {0};

    assert_false(objreloc_apply(EM_AARCH64, &r, bytes, 7));
    r.type = R_AARCH64_CALL26;
    assert_false(objreloc_apply(EM_AARCH64, &r, bytes, 3));
    r.type = 60000;
    assert_false(objreloc_apply(EM_AARCH64, &r, bytes, 8));
    assert_memory_equal(bytes, ((uint8_t[8]){0}), 8);
}
