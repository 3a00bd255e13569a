/*
 * report: what a program found, for people and for other programs.
 *
 * A table is described once, by a function that fills one row: each value
 * stands beside its column, with what people and programs call it.  Each format
 * has a renderer, which alone knows how values are spelt and how foreign text
 * is made safe.  So a new column is one line, and a new format is a renderer.
 *
 * Rows are filled one by one while they are written: a table of any length
 * takes the memory of a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memory.h"
#include "frame.h"

/* Up to HTML they are for people, with headings and paragraphs. */
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
    const char *unit;    /* a heading over it and its neighbours, or NULL */
    const char *key;     /* in JSON, "a.b" for b in the object a; or NULL */
    enum {
        REPORT_SHOWN_TEXT = 1 << REPORT_TEXT,
        REPORT_SHOWN_HTML = 1 << REPORT_HTML,
        /* in all with markup, and in these but for HTML */
        REPORT_SHOWN_MARKUP = (1 << (REPORT_HTML + 1)) - 1 - REPORT_SHOWN_TEXT,
        REPORT_SHOWN_MARKDOWN = REPORT_SHOWN_MARKUP - REPORT_SHOWN_HTML,
        REPORT_HIDDEN = 1 << REPORT_N_FORMATS
    } shown;   /* to people, in these formats; 0: in all */
    int width; /* in text, the least; 0: as its heading */
    enum {
        REPORT_LEFT = 1,   /* left of its column; numbers are on the right */
        REPORT_RAGGED = 2, /* text: ends where it ends, without padding */
        REPORT_CUT = 4,    /* text: shortened where the terminal ends, but not
                              below `width` */
        REPORT_CLOSE = 8,  /* text: one blank before it, not two */
        REPORT_WRAP = 16,  /* text: on the next line if there is no room */
        REPORT_INNER = 32, /* JSON: in the objects of `inner` */
        REPORT_EXTRA = 64  /* HTML: only where there is room; at most three
                              columns should be none of these */
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
    const char *key; /* in JSON; NULL: the members of the report itself */
    const char *id;  /* in HTML, or NULL */
    size_t n_rows;
    /* Gives row number i its values.  Rows have the same columns, but JSON
       may lack any. */
    void (*fill)(struct report_row *row, const void *from, size_t i);
    const void *from;
    /* JSON makes one object of n_inner rows; the columns with
       REPORT_INNER are in a list of objects of this name in it. */
    const char *inner;
    size_t n_inner;
    bool is_object;      /* JSON: its one row is no list */
    bool is_list;        /* text: each row takes lines of its own */
    bool is_joined;      /* text: no blank line before it, and indented */
    unsigned bare;       /* the formats of `shown` without headings */
    bool is_bold;        /* text: its headings */
    bool is_plain;       /* HTML: readers cannot sort it */
    const char *caption; /* text: a line above the headings, or NULL */
};

/* A table of n_rows rows. */
#define REPORT_TABLE(n_rows_, fill_, from_, ...) \
    ((struct report_table){                      \
        .n_rows = (n_rows_), .fill = (fill_), .from = (from_), __VA_ARGS__})

#define REPORT_COLUMNS 160 /* at most */

/* --- The values of a row --- */

/* The next value.  Texts are copied; NULL is no value.  JSON has null for one
   that is missing, the other formats show nothing. */
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
                  uint64_t bound); /* or "inf" */
void report_range(struct report_row *row, struct report_column column,
                  uint64_t low, uint64_t high);
void report_counts(struct report_row *row, struct report_column column,
                   const uint64_t *counts, size_t n);

/* A text as code, and another one after it, or NULL. */
void report_code(struct report_row *row, struct report_column column,
                 const char *text, const char *after);

/* A part of a whole, as a percentage: neither 100.0% nor 0.0% unless it is;
   there are no data if the whole is 0. */
void report_ratio(struct report_row *row, struct report_column column,
                  uint64_t part, uint64_t whole);

/* The symbols of one function or two, or NULL where none is known, and the
   paths of their objects, or NULL. */
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

/* A table within the row, for JSON; *table is copied, what it points to is
   not. */
void report_rows(struct report_row *row, struct report_column column,
                 const struct report_table *table);

/* What the value before is, for people. */
enum report_style {
    REPORT_PLAIN,
    REPORT_STRONG,
    REPORT_GOOD,
    REPORT_BAD,
    REPORT_N_STYLES
};
void report_style(struct report_row *row, enum report_style style);

/* People do not see the row. */
void report_hide(struct report_row *row);

/* HTML: the value before leads to the element with this id. */
__attribute__((format(printf, 2, 3))) void report_link(struct report_row *row,
                                                       const char *format, ...);

/* The value before is none, unless it is known. */
void report_known(struct report_row *row, bool is_known);

/* Memory, a copy of a text or NULL, and a text that the row frees, which live
   as long as the row. */
void *report_alloc(struct report_row *row, size_t size);
const char *report_copy(struct report_row *row, const char *text);
const char *report_keep(struct report_row *row, char *text);

/* --- Reports --- */

struct report {
    FILE *out;
    enum report_format format;
    bool has_colour;  /* text */
    unsigned width;   /* text: columns of the terminal; 0: none */
    size_t n_written; /* members of JSON, and parts of Markdown; 0 at first */
};

/* Begins and ends what has no rows: JSON's braces. */
void report_begin(struct report *r);
void report_end(struct report *r);

/* Writes a table, if there is anything of it to show in this format. */
void report_table(struct report *r, const struct report_table *table);

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
   forbids the browser to fetch anything: a style, after that of all pages, and
   a script, after the one that sorts tables which have an id and are not plain,
   are in it. */
void report_html_begin(FILE *out, const char *title, const char *style);
void report_html_end(FILE *out, const char *script);

/* HTML: rows from `from` on, and before `to`, without the table around them;
   and the headings, up to the first row. */
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
double report_percent(uint64_t part, uint64_t whole); /* -1: no data */

/* Write any bytes as plain text, which neither controls a terminal nor is taken
   for markup.  What the first two write may stand in quotes. */
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

#endif
