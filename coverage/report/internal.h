/*
 * internal: what the files that describe tables share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_REPORT_INTERNAL_H
#define COVERAGE_REPORT_INTERNAL_H

#include "report/cc_tables.h"

/* The columns of figures with a remark, and of properties and test cases. */
#define NAME  R_SEEN("figure", .flags = REPORT_LEFT, .width = 17)
#define VALUE R_SEEN("value", .width = 7)
#define REMARK \
    R_SEEN("", .width = 20, .flags = REPORT_LEFT | REPORT_RAGGED | REPORT_CUT)

unsigned cc_n_bounds(const struct cc_report *r);

/* Rows are in the order of the report's bounds. */
unsigned cc_bound_of(const struct cc_report *r, size_t row);

void cc_put_bound(struct report_row *row, struct report_column column,
                  const struct cc_report *r, size_t i);

void cc_put_ratio(struct report_row *row, struct report_column column,
                  struct cc_ratio ratio);

/* A text that the row keeps. */
const char *cc_bound_text(struct report_row *row, const struct cc_report *r,
                          const char *before, unsigned b);

#endif
