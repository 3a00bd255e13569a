/* Numbers of walks: what is drawn and what is known, how forced comparisons
   change their operands, and the indices of addresses. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "interpret/sd_drawn.h"

#define SOME_BASE UINT64_C(0x123456789abcdef0)

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
    assert_drawn(eval(SD_ADD, 64, 0, drawn(SOME_BASE), sd_known(2)),
                 SOME_BASE + 2, UINT64_MAX);
    assert_drawn(eval(SD_ADD, 32, 0, drawn(1), sd_known(2)), 3, UINT32_MAX);
}

TEST(bits_are_known_one_by_one)
{
    assert_drawn(eval(SD_AND, 64, 0, drawn(SOME_BASE), sd_known(0xff)), 0xf0,
                 0xff);
    assert_drawn(eval(SD_OR, 64, 0, drawn(0), sd_known(0xff)), 0xff,
                 ~UINT64_C(0xff));
    assert_drawn(eval(SD_DEPOSIT, 8, 8, drawn(SOME_BASE), sd_known(7)),
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
    struct sd_value a = drawn(SOME_BASE), b = drawn(SOME_BASE + 64);

    assert_drawn(eval(SD_SUB, 64, 0, b, a), 64, 0);
    assert_drawn(eval(SD_CMPEQ, 64, 0, a, b), 0, 0);
    assert_drawn(eval(SD_CMPLTU, 64, 0, a, b), 1, 0);
    assert_drawn(eval(SD_XOR, 64, 0, a, a), 0, 0);
    /* Two numbers of a base are near each other up to a distance of 2^24. */
    b = drawn(SOME_BASE + (1 << 24));
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
    assert_int_equal(
        eval(SD_CMPEQ, 64, 0, drawn(SOME_BASE), sd_known(SOME_BASE)).bottom, 1);
}

TEST(without_the_rule_the_same_base_does_not_decide)
{
    struct sd_op op = {.code = SD_CMPEQ, .width = 64};

    assert_int_equal(sd_drawn_eval(&op, drawn(SOME_BASE), drawn(SOME_BASE),
                                   sd_known(0), false)
                         .bottom,
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

/* --- Comparisons: forced ones, and when decided ones change --- */

static struct sd_comparison comparison(enum sd_opcode code, unsigned width,
                                       struct sd_value a, struct sd_value b)
{
    return (struct sd_comparison){
        .code = (uint8_t)code, .width = (uint8_t)width, .operand = {a, b}};
}

static struct sd_value drawn_bits(uint64_t bits, unsigned width)
{
    return (struct sd_value){bits & sd_mask(width), sd_mask(width)};
}

/* Decides a comparison in many ways, and checks that it then holds or, if
   `holds` is false, does not. */
static void assert_obeys(struct sd_comparison c, bool holds, bool is_known)
{
    for (uint64_t i = 0; i < 200; i++) {
        struct sd_comparison now = c;
        struct sd_value n = {0, 0};
        unsigned operand = 9;

        if (!sd_decide(&c, holds, sd_random(1, i), &operand, &n))
            fail();
        now.operand[operand] = n;
        assert_true(c.operand[operand].bottom != 0);
        assert_true(n.bits <= sd_mask(c.width));
        assert_int_equal(sd_comparison_holds(&now), holds);
        assert_int_equal(sd_is_known(n), is_known);
    }
}

TEST(an_order_holds_as_it_was_decided)
{
    static const enum sd_opcode codes[] = {SD_CMPLTU, SD_CMPLTS, SD_CMPLEU,
                                           SD_CMPLES};

    for (unsigned i = 0; i < 4; i++)
        for (unsigned holds = 0; holds < 2; holds++) {
            assert_obeys(comparison(codes[i], 32, sd_known(1000),
                                    drawn_bits(UINT64_C(0x9abcdef0), 32)),
                         holds, true);
            assert_obeys(comparison(codes[i], 64, drawn_bits(1u << 30, 64),
                                    sd_known(1000)),
                         holds, true);
        }
}

TEST(a_drawn_number_takes_the_value_that_it_equals)
{
    struct sd_comparison c =
        comparison(SD_CMPEQ, 64, drawn_bits(12345, 64), sd_known(7));
    struct sd_value n;
    unsigned operand;

    assert_true(sd_decide(&c, true, 0, &operand, &n));
    assert_true(operand == 0 && n.bits == 7 && n.bottom == 0);
    assert_false(sd_decide(&c, false, 0, &operand, &n));
}

TEST(a_range_check_leaves_the_number_drawn_in_the_range)
{
    struct sd_comparison c = comparison(
        SD_CMPLEU, 32, drawn_bits(UINT64_C(0x9abcdef0), 32), sd_known(3));
    unsigned seen = 0;

    c.is_const = true;
    assert_obeys(c, true, false);
    for (uint64_t i = 0; i < 100; i++) {
        struct sd_value n;
        unsigned operand;

        assert_true(sd_decide(&c, true, sd_random(2, i), &operand, &n));
        seen |= 1u << n.bits;
    }
    assert_int_equal(seen, 0xf);
}

TEST(a_number_compared_with_a_constant_is_still_drawn)
{
    struct sd_comparison c = comparison(
        SD_CMPLTS, 32, drawn_bits(UINT64_C(0x9abcdef0), 32), sd_known(9));

    c.is_const = true;
    assert_obeys(c, true, false);
    /* A number that is compared with zero becomes known. */
    c.operand[1].bits = 0;
    assert_obeys(c, false, true);
}

/* The number of rounds until a comparison changes, by executing them. */
static uint64_t rounds(struct sd_comparison c, const uint64_t steps[2])
{
    bool holds = sd_comparison_holds(&c);

    for (uint64_t n = 1; n < 1000; n++) {
        for (unsigned i = 0; i < 2; i++)
            c.operand[i].bits =
                (c.operand[i].bits + steps[i]) & sd_mask(c.width);
        if (sd_comparison_holds(&c) != holds)
            return n;
    }
    return UINT64_MAX;
}

TEST(the_rounds_left_are_those_that_a_loop_executes)
{
    static const uint64_t steps[] = {0, 1, 3, 8, UINT64_MAX, UINT64_MAX - 3};
    static const uint64_t numbers[] = {100, 101, 132, 150, 180};
    unsigned n_known = 0;

    for (unsigned i = 0; i < 6 * 6 * 5 * 5 * 6; i++) {
        enum sd_opcode code = (enum sd_opcode)(SD_CMPEQ + i / (6 * 6 * 5 * 5));
        uint64_t moves[2] = {steps[i % 6], steps[i / 6 % 6]};
        struct sd_comparison c =
            comparison(code, 32, sd_known(numbers[i / 36 % 5]),
                       sd_known(numbers[i / 180 % 5]));
        uint64_t left = sd_rounds_left(&c, moves);

        if (left == UINT64_MAX) /* or much later, after an overflow */
            continue;
        n_known++;
        assert_true(left == rounds(c, moves));
    }
    assert_true(n_known > 1000);
}

TEST(a_loop_that_counts_through_zero_ends_where_its_numbers_are_equal)
{
    static const uint64_t down[2] = {-(uint64_t)8, 0}, up[2] = {0, 8};
    struct sd_comparison c =
        comparison(SD_CMPEQ, 64, sd_known(80), sd_known(-(uint64_t)16));

    assert_int_equal(sd_rounds_left(&c, down), 12);
    assert_int_equal(sd_rounds_left(&c, up), 12);
    c.width = 32;
    c.operand[1].bits &= UINT32_MAX;
    assert_int_equal(sd_rounds_left(&c, down), 12);
}

TEST(a_loop_goes_round_a_few_times_mostly)
{
    unsigned few = 0, many = 0;

    for (uint64_t i = 0; i < 1000; i++) {
        uint32_t n = sd_rounds_drawn(sd_random(3, i));

        assert_true(n >= 1);
        few += n <= 4;
        many += n >= 16;
    }
    assert_true(few > 900 && many > 30 && few + many == 1000);
}

TEST(flags_are_comparisons)
{
    enum { SUBL = 7, LOGICQ = 20, ADDQ = 4, SBBQ = 16 };
    enum { BELOW = 2, NOT_ZERO = 5, LESS_OR_EQUAL = 14, OVERFLOW = 0 };
    struct sd_flags_test t;

    assert_true(sd_flags_test(BELOW, SUBL, &t));
    assert_true(t.code == SD_CMPLTU && t.width == 32 && !t.is_negated &&
                t.operands == SD_TEST_PAIR);
    assert_true(sd_flags_test(NOT_ZERO, LOGICQ, &t));
    assert_true(t.code == SD_CMPEQ && t.width == 64 && t.is_negated &&
                t.operands == SD_TEST_FIRST);
    assert_true(sd_flags_test(BELOW, ADDQ, &t));
    assert_true(t.operands == SD_TEST_CARRY);
    assert_true(sd_flags_test(LESS_OR_EQUAL, SUBL, &t));
    assert_true(t.code == SD_CMPLES);
    assert_false(sd_flags_test(OVERFLOW, SUBL, &t));
    assert_false(sd_flags_test(BELOW, SBBQ, &t));
    assert_false(sd_flags_test(BELOW, 0, &t));
}

/* --- Indices --- */

enum { BASE = SD_N_FIXED, INDEX, SCALE, SCALED, SUM, THREE, TWICE, VALUE, END };

TEST(a_large_index_becomes_small)
{
    struct sd_value small;

    assert_true(sd_index_fold((struct sd_value){0x12345, UINT32_MAX}, &small));
    assert_int_equal(small.bits, 5);
    assert_int_equal(small.bottom, UINT32_MAX);
    assert_true(sd_index_fold((struct sd_value){64, UINT64_MAX}, &small));
    assert_true(sd_index_fold((struct sd_value){-(uint64_t)65, 1}, &small));
    assert_int_equal(small.bits, 15);
}

TEST(a_small_or_known_index_stays)
{
    struct sd_value small;

    assert_false(sd_index_fold((struct sd_value){63, UINT64_MAX}, &small));
    assert_false(
        sd_index_fold((struct sd_value){-(uint64_t)64, UINT64_MAX}, &small));
    assert_false(sd_index_fold(sd_known(0x12345), &small));
}

TEST(an_index_that_is_not_scaled_has_32_bits)
{
    assert_true(sd_index_is_one((struct sd_value){UINT32_MAX, UINT32_MAX}));
    assert_true(
        sd_index_is_one((struct sd_value){-(uint64_t)1 << 31, UINT64_MAX}));
    assert_false(
        sd_index_is_one((struct sd_value){UINT64_C(1) << 32, UINT64_MAX}));
    assert_false(sd_index_is_one(sd_known(1)));
}

static const struct sd_op get_base = {
    .code = SD_GET, .width = 64, .dst = BASE, .imm = 16};
static const struct sd_op get_index = {
    .code = SD_GET, .width = 64, .dst = INDEX, .imm = 24};

TEST(an_index_that_is_scaled_in_an_address_is_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = INDEX, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = SCALED},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[2].imm, 1 + BASE);
    assert_int_equal(ops[3].imm, 0);
}

TEST(an_index_that_is_scaled_twice_is_marked_twice)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SHL, .width = 64, .dst = TWICE, .a = INDEX, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = THREE, .a = INDEX, .b = TWICE},
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = THREE, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = SCALED, .b = BASE},
        {.code = SD_STORE, .width = 64, .a = SUM, .b = INDEX}};

    sd_index_mark(ops, 7, END);
    assert_int_equal(ops[2].imm, 1 + BASE);
    assert_int_equal(ops[4].imm, 1 + BASE);
    assert_int_equal(ops[5].imm, 0);
}

TEST(the_base_of_an_index_may_come_later)
{
    struct sd_op ops[] = {
        get_index,
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = INDEX, .b = SCALE},
        get_base,
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = SCALED},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[1].imm, 1 + SD_BOTTOM);
}

TEST(a_sum_of_two_registers_is_marked_as_unscaled)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = INDEX},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 4, END);
    assert_true(ops[2].imm == SD_INDEX_UNSCALED);
}

TEST(an_index_that_is_subtracted_in_an_address_is_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SUB, .width = 64, .dst = TWICE, .a = BASE, .b = INDEX},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = TWICE},
        {.code = SD_SUB, .width = 64, .dst = THREE, .a = BASE, .b = INDEX},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = THREE, .b = BASE},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = SUM},
        {.code = SD_SUB,
         .width = 64,
         .dst = SCALED,
         .a = BASE,
         .b = INDEX,
         .imm = 7}};

    sd_index_mark(ops, 8, END);
    assert_true(ops[2].imm == SD_INDEX_UNSCALED);
    assert_true(ops[4].imm == SD_INDEX_UNSCALED);
    assert_int_equal(ops[5].imm, 0);
    assert_int_equal(ops[7].imm, 0);
}

TEST(other_sums_and_products_are_not_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_MUL,
         .width = 64,
         .dst = SCALED,
         .a = INDEX,
         .b = BASE,
         .imm = 7},
        {.code = SD_ADD,
         .width = 64,
         .dst = SUM,
         .a = BASE,
         .b = SCALED,
         .imm = 7},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = BASE}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[2].imm, 0);
    assert_int_equal(ops[3].imm, 0);
}
