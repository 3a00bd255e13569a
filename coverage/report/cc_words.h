/*
 * cc_words: what covcheck's reports say in words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_WORDS_H
#define COVERAGE_CC_WORDS_H

#include "report/cc_report.h"

/* What a kept block did: "executed at least 0.1% of all instructions". */
#define CC_FILTER_TEXT 128
void cc_filter_text(const struct cc_filter *filter, char text[CC_FILTER_TEXT]);

/* The *n fixed delta_k of a found dependency; and as "1, 2", empty if there is
   none.  The caller frees. */
uint64_t *cc_deltas_of(const struct cc_data *data, const struct cc_observed *d,
                       size_t *n);
char *cc_deltas_text(const struct cc_data *data, const struct cc_observed *d);

/* How it was predicted, to be added to "predicted": " by walks", " by flow", or
   an empty text, since a block tells nothing else. */
const char *cc_evidence_text(enum cc_evidence evidence);

/* The dependencies between threads at the largest bound, and that bound; NULL
   if there are none. */
const struct cc_where_counts *
cc_report_between_threads(const struct cc_report *report, char bound[CC_BOUND]);

/* How the occurrences within the first bound were forwarded, in words; false if
   that is unknown. */
#define CC_FORWARDS 160
bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS]);

/* The paths of the first objects, with commas between them, and how many more
   there are; the caller frees. */
char *cc_report_program(const struct cc_data *data);

#endif
