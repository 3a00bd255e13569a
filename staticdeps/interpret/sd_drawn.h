/*
 * sd_drawn: the numbers of a walk, whose undecided bits are drawn: the results
 * of operations on such numbers, how an undecided comparison changes its
 * operands when it is forced, when a decided comparison changes, and how an
 * index becomes small.  All functions are pure.
 *
 * Each number has 64 concrete bits, and a mask that says which of the bits
 * depend on something that was drawn at random.  The program computes the other
 * bits in the same way for all inputs.  So a walk has an address for each
 * access, and still knows which conditions are decided.
 *
 * The rule of identity: two drawn numbers of 64 bits that are equal, or lie
 * within 2^24 of each other, have the same base, since two numbers that are
 * drawn apart hardly ever come so close.  Their comparison and their difference
 * are known.  (Numbers of 32 bits must lie within 2^12.)  Small numbers are no
 * bases, so the rule leaves them out.
 *
 * VEX keeps the last operation that set the flags and its operands, and asks a
 * helper function of its own for a condition.  Most conditions are comparisons
 * of two numbers, and only these can be decided by what is known of the
 * difference of the numbers.  (VEX, guest_amd64_defs.h and guest_arm64_defs.h.)
 *
 * Two indices that are drawn from all numbers hardly ever choose the same
 * element, so a hash table or a histogram would never read what it wrote.  The
 * rule: a number is an index if it is scaled or has 32 bits, and is added to
 * make an address, or if it has 32 bits and is subtracted to make an address.
 * An index that is drawn and large becomes one of a few small numbers.  Equal
 * indices stay equal, and neighbours mostly stay neighbours.  Indices of tables
 * in the file stay as they are, because all elements of such tables are of
 * interest, such as the cases of a switch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/sd_op.h"

/* Evaluates a pure operation.  A result that the processor would not compute,
   such as a quotient by zero, is drawn.  If `relates`, the rule of identity is
   applied. */
struct sd_value sd_drawn_eval(const struct sd_op *op, struct sd_value a,
                              struct sd_value b, struct sd_value c,
                              bool relates);

/* The operands of a comparison, in terms of the two that VEX keeps. */
enum sd_operands_are {
    SD_TEST_PAIR,  /* compares both */
    SD_TEST_FIRST, /* compares the first with zero */
    SD_TEST_SUM,   /* compares the sum of both with zero */
    SD_TEST_CARRY, /* compares the sum of both with the first */
};

/* The comparison that a condition of the flags makes. */
struct sd_flags_test {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_negated; /* the condition holds if the comparison does not */
    enum sd_operands_are operands;
};

/* Does a call of a VEX helper ask for a condition of the flags? */
bool sd_flags_is_condition(const struct sd_call *call);

/* Stores the comparison that condition `cond` makes after operation `op`, both
   as VEX numbers them; false if it is no comparison. */
bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test);

/* A comparison and what it compares. */
struct sd_comparison {
    uint8_t code;    /* SD_CMP* */
    uint8_t width;   /* in bits */
    bool is_const;   /* is the second operand a constant of the code? */
    bool is_negated; /* the condition holds if the comparison does not */
    struct sd_value operand[2];
};

/* Does a comparison hold for its numbers? */
bool sd_comparison_holds(const struct sd_comparison *c);

/* Decides a comparison once: chooses an operand that is drawn, and a number for
   it with which the comparison holds or not, as `holds` says, so that the next
   comparison of that operand agrees.  If the other operand is a variable, or
   zero, the number is near that operand and known from then on: a loop that
   counts up to the operand goes round a few times.  If that operand is a
   constant, the number stays drawn, because a switch compares it with the next
   constant; in a range check, it lies anywhere in the range.  Returns false if
   the operand stays as it is. */
bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_value *number);

/* The number of rounds of a loop until a comparison changes, if each round adds
   steps[i] to operand i; UINT64_MAX if the comparison never changes. */
uint64_t sd_rounds_left(const struct sd_comparison *c, const uint64_t steps[2]);

/* A random number of rounds: mostly 1 to 4, sometimes many. */
uint32_t sd_rounds_drawn(uint64_t random);

/* What sd_index_mark() puts into the imm of an ADD or SUB. */
#define SD_INDEX_UNSCALED UINT64_MAX

/* Marks the operations that make addresses from indices, by their imm.  A SHL
   or a MUL by a constant gets 1 plus the temporary to which its result is
   added, or 1 plus SD_BOTTOM if that temporary is computed later.
   SD_INDEX_UNSCALED goes to each ADD of 64 bits that is the address of an
   access, and to each SUB of 64 bits that is such an address or is added to
   one.  All other operations of these four codes get 0. */
void sd_index_mark(struct sd_op *ops, size_t n, size_t n_temps);

/* May an operand of a marked ADD, or what a marked SUB subtracts, be an index?
   An index has 32 bits at most, with or without a sign. */
bool sd_index_is_one(struct sd_value v);

/* Stores a small number to replace a large drawn index; false if it stays. */
bool sd_index_fold(struct sd_value index, struct sd_value *small);
