/*
 * cc_html_reasons: where observed dependencies lie, and why those that are
 * scored were missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

static void write_where(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_where(report, CC_IN_HTML);

    fputs("<section><h2>Where dependencies lie</h2>\n"
          "<p class=note>Shares of all occurrences, of dropped blocks too.",
          out);
    if (report->data->scope == CC_SCOPE_BLOCK)
        fputs(" Only those in one block can be found.", out);
    fputs("</p>\n", out);
    cc_html_table(out, &table);
    fputs("</section>\n", out);
    free(table.cells);
}

/* The score of each scope up to that of the report. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scopes(report);

    fputs("<section id=scopes><h2>Coverage by scope</h2>\n", out);
    cc_html_table(out, &table);
    fputs("</section>\n", out);
    free(table.cells);
}

/* What walks showed, and what was inferred. */
static void write_evidences(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_evidences(report);

    if (cc_table_rows(&table) > 0) {
        fputs(
            "<section id=evidence><h2>Predictions by evidence</h2>\n<p "
            "class=note>Walks showed a pair, or its store reaches its load by "
            "flow alone.  share_w: of all occurrences that were found."
            "</p>\n",
            out);
        cc_html_table(out, &table);
        fputs("</section>\n", out);
    }
    free(table.cells);
}

/* What is outside, and how to have it inside. */
static void write_outside(FILE *out, const struct cc_report *report)
{
    static const char *const before[] = {"<file", NULL};
    const struct cc_bounds *bounds = &report->data->bounds;
    const struct cc_outside *o = report->outside;
    size_t n = o->n_listed;
    char *command = cc_outside_command(report->data, o);

    if (o->n == 0)
        return;
    fputs("<section id=outside><h2>Outside</h2>\n<p class=note>Occurrences with"
          " an end in no block that was analysed, by its file.</p>\n"
          "<div class=scroll><table class=sortable><thead><tr>",
          out);
    cc_html_headings(out, before);
    for (unsigned b = 0; b < bounds->n; b++) {
        fputs("<th class=n scope=col><button type=button>within ", out);
        cc_html_bound(out, bounds->bound[report->order[b]]);
        fputs("</button></th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i++) {
        fputs("<tr><td class=t>", out);
        html_text(out, o->files[i].path);
        fputs(o->files[i].is_analysed ? ", in no block</td>" : "</td>", out);
        for (unsigned b = 0; b < bounds->n; b++)
            cc_html_count_cell(out, o->files[i].occurrences[report->order[b]]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (o->n > n)
        fprintf(out, "<p class=note>and %zu more</p>\n", o->n - n);
    if (command != NULL) {
        fputs("<p>To score it: <code>", out);
        html_text(out, command);
        fputs("</code></p>\n", out);
    }
    fputs("</section>\n", out);
    free(command);
}

static void write_forwards(FILE *out, const struct cc_report *report)
{
    unsigned largest = cc_bounds_largest(&report->data->bounds);
    struct cc_table table;

    if (cc_forwards_known(&report->data->forwards[largest]) == 0)
        return;
    table = cc_table_of_forwards(report);
    fputs("<section id=forwards><h2>How loads got their bytes</h2>\n"
          "<p class=note>Shares of the occurrences.  What is partial, or of"
          " several stores, cannot be forwarded.</p>\n",
          out);
    cc_html_table(out, &table);
    fputs("</section>\n", out);
    free(table.cells);
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("<section><h2>Why dependencies were missed</h2>\n"
          "<p class=note>Missed dependencies within each lifetime bound, and"
          " their occurrences.</p>\n"
          "<div class=scroll><table><thead><tr><th>reason</th>",
          out);
    for (unsigned b = 0; b < bounds->n; b++) {
        fputs("<th colspan=2 scope=colgroup>", out);
        cc_html_bound(out, bounds->bound[report->order[b]]);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int r = 0; r < CC_N_REASONS; r++) {
        if (!cc_reason_applies(report->data, (enum cc_reason)r))
            continue;
        fprintf(out, "<tr><td>%s</td>", cc_reason_text((enum cc_reason)r));
        for (unsigned b = 0; b < bounds->n; b++) {
            const struct cc_reason_counts *c =
                &report->reasons[report->order[b]];

            cc_html_count_cell(out, c->dependencies[r]);
            cc_html_count_cell(out, c->occurrences[r]);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></section>\n", out);
}

void cc_html_reasons(FILE *out, const struct cc_report *report)
{
    if (report->data->scope > CC_SCOPE_BLOCK)
        write_scopes(out, report);
    write_evidences(out, report);
    write_where(out, report);
    write_outside(out, report);
    write_forwards(out, report);
    write_reasons(out, report);
}
