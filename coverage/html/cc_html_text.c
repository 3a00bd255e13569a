/*
 * cc_html_text: the text between the tags of a page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html_text.h"

#include <inttypes.h>

#include "report/cc_cells.h"

void cc_html_count(FILE *out, uint64_t n)
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n);

    for (size_t i = 0; i < length; i++) {
        /* A narrow space that does not break the line. */
        if (i > 0 && (length - i) % 3 == 0 && length > 4)
            fputs("\xe2\x80\xaf", out);
        fputc(digits[i], out);
    }
}

void cc_html_bound(FILE *out, uint64_t bound)
{
    char cell[CC_CELL];

    cc_bound_format(bound, cell);
    fputs(cell, out);
}

void cc_html_ratio(FILE *out, struct cc_ratio ratio)
{
    char cell[CC_CELL];

    cc_cell_ratio(ratio, cell);
    fputs(cell, out);
}

void cc_html_count_cell(FILE *out, uint64_t n)
{
    fprintf(out, "<td class=n data-v=%" PRIu64 ">", n);
    cc_html_count(out, n);
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
    cc_html_count(out, d->min_distance);
    if (d->max_distance > d->min_distance) {
        fputs("\xe2\x80\x93", out);
        cc_html_count(out, d->max_distance);
    }
    fputs("</td>", out);
}

void cc_html_heading(FILE *out, const char *name, const char *class)
{
    fprintf(out, "<th class=%s scope=col><button type=button>", class);
    html_text(out, name);
    fputs("</button></th>", out);
}

void cc_html_headings(FILE *out, const char *const *names)
{
    for (; *names != NULL; names++)
        if (**names == '<')
            cc_html_heading(out, *names + 1, "t");
        else
            cc_html_heading(out, *names, "n");
}
