/*
 * cc_html: a report as one page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#include <stdlib.h>

#include "html/cc_html_text.h"
#include "html/page.h"
#include "report/cc_words.h"
#include "memory.h"
#include "replace.h"

/* Bytes of packed blocks and functions, about; the rest of the page has at most
   300 KB. */
#define PACKED_BYTES 680000

static void write_title(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    char headline[CC_HEADLINE], *counted = cc_counted(report);

    fputs("<h1>Which dependencies were predicted?</h1>\n", out);
    cc_headline(report, headline);
    fprintf(out, "<p id=scored>%s</p>\n<p class=note>%s</p>\n", headline,
            counted);
    free(counted);
    for (size_t i = 0; i < report->notes->n; i++) {
        char *note = cc_note_text(report->notes, i);

        fputs("<p class=left-out>", out);
        report_safe_html(out, note);
        fputs("</p>\n", out);
        free(note);
    }
    for (uint32_t i = 0; i < data->n_objects; i++) {
        fputs("<p class=path>", out);
        report_safe_html(out, data->objects[i].path);
        fputs("</p>\n", out);
    }
    fprintf(out, "<p class=note>%zu run%s", data->n_runs,
            data->n_runs == 1 ? "" : "s");
    if (data->n_incomplete > 0)
        fprintf(out, ", of which %zu incomplete", data->n_incomplete);
    fputs("</p>\n", out);
    report_html_made(out, NULL, report->command);
}

static void write_page(FILE *out, const struct cc_report *report,
                       const struct cc_curve *curve)
{
    size_t n_packed;

    report_html_begin(out, "covcheck", page_css);
    write_title(out, report);
    cc_html_score(out, report);
    if (report->comparison.changes != NULL)
        cc_html_changes(out, report);
    cc_html_reasons(out, report);
    cc_html_functions(out, report);
    cc_html_lists(out, report);
    cc_html_where(out, report);
    cc_html_curve(out, curve);
    cc_html_support(out, report);
    n_packed = cc_html_blocks(out, report);
    if (report->data->scope > CC_SCOPE_BLOCK)
        cc_html_between(out, report, PACKED_BYTES - n_packed);
    report_html_end(out, page_js);
}

/* 512, then 1024, which are about what processors have in flight, then the
   others as they grow. */
static int rank(uint64_t bound)
{
    return bound == 512 ? 0 : bound == 1024 ? 1 : 2;
}

static void order_bounds(struct cc_report *report)
{
    const uint64_t *bound = report->data->bounds.bound;

    for (unsigned i = 1; i < report->data->bounds.n; i++)
        for (unsigned j = i; j > 0; j--) {
            unsigned *a = &report->order[j - 1], *b = &report->order[j];
            unsigned t = *a;

            if (rank(bound[*a]) < rank(bound[*b]) ||
                (rank(bound[*a]) == rank(bound[*b]) && bound[*a] <= bound[*b]))
                break;
            *a = *b;
            *b = t;
        }
}

int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d)
{
    struct replace *file = replace_new(path, REPLACE_REGULAR, d);
    struct cc_report ordered = *report;
    int rc;

    if (file == NULL)
        return -1;
    order_bounds(&ordered);
    write_page(replace_stream(file), &ordered, curve);
    rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}
