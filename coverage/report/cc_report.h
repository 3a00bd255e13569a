/*
 * cc_report: writes a score for a person or for a program, as tables in any
 * format.
 *
 * report/ writes the tables that cc_formats.c chooses for a format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "compare/cc_compare.h"
#include "model/cc_match.h"
#include "judge/cc_score.h"
#include "judge/cc_reason.h"
#include "read/cc_read.h"
#include "report/report.h"

enum cc_format {
    CC_FORMAT_TEXT,
    CC_FORMAT_JSON,
    CC_FORMAT_MARKDOWN,
    CC_FORMAT_JUNIT
};

/* A note on what the figures do not cover: a run whose record ends too early,
   an object that was built again between two databases, or code that ran and
   that a filter left out.  Standard error and every format have each note, so
   that a saved report says as much as one that was watched. */
struct cc_note {
    char *text;    /* no full stop; foreign texts are not made safe */
    char *subject; /* "run 2 of deps.db", or the path of an object */
    size_t number; /* index in incomplete_runs, rebuilt or objects */
};

/* The incomplete runs come first, then n_rebuilt objects, each once for all
   databases with the same two builds of it, then those with a filter. */
struct cc_notes {
    const struct cc_inputs *in;
    const struct cc_left_out *left_out; /* one for each object */
    struct cc_note *items;
    size_t n, n_rebuilt;
};

struct cc_report {
    const struct cc_data *data; /* must be matched */
    struct cc_score *total;     /* one score of all blocks */
    struct cc_score *by_object; /* one score for each object */
    /* As from cc_scores_new_by_scope, _by_support and _by_evidence. */
    struct cc_score *by_scope, *by_support, *by_evidence;
    struct cc_groups groups; /* the groups to report; may be empty */
    struct cc_check *checks;
    size_t n_checks;
    struct cc_filter filter;      /* the rule by which blocks are kept */
    const struct cc_notes *notes; /* what the figures do not cover */
    /* Counts for each bound. */
    struct cc_where_counts where[LIFETIMES_MAX];
    struct cc_reason_counts reasons[LIFETIMES_MAX];
    struct cc_outside outside;
    /* Heaviest first at the first bound; no items: not asked for. */
    struct cc_selection found, missed, false_positives;
    struct cc_comparison comparison; /* no changes: there is no baseline */
    struct cc_symbolizer *symbolizer;
    char *program;             /* the paths of the scored objects */
    const char *command;       /* the command that made the report */
    enum disasm_syntax syntax; /* syntax of instructions in reports */
    bool has_colour;           /* for text only */
    /* Indices of the bounds, in the order of the tables. */
    unsigned order[LIFETIMES_MAX];
};

/* --- Words --- */

/* All occurrences at a bound, divided by what becomes of them; `within` counts
   those within the scope, in kept blocks or not. */
struct cc_share {
    uint64_t all, scored, dropped, between, outside;
    uint64_t within;
};
struct cc_share cc_share_at(const struct cc_report *report, unsigned bound);

/* What the columns of coverage count. */
#define CC_COVERAGE_NOTE                                                  \
    "cov_u: the share of pairs that were predicted; cov_w: that of their" \
    " occurrences"

/* The words for the place of both ends of a scored pair: "one block". */
const char *cc_place_text(enum cc_scope scope);

/* cc_headline: one sentence of ASCII on what was found at the first bound.
   cc_counted: what that sentence counts, which the caller frees. */
#define CC_HEADLINE 192
void cc_headline(const struct cc_report *report, char text[CC_HEADLINE]);
char *cc_counted(const struct cc_report *report);

/* The paths of the first objects, with commas between them, and the number of
   other objects.  The caller frees the text. */
char *cc_report_program(const struct cc_data *data);

/* --- Notes --- */

/* Makes the notes on matched data.  cc_notes_fini frees them. */
struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out);
void cc_notes_fini(struct cc_notes *notes);

/* --- Formats --- */

/* Writes a report.  The caller checks the stream for errors. */
void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report);

/* --- Tables --- */

/* Each function describes one table of a report; the report must outlive it.  A
   column is a line in the function that fills the table's rows. */

/* --- What the functions share that fill rows --- */

/* Columns of figures with a remark, of properties and of test cases. */
#define NAME   R_SEEN("figure", .flags = R_LEFT, .width = 17)
#define VALUE  R_SEEN("value", .width = 7)
#define REMARK R_SEEN("", .width = 20, .flags = R_LEFT | R_RAGGED | R_CUT)

unsigned cc_n_bounds(const struct cc_report *r);

/* The bound of a row; rows are in the order of the report's bounds. */
unsigned cc_bound_of(const struct cc_report *r, size_t row);

void cc_put_bound(struct report_row *row, struct report_column column,
                  const struct cc_report *r, size_t i);

void cc_put_ratio(struct report_row *row, struct report_column column,
                  struct cc_ratio ratio);

/* A bound's text, after `before`; the row keeps the text. */
const char *cc_bound_text(struct report_row *row, const struct cc_report *r,
                          const char *before, unsigned b);

/* cc_put_score puts what a score has at the bound of row i; cc_put_part, at
   bound b where `shown` says, without what only the total score has. */
void cc_put_lifetime(struct report_row *row, const struct cc_report *r,
                     size_t i);
void cc_put_score(struct report_row *row, const struct cc_report *r,
                  const struct cc_score *s, size_t i);
void cc_put_part(struct report_row *row, const struct cc_score *s, unsigned b,
                 unsigned shown);

void cc_write_table(struct report *out, struct report_table table);

/* --- Scores --- */

/* The total score, with a row for each bound; what becomes of all occurrences;
   and, for people, the scores of the chosen groups. */
struct report_table cc_table_total(const struct cc_report *r);
struct report_table cc_table_parts(const struct cc_report *r);
struct report_table cc_table_group_list(const struct cc_report *r);

/* The score of each scope up to that of the report, at each bound; and what
   each kind of evidence contributed. */
struct report_table cc_table_scopes(const struct cc_report *r);
struct report_table cc_table_evidences(const struct cc_report *r);

/* --- What else the figures consist of --- */

/* Where all occurrences lie, by bound. */
struct report_table cc_table_where(const struct cc_report *r);

/* The files that were not analysed and are worth listing. */
struct report_table cc_table_outside_list(const struct cc_report *r);

/* How occurrences were forwarded; and why dependencies were missed. */
struct report_table cc_table_forwards(const struct cc_report *r);
struct report_table cc_table_missed(const struct cc_report *r);

/* Figures with a remark, for people; and the gates. */
struct report_table cc_table_figures(const struct cc_report *r);
struct report_table cc_table_gates(const struct cc_report *r);

/* The paths of the objects, for people. */
struct report_table cc_table_paths(const struct cc_report *r);

/* Figures beside those of the baseline; and what became of the baseline's
   dependencies.  A baseline must exist. */
struct report_table cc_table_changes(const struct cc_report *r);
struct report_table cc_table_outcomes(const struct cc_report *r);

/* --- Dependencies one by one --- */

/* A list: indices in cc_data.observed or cc_data.predictions. */
struct cc_list {
    const struct cc_report *report;
    const uint32_t *items;
    size_t n;
};

/* Tables of a list; `key` is its name in JSON, and `id` in HTML. */
struct report_table cc_table_observed(const struct cc_list *list,
                                      const char *key, const char *id);
struct report_table cc_table_false(const struct cc_list *list);

/* The baseline's dependencies that are gone; and what identifies those of a
   list to a later run. */
struct report_table cc_table_gone(const struct cc_report *r);
struct report_table cc_table_identities(const struct cc_list *list,
                                        const char *key);

/* --- For programs --- */

/* Writes a report's tables, and those that only JSON has. */
void cc_write_json(struct report *out, const struct cc_report *r);
