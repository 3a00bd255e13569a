/*
 * cc_report: a score, written for a person or for a program, as tables for any
 * format.
 *
 * report/ writes the tables that cc_formats.c chooses for a format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_REPORT_H
#define COVERAGE_CC_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/cc_compare.h"
#include "model/cc_data.h"
#include "model/cc_match.h"
#include "judge/cc_score.h"
#include "judge/cc_groups.h"
#include "judge/cc_reason.h"
#include "code/cc_symbolize.h"
#include "read/cc_read.h"
#include "report/report.h"

enum cc_format {
    CC_FORMAT_TEXT,
    CC_FORMAT_JSON,
    CC_FORMAT_MARKDOWN,
    CC_FORMAT_JUNIT
};

/* What the figures do not cover: runs whose record ends too early, objects that
   were built again between two databases, and code that ran and that a filter
   left out.  Standard error has a sentence for each, and every format, so that
   a report that was saved says as much as one that was watched. */
struct cc_note {
    char *text; /* without a full stop; foreign texts in it are as they are */
    char *subject; /* "run 2 of deps.db", or the path of an object */
    size_t number; /* of incomplete_runs, rebuilt or objects in cc_data */
};

/* First the incomplete runs, then n_rebuilt objects, since two databases with
   the same two builds of an object have one note, then those with a filter. */
struct cc_notes {
    const struct cc_inputs *in;
    const struct cc_left_out *left_out; /* one for each object */
    struct cc_note *items;
    size_t n, n_rebuilt;
};

/* What a report is made of. */
struct cc_report {
    const struct cc_data *data; /* matched */
    struct cc_score *total;     /* one score of all blocks */
    struct cc_score *by_object; /* one score for each object */
    /* As cc_scores_new_by_scope, _by_support and _by_evidence have them. */
    struct cc_score *by_scope, *by_support, *by_evidence;
    struct cc_groups groups; /* those asked for; may be none */
    struct cc_check *checks;
    size_t n_checks;
    struct cc_filter filter;      /* by which blocks are kept */
    const struct cc_notes *notes; /* what the figures do not cover */
    /* One for each bound. */
    struct cc_where_counts where[LIFETIMES_MAX];
    struct cc_reason_counts reasons[LIFETIMES_MAX];
    struct cc_outside outside;
    /* Heaviest first at the first bound; without items: not asked for. */
    struct cc_selection found, missed, false_positives;
    struct cc_comparison comparison; /* without changes: no baseline */
    struct cc_symbolizer *symbolizer;
    char *program;             /* what is scored: the paths of the objects */
    const char *command;       /* that made the report */
    enum disasm_syntax syntax; /* of instructions, as the symbolizer has them */
    bool has_colour;           /* for text alone */
    /* The bounds by their indices, in the order in which tables have them. */
    unsigned order[LIFETIMES_MAX];
};

/* --- Words --- */

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

/* --- Formats --- */

/* The caller looks for write errors in the stream. */
void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report);

/* --- Tables --- */

/* Each function describes one table of a report, which must outlive it.  A
   column is a line in the function that fills its rows. */

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
