/*
 * sd_decide: the comparisons that branches test: which one a condition of the
 * flags is, how an undecided one changes its operands when it is forced, and
 * when a decided one changes.  Pure.
 *
 * VEX keeps the last operation that set the flags and its operands, and asks a
 * helper function of its own for a condition.  Most conditions are
 * comparisons of two numbers, and only these can be decided by what is known of
 * the difference.  (VEX, guest_amd64_defs.h and guest_arm64_defs.h.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECIDE_H
#define SD_DECIDE_H

#include "random/sd_drawn.h"

/* The operands of a comparison, in terms of the two that VEX keeps. */
enum sd_operands_are {
    SD_TEST_PAIR,  /* these two */
    SD_TEST_FIRST, /* the first, and zero */
    SD_TEST_SUM,   /* their sum, and zero */
    SD_TEST_CARRY, /* their sum, and the first */
};

/* The comparison that a condition of the flags makes. */
struct sd_flags_test {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_negated; /* the condition holds if the comparison does not */
    enum sd_operands_are operands;
};

/* Does a call ask for a condition? */
bool sd_flags_is_condition(const struct sd_call *call);

/* Stores the comparison that condition `cond` makes after operation `op`, both
   VEX's numbers; false if it makes none. */
bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test);

/* A comparison and what it compares. */
struct sd_comparison {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_const;   /* is the second operand a constant of the code? */
    bool is_negated; /* the condition holds if the comparison does not */
    struct sd_value operand[2];
};

/* Does a comparison of these numbers hold? */
bool sd_comparison_holds(const struct sd_comparison *c);

/* Decides a comparison once: chooses an operand that is drawn, and a number for
   it with which the comparison holds or not, as `holds` says, so that the next
   comparison of that operand agrees.  If the other operand is a variable, or
   zero, the number is near it and known from then on: a loop that counts up to
   it goes round a few times.  If it is a constant, the number stays drawn,
   because a switch compares it with the next constant; in a range check it lies
   anywhere in the range.  Returns false if the operand stays as it is. */
bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_value *number);

/* The number of rounds of a loop until the comparison changes, if each round
   adds steps[i] to operand i; UINT64_MAX: it never changes. */
uint64_t sd_rounds_left(const struct sd_comparison *c, const uint64_t steps[2]);

/* A random number of rounds: mostly 1 to 4, sometimes many. */
uint32_t sd_rounds_drawn(uint64_t random);

#endif
