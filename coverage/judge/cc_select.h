/*
 * cc_select: the dependencies of one verdict, and the false predictions,
 * heaviest first.
 *
 * Pure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_SELECT_H
#define COVERAGE_CC_SELECT_H

#include "model/cc_data.h"

#define CC_ALL SIZE_MAX

/* Numbers of records in cc_data.observed, or cc_data.predictions. */
struct cc_selection {
    uint32_t *items;
    size_t n;
    size_t n_all; /* how many there would be without a limit */
};

/* The dependencies of that verdict that occurred within one of the bounds (by
   its index), those with most occurrences there first; at most `limit`.  The
   caller frees .items. */
struct cc_selection cc_select_observed(const struct cc_data *data,
                                       enum cc_verdict verdict, unsigned bound,
                                       size_t limit);

/* The predictions that are judged and did not occur, those in the block that
   was executed most first; at most `limit`.  The caller frees .items. */
struct cc_selection cc_select_false(const struct cc_data *data, size_t limit);

/* Sorts such numbers of dependencies in the same way. */
void cc_sort_heaviest(const struct cc_data *data, uint32_t *observed, size_t n,
                      unsigned bound);

#endif
