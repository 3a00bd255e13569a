/*
 * cc_html_table: the table by lifetime bound, and the figures and gates below
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "html/cc_html_parts.h"
#include "html/cc_html_text.h"

static void write_row(FILE *out, uint64_t bound, const struct cc_tally *t)
{
    fprintf(out, "<tr><td class=n data-v=%" PRIu64 ">", bound);
    cc_html_bound(out, bound);
    fputs("</td>", out);
    cc_html_ratio_cell(out, cc_cov_u(t));
    cc_html_ratio_cell(out, cc_cov_w(t));
    cc_html_count_cell(out, t->found);
    cc_html_count_cell(out, t->missed);
    cc_html_count_cell(out, t->spanning);
    cc_html_count_cell(out, t->found_occurrences);
    cc_html_count_cell(out, t->missed_occurrences);
    cc_html_count_cell(out, t->spanning_occurrences);
    fputs("</tr>\n", out);
}

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

static void write_figures(FILE *out, const struct cc_report *report)
{
    const struct cc_score *s = report->total;

    fputs("<div class=scroll><table class=figures><tbody>\n", out);
    write_figure(out, "precision", s->precision, "predictions occurred");
    write_figure(out, "\xce\x94k agreement", s->agreement,
                 "found explain the distance");
    fputs("<tr><td>blocks kept</td><td class=n>", out);
    cc_html_count(out, s->n_kept);
    fputs("</td><td>of ", out);
    cc_html_count(out, s->n_blocks);
    fprintf(out, " ran at least %.12g%% as often as the heaviest",
            report->min_weight);
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
        cc_html_text(out, text.text);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

void cc_html_table(FILE *out, const struct cc_report *report)
{
    static const char *const names[] = {
        "lifetime", "cov_u", "cov_w",  "found",    "missed",
        "spanning", "found", "missed", "spanning", NULL};
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("<section><h2>Coverage</h2>\n"
          "<div class=scroll><table class=sortable id=coverage><thead>\n"
          "<tr><td colspan=3></td><th colspan=3 scope=colgroup>dependencies"
          "</th><th colspan=3 scope=colgroup>occurrences</th></tr>\n<tr>",
          out);
    cc_html_headings(out, names);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (unsigned i = 0; i < bounds->n; i++)
        write_row(out, bounds->bound[i], &report->total->tally[i]);
    fputs("</tbody></table></div>\n", out);
    write_figures(out, report);
    if (report->n_checks > 0)
        write_gates(out, report);
    fputs("</section>\n", out);
}
