/*
 * cc_report_json_breakdown: the score of each scope, by support and by
 * evidence, as JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/cc_cells.h"
#include "report/cc_report.h"
#include "json.h"

/* The figures at a bound, in an object that stays open. */
static void write_figures(FILE *out, const struct cc_bounds *bounds,
                          const struct cc_score *s, unsigned b)
{
    fputs("{\"lifetime\": ", out);
    cc_json_bound(out, bounds->bound[b]);
    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++) {
        fprintf(out, ", \"%s\": ", cc_figures[f].name);
        if (cc_figures[f].unit == NULL)
            cc_json_ratio(out, cc_figure_ratio(f, s, b));
        else
            fprintf(out, "%" PRIu64, cc_figure_count(f, &s->tally[b]));
    }
}

void cc_json_lifetimes(FILE *out, const struct cc_bounds *bounds,
                       const struct cc_score *s, const char *indent)
{
    fprintf(out, "%s\"lifetimes\": [", indent);
    for (unsigned i = 0; i < bounds->n; i++) {
        fprintf(out, "%s\n%s  ", i > 0 ? "," : "", indent);
        write_figures(out, bounds, s, i);
        fputc('}', out);
    }
    fprintf(out, "\n%s],\n%s\"precision\": ", indent, indent);
    cc_json_ratio(out, s->precision);
}

void cc_json_predictions(FILE *out, const struct cc_score *s,
                         const char *indent)
{
    fprintf(out,
            ",\n%s\"predictions\": {\"occurred\": %" PRIu64
            ", \"judged\": %" PRIu64 "}",
            indent, s->precision.part, s->precision.whole);
}

/* The score of each scope up to that of the report. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    fputs("  \"by_scope\": [", out);
    for (enum cc_scope r = 0; r <= report->data->scope; r++) {
        const struct cc_score *s = &report->by_scope[r];

        fprintf(out, "%s\n    {\n      \"scope\": \"%s\",\n", r > 0 ? "," : "",
                cc_scope_name(r));
        cc_json_lifetimes(out, &report->data->bounds, s, "      ");
        cc_json_predictions(out, s, "      ");
        fputs("\n    }", out);
    }
    fputs("\n  ],\n", out);
}

/* The same, of the predictions that reach each threshold of support. */
static void write_supports(FILE *out, const struct cc_report *report)
{
    unsigned n = (report->data->scope + 1) * CC_N_SUPPORTS;

    fputs("  \"by_support\": [", out);
    for (unsigned i = 0; i < n; i++) {
        const struct cc_score *s = &report->by_support[i];

        fprintf(out, "%s\n    {\n      \"scope\": \"%s\", \"support\": %u,\n",
                i > 0 ? "," : "",
                cc_scope_name((enum cc_scope)(i / CC_N_SUPPORTS)),
                i % CC_N_SUPPORTS * CC_SUPPORT_STEP);
        cc_json_lifetimes(out, &report->data->bounds, s, "      ");
        cc_json_predictions(out, s, "      ");
        fputs("\n    }", out);
    }
    fputs("\n  ],\n", out);
}

static void write_evidence(FILE *out, const struct cc_report *report,
                           enum cc_scope scope, enum cc_evidence e)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    const struct cc_score *s = &report->by_evidence[scope * CC_N_EVIDENCES + e];

    fprintf(out,
            "\n    {\n      \"scope\": \"%s\", \"evidence\": \"%s\",\n"
            "      \"lifetimes\": [",
            cc_scope_name(scope), cc_evidence_name(e));
    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_tally *t = &s->tally[b];
        const struct cc_tally *all = &report->by_scope[scope].tally[b];

        fputs(b > 0 ? ",\n        " : "\n        ", out);
        write_figures(out, bounds, s, b);
        fprintf(out, ", \"occurred\": %" PRIu64 ", \"share_u\": ", t->occurred);
        cc_json_ratio(out, (struct cc_ratio){t->found, all->found});
        fputs(", \"share_w\": ", out);
        cc_json_ratio(out, (struct cc_ratio){t->found_occurrences,
                                             all->found_occurrences});
        fputc('}', out);
    }
    fputs("\n      ],\n      \"precision\": ", out);
    cc_json_ratio(out, s->precision);
    cc_json_predictions(out, s, "      ");
    fputs("\n    }", out);
}

/* The same, of the predictions of each evidence. */
static void write_evidences(FILE *out, const struct cc_report *report)
{
    fputs("  \"by_evidence\": [", out);
    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        for (enum cc_evidence e = 0; e < CC_N_EVIDENCES; e++) {
            fputs(r + e > 0 ? "," : "", out);
            write_evidence(out, report, r, e);
        }
    fputs("\n  ],\n", out);
}

void cc_report_json_breakdown(FILE *out, const struct cc_report *report)
{
    write_scopes(out, report);
    write_supports(out, report);
    write_evidences(out, report);
}
