/*
 * as_markdown: tables for a comment on a pull request.
 *
 * Names are code spans, in which nothing of a foreign text has a meaning.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/renderers.h"

void markdown_break(struct report *r)
{
    if (r->n_written++ > 0)
        fputc('\n', r->out);
}

static void write_headings(FILE *out, const struct report_table *t)
{
    fputc('|', out);
    for (size_t c = 0; c < t->n_columns; c++)
        if (column_is_shown(&t->columns[c], REPORT_MARKDOWN)) {
            /* Markdown has no headings over others. */
            if (t->columns[c].unit != NULL)
                fprintf(out, " %s", t->columns[c].unit);
            fprintf(out, " %s |", t->columns[c].heading);
        }
    fputs("\n|", out);
    for (size_t c = 0; c < t->n_columns; c++)
        if (column_is_shown(&t->columns[c], REPORT_MARKDOWN))
            fputs(t->columns[c].flags & REPORT_LEFT ? "---|" : "---:|", out);
    fputc('\n', out);
}

static void write_place(FILE *out, const struct report_place *at)
{
    char line[512];

    report_safe_code(out, at->insn != NULL ? at->insn : "(no code)");
    fprintf(out, " %" PRIx64, at->address);
    if (at->n == 0 || at->frames[0].line == 0)
        return;
    snprintf(line, sizeof line, "%s:%d", base_name(at->frames[0].file),
             at->frames[0].line);
    fputc(' ', out);
    report_safe_code(out, line);
}

static void write_cell(FILE *out, const struct report_column *column,
                       const struct report_cell *cell)
{
    const char *mark = cell->style == REPORT_BAD ? "**" : "";

    fprintf(out, " %s", mark);
    if (cell->kind == PLACE)
        write_place(out, cell->place);
    else
        cell_write(out, column, cell, report_safe_markdown, report_safe_code);
    fprintf(out, "%s |", mark);
}

static void write_row(FILE *out, const struct report_table *t,
                      const struct report_row *row)
{
    fputc('|', out);
    for (size_t c = 0; c < t->n_columns; c++)
        if (column_is_shown(&t->columns[c], REPORT_MARKDOWN))
            write_cell(out, &t->columns[c], &row->cells[c]);
    fputc('\n', out);
}

void markdown_table(struct report *r, const struct report_table *t)
{
    markdown_break(r);
    write_headings(r->out, t);
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, i);
        if (!row.is_hidden)
            write_row(r->out, t, &row);
        row_fini(&row);
    }
}
