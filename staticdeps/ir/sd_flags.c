/*
 * sd_flags: a condition of the flags -> the comparison that it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ir/sd_flags.h"

/* Operations come in fours, of 8 to 64 bits, from number 1 on. */
enum { ADD, SUB, ADC, SBB, LOGIC, INC, DEC, SHL, SHR };

/* Conditions come in pairs, the second of which is the first negated. */
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

/* After others, they compare the result with zero. */
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
    case LESS: /* but for an overflow, of numbers that are rare */
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
