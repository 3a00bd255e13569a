/*
 * cc_html_text: the text between the tags of a page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_HTML_TEXT_H
#define COVERAGE_CC_HTML_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "judge/cc_score.h"
#include "report/report.h"

/* "inf", or the number. */
void cc_html_bound(FILE *out, uint64_t bound);

/* With one digit after the point, but neither 100.0% nor 0.0% unless it is;
   "no data" where there is none. */
void cc_html_ratio(FILE *out, struct cc_ratio ratio);

/* Cells of a row, with what they are sorted by. */
void cc_html_count_cell(FILE *out, uint64_t n);
void cc_html_ratio_cell(FILE *out, struct cc_ratio ratio);

/* The distances of a dependency; NULL: it did not occur. */
void cc_html_distance_cell(FILE *out, const struct cc_observed *d);

/* Cells of the headings of a list that can be sorted; NULL ends the names.  A
   name that begins with '<' is that of a column of text, to the left. */
void cc_html_headings(FILE *out, const char *const *names);

#endif
