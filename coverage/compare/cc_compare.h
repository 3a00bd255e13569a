/*
 * cc_compare: a score beside an earlier one, and what became of each dependency
 * of the earlier report.
 *
 * Within one build a dependency is its two objects and addresses; cc_pairs
 * finds what it is between builds.
 *
 * Limits: a baseline that has only what was found does not show what is new,
 * and one of several alike that was missed before may be taken for lost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_COMPARE_H
#define COVERAGE_CC_COMPARE_H

#include "compare/cc_baseline.h"
#include "model/cc_data.h"
#include "judge/cc_figures.h"
#include "judge/cc_score.h"
#include "code/cc_symbolize.h"

/* A figure now and before. */
struct cc_change {
    enum cc_figure figure;
    uint64_t bound; /* 0: the figure has none */
    struct cc_ratio now;
    double before; /* in percent; NAN: no data */
};

/* What a dependency was, and what it is now.  Gone: it does not occur at all.
   Not scored: it occurs, but beyond the bounds or not within a kept block. */
enum cc_before { CC_FOUND_BEFORE, CC_MISSED_BEFORE, CC_NEW, CC_N_BEFORE };
enum cc_now {
    CC_FOUND_NOW,
    CC_MISSED_NOW,
    CC_UNSCORED_NOW,
    CC_GONE_NOW,
    CC_N_NOW
};

struct cc_fates {
    /* How many went from where to where: the first n_rows rows.  A baseline
       that has only what was found shows only the first. */
    size_t counts[CC_N_BEFORE][CC_N_NOW];
    unsigned n_rows;
    /* Dependencies of another build that nothing identifies: they are in none
       of the counts. */
    size_t n_unnamed_before, n_unnamed_now;
    /* Those that were found and are missed now, heaviest first at the largest
       bound: numbers in cc_data.observed. */
    uint32_t *lost;
    size_t n_lost;
    /* Those that were found and are gone, heaviest first: indices in the
       baseline's dependencies. */
    size_t *gone;
    size_t n_gone;
    const struct cc_identity *before; /* the baseline's dependencies */
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
