/*
 * sd_flags: a condition of the flags -> the comparison that it is.
 *
 * VEX keeps the last operation that set the flags and its operands, and asks a
 * helper function of its own for a condition.  Most of these are comparisons of
 * two numbers, and only those can be decided by what is known of their
 * difference.  (VEX, guest_amd64_defs.h and guest_arm64_defs.h.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLAGS_H
#define SD_FLAGS_H

#include "ir/sd_op.h"

/* How the two operands that VEX keeps become those of a comparison. */
enum sd_operands_are {
    SD_TEST_PAIR,  /* they are */
    SD_TEST_FIRST, /* the first, and zero */
    SD_TEST_SUM,   /* their sum, and zero */
    SD_TEST_CARRY, /* their sum, and the first */
};

struct sd_flags_test {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_negated; /* the condition holds if the comparison does not */
    enum sd_operands_are operands;
};

/* Is it a call that asks for one condition? */
bool sd_flags_is_condition(const struct sd_call *call);

/* The comparison that condition `cond` is after operation `op`, both VEX's
   numbers; false if it is none. */
bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test);

#endif
