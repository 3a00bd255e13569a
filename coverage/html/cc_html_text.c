/*
 * cc_html_text: the text between the tags of a page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html_text.h"

#include <inttypes.h>

void cc_html_bound(FILE *out, uint64_t bound)
{
    fputs(bound_text(bound).text, out);
}

void cc_html_ratio(FILE *out, struct cc_ratio ratio)
{
    fputs(report_ratio_text(ratio.part, ratio.whole).text, out);
}

void cc_html_count_cell(FILE *out, uint64_t n)
{
    fprintf(out, "<td class=n data-v=%" PRIu64 ">", n);
    report_html_count(out, n);
    fputs("</td>", out);
}

void cc_html_ratio_cell(FILE *out, struct cc_ratio ratio)
{
    fprintf(out, "<td class=n data-v=%.9g>",
            ratio.whole > 0 ? cc_percent(ratio) : -1.0);
    cc_html_ratio(out, ratio);
    fputs("</td>", out);
}

void cc_html_distance_cell(FILE *out, const struct cc_observed *d)
{
    if (d == NULL) {
        fputs("<td data-v=-1></td>", out);
        return;
    }
    fprintf(out, "<td class=n data-v=%" PRIu64 ">", d->min_distance);
    report_html_count(out, d->min_distance);
    if (d->max_distance > d->min_distance) {
        fputs("\xe2\x80\x93", out);
        report_html_count(out, d->max_distance);
    }
    fputs("</td>", out);
}

static void write_heading(FILE *out, const char *name, const char *class)
{
    fprintf(out, "<th class=%s scope=col><button type=button>", class);
    report_safe_html(out, name);
    fputs("</button></th>", out);
}

void cc_html_headings(FILE *out, const char *const *names)
{
    for (; *names != NULL; names++)
        if (**names == '<')
            write_heading(out, *names + 1, "t");
        else
            write_heading(out, *names, "n");
}
