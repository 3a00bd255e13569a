/*
 * sd_decide: the comparisons that branches test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_decide.h"

#include <assert.h>

#define LARGEST_RANGE 4096 /* of a switch */

__extension__ typedef __int128 int128;

/* Operations of VEX come in fours, of 8 to 64 bits, from number 1 on. */
enum { ADD, SUB, ADC, SBB, LOGIC, INC, DEC, SHL, SHR };

/* Conditions of VEX come in pairs: one, and the same negated. */
enum { OVERFLOW, BELOW, ZERO, BELOW_OR_ZERO, SIGN, PARITY, LESS, LESS_OR_ZERO };

bool sd_flags_is_condition(const struct sd_call *call)
{
    return call->takes_cc && call->cc_arg == 1 && call->n_args >= 4;
}

/* After a subtraction the flags compare its operands. */
static bool after_difference(unsigned cond, struct sd_flags_test *test)
{
    static const uint8_t codes[] = {[BELOW] = SD_CMPLTU,
                                    [ZERO] = SD_CMPEQ,
                                    [BELOW_OR_ZERO] = SD_CMPLEU,
                                    [LESS] = SD_CMPLTS,
                                    [LESS_OR_ZERO] = SD_CMPLES};

    if (cond == OVERFLOW || cond == SIGN || cond == PARITY)
        return false;
    test->code = codes[cond];
    test->operands = SD_TEST_PAIR;
    return true;
}

/* After other operations, they compare the result with zero. */
static bool after_result(unsigned cond, bool has_carry,
                         struct sd_flags_test *test)
{
    switch (cond) {
    case ZERO:
        test->code = SD_CMPEQ;
        return true;
    case BELOW_OR_ZERO: /* without a carry */
        test->code = SD_CMPEQ;
        return !has_carry;
    case SIGN:
    case LESS: /* unless it overflows, which is rare */
        test->code = SD_CMPLTS;
        return true;
    case LESS_OR_ZERO:
        test->code = SD_CMPLES;
        return true;
    default:
        return false;
    }
}

bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test)
{
    unsigned pair = (unsigned)cond / 2, family = (unsigned)(op - 1) / 4;

    if (cond > 15 || op == 0 || family > SHR)
        return false;
    *test = (struct sd_flags_test){.width = (uint8_t)(8 << (op - 1) % 4),
                                   .is_negated = cond % 2 == 1,
                                   .operands = SD_TEST_FIRST};
    switch (family) {
    case SUB:
        return after_difference(pair, test);
    case ADD:
        if (pair == BELOW) {
            test->code = SD_CMPLTU;
            test->operands = SD_TEST_CARRY;
            return true;
        }
        test->operands = SD_TEST_SUM;
        return after_result(pair, true, test);
    case LOGIC:
        return after_result(pair, false, test);
    case INC:
    case DEC:
    case SHL:
    case SHR:
        return after_result(pair, true, test);
    default:
        return false;
    }
}

static int64_t as_signed(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static bool is_signed(const struct sd_comparison *c)
{
    return c->code == SD_CMPLTS || c->code == SD_CMPLES;
}

static int128 number(const struct sd_comparison *c, unsigned operand)
{
    uint64_t bits = c->operand[operand].bits & sd_mask(c->width);

    return is_signed(c) ? as_signed(bits, c->width) : (int128)bits;
}

bool sd_comparison_holds(const struct sd_comparison *c)
{
    struct sd_op op = {.code = c->code, .width = c->width};

    return sd_op_eval(&op, sd_known(c->operand[0].bits),
                      sd_known(c->operand[1].bits), sd_known(0))
               .bits != 0;
}

uint32_t sd_rounds_drawn(uint64_t random)
{
    if (random % 16 == 0)
        return 16 + (uint32_t)(random >> 8) % 64;
    return 1 + (uint32_t)(random >> 8) % 4;
}

/* The number that is `away` from another, or the last one before it that the
   bits can hold. */
static uint64_t beside(const struct sd_comparison *c, int128 from, int128 away)
{
    uint64_t mask = sd_mask(c->width);
    int128 least = is_signed(c) ? -(int128)(mask / 2) - 1 : 0;
    int128 most = is_signed(c) ? (int128)(mask / 2) : (int128)mask;
    int128 to = from + away;

    to = to < least ? least : to > most ? most : to;
    return (uint64_t)to & mask;
}

/* Makes the operands equal, if that is what is wanted. */
static bool decide_equal(const struct sd_comparison *c, bool holds, unsigned *i,
                         struct sd_drawn *n)
{
    bool are_equal = (c->code == SD_CMPEQ) == holds;

    if (!are_equal)
        return false;
    *i = c->operand[0].drawn != 0 ? 0 : 1;
    *n = c->operand[1 - *i];
    return true;
}

/* Is it a range check: an unsigned comparison of a drawn number with a
   constant? */
static bool is_range_check(const struct sd_comparison *c)
{
    return c->is_const && !is_signed(c) && c->operand[1].drawn == 0 &&
           c->operand[1].bits <= LARGEST_RANGE;
}

bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_drawn *n)
{
    bool strict = c->code == SD_CMPLTU || c->code == SD_CMPLTS;
    int128 away = (int128)sd_rounds_drawn(random) - 1;
    unsigned i;

    assert((c->operand[0].drawn | c->operand[1].drawn) != 0);
    if (c->code == SD_CMPEQ || c->code == SD_CMPNE)
        return decide_equal(c, holds, operand, n);
    i = *operand = c->operand[1].drawn != 0 ? 1 : 0;
    if (is_range_check(c)) {
        uint64_t end = c->operand[1].bits + !strict;

        if (!holds || end == 0)
            return false;
        *n = (struct sd_drawn){(random >> 8) % end, sd_mask(c->width)};
        return true;
    }
    /* The operands must differ if it is strict and shall hold, or is not
       strict and shall not hold. */
    if (strict == holds)
        away++;
    if ((i == 0) == holds) /* the operand is the lower one */
        away = -away;
    n->bits = beside(c, number(c, 1 - i), away);
    n->drawn = c->is_const && c->operand[1].bits != 0 ? sd_mask(c->width) : 0;
    return true;
}

/* The quotient of two numbers of the same sign, rounded up. */
static uint64_t divide_up(int128 distance, int128 step)
{
    if (distance < 0) {
        distance = -distance;
        step = -step;
    }
    return (uint64_t)((distance + step - 1) / step);
}

uint64_t sd_rounds_left(const struct sd_comparison *c, const uint64_t steps[2])
{
    bool holds = sd_comparison_holds(c);
    bool strict = c->code == SD_CMPLTU || c->code == SD_CMPLTS;
    int128 distance = number(c, 1) - number(c, 0);
    int128 step =
        (int128)as_signed(steps[0], c->width) - as_signed(steps[1], c->width);

    if (step == 0)
        return UINT64_MAX;
    if (c->code == SD_CMPEQ || c->code == SD_CMPNE) {
        if ((c->code == SD_CMPEQ) == holds)
            return 1;
        /* They may meet after wrapping around. */
        distance = as_signed(c->operand[1].bits - c->operand[0].bits, c->width);
        return distance % step == 0 && distance / step > 0
                   ? (uint64_t)(distance / step)
                   : UINT64_MAX;
    }
    /* It holds as long as the distance is positive, or, if not strict, not
       negative. */
    if (holds != (step > 0))
        return UINT64_MAX;
    if (strict != holds) /* one step after they are equal */
        distance += holds ? 1 : -1;
    if (distance == 0)
        return 1;
    return divide_up(distance, step);
}
