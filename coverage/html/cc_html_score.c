/*
 * cc_html_score: the table by lifetime bound, and the figures and gates below
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"
#include "report/cc_cells.h"

static void write_figure(FILE *out, const char *name, struct cc_ratio ratio,
                         const char *of)
{
    fprintf(out, "<tr><td>%s</td><td class=n>", name);
    cc_html_ratio(out, ratio);
    fprintf(out, "</td><td>");
    cc_html_count(out, ratio.part);
    fputs(" of ", out);
    cc_html_count(out, ratio.whole);
    fprintf(out, " %s</td></tr>\n", of);
}

static void write_threads(FILE *out, const struct cc_report *report)
{
    char bound[CC_BOUND];
    const struct cc_where_counts *c = cc_report_between_threads(report, bound);

    if (c == NULL)
        return;
    fputs("<tr><td>between threads</td><td class=n>", out);
    cc_html_count(out, c->cross_thread);
    fprintf(out, "</td><td>dependencies at lifetime %s, with ", bound);
    cc_html_count(out, c->cross_thread_occurrences);
    fputs(" occurrences</td></tr>\n", out);
}

static void write_figures(FILE *out, const struct cc_report *report)
{
    const struct cc_score *s = report->total;
    char filter[CC_FILTER_TEXT];

    fputs("<div class=scroll><table class=figures><tbody>\n", out);
    write_figure(out, "precision", s->precision,
                 "predictions occurred at any distance");
    write_figure(out, "\xce\x94k agreement", s->agreement,
                 "found in blocks that repeat explain the distance");
    write_threads(out, report);
    fputs("<tr><td>blocks kept</td><td class=n>", out);
    cc_html_count(out, s->n_kept);
    fputs("</td><td>of ", out);
    cc_html_count(out, s->n_blocks);
    cc_filter_text(&report->filter, filter);
    fprintf(out, " %s", filter);
    if (s->n_unanalysed > 0) {
        fputs("; not analysed: ", out);
        cc_html_count(out, s->n_unanalysed);
    }
    fputs("</td></tr>\n</tbody></table></div>\n", out);
}

static void write_gates(FILE *out, const struct cc_report *report)
{
    fputs("<h2>Gates</h2>\n<ul class=gates>\n", out);
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct cc_check *c = &report->checks[i];
        struct diag text;

        cc_check_describe(c, &text);
        fprintf(out, "<li class=%s><b>%s</b> ", c->passed ? "passed" : "failed",
                c->passed ? "\xe2\x9c\x93 passed" : "\xe2\x9c\x97 failed");
        html_text(out, text.text);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

void cc_html_score(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scores(report, CC_IN_HTML);

    fputs("<section><h2>Coverage</h2>\n", out);
    cc_html_table(out, &table);
    fputc('\n', out);
    free(table.cells);
    write_figures(out, report);
    if (report->n_checks > 0)
        write_gates(out, report);
    fputs("</section>\n", out);
}
