/*
 * cc_table: what a table says, whatever it is written as.
 *
 * Columns are described once and cells are values, not text.  Text, Markdown
 * and HTML have one renderer each, so that a new column is one edit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_TABLE_H
#define COVERAGE_CC_TABLE_H

#include "report/cc_report.h"

/* Where a column is shown. */
enum cc_renderer { CC_IN_TEXT = 1, CC_IN_MARKDOWN = 2, CC_IN_HTML = 4 };

struct cc_column {
    const char *heading;
    const char *unit; /* a heading over it and its neighbours, or NULL */
    int width;        /* in text, if the heading is not as wide */
};

struct cc_cell {
    enum {
        CC_CELL_BOUND,
        CC_CELL_COUNT,
        CC_CELL_RATIO,
        CC_CELL_SCOPE,
        CC_CELL_EVIDENCE
    } kind;
    uint64_t number;       /* of all but a ratio */
    struct cc_ratio ratio; /* of a ratio */
};

struct cc_table {
    struct cc_column columns[16];
    size_t n_columns;
    struct cc_cell *cells; /* row by row */
    size_t n_cells, capacity;
    bool grows;     /* a column of text, with its longest cell */
    const char *id; /* of a table that a reader of HTML can sort, or NULL */
};

/* The score, and where dependencies lie: a row for each bound.  The caller
   frees .cells of these and of those below. */
struct cc_table cc_table_of_scores(const struct cc_report *report,
                                   enum cc_renderer renderer);
struct cc_table cc_table_of_where(const struct cc_report *report,
                                  enum cc_renderer renderer);

/* The score of each scope up to that of the report, at each bound. */
struct cc_table cc_table_of_scopes(const struct cc_report *report);

/* What the kinds of evidence brought, for each scope and bound; without rows
   unless there are at least two. */
struct cc_table cc_table_of_evidences(const struct cc_report *report);

/* How the occurrences of which it is known were forwarded, at each bound. */
struct cc_table cc_table_of_forwards(const struct cc_report *report);

size_t cc_table_rows(const struct cc_table *table);

/* The column after those that share the unit of a column; those without a
   unit share none. */
size_t cc_table_unit_end(const struct cc_table *table, size_t column);

/* The headings are between two texts, which may switch colours.  HTML has
   cc_html_table. */
void cc_table_text(FILE *out, const struct cc_table *table, const char *before,
                   const char *after);
void cc_table_markdown(FILE *out, const struct cc_table *table);

#endif
