/*
 * cc_cells: figures as people read them, and as JSON has them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_CELLS_H
#define COVERAGE_CC_CELLS_H

#include <stdint.h>
#include <stdio.h>

#include "model/cc_match.h"
#include "judge/cc_score.h"
#include "code/cc_symbolize.h"

#define CC_CELL 24 /* room for 20 digits */

void cc_cell_number(uint64_t n, char cell[CC_CELL]);

/* One digit after the point, but neither 100.0% nor 0.0% unless it is; or
   "no data". */
void cc_cell_ratio(struct cc_ratio ratio, char cell[CC_CELL]);

/* What a kept block did: "executed at least 0.1% of all instructions". */
#define CC_FILTER_TEXT 128
void cc_filter_text(const struct cc_filter *filter, char text[CC_FILTER_TEXT]);

/* The delta_k of a found dependency with `between` between them; empty if there
   is none.  The caller frees. */
char *cc_deltas_text(const struct cc_data *data, const struct cc_observed *d,
                     const char *between);

/* How it was predicted, to be added to "predicted": " by walks", " by flow", or
   an empty text, since a block tells nothing else. */
const char *cc_evidence_text(enum cc_evidence evidence);

/* A percentage, or null without data. */
void cc_json_ratio(FILE *out, struct cc_ratio ratio);

/* A number, or "inf". */
void cc_json_bound(FILE *out, uint64_t bound);

/* How occurrences were forwarded, as keys of an object. */
void cc_json_forwards(FILE *out, const struct cc_forwards *f);

/* A text that may hold anything, with "?" for what controls a terminal. */
void cc_write_safe(FILE *out, const char *text);

/* "FUNCTION at FILE:LINE, inlined into FUNCTION at FILE:LINE", as far as it is
   known; "FUNCTION+0xOFFSET" without lines; "?" if nothing is. */
void cc_write_place(FILE *out, const struct cc_location *at);

#endif
