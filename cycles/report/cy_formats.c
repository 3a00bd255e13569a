/*
 * cy_formats: the formats of the report, by name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/internal.h"

static void write_json(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_JSON};

    cy_report_data(&report, r);
}

/* What each figure with a mark leaves out. */
static void write_unknown(struct report *out, const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];
        char *unknown = cy_report_unknown_text(r, c);

        if (unknown[0] != '\0') {
            char *name = cy_report_name_text(r, c);
            char *place = cy_report_place_text(r, c, 0);

            if (cy_unknown_is_all(&c->unknown))
                report_paragraph(out, "%s %s: %s", name, place, unknown);
            else
                report_paragraph(out, "%s %s: %s%.2f cycles. %s", name, place,
                                 cy_report_mark(c), c->cycles.predicted,
                                 unknown);
            free(name);
            free(place);
        }
        free(unknown);
    }
}

static void write_markdown(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_MARKDOWN};
    struct report_table loops = cy_table_loops(r);
    struct memory_stream stream;
    char *share, *strange = cy_report_strange(r);

    if (strange != NULL)
        report_paragraph(&report, "%s", strange);
    free(strange);
    if (r->comparison != NULL)
        cy_report_changes(&report, r);
    report_table(&report, &loops);
    if (r->data->has_executions) {
        memory_stream_open(&stream);
        cy_report_share_of(stream.out, r);
        share = memory_stream_close(&stream);
        report_paragraph(&report, "Share: %s.", share);
        free(share);
    }
    write_unknown(&report, r);
    cy_report_forwards(&report, r);
    if (r->windowed != NULL)
        cy_report_windows(&report, r);
}

static const struct {
    const char *name;
    void (*write)(FILE *, const struct cy_report *);
    const char *use;
} formats[CY_N_FORMATS] = {
    [CY_TEXT] = {"text", cy_report_text, "for people"},
    [CY_JSON] = {"json", write_json, "for programs, with all figures"},
    [CY_MARKDOWN] = {"markdown", write_markdown, "for comments and CI"},
    [CY_HTML] = {"html", cy_report_html, "a page for a browser"},
    [CY_DOT] = {"dot", cy_report_dot, "graphs of the loops, for Graphviz"},
    [CY_SARIF] = {"sarif", cy_report_sarif, "for editors and code scanning"},
    [CY_CALLGRIND] = {"callgrind", cy_report_callgrind,
                      "cycles by line, for KCachegrind"},
    [CY_REMARKS] = {"remarks", cy_report_remarks,
                    "optimization remarks, for LLVM's tools"},
};

void cy_format_list(FILE *out)
{
    for (enum cy_format f = 0; f < CY_N_FORMATS; f++)
        fprintf(out, "%-10s %s\n", formats[f].name, formats[f].use);
}

enum cy_format cy_format_parse(const char *name)
{
    enum cy_format f = 0;

    while (f < CY_N_FORMATS && strcmp(formats[f].name, name) != 0)
        f++;
    return f;
}

void cy_report_write(FILE *out, enum cy_format format,
                     const struct cy_report *report)
{
    assert(format < CY_N_FORMATS);
    formats[format].write(out, report);
}
