/*
 * cc_find: the order of records in matched data, and what is found by it.
 *
 * Blocks are in the order of objects and addresses, and all other records in
 * that of the blocks and addresses they belong to, so that a search is a
 * bisection, and cc_match joins them in one sweep.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_FIND_H
#define COVERAGE_CC_FIND_H

#include "model/cc_data.h"

/* The block of matched data that contains an address, or CC_NONE. */
uint32_t cc_find_block(const struct cc_data *data, uint32_t object,
                       uint64_t address);

/* Does a block of matched data lie inside the last instruction of the one
   before it?  False for CC_NONE. */
bool cc_is_inside(const struct cc_data *data, uint32_t block);

/* The dependency of matched data between two addresses of objects, or CC_NONE.
 */
uint32_t cc_find_observed(const struct cc_data *data, uint32_t src_object,
                          uint64_t src, uint32_t dst_object, uint64_t dst);

/* The predictions of a found dependency in matched data, in the order of
   delta_k; sets *n. */
const struct cc_prediction *cc_find_predictions(const struct cc_data *data,
                                                const struct cc_observed *d,
                                                size_t *n);

/* The first kind of evidence, in the order of the enum, that the predictions of
   a found dependency in matched data have. */
enum cc_evidence cc_evidence_of(const struct cc_data *data,
                                const struct cc_observed *d);

/* How the address of a load, or a store, was made, in matched data. */
struct cc_access cc_find_access(const struct cc_data *data, uint32_t block,
                                uint64_t address, bool stores);

/* The instruction at an address of a block, if staticdeps could not tell what
   address it accesses; else NULL. */
const struct cc_unknown *cc_find_unknown(const struct cc_data *data,
                                         uint32_t block, uint64_t address);

/* Did walks show it with less support than was asked for?  Of a dependency in
   blocks, in matched data. */
bool cc_is_weak(const struct cc_data *data, const struct cc_observed *d);

/* --- For cc_match, which puts the records in order --- */

/* qsort, for what is often in order. */
void cc_sort(void *array, size_t n, size_t size,
             int (*order)(const void *, const void *));

/* Sorts the blocks, and renumbers what belongs to them; then the others. */
void cc_sort_blocks(struct cc_data *data);
void cc_sort_observed(struct cc_data *data);
void cc_sort_predictions(struct cc_data *data);

/* Observed dependencies are in this order, whose 0 says that two are the same;
   and so is a prediction to a dependency in blocks. */
int cc_pair_order(const struct cc_observed *a, const struct cc_observed *b);
int cc_prediction_cmp(const struct cc_prediction *p,
                      const struct cc_observed *d);

#endif
