/*
 * text: tables and lists for a terminal.
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

#define LEAST_CUT 12 /* columns that a value keeps, however narrow it gets */
#define INDENT    2  /* blanks before a table that belongs to a heading */

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

static void measure_headings(const struct report_table *t, size_t *width)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct report_column *column = &t->columns[c];

        width[c] = (size_t)column->width;
        if (column_is_shown(column, REPORT_TEXT) &&
            (t->bare & REPORT_SHOWN_TEXT) == 0)
            width[c] = max(width[c], terminal_columns(column->heading));
    }
}

static void measure_rows(const struct report_table *t, size_t *width)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, i);
        for (size_t c = 0; c < t->n_columns; c++) {
            char *text;

            if (!column_is_shown(&t->columns[c], REPORT_TEXT) ||
                (t->columns[c].flags & (REPORT_RAGGED | REPORT_CUT)) != 0)
                continue;
            text = cell_text(&t->columns[c], &row.cells[c]);
            width[c] = max(width[c], terminal_columns(text));
            free(text);
        }
        row_fini(&row);
    }
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
        size_t n = 0, first = 0;

        end = column_unit_end(t, c, REPORT_TEXT);
        for (size_t i = c; i < end; i++)
            if (column_is_shown(&t->columns[i], REPORT_TEXT)) {
                first = n == 0 && c > 0 ? gap(&t->columns[i]) : first;
                n += width[i] + (n > 0 ? gap(&t->columns[i]) : 0);
            }
        blanks += first;
        if (n > 0 && t->columns[c].unit != NULL) {
            fprintf(out, "%*s", (int)blanks, "");
            write_unit(out, t->columns[c].unit, n);
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

static void add_value(struct line *line, const struct report_column *column,
                      enum report_style style, const char *text, size_t width)
{
    struct report *r = line->report;
    size_t n = terminal_columns(text);
    size_t padding =
        width > n && !(column->flags & REPORT_RAGGED) ? width - n : 0;
    bool is_left = (column->flags & REPORT_LEFT) != 0;

    line->blanks +=
        (line->has_value ? gap(column) : 0) + (is_left ? 0 : padding);
    line->has_value = true;
    if (n > 0) {
        fprintf(r->out, "%*s", (int)line->blanks, "");
        line->at += line->blanks;
        line->blanks = 0;
        if (column->flags & REPORT_CUT)
            terminal_cut(r->out, text,
                         terminal_room(r->width, line->at, LEAST_CUT));
        else
            write_painted(r, style, text);
        line->at += n;
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
                      t->columns[c].heading, width[c]);
    if (t->is_bold)
        fputs(paint(r, REPORT_PLAIN), r->out);
    fputc('\n', r->out);
}

static void write_row(struct report *r, const struct report_table *t,
                      const struct report_row *row, const size_t *width)
{
    struct line line = {.report = r, .blanks = t->is_joined ? INDENT : 0};

    for (size_t c = 0; c < t->n_columns; c++) {
        const struct report_column *column = &t->columns[c];
        char *text;

        if (!column_is_shown(column, REPORT_TEXT) ||
            (column->flags & REPORT_RAGGED && row->cells[c].kind == NO_VALUE))
            continue;
        text = cell_text(column, &row->cells[c]);
        add_value(&line, column, row->cells[c].style, text, width[c]);
        free(text);
    }
    fputc('\n', r->out);
}

void text_table(struct report *r, const struct report_table *t)
{
    size_t width[REPORT_COLUMNS];

    if (t->is_list) {
        write_list(r, t);
        return;
    }
    measure_headings(t, width);
    measure_rows(t, width);
    fputs(t->is_joined ? "" : "\n", r->out);
    if (t->caption != NULL)
        fprintf(r->out, "%s\n", t->caption);
    if ((t->bare & REPORT_SHOWN_TEXT) == 0) {
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
