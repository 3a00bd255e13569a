/*
 * as_text: tables and lists for a terminal.
 *
 * A column is as wide as its widest value.  In a list, each value takes a line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "object/demangle.h"
#include "report/renderers.h"
#include "terminal.h"
#include "text.h"

#define INDENT 2  /* blanks before a table that belongs to a heading */
#define WRAP   11 /* blanks before what is on the next line */

static const char *paint(const struct report *r, enum report_style style)
{
    static const char *const codes[REPORT_N_STYLES] = {
        [REPORT_PLAIN] = "\033[m",
        [REPORT_STRONG] = "\033[1m",
        [REPORT_GOOD] = "\033[32m",
        [REPORT_BAD] = "\033[31m",
    };

    return r->has_colour ? codes[style] : "";
}

static void write_painted(struct report *r, enum report_style style,
                          const char *text)
{
    if (style == REPORT_PLAIN)
        fputs(text, r->out);
    else
        fprintf(r->out, "%s%s%s", paint(r, style), text,
                paint(r, REPORT_PLAIN));
}

/* --- Where an instruction is --- */

static void write_frame(FILE *out, const char *function,
                        const struct objfile_frame *frame)
{
    demangle_write(out, function != NULL ? function : "?", text_write_safe);
    fputs(" at ", out);
    text_write_safe(out, base_name(frame->file));
    fprintf(out, ":%d", frame->line);
}

/* "FUNCTION at FILE:LINE, inlined into FUNCTION at FILE:LINE", as far as it is
   known; "FUNCTION+0xOFFSET" without lines; "?" if nothing is. */
static void write_lines(FILE *out, const struct report_place *at)
{
    bool has_line = false;

    for (size_t i = 0; i < at->n; i++) {
        const struct objfile_frame *f = &at->frames[i];
        bool is_last = i + 1 == at->n;

        if (f->line == 0)
            continue;
        fputs(has_line ? ", inlined into " : "", out);
        /* The symbol's name is that of the outermost. */
        write_frame(out, is_last && at->function ? at->function : f->function,
                    f);
        has_line = true;
    }
    if (has_line)
        return;
    demangle_write(out, at->function != NULL ? at->function : "?",
                   text_write_safe);
    if (at->function != NULL && at->has_offset)
        fprintf(out, "+0x%" PRIx64, at->offset);
}

/* --- Lists --- */

static void write_place(FILE *out, const char *heading,
                        const struct report_place *at)
{
    fprintf(out, "    %-5s  %6" PRIx64 "  ", heading, at->address);
    text_write_safe(out, at->insn != NULL ? at->insn : "(no code)");
    fputs("\n                   in ", out);
    write_lines(out, at);
    fputc('\n', out);
}

static void write_item(struct report *r, const struct report_table *t,
                       const struct report_row *row)
{
    const char *indent = "  ";

    fputc('\n', r->out);
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct report_cell *cell = &row->cells[c];

        if (!column_is_shown(&t->columns[c], REPORT_TEXT))
            continue;
        if (cell->kind == PLACE)
            write_place(r->out, t->columns[c].heading, cell->place);
        else if (cell->kind != NO_VALUE) {
            fputs(indent, r->out);
            cell_write(r->out, &t->columns[c], cell, text_write_safe,
                       text_write_safe);
            fputc('\n', r->out);
        }
        indent = "    ";
    }
}

static void write_list(struct report *r, const struct report_table *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, i);
        write_item(r, t, &row);
        row_fini(&row);
    }
}

/* --- Tables --- */

static char *cell_text(const struct report_column *column,
                       const struct report_cell *cell)
{
    struct memory_stream text;

    memory_stream_open(&text);
    cell_write(text.out, column, cell, text_write_safe, text_write_safe);
    return memory_stream_close(&text);
}

static size_t gap(const struct report_column *column)
{
    return column->flags & REPORT_CLOSE ? 1 : 2;
}

static size_t max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The columns of the widest value of each column. */
static void measure_values(const struct report_table *t, size_t *widest)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, i);
        for (size_t c = 0; c < t->n_columns && !row.is_hidden; c++)
            if (column_is_shown(&t->columns[c], REPORT_TEXT)) {
                char *text = cell_text(&t->columns[c], &row.cells[c]);

                widest[c] = max(widest[c], terminal_columns(text));
                free(text);
            }
        row_fini(&row);
    }
}

/* Shortens the columns that may be, as far as the terminal needs it. */
static void fit(const struct report *r, const struct report_table *t,
                size_t *width, const size_t *widest)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        size_t others = t->is_joined ? INDENT : 0, room;

        if ((t->columns[c].flags & (REPORT_CUT | REPORT_RAGGED)) != REPORT_CUT)
            continue;
        for (size_t i = 0; i < t->n_columns; i++)
            if (i != c && column_is_shown(&t->columns[i], REPORT_TEXT) &&
                !(t->columns[i].flags & REPORT_WRAP))
                others += max(width[i], widest[i]) + gap(&t->columns[i]);
        room = terminal_room(r->width, others, (size_t)t->columns[c].width);
        if (room > 0 && room < width[c])
            width[c] = room;
    }
}

static void measure(const struct report *r, const struct report_table *t,
                    size_t *width)
{
    size_t widest[REPORT_COLUMNS] = {0};

    measure_values(t, widest);
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct report_column *column = &t->columns[c];

        width[c] = (size_t)column->width;
        if (!column_is_shown(column, REPORT_TEXT))
            continue;
        if (!(t->bare & REPORT_SHOWN_TEXT))
            width[c] = max(width[c], terminal_columns(column->heading));
        if (!(column->flags & REPORT_RAGGED))
            width[c] = max(width[c], widest[c]);
    }
    fit(r, t, width, widest);
}

/* A unit amid a line, which is as wide as the columns below it. */
static void write_unit(FILE *out, const char *unit, size_t width)
{
    size_t own = strlen(unit) + 2, n = width > own ? width - own : 0;

    for (size_t i = 0; i < n / 2; i++)
        fputc('-', out);
    fprintf(out, " %s ", unit);
    for (size_t i = n / 2; i < n; i++)
        fputc('-', out);
}

static void write_units(FILE *out, const struct report_table *t,
                        const size_t *width)
{
    size_t blanks = 0;
    bool has_units = false;

    for (size_t c = 0; c < t->n_columns; c++)
        has_units |= column_is_shown(&t->columns[c], REPORT_TEXT) &&
                     t->columns[c].unit != NULL;
    for (size_t c = 0, end; has_units && c < t->n_columns; c = end) {
        size_t n = 0, first = 0, n_shown = 0;

        end = column_unit_end(t, c, REPORT_TEXT);
        for (size_t i = c; i < end; i++)
            if (column_is_shown(&t->columns[i], REPORT_TEXT)) {
                first = n == 0 && c > 0 ? gap(&t->columns[i]) : first;
                n += width[i] + (n > 0 ? gap(&t->columns[i]) : 0);
                n_shown++;
            }
        blanks += first;
        if (n > 0 && t->columns[c].unit != NULL) {
            fprintf(out, "%*s", (int)blanks, "");
            if (n_shown > 1)
                write_unit(out, t->columns[c].unit, n);
            else
                fprintf(out, "%*s", (int)n, t->columns[c].unit);
            blanks = 0;
        } else {
            blanks += n;
        }
    }
    fputs(has_units ? "\n" : "", out);
}

/* A line of a table, while it is made: blanks are written before what follows
   them, so that there are none at the end. */
struct line {
    struct report *report;
    size_t at, blanks; /* columns that are taken, and blanks to come */
    bool has_value;
};

/* Writes a value, of which `most` columns are shown; 0: all of them. */
static void add_value(struct line *line, const struct report_column *column,
                      enum report_style style, const char *text, size_t width,
                      size_t most)
{
    struct report *r = line->report;
    size_t all = terminal_columns(text),
           n = most > 0 && most < all ? most : all;
    size_t padding =
        width > n && !(column->flags & REPORT_RAGGED) ? width - n : 0;
    bool is_left = (column->flags & REPORT_LEFT) != 0;

    line->blanks +=
        (line->has_value ? gap(column) : 0) + (is_left ? 0 : padding);
    line->has_value = true;
    if (column->flags & REPORT_WRAP && r->width > 0 &&
        line->at + line->blanks + n > r->width) {
        fputc('\n', r->out);
        line->at = 0;
        line->blanks = WRAP;
    }
    if (n > 0) {
        fprintf(r->out, "%*s", (int)line->blanks, "");
        line->at += line->blanks + n;
        line->blanks = 0;
        if (n < all)
            terminal_cut(r->out, text, n);
        else
            write_painted(r, style, text);
    }
    line->blanks += is_left ? padding : 0;
}

static void write_headings(struct report *r, const struct report_table *t,
                           const size_t *width)
{
    struct line line = {.report = r, .blanks = t->is_joined ? INDENT : 0};

    if (t->is_bold)
        fputs(paint(r, REPORT_STRONG), r->out);
    for (size_t c = 0; c < t->n_columns; c++)
        if (column_is_shown(&t->columns[c], REPORT_TEXT))
            add_value(&line, &t->columns[c], REPORT_PLAIN,
                      t->columns[c].heading, width[c], 0);
    if (t->is_bold)
        fputs(paint(r, REPORT_PLAIN), r->out);
    fputc('\n', r->out);
}

/* The texts of the columns that have one; the caller frees them. */
static void find_texts(const struct report_table *t,
                       const struct report_row *row, char **texts)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct report_column *column = &t->columns[c];
        bool is_empty =
            column->flags & REPORT_RAGGED && row->cells[c].kind == NO_VALUE;

        texts[c] = column_is_shown(column, REPORT_TEXT) && !is_empty
                       ? cell_text(column, &row->cells[c])
                       : NULL;
    }
}

/* How much a value that may be shortened shows, if all that follows it keeps
   its room; 0: all.  What follows is left out (*drops) where it has none. */
static size_t shorten(const struct line *line, const struct report_table *t,
                      size_t c, char *const *texts, bool *drops)
{
    size_t least = (size_t)t->columns[c].width, rest = 0;
    size_t n = terminal_columns(texts[c]);
    size_t room =
        terminal_room(line->report->width,
                      line->at + line->blanks + gap(&t->columns[c]), least);

    for (size_t i = c + 1; i < t->n_columns; i++)
        if (texts[i] != NULL)
            rest += gap(&t->columns[i]) + terminal_columns(texts[i]);
    *drops = room > 0 && room < rest + (n < least ? n : least);
    return room == 0 ? 0 : *drops ? room : room - rest;
}

static void write_row(struct report *r, const struct report_table *t,
                      const struct report_row *row, const size_t *width)
{
    struct line line = {.report = r, .blanks = t->is_joined ? INDENT : 0};
    char *texts[REPORT_COLUMNS];
    bool drops = false;

    find_texts(t, row, texts);
    for (size_t c = 0; c < t->n_columns; c++) {
        unsigned flags = t->columns[c].flags;
        size_t most = 0;

        if (texts[c] == NULL || drops)
            continue;
        if (flags & REPORT_CUT)
            most = flags & REPORT_RAGGED ? shorten(&line, t, c, texts, &drops)
                                         : width[c];
        add_value(&line, &t->columns[c], row->cells[c].style, texts[c],
                  width[c], most);
    }
    for (size_t c = 0; c < t->n_columns; c++)
        free(texts[c]);
    fputc('\n', r->out);
}

void text_table(struct report *r, const struct report_table *t)
{
    size_t width[REPORT_COLUMNS];

    if (t->is_list) {
        write_list(r, t);
        return;
    }
    measure(r, t, width);
    fputs(t->is_joined ? "" : "\n", r->out);
    if (t->caption != NULL)
        fprintf(r->out, "%s\n", t->caption);
    if (!(t->bare & REPORT_SHOWN_TEXT)) {
        write_units(r->out, t, width);
        write_headings(r, t, width);
    }
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, i);
        if (!row.is_hidden)
            write_row(r, t, &row, width);
        row_fini(&row);
    }
}
