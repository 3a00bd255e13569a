/* renderers: what the renderers of reports share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/report.h"

struct report_cell {
    struct report_column column;
    enum {
        NO_VALUE,
        TEXT,
        CODE,
        COUNT,
        REAL,
        TRUTH,
        ADDRESS,
        BOUND,
        RANGE,
        COUNTS,
        RATIO,
        FUNCTION,
        PLACE,
        ROWS
    } kind;
    enum report_style style;
    const char *after; /* of CODE: a text after the code, or NULL */
    const char *link;  /* HTML: where the value links to, or NULL */
    union {
        const char *text;
        uint64_t number;
        double real;
        bool truth;
        struct {
            uint64_t low, high;
        } range;
        struct {
            uint64_t part, whole;
        } ratio;
        struct {
            const uint64_t *list;
            size_t n;
        } counts;
        struct {
            const char *symbols[2], *objects[2];
            size_t n;
        } functions;
        const struct report_place *place;
        const struct report_table *table;
    };
};

/* The values of a row that one format shows, of all that the table has. */
struct report_row {
    enum report_format format;
    struct report_cell cells[REPORT_COLUMNS];
    size_t n;
    bool is_taken;  /* the format shows the last value */
    bool is_hidden; /* the row is hidden from people */
    void **memory;  /* what is freed with the row */
    size_t n_memory, memory_room;
};

/* Fills row number i of a table; row_fini frees what is in it. */
void row_fill(struct report_row *row, const struct report_table *table,
              enum report_format format, size_t i);
void row_fini(struct report_row *row);

/* The first column after `column` whose unit differs from its unit; having no
   unit counts as one. */
size_t row_unit_end(const struct report_row *row, size_t column);
bool row_has_units(const struct report_row *row);

/* Writes a value as all text formats spell it: names of code through `code`,
   other text through `safe`. */
void cell_write(FILE *out, const struct report_cell *cell,
                void (*safe)(FILE *out, const char *text),
                void (*code)(FILE *out, const char *text));

/* Markdown: a blank line, but at the start.  HTML: a text as code. */
void markdown_break(struct report *r);
void html_code(FILE *out, const char *text);

void text_table(struct report *r, const struct report_table *table);
void markdown_table(struct report *r, const struct report_table *table);
void html_table(struct report *r, const struct report_table *table);
void json_table(struct report *r, const struct report_table *table);
void db_table(struct report *r, const struct report_table *table);
