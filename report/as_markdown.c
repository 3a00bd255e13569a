/*
 * as_markdown: tables for a comment on a pull request.
 *
 * Names are code spans, in which nothing of a foreign text has a meaning.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/renderers.h"
#include "text.h"

void markdown_break(struct report *r)
{
    if (r->n_written++ > 0)
        fputc('\n', r->out);
}

static void write_headings(FILE *out, const struct report_row *row)
{
    fputc('|', out);
    for (size_t c = 0; c < row->n; c++) {
        const struct report_column *column = &row->cells[c].column;

        /* Markdown has no headings over others. */
        if (column->unit != NULL)
            fprintf(out, " %s", column->unit);
        fprintf(out, " %s |", column->heading);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < row->n; c++)
        fputs(row->cells[c].column.flags & REPORT_LEFT ? "---|" : "---:|", out);
    fputc('\n', out);
}

static void write_place(FILE *out, const struct report_place *at)
{
    char line[512];

    report_safe_code(out, at->insn != NULL ? at->insn : "(no code)");
    fprintf(out, " %" PRIx64, at->address);
    if (at->n == 0 || at->frames[0].line == 0)
        return;
    snprintf(line, sizeof line, "%s:%d", text_base_name(at->frames[0].file),
             at->frames[0].line);
    fputc(' ', out);
    report_safe_code(out, line);
}

static void write_cell(FILE *out, const struct report_cell *cell)
{
    const char *mark = cell->style == REPORT_BAD ? "**" : "";

    fprintf(out, " %s", mark);
    if (cell->kind == PLACE)
        write_place(out, cell->place);
    else
        cell_write(out, cell, report_safe_markdown, report_safe_code);
    fprintf(out, "%s |", mark);
}

void markdown_table(struct report *r, const struct report_table *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, REPORT_MARKDOWN, i);
        if (i == 0 && row.n > 0) {
            markdown_break(r);
            write_headings(r->out, &row);
        }
        if (!row.is_hidden && row.n > 0) {
            fputc('|', r->out);
            for (size_t c = 0; c < row.n; c++)
                write_cell(r->out, &row.cells[c]);
            fputc('\n', r->out);
        }
        row_fini(&row);
    }
}
