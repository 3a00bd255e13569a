/* Compares the pure operations with the compiler's arithmetic. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "lift/sd_op.h"

static struct sd_value eval(enum sd_opcode code, unsigned width, unsigned imm,
                            struct sd_value a, struct sd_value b,
                            struct sd_value c)
{
    struct sd_op op = {
        .code = (uint8_t)code, .width = (uint8_t)width, .imm = imm};

    return sd_op_eval(&op, a, b, c);
}

static uint64_t known(enum sd_opcode code, unsigned width, uint64_t a,
                      uint64_t b)
{
    struct sd_value v =
        eval(code, width, 0, sd_known(a), sd_known(b), sd_known(0));

    assert_true(sd_is_known(v));
    return v.bits;
}

static bool is_bottom(enum sd_opcode code, unsigned width, uint64_t a,
                      uint64_t b, uint64_t c)
{
    struct sd_value v =
        eval(code, width, 0, sd_known(a), sd_known(b), sd_known(c));

    return v.bottom == sd_mask(width);
}

TEST(narrow_arithmetic_wraps_and_leaves_upper_bits_zero)
{
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t a = sd_random(1, i), b = sd_random(2, i);
        uint8_t a8 = (uint8_t)a, b8 = (uint8_t)b;
        uint32_t a32 = (uint32_t)a, b32 = (uint32_t)b;

        assert_true(known(SD_ADD, 8, a8, b8) == (uint8_t)(a8 + b8));
        assert_true(known(SD_SUB, 8, a8, b8) == (uint8_t)(a8 - b8));
        assert_true(known(SD_ADD, 32, a32, b32) == (uint32_t)(a32 + b32));
        assert_true(known(SD_MUL, 32, a32, b32) == (uint32_t)(a32 * b32));
        assert_true(known(SD_SUB, 64, a, b) == a - b);
        assert_true(known(SD_NOT, 8, a8, 0) == (uint8_t)~a8);
    }
}

TEST(comparisons_know_signs_of_their_width)
{
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t a = sd_random(3, i), b = sd_random(4, i);
        uint32_t a32 = (uint32_t)a, b32 = (uint32_t)b;

        assert_true(known(SD_CMPLTU, 32, a32, b32) == (a32 < b32));
        assert_true(known(SD_CMPLTS, 32, a32, b32) ==
                    ((int32_t)a32 < (int32_t)b32));
        assert_true(known(SD_CMPLES, 64, a, b) == ((int64_t)a <= (int64_t)b));
        assert_true(known(SD_CMPLEU, 64, a, a) == 1);
        assert_true(known(SD_CMPEQ, 64, a, b) == (a == b));
    }
    assert_true(known(SD_CMPLTS, 8, 0x80, 0x7f) == 1);
}

TEST(shifts_keep_their_width_and_can_shift_all_bits_out)
{
    assert_true(known(SD_SHL, 32, 0x80000001, 1) == 2);
    assert_true(known(SD_SAR, 32, 0x80000000, 31) == 0xffffffff);
    assert_true(known(SD_SHR, 64, UINT64_MAX, 63) == 1);
    assert_true(known(SD_SHL, 64, 1, 64) == 0);
    assert_true(known(SD_SHR, 8, 0xff, 8) == 0);
    assert_true(known(SD_SAR, 8, 0x80, 8) == 0xff);
}

TEST(the_upper_half_of_a_product_is_signed_or_not)
{
    assert_true(known(SD_MULHU, 64, UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    assert_true(known(SD_MULHS, 64, UINT64_MAX, UINT64_MAX) == 0);
    assert_true(known(SD_MULHS, 64, UINT64_MAX, 1) == UINT64_MAX);
}

TEST(a_division_that_traps_is_bottom)
{
    assert_true(known(SD_DIVU, 32, 100, 7) == 14);
    assert_true(known(SD_MODU, 32, 100, 7) == 2);
    assert_true(known(SD_DIVS, 32, (uint64_t)-100, 7) == (uint32_t)-14);
    assert_true(known(SD_MODS, 32, (uint64_t)-100, 7) == (uint32_t)-2);
    assert_true(is_bottom(SD_DIVU, 32, 1, 0, 0));
    assert_true(is_bottom(SD_MODU, 32, UINT64_MAX, 1, 0));
    assert_true(is_bottom(SD_DIVS, 64, (uint64_t)INT64_MIN, UINT64_MAX, 0));
    assert_true(is_bottom(SD_DIVS, 32, UINT64_C(1) << 31, 1, 0));
    assert_true(is_bottom(SD_DIVU128, 64, 5, 0, 5));
    assert_true(is_bottom(SD_DIVS128, 64, UINT64_C(1) << 63, 0, UINT64_MAX));
    assert_true(is_bottom(SD_MODS128, 64, 0, 1, 0));
    assert_true(
        eval(SD_DIVU128, 64, 0, sd_known(1), sd_known(0), sd_known(2)).bits ==
        UINT64_C(1) << 63);
    assert_true(eval(SD_MODS128, 64, 0, sd_known(UINT64_MAX),
                     sd_known((uint64_t)-7), sd_known(4))
                    .bits == (uint64_t)-3);
}

TEST(bits_are_counted_within_the_width)
{
    assert_true(known(SD_CLZ, 32, 1, 0) == 31);
    assert_true(known(SD_CLZ, 64, 0, 0) == 64);
    assert_true(known(SD_CTZ, 32, 0, 0) == 32);
    assert_true(known(SD_CTZ, 64, 8, 0) == 3);
    assert_true(known(SD_POPCOUNT, 64, 0xff00ff, 0) == 16);
    assert_true(known(SD_BSWAP, 32, 0x01020304, 0) == 0x04030201);
}

TEST(bottom_in_an_operand_of_arithmetic_gives_bottom)
{
    struct sd_value half = {0x1234, 0xff0000};

    assert_true(eval(SD_ADD, 64, 0, half, sd_known(1), sd_known(0)).bottom ==
                UINT64_MAX);
    assert_true(
        eval(SD_ITE, 32, 0, sd_bottom(1), sd_known(1), sd_known(2)).bottom ==
        UINT32_MAX);
    assert_true(
        eval(SD_ITE, 32, 0, sd_known(0), sd_bottom(32), sd_known(2)).bits == 2);
}

TEST(moving_bits_moves_what_is_undecided_with_them)
{
    struct sd_value half = {0x1234, 0xff0000}, v;

    v = eval(SD_EXTRACT, 8, 8, half, sd_known(0), sd_known(0));
    assert_true(v.bits == 0x12 && v.bottom == 0);
    v = eval(SD_EXTRACT, 16, 8, half, sd_known(0), sd_known(0));
    assert_true(v.bits == 0x12 && v.bottom == 0xff00);
    v = eval(SD_DEPOSIT, 8, 16, half, sd_known(0x56), sd_known(0));
    assert_true(v.bits == 0x561234 && v.bottom == 0);
    v = eval(SD_DEPOSIT, 8, 0, sd_known(0xffff), sd_bottom(8), sd_known(0));
    assert_true(v.bits == 0xff00 && v.bottom == 0xff);
}

TEST(a_zero_decides_an_and_and_a_one_an_or)
{
    struct sd_value half = {0x1234, 0xff0000}, v;

    v = eval(SD_AND, 64, 0, half, sd_known(0xffff), sd_known(0));
    assert_true(v.bits == 0x1234 && v.bottom == 0);
    v = eval(SD_OR, 64, 0, half, sd_known(0x0f0000), sd_known(0));
    assert_true(v.bits == 0x0f1234 && v.bottom == 0xf00000);
    v = eval(SD_XOR, 64, 0, half, sd_known(0xf), sd_known(0));
    assert_true(v.bits == 0x123b && v.bottom == 0xff0000);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a + b;
}

TEST(a_helper_is_called_only_with_known_and_valid_arguments)
{
    struct sd_value temps[] = {sd_bottom(64), sd_known(0), sd_known(7),
                               sd_known(1000)};
    struct sd_call call = {
        .function = (void *)sum, .args = {2, 2}, .n_args = 2, .width = 64};

    assert_true(sd_call_eval(&call, temps).bits == 14);
    call.args[1] = 0;
    assert_false(sd_is_known(sd_call_eval(&call, temps)));
    /* 1000 is no operation that sets flags: VEX would end the program. */
    call = (struct sd_call){.function = (void *)sum,
                            .args = {3, 2},
                            .n_args = 2,
                            .width = 64,
                            .takes_cc = true,
                            .cc_arg = 0,
                            .n_cc = 65};
    assert_false(sd_is_known(sd_call_eval(&call, temps)));
    call.args[0] = 2;
    assert_true(sd_is_known(sd_call_eval(&call, temps)));
    /* On AArch64, 0xb, the low 4 bits below a condition, is no operation. */
    temps[3] = sd_known(0x1b);
    call.args[0] = 3;
    call.n_cc = 11;
    call.has_condition = true;
    assert_false(sd_is_known(sd_call_eval(&call, temps)));
    temps[3] = sd_known(0x1a);
    assert_true(sd_is_known(sd_call_eval(&call, temps)));
    temps[3] = sd_known(0x10a);
    assert_false(sd_is_known(sd_call_eval(&call, temps)));
}
