/*
 * cc_match: joins what happened with what was predicted, and finds what
 * belongs together in data that are matched.
 *
 * Pure: no SQL, no output.  Blocks are in the order of objects and addresses,
 * and all other records in that of the blocks and addresses they belong to, so
 * that a search is a bisection.  n records cost O(n log n), by sorting and one
 * sweep over each array.
 *
 * Limits: an address belongs to the block of its object that starts last at
 * or before it.  Blocks of one object do not overlap in a sound database;
 * where they do, the rest of the earlier block is lost to the later one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cc_data.h"

/* Which blocks are kept: those at or above both percentages. */
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

/* The block of matched data that contains an address, or CC_NONE. */
uint32_t cc_find_block(const struct cc_data *data, uint32_t object,
                       uint64_t address);

/* The dependency of matched data between two addresses of objects, or CC_NONE.
 */
uint32_t cc_find_observed(const struct cc_data *data, uint32_t src_object,
                          uint64_t src, uint32_t dst_object, uint64_t dst);

/* The *n predictions of a found dependency in matched data, by delta_k. */
const struct cc_prediction *cc_find_predictions(const struct cc_data *data,
                                                const struct cc_observed *d,
                                                size_t *n);

/* The first kind of evidence, in the order of the enum, that the predictions of
   a found dependency in matched data have. */
enum cc_evidence cc_evidence_of(const struct cc_data *data,
                                const struct cc_observed *d);

/* How the address of a load, or a store, was made, in matched data; unknown if
   it ever was. */
struct cc_access cc_find_access(const struct cc_data *data, uint32_t block,
                                uint64_t address, bool stores);

/* Did walks show the dependency with less support than was asked for?  Both
   ends must lie in blocks of matched data. */
bool cc_is_weak(const struct cc_data *data, const struct cc_observed *d);
