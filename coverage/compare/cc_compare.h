/*
 * cc_compare: a score beside an earlier one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_COMPARE_H
#define COVERAGE_CC_COMPARE_H

#include "compare/cc_baseline.h"
#include "compare/cc_fates.h"
#include "model/cc_data.h"
#include "judge/cc_gate.h"
#include "judge/cc_score.h"
#include "code/cc_symbolize.h"

/* A figure now and before. */
struct cc_change {
    enum cc_figure figure;
    uint64_t bound; /* 0: the figure has none */
    struct cc_ratio now;
    struct cc_old_figure before;
};

struct cc_comparison {
    struct cc_change *changes; /* of bounds that both reports have */
    size_t n_changes;
    struct cc_fates fates;
};

/* Compares matched data with a baseline, which must outlive the comparison.
   The caller calls cc_comparison_fini. */
struct cc_comparison cc_compare(const struct cc_data *data,
                                const struct cc_score *total,
                                struct cc_symbolizer *symbolizer,
                                const struct cc_baseline *baseline);

/* Appends a check for each figure that the baseline has: it must not have
   fallen by more than max_drop points.  Returns the array, which has moved. */
struct cc_check *cc_drops_check(const struct cc_comparison *comparison,
                                double max_drop, bool allow_empty,
                                struct cc_check *checks, size_t *n_checks);

void cc_comparison_fini(struct cc_comparison *comparison);

/* In percentage points, above 0 if it is better now; only if both have
   data. */
double cc_change_points(const struct cc_change *change);

#endif
