/*
 * sd_index: numbers that choose an element of an array.
 *
 * Two indices that are drawn from all numbers hardly ever choose the same
 * element, so a hash table or a histogram would never read what it wrote.  The
 * rule: a number is an index if it is scaled, or has 32 bits, and is added to
 * something to make an address, or if it has 32 bits and is subtracted there.
 * An index that is drawn and large becomes one of a few small numbers.  Equal
 * indices stay equal, and neighbours mostly stay neighbours.  Indices of tables
 * in the file stay as they are, because all elements of these are of interest,
 * such as the cases of a switch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_INDEX_H
#define SD_INDEX_H

#include <stddef.h>

#include "random/sd_drawn.h"

/* What sd_index_mark() puts into the imm of an ADD. */
#define SD_INDEX_UNSCALED UINT64_MAX

/* Marks the operations that make addresses from indices: sets their imm.  A SHL
   or a MUL by a constant gets 1 plus the temporary to which its result is
   added, or 1 plus SD_BOTTOM if that temporary is computed later.
   SD_INDEX_UNSCALED goes to each ADD of 64 bits that is the address of an
   access, and to each SUB of 64 bits that is such an address or is added to
   one.  All other operations of these four codes get 0. */
void sd_index_mark(struct sd_op *ops, size_t n, size_t n_temps);

/* May an operand of such an ADD, or what such a SUB subtracts, be an index?  It
   has 32 bits at most, with or without a sign. */
bool sd_index_is_one(struct sd_value v);

/* Stores a small number that replaces a large drawn one; false if it stays. */
bool sd_index_fold(struct sd_value index, struct sd_value *small);

#endif
