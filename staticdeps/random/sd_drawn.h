/*
 * sd_drawn: the numbers of a walk, whose undecided bits are drawn.
 *
 * Each number has 64 concrete bits, and its mask says which of them depend on
 * something that was drawn at random.  The program computes the others in the
 * same way for all inputs.  So a walk has an address for each access, and still
 * knows which conditions are decided.
 *
 * The rule of identity: two drawn numbers of 64 bits that are equal, or lie
 * within 2^24 of each other, have the same base, since two that are drawn apart
 * hardly ever come so close.  Their comparison and their difference are known.
 * (Numbers of 32 bits must lie within 2^12.)  Small numbers are no bases, so
 * the rule leaves them out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DRAWN_H
#define SD_DRAWN_H

#include "lift/sd_op.h"

/* Do two numbers of that many bits have the same base? */
bool sd_drawn_related(struct sd_value a, struct sd_value b, unsigned width);

/* Evaluates a pure operation.  A result that the processor would not compute,
   such as a quotient by zero, is drawn.  `relates`: the rule of identity
   holds. */
struct sd_value sd_drawn_eval(const struct sd_op *op, struct sd_value a,
                              struct sd_value b, struct sd_value c,
                              bool relates);

#endif
