/*
 * cc_curve: the score at every bound that was recorded, beyond those that are
 * reported.
 *
 * Pure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_CURVE_H
#define COVERAGE_CC_CURVE_H

#include "judge/cc_score.h"

struct cc_curve {
    struct cc_bounds bounds; /* rising */
    struct cc_tally tally[LIFETIMES_MAX];
};

/* Scores matched data at all their bounds, then has the data forget the bounds
   that are not reported, with their counts. */
void cc_curve_take(struct cc_curve *curve, struct cc_data *data);

#endif
