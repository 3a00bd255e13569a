/*
 * cc_html_reasons: where observed dependencies lie, and why those that are
 * scored were missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

static void write_scopes(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scopes(report, CC_IN_HTML);

    fputs("<section><h2>Where dependencies lie</h2>\n"
          "<p class=note>Shares of all occurrences, of dropped blocks too."
          " Only those in one block can be found.</p>\n",
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
        cc_html_bound(out, bounds->bound[b]);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int r = 0; r < CC_N_REASONS; r++) {
        fprintf(out, "<tr><td>%s</td>", cc_reason_text((enum cc_reason)r));
        for (unsigned b = 0; b < bounds->n; b++) {
            cc_html_count_cell(out, report->reasons[b].dependencies[r]);
            cc_html_count_cell(out, report->reasons[b].occurrences[r]);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></section>\n", out);
}

void cc_html_reasons(FILE *out, const struct cc_report *report)
{
    write_scopes(out, report);
    write_reasons(out, report);
}
