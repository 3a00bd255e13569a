/*
 * sd_decide: the comparisons that branches test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_decide.h"

#include <assert.h>

#define LARGEST_RANGE 4096 /* the most cases of a switch */

__extension__ typedef __int128 int128;

/* VEX numbers each operation four times, for 8, 16, 32 and 64 bits, from 1
   on. */
enum { ADD, SUB, ADC, SBB, LOGIC, INC, DEC, SHL, SHR };

/* VEX numbers conditions in pairs: each condition, then its negation. */
enum { OVERFLOW, BELOW, ZERO, BELOW_OR_ZERO, SIGN, PARITY, LESS, LESS_OR_ZERO };

bool sd_flags_is_condition(const struct sd_call *call)
{
    return call->takes_cc && call->cc_arg == 1 && call->n_args >= 4;
}

bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test)
{
    /* After a subtraction the flags compare its operands. */
    static const uint8_t of_operands[8] = {[BELOW] = SD_CMPLTU,
                                           [ZERO] = SD_CMPEQ,
                                           [BELOW_OR_ZERO] = SD_CMPLEU,
                                           [LESS] = SD_CMPLTS,
                                           [LESS_OR_ZERO] = SD_CMPLES};
    /* After other operations, they compare the result with zero, unless it
       overflows, which is rare. */
    static const uint8_t of_result[8] = {[ZERO] = SD_CMPEQ,
                                         [SIGN] = SD_CMPLTS,
                                         [LESS] = SD_CMPLTS,
                                         [LESS_OR_ZERO] = SD_CMPLES};
    unsigned pair = (unsigned)cond / 2, family = (unsigned)(op - 1) / 4;

    if (cond > 15 || op == 0 || family > SHR || family == ADC || family == SBB)
        return false;
    *test = (struct sd_flags_test){.code = family == SUB ? of_operands[pair]
                                                         : of_result[pair],
                                   .width = (uint8_t)(8 << (op - 1) % 4),
                                   .is_negated = cond % 2 == 1,
                                   .operands = family == SUB   ? SD_TEST_PAIR
                                               : family == ADD ? SD_TEST_SUM
                                                               : SD_TEST_FIRST};
    if (family == ADD && pair == BELOW) {
        test->code = SD_CMPLTU;
        test->operands = SD_TEST_CARRY;
    }
    if (family == LOGIC && pair == BELOW_OR_ZERO) /* it never carries */
        test->code = SD_CMPEQ;
    return test->code != 0;
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

/* The number `from` + `away`, or the nearest number that the bits can hold. */
static uint64_t beside(const struct sd_comparison *c, int128 from, int128 away)
{
    uint64_t mask = sd_mask(c->width);
    int128 least = is_signed(c) ? -(int128)(mask / 2) - 1 : 0;
    int128 most = is_signed(c) ? (int128)(mask / 2) : (int128)mask;
    int128 to = from + away;

    to = to < least ? least : to > most ? most : to;
    return (uint64_t)to & mask;
}

/* Makes the operands equal, if equal operands have the wanted result. */
static bool decide_equal(const struct sd_comparison *c, bool holds, unsigned *i,
                         struct sd_value *n)
{
    bool are_equal = (c->code == SD_CMPEQ) == holds;

    if (!are_equal)
        return false;
    *i = c->operand[0].bottom != 0 ? 0 : 1;
    *n = c->operand[1 - *i];
    return true;
}

/* Is it a range check: an unsigned comparison of a drawn number with a
   constant? */
static bool is_range_check(const struct sd_comparison *c)
{
    return c->is_const && !is_signed(c) && c->operand[1].bottom == 0 &&
           c->operand[1].bits <= LARGEST_RANGE;
}

bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_value *n)
{
    bool strict = c->code == SD_CMPLTU || c->code == SD_CMPLTS;
    int128 away = (int128)sd_rounds_drawn(random) - 1;
    unsigned i;

    assert((c->operand[0].bottom | c->operand[1].bottom) != 0);
    if (c->code == SD_CMPEQ || c->code == SD_CMPNE)
        return decide_equal(c, holds, operand, n);
    i = *operand = c->operand[1].bottom != 0 ? 1 : 0;
    if (is_range_check(c)) {
        uint64_t end = c->operand[1].bits + !strict;

        if (!holds || end == 0)
            return false;
        *n = (struct sd_value){(random >> 8) % end, sd_mask(c->width)};
        return true;
    }
    /* The operands must differ if a strict comparison has to hold, or one that
       is not strict has to fail. */
    if (strict == holds)
        away++;
    if ((i == 0) == holds) /* the operand is the lower one */
        away = -away;
    n->bits = beside(c, number(c, 1 - i), away);
    n->bottom = c->is_const && c->operand[1].bits != 0 ? sd_mask(c->width) : 0;
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
    /* A strict comparison holds as long as the distance is positive, another as
       long as it is not negative. */
    if (holds != (step > 0))
        return UINT64_MAX;
    if (strict != holds) /* one step after they are equal */
        distance += holds ? 1 : -1;
    if (distance == 0)
        return 1;
    return divide_up(distance, step);
}
