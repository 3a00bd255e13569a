/*
 * sd_decide: what an undecided comparison makes of its operands, once it is
 * forced, and when a decided one changes.  Pure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECIDE_H
#define SD_DECIDE_H

#include "run/sd_drawn.h"

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
