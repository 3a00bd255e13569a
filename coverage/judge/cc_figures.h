/*
 * cc_figures: the shares that a score has at a bound, thresholds that they must
 * reach, and what they are at every bound that was recorded.
 *
 * Pure.  A figure without data does not reach its threshold, however low,
 * unless the user allows it: a gate that measures nothing must not pass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_FIGURES_H
#define COVERAGE_CC_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "judge/cc_score.h"

enum cc_figure { CC_COV_U, CC_COV_W, CC_PRECISION, CC_N_FIGURES };

/* As JSON and the gates spell it. */
const char *cc_figure_name(enum cc_figure figure);

/* "FIGURE at lifetime BOUND", or "FIGURE" for a bound of 0. */
void cc_figure_label(enum cc_figure figure, uint64_t bound, char text[64]);

/* At one of the bounds (by its index). */
struct cc_ratio cc_figure_ratio(enum cc_figure figure, const struct cc_score *s,
                                unsigned bound);

/* --- Gates --- */

struct cc_gate {
    enum cc_figure figure;
    uint64_t bound;   /* 0: at each; for precision, at any distance */
    double threshold; /* in percent; the figure may equal it */
};

/* One figure held against one threshold. */
struct cc_check {
    enum cc_figure figure;
    uint64_t bound; /* 0: the figure has none */
    double threshold;
    struct cc_ratio ratio;
    bool passed;
    /* The figure may not lie more than `threshold` points below an earlier one.
     */
    bool is_drop;
    double before;
};

/* Holds a score against n gates, whose bounds must be among `bounds`.  The
   caller frees the array of *n_checks checks, in the order of the gates. */
struct cc_check *cc_gates_check(const struct cc_gate *gates, size_t n,
                                const struct cc_score *score,
                                const struct cc_bounds *bounds,
                                bool allow_empty, size_t *n_checks);

/* How a check ended, as "FIGURE at lifetime BOUND: 45.21% is below 50%",
   "FIGURE: no data to compare with 50%", "FIGURE: 60.00% reaches 50%" or
   "FIGURE: 45.21% is more than 2 points below the baseline's 50.21%". */
void cc_check_describe(const struct cc_check *check, struct diag *d);

/* --- All bounds --- */

/* The score at every bound that was recorded, beyond those that are
   reported. */
struct cc_curve {
    struct cc_bounds bounds; /* rising */
    struct cc_tally tally[LIFETIMES_MAX];
};

/* Scores matched data at all their bounds, then has the data forget the bounds
   that are not reported, with their counts. */
void cc_curve_take(struct cc_curve *curve, struct cc_data *data);

#endif
