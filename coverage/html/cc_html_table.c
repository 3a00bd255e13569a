/*
 * cc_html_table: a table as HTML, with the numbers by which a reader can sort
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

static void write_units(FILE *out, const struct cc_table *t)
{
    fputs("\n<tr>", out);
    for (size_t c = 0, end; c < t->n_columns; c = end) {
        const char *unit = t->columns[c].unit;

        end = cc_table_unit_end(t, c);
        while (unit == NULL && end < t->n_columns &&
               t->columns[end].unit == NULL)
            end++;
        if (unit == NULL)
            fprintf(out, "<td colspan=%zu></td>", end - c);
        else
            fprintf(out, "<th colspan=%zu scope=colgroup>%s</th>", end - c,
                    unit);
    }
    fputs("</tr>\n", out);
}

static void write_headings(FILE *out, const struct cc_table *t)
{
    bool has_units = false;

    for (size_t c = 0; c < t->n_columns; c++)
        has_units |= t->columns[c].unit != NULL;
    fputs("<thead>", out);
    if (has_units)
        write_units(out, t);
    fputs("<tr>", out);
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->id != NULL)
            cc_html_heading(out, t->columns[c].heading, "n");
        else
            fprintf(out, "<th class=n>%s</th>", t->columns[c].heading);
    fputs("</tr></thead>\n", out);
}

static void write_cell(FILE *out, const struct cc_cell *cell, bool can_sort)
{
    switch (cell->kind) {
    case CC_CELL_BOUND:
        if (can_sort)
            fprintf(out, "<td class=n data-v=%" PRIu64 ">", cell->number);
        else
            fputs("<td class=n>", out);
        cc_html_bound(out, cell->number);
        fputs("</td>", out);
        break;
    case CC_CELL_COUNT:
        cc_html_count_cell(out, cell->number);
        break;
    case CC_CELL_RATIO:
        cc_html_ratio_cell(out, cell->ratio);
        break;
    case CC_CELL_SCOPE:
        fprintf(out, "<td class=n>%s</td>",
                cc_scope_name((enum cc_scope)cell->number));
        break;
    case CC_CELL_EVIDENCE:
        fprintf(out, "<td class=n>%s</td>",
                cc_evidence_name((enum cc_evidence)cell->number));
        break;
    }
}

void cc_html_table(FILE *out, const struct cc_table *t)
{
    assert(cc_table_rows(t) > 0);
    fputs("<div class=scroll><table", out);
    if (t->id != NULL)
        fprintf(out, " class=sortable id=%s", t->id);
    fputs(">", out);
    write_headings(out, t);
    fputs("<tbody>\n", out);
    for (size_t i = 0; i < t->n_cells; i++) {
        fputs(i % t->n_columns == 0 ? "<tr>" : "", out);
        write_cell(out, &t->cells[i], t->id != NULL);
        fputs((i + 1) % t->n_columns == 0 ? "</tr>\n" : "", out);
    }
    fputs("</tbody></table></div>", out);
}
