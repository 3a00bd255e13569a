/*
 * sd_decide: the comparisons that branches test: which one a condition of the
 * flags is, what an undecided one makes of its operands once it is forced, and
 * when a decided one changes.  Pure.
 *
 * VEX keeps the last operation that set the flags and its operands, and asks a
 * helper function of its own for a condition.  Most of these are comparisons of
 * two numbers, and only those can be decided by what is known of their
 * difference.  (VEX, guest_amd64_defs.h and guest_arm64_defs.h.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECIDE_H
#define SD_DECIDE_H

#include "random/sd_drawn.h"

/* How the two operands that VEX keeps become those of a comparison. */
enum sd_operands_are {
    SD_TEST_PAIR,  /* they are */
    SD_TEST_FIRST, /* the first, and zero */
    SD_TEST_SUM,   /* their sum, and zero */
    SD_TEST_CARRY, /* their sum, and the first */
};

/* What a condition of the flags compares. */
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

/* A comparison and what it compares. */
struct sd_comparison {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_const;   /* is the second operand a constant of the code? */
    bool is_negated; /* what depends on it holds if it does not */
    struct sd_drawn operand[2];
};

/* Does it hold, as the numbers are? */
bool sd_comparison_holds(const struct sd_comparison *c);

/* Decides once: chooses an operand that is drawn, and a number for it with
   which the comparison holds or not, as `holds` says; so the next comparison
   with the same number agrees.  A number that is compared with a variable, or
   with zero, is near it and known from then on: a loop that counts up to it
   goes round a few times.  One that is compared with a constant is still drawn,
   because a switch compares it with the next; that of a range check is anywhere
   in the range.  False if the operand stays as it is. */
bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_drawn *number);

/* How many times a loop goes round before the comparison changes, if in each
   round so much is added to its operands; UINT64_MAX: it never changes. */
uint64_t sd_rounds_left(const struct sd_comparison *c, const uint64_t steps[2]);

/* A number of rounds, if it can be any: 1 to 4 mostly, sometimes many. */
uint32_t sd_rounds_drawn(uint64_t random);

#endif
