/*
 * report: what a program found, for people and for other programs.
 *
 * A table is described once, by a function that fills one row: each value
 * stands beside its column, with what people and programs call it.  Each format
 * has a renderer; only that knows how values are spelt and how foreign text is
 * made safe.  So a new column is one line, and a new format is a renderer.
 *
 * Rows are filled one by one while they are written: a table of any length
 * takes the memory of a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"
#include "frame.h"

/* The formats up to HTML are for people, with headings and paragraphs. */
enum report_format {
    REPORT_TEXT,
    REPORT_MARKDOWN,
    REPORT_HTML,
    REPORT_JSON,
    REPORT_N_FORMATS
};

/* --- Tables --- */

struct report_column {
    const char *heading; /* NULL: people do not see the column */
    const char *unit;    /* a heading over columns with this unit, or NULL */
    const char *key;     /* in JSON; "a.b": b in the object a; NULL: none */
    enum {
        R_IN_TEXT = 1 << REPORT_TEXT,
        R_IN_HTML = 1 << REPORT_HTML,
        /* all formats with markup, and those without HTML */
        R_IN_MARKUP = (1 << (REPORT_HTML + 1)) - 1 - R_IN_TEXT,
        R_IN_MARKDOWN = R_IN_MARKUP - R_IN_HTML,
        R_HIDDEN = 1 << REPORT_N_FORMATS
    } shown;   /* the formats that show it to people; 0: all */
    int width; /* least width in text; 0: that of the heading */
    enum {
        R_LEFT = 1,   /* on the left of its column, not on the right */
        R_RAGGED = 2, /* text: without padding after it */
        R_CUT = 4,    /* text: shortened where the terminal ends, but not
                              below `width` */
        R_CLOSE = 8,  /* text: one blank before it, not two */
        R_WRAP = 16,  /* text: on the next line if there is no room */
        R_INNER = 32, /* JSON: in the objects of `inner` */
        R_EXTRA = 64  /* HTML: shown only where there is room; at most
                              three columns should be always shown */
    } flags;
    const char *format; /* of a real number, for people; NULL: "%.2f" */
};

/* Columns: R_SEEN is for people, R_KEY for JSON, R_BOTH for both. */
#define R_SEEN(heading_, ...) \
    ((struct report_column){.heading = (heading_), __VA_ARGS__})
#define R_KEY(key_, ...) ((struct report_column){.key = (key_), __VA_ARGS__})
#define R_BOTH(heading_, name, ...) \
    ((struct report_column){.heading = (heading_), .key = (name), __VA_ARGS__})

struct report_row;

struct report_table {
    const char *key; /* in JSON; NULL: its members are the report's own */
    const char *id;  /* the id in HTML, or NULL */
    size_t n_rows;
    /* Gives row number i its values.  Rows have the same columns, but JSON
       may lack any. */
    void (*fill)(struct report_row *row, const void *from, size_t i);
    const void *from;
    /* JSON makes one object of n_inner rows; the columns with
       R_INNER are in a list of objects of this name in it. */
    const char *inner;
    size_t n_inner;
    bool is_object;      /* JSON: the one row is an object, not a list */
    bool is_list;        /* text: each row takes lines of its own */
    bool is_joined;      /* text: no blank line before it, and indented */
    unsigned bare;       /* the formats, as in `shown`, without headings */
    bool is_bold;        /* text: its headings are bold */
    bool is_plain;       /* HTML: readers cannot sort it */
    const char *caption; /* text: a line above the headings, or NULL */
};

/* A table of n_rows rows. */
#define REPORT_TABLE(n_rows_, fill_, from_, ...) \
    ((struct report_table){                      \
        .n_rows = (n_rows_), .fill = (fill_), .from = (from_), __VA_ARGS__})

#define REPORT_COLUMNS 160 /* the most columns of a row */

/* --- The values of a row --- */

/* Add the next value of a row.  Texts are copied; NULL is no value.  JSON has
   null for a missing value, and the other formats show nothing. */
void report_none(struct report_row *row, struct report_column column);
void report_text(struct report_row *row, struct report_column column,
                 const char *text);
__attribute__((format(printf, 3, 4))) void
report_printf(struct report_row *row, struct report_column column,
              const char *format, ...);
void report_count(struct report_row *row, struct report_column column,
                  uint64_t count);
void report_real(struct report_row *row, struct report_column column,
                 double number);
void report_bool(struct report_row *row, struct report_column column,
                 bool truth);
void report_address(struct report_row *row, struct report_column column,
                    uint64_t address);
void report_bound(struct report_row *row, struct report_column column,
                  uint64_t bound); /* a lifetime bound, or "inf" */
void report_range(struct report_row *row, struct report_column column,
                  uint64_t low, uint64_t high);
void report_counts(struct report_row *row, struct report_column column,
                   const uint64_t *counts, size_t n);

/* Adds a text as code, and another text after it, or NULL. */
void report_code(struct report_row *row, struct report_column column,
                 const char *text, const char *after);

/* Adds a part of a whole, as a percentage, which is 100.0% or 0.0% only if it
   is exactly that; there is no value if the whole is 0. */
void report_ratio(struct report_row *row, struct report_column column,
                  uint64_t part, uint64_t whole);

/* Adds one function or two: the symbol of each, NULL if it is not known, and
   the path of its object, or NULL. */
void report_function(struct report_row *row, struct report_column column,
                     const char *symbol, const char *object);
void report_functions(struct report_row *row, struct report_column column,
                      const char *from, const char *from_object, const char *to,
                      const char *to_object);

/* An instruction: its text, or NULL; the symbol of its function, or NULL, and
   how far it is from where that begins, if that is known; the n source lines,
   that of the innermost function first. */
struct report_place {
    uint64_t address;
    const char *insn;
    const char *function;
    bool has_offset;
    uint64_t offset;
    const struct source_frame *frames;
    size_t n;
};
void report_place(struct report_row *row, struct report_column column,
                  const struct report_place *place);

/* Adds a table within the row, for JSON; *table is copied, but not what it
   points to. */
void report_rows(struct report_row *row, struct report_column column,
                 const struct report_table *table);

/* The style of the value added last, for people. */
enum report_style {
    REPORT_PLAIN,
    REPORT_STRONG,
    REPORT_GOOD,
    REPORT_BAD,
    REPORT_N_STYLES
};
void report_style(struct report_row *row, enum report_style style);

/* Hides the row from people; programs get it. */
void report_hide(struct report_row *row);

/* HTML: links the value added last to the element with this id. */
__attribute__((format(printf, 2, 3))) void report_link(struct report_row *row,
                                                       const char *format, ...);

/* Makes the value added last a missing one, unless it is known. */
void report_known(struct report_row *row, bool is_known);

/* Memory, a copy of a text or NULL, and a text that the row frees, which live
   as long as the row. */
void *report_alloc(struct report_row *row, size_t size);
const char *report_copy(struct report_row *row, const char *text);
const char *report_keep(struct report_row *row, char *text);

/* --- Reports --- */

struct report_db;

struct report {
    FILE *out;
    enum report_format format;
    struct report_db *db; /* JSON: tables are written there, and not to `out` */
    bool has_colour;      /* text: write colours */
    unsigned width;   /* text: columns of the terminal; 0: it is no terminal */
    size_t n_written; /* members of JSON, and parts of Markdown; 0 at first */
};

/* Write what stands around all tables: JSON's braces. */
void report_begin(struct report *r);
void report_end(struct report *r);

/* Writes a table, if the report's format shows anything of it. */
void report_table(struct report *r, const struct report_table *table);

/* Begins to write to a database, in a transaction.  Each table of its schema
   gets the rows of the list that JSON has by this name, "report" the members of
   the whole, and "a_b" those of the lists b in the rows of a; `of_row` is the
   number of that row, from 1.  The column a_b is the member a.b.
   report_db_free: -1 with *d set if something could not be written. */
struct db;
struct report_db *report_db_new(struct db *db, struct diag *d);
int report_db_free(struct report_db *db);

/* For people: a heading, a paragraph of any text.  A heading begins with a
   small letter. */
#define report_heading(r, ...) report_add_heading(r, memory_printf(__VA_ARGS__))
#define report_paragraph(r, ...) \
    report_add_paragraph(r, memory_printf(__VA_ARGS__))
void report_add_heading(struct report *r, char *text); /* frees the text */
void report_add_paragraph(struct report *r, char *text);

/* For people: "NAME: TEXT", where the text is code.  The name begins with a
   small letter. */
void report_line(struct report *r, const char *name, const char *text);

/* HTML: a page up to its heading, and its end.  It needs no other file, and
   forbids the browser to fetch anything.  It contains `style`, after the style
   of all pages, and `script`, after the one that sorts tables which have an id
   and are not plain. */
void report_html_begin(FILE *out, const char *title, const char *style);
void report_html_end(FILE *out, const char *script);

/* HTML: the headings of a table, up to its first row; and the rows from `from`
   on, before `to`, without the table around them. */
void report_html_headings(FILE *out, const struct report_table *table);
void report_html_rows(FILE *out, const struct report_table *table, size_t from,
                      size_t to);

/* JUnit: a suite of test cases, of rows with a name, a style, which is bad for
   what failed and plain for what was skipped, and a text; properties, of rows
   with a name and a value; and what is written as output. */
void report_junit(FILE *out, const char *suite,
                  const struct report_table *properties,
                  const struct report_table *cases, const char *output);

/* --- Values and foreign texts, spelt for one format --- */

struct report_value {
    char text[32];
};
struct report_value report_ratio_text(uint64_t part, uint64_t whole);
double report_percent(uint64_t part, uint64_t whole); /* -1: the whole is 0 */

/* Write any bytes as plain text, which neither controls a terminal nor is taken
   for markup.  Text for HTML and XML may also stand in quotes. */
void report_safe_html(FILE *out, const char *text);
void report_safe_xml(FILE *out, const char *text);
void report_safe_markdown(FILE *out, const char *text);
void report_safe_code(FILE *out, const char *text); /* Markdown's code span */
char *report_safe_utf8(const char *text);           /* the caller frees */

/* HTML: what a page is about, or NULL, the command that made it, and when. */
void report_html_made(FILE *out, const char *program, const char *command);

/* HTML: a text between tags; NULL is an empty one. */
void report_html_text(FILE *out, const char *before, const char *text,
                      const char *after);

/* HTML: a number with its digits in groups of three. */
void report_html_count(FILE *out, uint64_t count);
