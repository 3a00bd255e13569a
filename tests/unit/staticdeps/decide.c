/* How forced comparisons change their operands, and when decided ones
   change. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "interpret/sd_drawn.h"

static struct sd_comparison comparison(enum sd_opcode code, unsigned width,
                                       struct sd_value a, struct sd_value b)
{
    return (struct sd_comparison){
        .code = (uint8_t)code, .width = (uint8_t)width, .operand = {a, b}};
}

static struct sd_value drawn(uint64_t bits, unsigned width)
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
                                    drawn(UINT64_C(0x9abcdef0), 32)),
                         holds, true);
            assert_obeys(
                comparison(codes[i], 64, drawn(1u << 30, 64), sd_known(1000)),
                holds, true);
        }
}

TEST(a_drawn_number_takes_the_value_that_it_equals)
{
    struct sd_comparison c =
        comparison(SD_CMPEQ, 64, drawn(12345, 64), sd_known(7));
    struct sd_value n;
    unsigned operand;

    assert_true(sd_decide(&c, true, 0, &operand, &n));
    assert_true(operand == 0 && n.bits == 7 && n.bottom == 0);
    assert_false(sd_decide(&c, false, 0, &operand, &n));
}

TEST(a_range_check_leaves_the_number_drawn_in_the_range)
{
    struct sd_comparison c =
        comparison(SD_CMPLEU, 32, drawn(UINT64_C(0x9abcdef0), 32), sd_known(3));
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
    struct sd_comparison c =
        comparison(SD_CMPLTS, 32, drawn(UINT64_C(0x9abcdef0), 32), sd_known(9));

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
