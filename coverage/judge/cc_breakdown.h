/*
 * cc_breakdown: the score of each scope; within each, by support and by
 * evidence.
 *
 * A scope includes the ones before it, so what lies within one counts in all
 * wider ones up to the data's.  Scores of scopes have neither blocks nor what
 * spans, and those of scopes beyond the data's are empty.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_BREAKDOWN_H
#define COVERAGE_CC_BREAKDOWN_H

#include "judge/cc_score.h"

/* A score for each scope.  The data must have been matched; the caller frees
   the array, with cc_scores_free, as those below. */
struct cc_score *cc_scores_new_by_scope(const struct cc_data *data);

/* The thresholds of support: 0, 5, ... and 100 percent. */
#define CC_SUPPORT_STEP 5
#define CC_N_SUPPORTS   (100 / CC_SUPPORT_STEP + 1)

/* Scores of each scope at each threshold: [scope * CC_N_SUPPORTS + i] is the
   score that there would be with the predictions alone whose support is at
   least i * CC_SUPPORT_STEP percent. */
struct cc_score *cc_scores_new_by_support(const struct cc_data *data);

/* Scores of each scope by evidence: [scope * CC_N_EVIDENCES + i] is the score
   that there would be with the predictions of that evidence alone. */
struct cc_score *cc_scores_new_by_evidence(const struct cc_data *data);

/* How many kinds of evidence the judged predictions have. */
unsigned cc_count_evidences(const struct cc_score *by_evidence,
                            enum cc_scope scope);

#endif
