/* Code is cut into blocks, which are named. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "decoder.h"

static struct sd_blocks blocks;

/* Cuts the code, at 0x1000, into blocks and writes "OFFSET+INSTRUCTIONS" of
   each, with "!" if it is not code and "=NAME" if it has a name. */
static const char *cut(const uint8_t *code, size_t size,
                       struct sd_symbol *symbols, size_t n_symbols)
{
    static char text[400];
    struct sd_section section = {
        .address = 0x1000, .bytes = (uint8_t *)(uintptr_t)code, .size = size};
    struct sd_image image = {.sections = &section,
                             .n_sections = 1,
                             .symbols = symbols,
                             .n_symbols = n_symbols};
    uint64_t next = 0x1000;
    int n = 0;

    sd_blocks_fini(&blocks);
    blocks = (struct sd_blocks){0};
    sd_blocks_of_image(&blocks, decoder(), &image);
    text[0] = '\0';
    for (size_t i = 0; i < blocks.n_blocks; i++) {
        const struct sd_block *b = &blocks.blocks[i];

        assert_true(b->address == next || /* no byte is left out */
                    (b->address < next && b->address + b->size == next));
        next = b->address + b->size;
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%x+%u%s%s%s",
                      i > 0 ? " " : "", (unsigned)(b->address - 0x1000),
                      b->n_insns, b->status != SD_OK ? "!" : "",
                      b->function != NULL ? "=" : "",
                      b->function != NULL ? b->function : "");
    }
    assert_true(next == 0x1000 + size);
    return text;
}

#define CUT(...)                                                              \
    cut((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__}, \
        NULL, 0)

TEST(a_block_ends_after_each_transfer_of_control)
{
    assert_string_equal(CUT(0x90, 0xc3, 0x90, 0x90), "0+2 2+2"); /* ret */
    assert_string_equal(CUT(0xff, 0xe0, 0x90), "0+1 2+1");       /* jmp *%rax */
    assert_string_equal(CUT(0xff, 0xd0, 0x90), "0+1 2+1"); /* call *%rax */
    assert_string_equal(CUT(0x0f, 0x05, 0x90), "0+1 2+1"); /* syscall */
    assert_string_equal(CUT(0x0f, 0x34, 0x90), "0+1 2+1"); /* sysenter */
    assert_string_equal(CUT(0xcd, 0x80, 0x90), "0+1 2+1"); /* int */
    assert_string_equal(CUT(0xcc, 0x90), "0+1 1+1");       /* int3 */
    assert_string_equal(CUT(0xf4, 0x90), "0+1 1+1");       /* hlt */
    assert_string_equal(CUT(0x0f, 0x0b, 0x90), "0+1 2+1"); /* ud2 */
    assert_string_equal(CUT(0x48, 0xcf, 0x90), "0+1 2+1"); /* iretq */
    assert_string_equal(CUT(0x3e, 0xff, 0xe0, 0x90), "0+1 3+1"); /* notrack */
    assert_string_equal(CUT(0xf2, 0xc3, 0x90), "0+1 2+1");       /* bnd ret */
    assert_string_equal(CUT(0xf3, 0xc3, 0x90), "0+1 2+1");       /* rep ret */
}

TEST(a_block_begins_at_each_target)
{
    /* nop; nop; jmp to the second nop */
    assert_string_equal(CUT(0x90, 0x90, 0xeb, 0xfd, 0x90), "0+1 1+2 4+1");
    /* jne over a nop, with 32 bits of distance */
    assert_string_equal(CUT(0x0f, 0x85, 1, 0, 0, 0, 0x90, 0x90, 0x90),
                        "0+1 6+1 7+2");
    /* call, loop, jrcxz, xbegin */
    assert_string_equal(CUT(0xe8, 1, 0, 0, 0, 0x90, 0x90, 0x90), "0+1 5+1 6+2");
    assert_string_equal(CUT(0x90, 0x90, 0xe2, 0xfd), "0+1 1+2");
    assert_string_equal(CUT(0x90, 0x90, 0xe3, 0xfd), "0+1 1+2");
    assert_string_equal(CUT(0xc7, 0xf8, 1, 0, 0, 0, 0x90, 0x90, 0x90),
                        "0+1 6+1 7+2");
}

TEST(a_target_elsewhere_or_inside_an_instruction_cuts_no_block)
{
    /* mov $0x90909090,%eax; jmp into it */
    assert_string_equal(CUT(0xb8, 0x90, 0x90, 0x90, 0x90, 0x90, 0xeb, 0xfa),
                        "0+3");
    assert_string_equal(CUT(0x90, 0xe9, 0, 0, 0, 0x40), "0+2");
}

TEST(nops_after_a_transfer_to_which_nothing_leads_are_a_block)
{
    /* jmp *%rax; nop; xchg %ax,%ax; incl (%rdi); nop; ret */
    assert_string_equal(
        CUT(0xff, 0xe0, 0x90, 0x66, 0x90, 0xff, 0x07, 0x90, 0xc3),
        "0+1 2+2 5+3");
    /* jmp *%rax; nop; jmp 0 */
    assert_string_equal(CUT(0xff, 0xe0, 0x90, 0xeb, 0xfb), "0+1 2+1 3+1");
    /* ret; 1: nop; incl (%rdi); jmp 1 */
    assert_string_equal(CUT(0xc3, 0x90, 0xff, 0x07, 0xeb, 0xfb), "0+1 1+3");
}

TEST(nops_with_a_symbol_belong_to_what_follows)
{
    /* ret; f: nop; ret */
    const uint8_t code[] = {0xc3, 0x90, 0xc3};
    struct sd_symbol symbol = {
        .name = "f", .address = 0x1001, .is_function = true};

    assert_string_equal(cut(code, sizeof code, &symbol, 1), "0+1 1+2=f");
}

TEST(a_symbol_cuts_and_names)
{
    const uint8_t code[] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
    struct sd_symbol symbols[] = {
        {.name = "f", .address = 0x1001, .size = 3, .is_function = true},
        {.name = "label", .address = 0x1002, .rank = 5},
        {.name = "g", .address = 0x1003, .size = 1, .is_function = true},
        {.name = "end", .address = 0x1006},
    };

    assert_string_equal(cut(code, sizeof code, symbols, 4),
                        "0+1 1+1=f 2+1=f 3+3=g");
    symbols[2].address = 0x1004;
    assert_string_equal(cut(code, sizeof code, symbols, 4),
                        "0+1 1+1=f 2+2=f 4+2=g");
}

TEST(the_innermost_function_names_a_block_and_the_first_of_its_names)
{
    const uint8_t code[] = {0xc3, 0xc3, 0xc3, 0xc3, 0xc3};
    struct sd_symbol symbols[] = {
        {.name = "outer", .address = 0x1000, .size = 4, .is_function = true},
        {.name = "inner", .address = 0x1001, .size = 2, .is_function = true},
        {.name = "weak",
         .address = 0x1001,
         .size = 2,
         .is_function = true,
         .rank = 1},
        {.name = "endless", .address = 0x1004, .is_function = true},
    };

    assert_string_equal(cut(code, sizeof code, symbols, 4),
                        "0+1=outer 1+1=inner 2+1=inner 3+1=outer 4+1=endless");
}

TEST(a_symbol_inside_an_instruction_restarts_the_sweep)
{
    /* mov $imm32,%eax, whose last two bytes are nops with a name */
    const uint8_t code[] = {0xb8, 1, 2, 0x90, 0x90};
    struct sd_symbol symbol = {.name = "x", .address = 0x1003};
    const char *text = cut(code, sizeof code, &symbol, 1);

    assert_non_null(strstr(text, " 3+2"));
    assert_non_null(strchr(text, '!'));
}

TEST(an_instruction_before_a_function_does_not_overlap_it)
{
    /* mov $0x55,%al, whose last byte is a function's push */
    const uint8_t code[] = {0xb0, 0x55, 0xc3};
    struct sd_symbol symbol = {
        .name = "f", .address = 0x1001, .is_function = true};

    assert_string_equal(cut(code, sizeof code, &symbol, 1), "0+0! 1+2=f");
}

/* Cuts code that begins with a function f; `label` is the offset of a label
   that is not a function, 0: there is none. */
static const char *cut_f(const uint8_t *code, size_t size, unsigned label)
{
    struct sd_symbol symbols[] = {
        {.name = "f", .address = 0x1000, .is_function = true},
        {.name = "x", .address = 0x1000 + label}};

    return cut(code, size, symbols, label > 0 ? 2 : 1);
}

#define CUT_F(label, ...)                 \
    cut_f((const uint8_t[]){__VA_ARGS__}, \
          sizeof(const uint8_t[]){__VA_ARGS__}, label)

TEST(a_jump_past_a_prefix_makes_blocks_that_overlap)
{
    /* je past the prefix of lock incl (%rdi); ret */
    assert_string_equal(CUT_F(0, 0x74, 1, 0xf0, 0xff, 0x07, 0xc3),
                        "0+1=f 2+1=f 3+1=f 5+1=f");
    assert_string_equal(CUT_F(3, 0x74, 1, 0xf0, 0xff, 0x07, 0xc3),
                        "0+1=f 2+1=f 3+1=f 5+1=f");
    /* jmp past the prefix lock; jne to it */
    assert_string_equal(CUT_F(0, 0xeb, 1, 0xf0, 0xff, 0x07, 0x75, 0xfb, 0xc3),
                        "0+1=f 2+1=f 3+1=f 5+1=f 7+1=f");
    /* je to the four nops in mov $0x90909090,%eax; nop; ret */
    assert_string_equal(
        CUT_F(0, 0x74, 1, 0xb8, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3),
        "0+1=f 2+1=f 3+4=f 7+2=f");
}

TEST(few_jumps_into_instructions_are_followed)
{
    /* The code at the target ends later, leaves before the end, or is the
       second in the instruction. */
    assert_string_equal(CUT_F(0, 0x74, 1, 0xb0, 0xb0, 0x90, 0xc3),
                        "0+1=f 2+3=f");
    assert_string_equal(CUT_F(0, 0x74, 1, 0xb8, 0xeb, 0, 0x90, 0x90, 0xc3),
                        "0+1=f 2+2=f");
    assert_string_equal(
        CUT_F(0, 0x74, 3, 0x74, 2, 0xb8, 0x90, 0x90, 0x90, 0x90, 0xc3),
        "0+1=f 2+1=f 4+1=f 6+3=f 9+1=f");
    /* je into the first, then to the second nop in mov $0x90909090,%eax */
    assert_string_equal(
        CUT_F(0, 0x74, 4, 0x74, 1, 0xb8, 0x90, 0x90, 0x90, 0x90, 0xc3),
        "0+1=f 2+1=f 4+1=f 5+4=f 9+1=f");
    /* je to the nop and mov $0x90,%al in push; je to the end of that mov */
    assert_string_equal(
        CUT_F(0, 0x74, 5, 0x74, 1, 0x68, 0x90, 0xb0, 0x90, 0x90, 0xc3),
        "0+1=f 2+1=f 4+1=f 5+3=f 9+1=f");
    /* Without a symbol, no code is sure. */
    assert_string_equal(CUT(0x74, 1, 0xf0, 0xff, 0x07, 0xc3), "0+1 2+2");
}

TEST(code_after_a_call_is_surer_than_unreached_code)
{
    /* mov $0x90,%al or data, then ret; f calls, and jumps to the nop in it */
    const uint8_t code[] = {0xb0, 0x90, 0xc3, 0xe8, 0, 1, 0, 0, 0xeb, 0xf7};
    struct sd_symbol symbol = {
        .name = "f", .address = 0x1003, .is_function = true};

    assert_string_equal(cut(code, sizeof code, &symbol, 1),
                        "0+0! 1+2 3+1=f 8+1=f");
}

TEST(the_target_of_a_jump_is_surer_than_code_after_a_call)
{
    /* f calls; data, or mov $0x90,%al; g jumps to the nop in it */
    const uint8_t code[] = {0xe8, 0, 1, 0, 0, 0xb0, 0x90, 0xc3, 0xeb, 0xfc};
    struct sd_symbol symbols[] = {
        {.name = "f", .address = 0x1000, .is_function = true},
        {.name = "g", .address = 0x1008, .is_function = true},
    };

    assert_string_equal(cut(code, sizeof code, symbols, 2),
                        "0+1=f 5+0!=f 6+2=f 8+1=g");
}

TEST(undecodable_bytes_are_a_block_whose_status_says_so)
{
    /* 0x06 is no instruction in 64-bit mode */
    assert_string_equal(CUT(0x90, 0x06, 0x06, 0x90, 0xc3), "0+1 1+0! 3+2");
    assert_string_equal(CUT(0x48), "0+0!");
}

TEST(the_prefix_tells_the_length_of_an_unknown_vector_instruction)
{
    /* kmovq %rbx,%k2; ret */
    assert_string_equal(CUT(0xc4, 0xe1, 0xfb, 0x92, 0xd3, 0xc3), "0+2");
    /* vpcmpub $4,(%r15),%zmm5,%k0 has an immediate, and 0x42(%rsp) two bytes
       and a displacement */
    assert_string_equal(CUT(0x62, 0xd3, 0x55, 0x48, 0x3e, 0x07, 0x04, 0xc3),
                        "0+2");
    assert_string_equal(
        CUT(0x62, 0xf3, 0x55, 0x48, 0x3e, 0x44, 0x24, 0x42, 0x04, 0xc3), "0+2");
    /* rdpkru */
    assert_string_equal(CUT(0x0f, 0x01, 0xee, 0xc3), "0+2");
    /* cut short */
    assert_string_equal(CUT(0x62), "0+0!");
}

TEST(eight_unreached_zeros_are_padding_and_seven_are_code)
{
    /* ret; addb %al,(%rax) three times; addb %al,%al; ret */
    assert_string_equal(CUT(0xc3, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0xc3), "0+1 1+5");
    /* ret; padding; ret */
    assert_string_equal(CUT(0xc3, 0, 0, 0, 0, 0, 0, 0, 0, 0xc3),
                        "0+1 1+0! 9+1");
    assert_string_equal(CUT(0xc3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc3),
                        "0+1 1+0! a+1");
}

TEST(zeros_up_to_the_end_or_known_code_are_padding)
{
    const uint8_t code[] = {0xc3, 0, 0, 0, 0xc3};
    struct sd_symbol symbols[] = {
        {.name = "f", .address = 0x1000, .size = 1, .is_function = true},
        {.name = "g", .address = 0x1004, .size = 1, .is_function = true},
    };

    assert_string_equal(CUT(0xc3, 0, 0), "0+1 1+0!");
    assert_string_equal(CUT(0xc3, 0), "0+1 1+0!");
    assert_string_equal(cut(code, sizeof code, symbols, 2), "0+1=f 1+0! 4+1=g");
}

TEST(zeros_that_control_reaches_are_code)
{
    /* jmp 2; addb %al,(%rax) four times; ret */
    assert_string_equal(CUT(0xeb, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc3), "0+1 2+5");
}

TEST(jumps_and_traps_have_no_effect_and_calls_and_returns_do)
{
    CUT(0xeb, 0, 0xcc, 0xe8, 0, 0, 0, 0, 0xc3);
    assert_int_equal(blocks.n_insns, 4);
    assert_int_equal(blocks.insns[0], 2 | SD_NO_EFFECT);
    assert_int_equal(blocks.insns[1], 1 | SD_NO_EFFECT);
    assert_int_equal(blocks.insns[2], 5);
    assert_int_equal(blocks.insns[3], 1);
}
