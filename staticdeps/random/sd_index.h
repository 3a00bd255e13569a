/*
 * sd_index: numbers that choose an element of an array.
 *
 * Two indices that are drawn from all numbers never choose the same element, so
 * a hash table or a histogram would never read what it wrote.  The rule: what
 * is scaled, or has 32 bits, and is added to something to make an address, is
 * an index, and so is what has 32 bits and is subtracted; one that is drawn and
 * large becomes one of a few small numbers.
 * Equal ones stay equal, and neighbours mostly stay neighbours.  Tables that
 * the file tells are left alone, because all of their elements are of interest:
 * the cases of a switch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_INDEX_H
#define SD_INDEX_H

#include <stddef.h>

#include "random/sd_drawn.h"

/* What sd_index_mark() puts into the imm of an ADD. */
#define SD_INDEX_UNSCALED UINT64_MAX

/* Marks the operations that make addresses of indices, by their imm: a SHL or a
   MUL by a constant, with 1 plus the temporary that the result is added to, if
   its value is there by then, or plus SD_BOTTOM; an ADD of 64 bits that an
   access has as its address, or a SUB of 64 bits there or in a sum, with
   SD_INDEX_UNSCALED.  It is 0 in all others of these four. */
void sd_index_mark(struct sd_op *ops, size_t n, size_t n_temps);

/* May an operand of such an ADD, or what such a SUB subtracts, be an index,
   which has 32 bits at most, with or without a sign? */
bool sd_index_is_one(struct sd_drawn v);

/* A small number in place of a drawn one that is large; false if it stays. */
bool sd_index_fold(struct sd_drawn index, struct sd_drawn *small);

#endif
