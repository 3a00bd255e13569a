/* The lifted code of instructions, and how the cache tells instructions
   apart. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "lift/sd_insn.h"

static const struct sd_insn *lift(enum arch arch, const uint8_t code[4])
{
    return sd_lift(arch, code, 4);
}

/* Lifts the bytes three times, for both architectures; on AArch64 they load. */
static void assert_both_ways(const uint8_t code[4], enum arch first)
{
    for (unsigned i = 0; i < 3; i++) {
        enum arch arch =
            i % 2 == 0 ? first
                       : (first == ARCH_X86_64 ? ARCH_AARCH64 : ARCH_X86_64);
        const struct sd_insn *insn = lift(arch, code);

        assert_int_equal(insn->status, SD_OK);
        assert_int_equal(insn->length, 4);
        assert_true(insn->loads == (arch == ARCH_AARCH64));
    }
}

TEST(equal_bytes_are_another_instruction_on_another_architecture)
{
    /* leaq -7(%rdi),%rax; ldr x8,[x10,#3864] */
    assert_both_ways((const uint8_t[]){0x48, 0x8d, 0x47, 0xf9}, ARCH_X86_64);
    /* leaq -7(%rsi),%rax; ldr from another address */
    assert_both_ways((const uint8_t[]){0x48, 0x8d, 0x46, 0xf9}, ARCH_AARCH64);
}

TEST(instructions_differ_by_bytes_and_length)
{
    /* addb %al,(%rax), of two bytes; three zeros are cut short */
    const uint8_t code[] = {0, 0, 0};
    const struct sd_insn *two = sd_lift(ARCH_X86_64, code, 2);
    const struct sd_insn *three = sd_lift(ARCH_X86_64, code, 3);

    assert_true(two != three);
    assert_true(sd_lift(ARCH_X86_64, code, 2) != three);
}

static unsigned count(const struct sd_insn *insn, enum sd_opcode code)
{
    unsigned n = 0;

    for (size_t i = 0; i < insn->n_ops; i++)
        n += insn->ops[i].code == code;
    return n;
}

/* Both forms of an instruction are kept, whichever is asked for first. */
TEST(a_whole_value_is_one_load_and_what_is_no_arithmetic_is_opaque)
{
    const uint8_t code[] = {0x0f, 0x58, 0x07}; /* addps (%rdi),%xmm0 */

    for (unsigned i = 0; i < 2; i++) {
        const struct sd_insn *whole = sd_lift_whole(ARCH_X86_64, code, 3);
        const struct sd_insn *parts = sd_lift(ARCH_X86_64, code, 3);

        assert_int_equal(count(whole, SD_LOAD), 1);
        assert_int_equal(count(whole, SD_PUT), 1);
        assert_true(count(whole, SD_OPAQUE) > 0);
        assert_int_equal(count(parts, SD_LOAD), 2);
        assert_int_equal(count(parts, SD_PUT), 2);
        assert_int_equal(count(parts, SD_OPAQUE), 0);
    }
}

/* Does the instruction make the register at that word of the state unknown? */
static bool makes_bottom(const struct sd_insn *insn, unsigned word)
{
    for (size_t i = 0; i < insn->n_ops; i++)
        if (insn->ops[i].code == SD_PUT && insn->ops[i].imm == 8 * word &&
            insn->ops[i].width == 64 && insn->ops[i].a == SD_BOTTOM)
            return true;
    return false;
}

TEST(a_system_call_makes_its_result_and_r11_unknown)
{
    const uint8_t code[] = {0x0f, 0x05}; /* syscall */
    struct sd_abi abi = guest_abi(ARCH_X86_64);
    const struct sd_insn *insn = sd_lift(ARCH_X86_64, code, 2);
    unsigned rax = abi.stack_pointer - 4, r11 = rax + 11;

    assert_true(makes_bottom(insn, rax));
    assert_true(makes_bottom(insn, r11));
    assert_false(makes_bottom(insn, r11 + 1));
}

TEST(a_cursor_returns_instructions_with_effects_and_their_addresses)
{
    /* nop; jmp .+2; incl (%rdi); jne .+2 */
    const uint8_t bytes[] = {0x90, 0xeb, 0, 0xff, 0x07, 0x75, 0};
    const uint8_t insns[] = {1, 2 | SD_NO_EFFECT, 2, 2 | SD_NO_EFFECT};
    struct sd_lift_cursor cursor = {
        .bytes = bytes, .insns = insns, .n_insns = 4, .next = 0x1000};
    const struct sd_insn *insn = sd_lift_next(ARCH_X86_64, &cursor);

    assert_non_null(insn);
    assert_true(cursor.address == 0x1000);
    insn = sd_lift_next(ARCH_X86_64, &cursor);
    assert_non_null(insn);
    assert_true(insn->loads && insn->stores && cursor.address == 0x1003);
    assert_null(sd_lift_next(ARCH_X86_64, &cursor));
    assert_null(sd_lift_next(ARCH_X86_64, &cursor));
}
