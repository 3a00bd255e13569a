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

/* How the occurrences within the first bound were forwarded, in words; false if
   that is unknown. */
#define CC_FORWARDS 160
bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS]);

/* All occurrences at a bound, by what becomes of them; and those within the
   scope, in whatever blocks. */
struct cc_share {
    uint64_t all, scored, dropped, between, outside;
    uint64_t within;
};
struct cc_share cc_share_at(const struct cc_report *report, unsigned bound);

/* What the columns of coverage count. */
#define CC_COVERAGE_NOTE                                                  \
    "cov_u: the share of pairs that were predicted; cov_w: that of their" \
    " occurrences"

/* Where both ends of a scored pair lie: "one block". */
const char *cc_place_text(enum cc_scope scope);

/* What was found, at the first of the bounds, in one sentence of plain ASCII;
   and what it counts, which the caller frees. */
#define CC_HEADLINE 192
void cc_headline(const struct cc_report *report, char text[CC_HEADLINE]);
char *cc_counted(const struct cc_report *report);

/* The paths of the first objects, with commas between them, and how many more
   there are; the caller frees. */
char *cc_report_program(const struct cc_data *data);

/* --- Notes --- */

/* Of matched data.  cc_notes_fini frees. */
struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out);
void cc_notes_fini(struct cc_notes *notes);

#endif
