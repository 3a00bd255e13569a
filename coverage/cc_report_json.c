/*
 * cc_report_json: the score as one JSON object.
 *
 * The order of keys never changes; keys may be added.  A figure without data
 * is null.  A lifetime is a number, or "inf".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "cc_json.h"
#include "cc_report.h"

static void write_ratio(FILE *out, struct cc_ratio r)
{
    if (r.whole == 0)
        fputs("null", out);
    else
        cc_json_number(out, cc_percent(r));
}

static void write_bound(FILE *out, uint64_t bound)
{
    if (bound == LIFETIME_INF)
        fputs("\"inf\"", out);
    else
        fprintf(out, "%" PRIu64, bound);
}

static void write_tally(FILE *out, uint64_t bound, const struct cc_tally *t)
{
    fputs("{\"lifetime\": ", out);
    write_bound(out, bound);
    fputs(", \"cov_u\": ", out);
    write_ratio(out, cc_cov_u(t));
    fputs(", \"cov_w\": ", out);
    write_ratio(out, cc_cov_w(t));
    fprintf(out, ", \"found\": %" PRIu64 ", \"missed\": %" PRIu64, t->found,
            t->missed);
    fprintf(out,
            ", \"found_occurrences\": %" PRIu64
            ", \"missed_occurrences\": %" PRIu64,
            t->found_occurrences, t->missed_occurrences);
    fprintf(out,
            ", \"spanning\": %" PRIu64 ", \"spanning_occurrences\": %" PRIu64
            "}",
            t->spanning, t->spanning_occurrences);
}

/* The keys that a score has, of everything or of one object, without the
   braces around them. */
static void write_score(FILE *out, const struct cc_bounds *bounds,
                        const struct cc_score *s, const char *indent)
{
    fprintf(out, "%s\"lifetimes\": [", indent);
    for (unsigned i = 0; i < bounds->n; i++) {
        fprintf(out, "%s\n%s  ", i > 0 ? "," : "", indent);
        write_tally(out, bounds->bound[i], &s->tally[i]);
    }
    fprintf(out, "\n%s],\n%s\"precision\": ", indent, indent);
    write_ratio(out, s->precision);
    fprintf(out, ",\n%s\"delta_k_agreement\": ", indent);
    write_ratio(out, s->agreement);
    fprintf(out,
            ",\n%s\"predictions\": {\"occurred\": %" PRIu64
            ", \"judged\": %" PRIu64 "}",
            indent, s->precision.part, s->precision.whole);
    fprintf(out,
            ",\n%s\"blocks\": {\"kept\": %" PRIu64 ", \"dropped\": %" PRIu64
            ", \"unanalysed\": %" PRIu64 "}",
            indent, s->n_kept, s->n_blocks - s->n_kept, s->n_unanalysed);
}

static void write_objects(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;

    fputs("  \"objects\": [", out);
    for (uint32_t i = 0; i < data->n_objects; i++) {
        fprintf(out, "%s\n    {\n      \"path\": ", i > 0 ? "," : "");
        cc_json_text(out, data->objects[i].path);
        fputs(",\n      \"build_id\": ", out);
        cc_json_text(out, data->objects[i].build_id);
        fputs(",\n", out);
        write_score(out, &data->bounds, &report->by_object[i], "      ");
        fputs("\n    }", out);
    }
    fputs("\n  ],\n", out);
}

static void write_runs(FILE *out, const struct cc_data *data)
{
    fprintf(out, "  \"runs\": %zu,\n  \"incomplete_runs\": [", data->n_runs);
    for (size_t i = 0; i < data->n_incomplete; i++)
        fprintf(out, "%s%" PRId64, i > 0 ? ", " : "",
                data->incomplete_runs[i].id);
    fputs("],\n", out);
}

static void write_checks(FILE *out, const struct cc_report *report)
{
    fputs("  \"gates\": [", out);
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct cc_check *c = &report->checks[i];

        fprintf(out,
                "%s\n    {\"figure\": \"%s\", \"lifetime\": ", i > 0 ? "," : "",
                cc_figure_name(c->figure));
        if (c->bound == 0)
            fputs("null", out);
        else
            write_bound(out, c->bound);
        fputs(", \"value\": ", out);
        write_ratio(out, c->ratio);
        fputs(", \"bar\": ", out);
        cc_json_number(out, c->bar);
        fprintf(out, ", \"passed\": %s}", c->passed ? "true" : "false");
    }
    fputs(report->n_checks > 0 ? "\n  ]\n" : "]\n", out);
}

void cc_report_json(FILE *out, const struct cc_report *report)
{
    fputs("{\n", out);
    write_score(out, &report->data->bounds, report->total, "  ");
    fputs(",\n  \"min_weight\": ", out);
    cc_json_number(out, report->min_weight);
    fputs(",\n", out);
    write_objects(out, report);
    write_runs(out, report->data);
    write_checks(out, report);
    fputs("}\n", out);
}
