/* Numbers of walks: what is drawn and what is known. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "interpret/sd_drawn.h"

#define BASE UINT64_C(0x123456789abcdef0)

static struct sd_value drawn(uint64_t bits)
{
    return (struct sd_value){bits, UINT64_MAX};
}

static struct sd_value eval(enum sd_opcode code, unsigned width, unsigned imm,
                            struct sd_value a, struct sd_value b)
{
    struct sd_op op = {
        .code = (uint8_t)code, .width = (uint8_t)width, .imm = imm};

    return sd_drawn_eval(&op, a, b, sd_known(0), true);
}

static void assert_drawn(struct sd_value v, uint64_t bits, uint64_t mask)
{
    assert_true(v.bits == bits && v.bottom == mask);
}

TEST(a_sum_is_drawn_if_one_of_its_operands_is)
{
    assert_drawn(eval(SD_ADD, 64, 0, sd_known(1), sd_known(2)), 3, 0);
    assert_drawn(eval(SD_ADD, 64, 0, drawn(BASE), sd_known(2)), BASE + 2,
                 UINT64_MAX);
    assert_drawn(eval(SD_ADD, 32, 0, drawn(1), sd_known(2)), 3, UINT32_MAX);
}

TEST(bits_are_known_one_by_one)
{
    assert_drawn(eval(SD_AND, 64, 0, drawn(BASE), sd_known(0xff)), 0xf0, 0xff);
    assert_drawn(eval(SD_OR, 64, 0, drawn(0), sd_known(0xff)), 0xff,
                 ~UINT64_C(0xff));
    assert_drawn(eval(SD_DEPOSIT, 8, 8, drawn(BASE), sd_known(7)),
                 UINT64_C(0x123456789abc07f0), ~UINT64_C(0xff00));
    assert_drawn(eval(SD_EXTRACT, 8, 8,
                      (struct sd_value){0x0700, ~UINT64_C(0xff00)},
                      sd_known(0)),
                 7, 0);
    assert_drawn(eval(SD_SHL, 64, 0, (struct sd_value){1, 0xff}, sd_known(4)),
                 0x10, 0xff0);
    assert_drawn(
        eval(SD_SEXT, 64, 8, (struct sd_value){0x80, 0x80}, sd_known(0)),
        UINT64_MAX << 7, UINT64_MAX << 7);
}

TEST(numbers_of_one_base_have_a_known_difference_and_comparison)
{
    struct sd_value a = drawn(BASE), b = drawn(BASE + 64);

    assert_drawn(eval(SD_SUB, 64, 0, b, a), 64, 0);
    assert_drawn(eval(SD_CMPEQ, 64, 0, a, b), 0, 0);
    assert_drawn(eval(SD_CMPLTU, 64, 0, a, b), 1, 0);
    assert_drawn(eval(SD_XOR, 64, 0, a, a), 0, 0);
    /* Two numbers of a base are near each other up to a distance of 2^24. */
    b = drawn(BASE + (1 << 24));
    assert_int_equal(eval(SD_CMPEQ, 64, 0, a, b).bottom, 0);
    b.bits++;
    assert_int_equal(eval(SD_CMPEQ, 64, 0, a, b).bottom, 1);
}

TEST(small_numbers_and_bytes_have_no_base)
{
    assert_int_equal(eval(SD_CMPEQ, 64, 0, drawn(5), drawn(6)).bottom, 1);
    assert_int_equal(
        eval(SD_CMPEQ, 64, 0, drawn(UINT64_MAX), drawn(UINT64_MAX - 1)).bottom,
        1);
    assert_int_equal(eval(SD_CMPEQ, 8, 0, (struct sd_value){0x70, 0xff},
                          (struct sd_value){0x70, 0xff})
                         .bottom,
                     1);
    /* A known number has no base. */
    assert_int_equal(eval(SD_CMPEQ, 64, 0, drawn(BASE), sd_known(BASE)).bottom,
                     1);
}

TEST(without_the_rule_the_same_base_does_not_decide)
{
    struct sd_op op = {.code = SD_CMPEQ, .width = 64};

    assert_int_equal(
        sd_drawn_eval(&op, drawn(BASE), drawn(BASE), sd_known(0), false).bottom,
        1);
}

TEST(known_bits_can_decide_a_comparison)
{
    struct sd_value byte = {0x41, 0xff};

    assert_drawn(eval(SD_CMPEQ, 32, 0, byte, sd_known(0x100)), 0, 0);
    assert_drawn(eval(SD_CMPLTU, 32, 0, byte, sd_known(0x100)), 1, 0);
    assert_int_equal(eval(SD_CMPLTU, 32, 0, byte, sd_known(0xff)).bottom, 1);
}

TEST(a_choice_by_something_drawn_is_drawn)
{
    struct sd_op op = {.code = SD_ITE, .width = 64};
    struct sd_value one = sd_known(1), two = sd_known(2);

    assert_drawn(sd_drawn_eval(&op, one, one, two, true), 1, 0);
    assert_drawn(sd_drawn_eval(&op, (struct sd_value){1, 1}, one, two, true), 1,
                 UINT64_MAX);
}

TEST(a_quotient_by_zero_is_drawn)
{
    assert_true(eval(SD_DIVU, 32, 0, sd_known(7), sd_known(0)).bottom ==
                UINT32_MAX);
}
