/*
 * as_text: tables and lists for a terminal.
 *
 * A column is as wide as its widest value.  In a list, each value takes a line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "demangle.h"
#include "report/renderers.h"
#include "output.h"

#define INDENT 2  /* blanks before a table that belongs to a heading */
#define WRAP   11 /* blanks before a value on the next line */

static const char *paint(const struct report *r, enum report_style style)
{
    static const char *const codes[REPORT_N_STYLES] = {
        [REPORT_PLAIN] = "\033[m",
        [REPORT_STRONG] = "\033[1m",
        [REPORT_GOOD] = "\033[32m",
        [REPORT_BAD] = "\033[31m",
    };

    assert(style < REPORT_N_STYLES);
    return r->has_colour ? codes[style] : "";
}

/* --- Where an instruction is --- */

static void write_frame(FILE *out, const char *function,
                        const struct source_frame *frame)
{
    demangle_write(out, function != NULL ? function : "?", terminal_write);
    fputs(" at ", out);
    terminal_write(out, text_base_name(frame->file));
    fprintf(out, ":%d", frame->line);
}

/* "FUNCTION at FILE:LINE, inlined into FUNCTION at FILE:LINE", as far as it is
   known; "FUNCTION+0xOFFSET" without lines; "?" if nothing is. */
static void write_lines(FILE *out, const struct report_place *at)
{
    bool has_line = false;

    for (size_t i = 0; i < at->n; i++) {
        const struct source_frame *f = &at->frames[i];
        bool is_last = i + 1 == at->n;

        if (f->line == 0)
            continue;
        fputs(has_line ? ", inlined into " : "", out);
        /* The outermost function is named by its symbol. */
        write_frame(out, is_last && at->function ? at->function : f->function,
                    f);
        has_line = true;
    }
    if (has_line)
        return;
    demangle_write(out, at->function != NULL ? at->function : "?",
                   terminal_write);
    if (at->function != NULL && at->has_offset)
        fprintf(out, "+0x%" PRIx64, at->offset);
}

/* --- Lists --- */

static void write_item(struct report *r, const struct report_row *row)
{
    const char *indent = "  ";

    fputc('\n', r->out);
    for (size_t c = 0; c < row->n; c++) {
        const struct report_cell *cell = &row->cells[c];

        if (cell->kind == PLACE) {
            fprintf(r->out, "    %-5s  %6" PRIx64 "  ", cell->column.heading,
                    cell->place->address);
            terminal_write(r->out, cell->place->insn != NULL ? cell->place->insn
                                                             : "(no code)");
            fputs("\n                   in ", r->out);
            write_lines(r->out, cell->place);
            fputc('\n', r->out);
        } else if (cell->kind != NO_VALUE) {
            fputs(indent, r->out);
            cell_write(r->out, cell, terminal_write, terminal_write);
            fputc('\n', r->out);
        }
        indent = "    ";
    }
}

/* --- Tables --- */

static char *cell_text(const struct report_cell *cell)
{
    struct memory_stream text = memory_stream_open(&text);

    cell_write(text.out, cell, terminal_write, terminal_write);
    return memory_stream_close(&text);
}

static size_t gap(const struct report_column *column)
{
    return column->flags & R_CLOSE ? 1 : 2;
}

static size_t max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The widths of the columns, and of their widest values: a column is narrower
   where values that are too long are shortened. */
struct layout {
    const struct report_row *first; /* a row that has the columns */
    size_t width[REPORT_COLUMNS], widest[REPORT_COLUMNS];
    bool is_indented;
};

static void measure_values(const struct report_table *t, size_t *widest)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        AUTO_FINI(row_fini) struct report_row row;

        row_fill(&row, t, REPORT_TEXT, i);
        for (size_t c = 0; c < row.n && !row.is_hidden; c++) {
            AUTO_FREE char *text = cell_text(&row.cells[c]);

            widest[c] = max(widest[c], terminal_columns(text));
        }
    }
}

/* Narrows columns that may be shortened, as far as the terminal needs it. */
static void fit(const struct report *r, struct layout *l)
{
    for (size_t c = 0; c < l->first->n; c++) {
        const struct report_column *column = &l->first->cells[c].column;
        size_t others = l->is_indented ? INDENT : 0, room;

        if ((column->flags & (R_CUT | R_RAGGED)) != R_CUT)
            continue;
        for (size_t i = 0; i < l->first->n; i++) {
            const struct report_column *other = &l->first->cells[i].column;

            if (i != c && !(other->flags & R_WRAP))
                others += max(l->width[i], l->widest[i]) + gap(other);
        }
        room = terminal_room(r->width, others, (size_t)column->width);
        if (room > 0 && room < l->width[c])
            l->width[c] = room;
    }
}

static void measure(const struct report *r, const struct report_table *t,
                    struct layout *l)
{
    measure_values(t, l->widest);
    for (size_t c = 0; c < l->first->n; c++) {
        const struct report_column *column = &l->first->cells[c].column;
        size_t *width = &l->width[c];

        *width = (size_t)column->width;
        if (!(t->bare & R_IN_TEXT))
            *width = max(*width, terminal_columns(column->heading));
        if (!(column->flags & R_RAGGED))
            *width = max(*width, l->widest[c]);
    }
    fit(r, l);
}

/* Writes a unit in the middle of dashes as wide as the columns below it. */
static void write_unit(FILE *out, const char *unit, size_t width)
{
    size_t own = strlen(unit) + 2, n = width > own ? width - own : 0;

    for (size_t i = 0; i < n / 2; i++)
        fputc('-', out);
    fprintf(out, " %s ", unit);
    for (size_t i = n / 2; i < n; i++)
        fputc('-', out);
}

static void write_units(FILE *out, const struct layout *l)
{
    const struct report_cell *cells = l->first->cells;
    size_t blanks = 0;

    for (size_t c = 0, end; c < l->first->n; c = end) {
        const char *unit = cells[c].column.unit;
        size_t n = l->width[c];

        end = row_unit_end(l->first, c);
        for (size_t i = c + 1; i < end; i++)
            n += gap(&cells[i].column) + l->width[i];
        blanks += c > 0 ? gap(&cells[c].column) : 0;
        if (unit == NULL) {
            blanks += n;
            continue;
        }
        fprintf(out, "%*s", (int)blanks, "");
        if (end > c + 1)
            write_unit(out, unit, n);
        else
            fprintf(out, "%*s", (int)n, unit);
        blanks = 0;
    }
    fputc('\n', out);
}

/* A line of a table, while it is made: blanks are written before what follows
   them, so that there are none at the end. */
struct line {
    struct report *report;
    size_t at, blanks; /* columns that are taken; blanks not yet written */
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
    size_t padding = width > n && !(column->flags & R_RAGGED) ? width - n : 0;
    bool is_left = (column->flags & R_LEFT) != 0;

    line->blanks +=
        (line->has_value ? gap(column) : 0) + (is_left ? 0 : padding);
    line->has_value = true;
    if (column->flags & R_WRAP && r->width > 0 &&
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
        else {
            if (style == REPORT_PLAIN)
                fputs(text, r->out);
            else
                fprintf(r->out, "%s%s%s", paint(r, style), text,
                        paint(r, REPORT_PLAIN));
        }
    }
    line->blanks += is_left ? padding : 0;
}

static void write_headings(struct report *r, const struct layout *l,
                           bool is_bold)
{
    struct line line = {.report = r, .blanks = l->is_indented ? INDENT : 0};

    if (row_has_units(l->first))
        write_units(r->out, l);
    fputs(is_bold ? paint(r, REPORT_STRONG) : "", r->out);
    for (size_t c = 0; c < l->first->n; c++) {
        const struct report_column *column = &l->first->cells[c].column;

        add_value(&line, column, REPORT_PLAIN, column->heading, l->width[c], 0);
    }
    fprintf(r->out, "%s\n", is_bold ? paint(r, REPORT_PLAIN) : "");
}

/* How much a value that may be shortened shows, if all that follows it keeps
   its room; 0: all.  What follows is left out (*drops) where it has none. */
static size_t shorten(const struct line *line, const struct report_row *row,
                      size_t c, char *const *texts, bool *drops)
{
    const struct report_column *column = &row->cells[c].column;
    size_t least = (size_t)column->width, rest = 0;
    size_t n = terminal_columns(texts[c]);
    size_t room = terminal_room(line->report->width,
                                line->at + line->blanks + gap(column), least);

    for (size_t i = c + 1; i < row->n; i++)
        if (row->cells[i].kind != NO_VALUE)
            rest += gap(&row->cells[i].column) + terminal_columns(texts[i]);
    assert(room == 0 || room >= least);
    *drops = room > 0 && room < rest + (n < least ? n : least);
    return room == 0 ? 0 : *drops ? room : room - rest;
}

static void write_row(struct report *r, const struct layout *l,
                      const struct report_row *row)
{
    struct line line = {.report = r, .blanks = l->is_indented ? INDENT : 0};
    char *texts[REPORT_COLUMNS];
    bool drops = false;

    for (size_t c = 0; c < row->n; c++)
        texts[c] = cell_text(&row->cells[c]);
    for (size_t c = 0; c < row->n && !drops; c++) {
        const struct report_cell *cell = &row->cells[c];
        unsigned flags = cell->column.flags;
        size_t most = 0;

        if (flags & R_RAGGED && cell->kind == NO_VALUE)
            continue;
        if (flags & R_CUT)
            most = flags & R_RAGGED ? shorten(&line, row, c, texts, &drops)
                                    : l->width[c];
        add_value(&line, &cell->column, cell->style, texts[c], l->width[c],
                  most);
    }
    for (size_t c = 0; c < row->n; c++)
        free(texts[c]);
    fputc('\n', r->out);
}

static void write_table(struct report *r, const struct report_table *t,
                        const struct report_row *first)
{
    struct layout layout = {.first = first, .is_indented = t->is_joined};

    measure(r, t, &layout);
    fputs(t->is_joined ? "" : "\n", r->out);
    if (t->caption != NULL)
        fprintf(r->out, "%s\n", t->caption);
    if (!(t->bare & R_IN_TEXT))
        write_headings(r, &layout, t->is_bold);
    for (size_t i = 0; i < t->n_rows; i++) {
        AUTO_FINI(row_fini) struct report_row row;

        row_fill(&row, t, REPORT_TEXT, i);
        if (!row.is_hidden)
            write_row(r, &layout, &row);
    }
}

void text_table(struct report *r, const struct report_table *t)
{
    if (t->is_list) {
        for (size_t i = 0; i < t->n_rows; i++) {
            AUTO_FINI(row_fini) struct report_row row;

            row_fill(&row, t, REPORT_TEXT, i);
            write_item(r, &row);
        }
        return;
    }
    AUTO_FINI(row_fini) struct report_row first;
    row_fill(&first, t, REPORT_TEXT, 0);
    if (first.n > 0)
        write_table(r, t, &first);
}
