/*
 * cc_match: joins what happened with what was predicted.
 *
 * Pure: no SQL, no output.  n records cost O(n log n), by sorting and one
 * sweep over each array.
 *
 * Limits: an address belongs to the block of its object that starts last at
 * or before it.  Blocks of one object do not overlap in a sound database;
 * where they do, the rest of the earlier block is lost to the later one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_MATCH_H
#define COVERAGE_CC_MATCH_H

#include "model/cc_data.h"

/* Which blocks are kept: those that reach both percentages. */
struct cc_filter {
    double min_weight; /* of the executions of their object's heaviest block */
    double min_share;  /* of all instructions that its runs executed */
};

/* Sorts all records, sums observed dependencies of the same pair, and fills
   every field that cc_data.h leaves to this module.

   A block weighs as much as it was executed, which executions.h explains.  A
   block is kept if it was executed and the
   filter lets it pass; its share is the number of instructions that it
   executed, its weight times the number of its instructions or more if one is
   repeated, over cc_object.executed.

   An observed dependency is found if both ends lie in kept blocks, not farther
   apart than data->scope says, and the pair was predicted, whatever its
   delta_k.  Where moreover both lie in one block, and some
   delta_k * instructions(block) + index(dst) - index(src) is the smallest
   distance that was observed, it agrees; if the delta_k holds only in a run of
   the loop, and the smallest distance is smaller, that is not judged. */
void cc_match(struct cc_data *data, struct cc_filter filter);

#endif
