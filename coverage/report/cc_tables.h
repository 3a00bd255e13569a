/*
 * cc_tables: what covcheck found, as tables for any format.
 *
 * Each function describes one table of a report, which must outlive it.  A
 * column is a line in the function that fills its rows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_TABLES_H
#define COVERAGE_CC_TABLES_H

#include "report/cc_report.h"
#include "report/report.h"

/* --- What the functions share that fill rows --- */

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

/* What a score has at the bound of row i; that without what a score of all
   blocks has alone, at bound b, where `shown` says. */
void cc_put_lifetime(struct report_row *row, const struct cc_report *r,
                     size_t i);
void cc_put_score(struct report_row *row, const struct cc_report *r,
                  const struct cc_score *s, size_t i);
void cc_put_part(struct report_row *row, const struct cc_score *s, unsigned b,
                 unsigned shown);

void cc_write_table(struct report *out, struct report_table table);

/* --- Scores --- */

/* The score of everything, a row for each bound; what becomes of all that
   occurred; and, for people, the scores of the groups that were asked for. */
struct report_table cc_table_total(const struct cc_report *r);
struct report_table cc_table_parts(const struct cc_report *r);
struct report_table cc_table_group_list(const struct cc_report *r);

/* The score of each scope up to that of the report, at each bound; and what the
   kinds of evidence brought. */
struct report_table cc_table_scopes(const struct cc_report *r);
struct report_table cc_table_evidences(const struct cc_report *r);

/* --- What else the figures consist of --- */

/* Where all that occurred lies, by bound. */
struct report_table cc_table_where(const struct cc_report *r);

/* The files that are outside, those worth listing. */
struct report_table cc_table_outside_list(const struct cc_report *r);

/* How occurrences were forwarded; why dependencies were missed. */
struct report_table cc_table_forwards(const struct cc_report *r);
struct report_table cc_table_missed(const struct cc_report *r);

/* Figures with a remark, for people; gates. */
struct report_table cc_table_figures(const struct cc_report *r);
struct report_table cc_table_gates(const struct cc_report *r);

/* The objects, for people. */
struct report_table cc_table_paths(const struct cc_report *r);

/* Figures beside those of the baseline, and what became of its dependencies;
   there must be one. */
struct report_table cc_table_changes(const struct cc_report *r);
struct report_table cc_table_fates(const struct cc_report *r);

/* --- Dependencies one by one --- */

/* Numbers in cc_data.observed or cc_data.predictions. */
struct cc_list {
    const struct cc_report *report;
    const uint32_t *items;
    size_t n;
};

/* `key` and `id` are what JSON and HTML call the list. */
struct report_table cc_table_observed(const struct cc_list *list,
                                      const char *key, const char *id);
struct report_table cc_table_false(const struct cc_list *list);

/* Those of the baseline that are gone; what identifies some to a later run. */
struct report_table cc_table_gone(const struct cc_report *r);
struct report_table cc_table_identities(const struct cc_list *list,
                                        const char *key);

/* --- For programs --- */

/* A report with its tables, and those that only JSON has. */
void cc_write_json(struct report *out, const struct cc_report *r);

#endif
