/*
 * cc_report_json: the score as one JSON object.
 *
 * The order of keys never changes; keys may be added.  A figure without data
 * is null.  A lifetime is a number, or "inf".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/cc_cells.h"
#include "report/cc_headline.h"
#include "report/cc_report.h"
#include "json.h"

/* The keys that a score has, of everything or of one object, without the
   braces around them. */
static void write_score(FILE *out, const struct cc_bounds *bounds,
                        const struct cc_score *s, const char *indent)
{
    cc_json_lifetimes(out, bounds, s, indent);
    fprintf(out, ",\n%s\"delta_k_agreement\": ", indent);
    cc_json_ratio(out, s->agreement);
    fprintf(out,
            ",\n%s\"delta_k\": {\"agreed\": %" PRIu64 ", \"judged\": %" PRIu64
            "}",
            indent, s->agreement.part, s->agreement.whole);
    cc_json_predictions(out, s, indent);
    fprintf(out,
            ",\n%s\"blocks\": {\"kept\": %" PRIu64 ", \"dropped\": %" PRIu64
            ", \"unanalysed\": %" PRIu64 "}",
            indent, s->n_kept, s->n_blocks - s->n_kept, s->n_unanalysed);
}

static void write_filter(FILE *out, const struct cc_object *object,
                         const struct cc_left_out *left_out)
{
    fputs("      \"filter\": ", out);
    json_text(out, object->filter);
    fprintf(out,
            ",\n      \"left_out\": {\"dependencies\": %" PRIu64
            ", \"occurrences\": %" PRIu64 "},\n",
            left_out->outside, left_out->outside_occurrences);
}

static void write_objects(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;

    fputs("  \"objects\": [", out);
    for (uint32_t i = 0; i < data->n_objects; i++) {
        fprintf(out, "%s\n    {\n      \"path\": ", i > 0 ? "," : "");
        json_text(out, data->objects[i].path);
        fputs(",\n      \"build_id\": ", out);
        json_text(out, data->objects[i].build_id);
        fputs(",\n", out);
        write_filter(out, &data->objects[i], &report->notes->left_out[i]);
        write_score(out, &data->bounds, &report->by_object[i], "      ");
        fputs("\n    }", out);
    }
    fputs("\n  ],\n", out);
}

static void write_runs(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;

    fprintf(out, "  \"runs\": %zu,\n  \"incomplete_runs\": [", data->n_runs);
    for (size_t i = 0; i < data->n_incomplete; i++) {
        const struct cc_run *run = &data->incomplete_runs[i];

        fprintf(out, "%s\n    {\"database\": ", i > 0 ? "," : "");
        json_text(out, report->notes->in->deps[run->source]);
        fprintf(out, ", \"run\": %" PRId64 "}", run->id);
    }
    fputs(data->n_incomplete > 0 ? "\n  ],\n" : "],\n", out);
}

static void write_rebuilt(FILE *out, const struct cc_notes *notes)
{
    bool is_first = true;

    fputs("  \"rebuilt\": [", out);
    for (size_t i = 0; i < notes->n; i++) {
        const struct cc_rebuilt *r;

        if (notes->items[i].kind != CC_NOTE_REBUILT)
            continue;
        r = &notes->data->rebuilt[notes->items[i].number];
        fputs(is_first ? "\n    {\"path\": " : ",\n    {\"path\": ", out);
        json_text(out, r->path);
        fputs(", \"database\": ", out);
        json_text(out, notes->in->deps[r->deps]);
        fputs(", \"build_id\": ", out);
        json_text(out, r->build_id);
        fputs(", \"static_database\": ", out);
        json_text(out, notes->in->statics[r->statics]);
        fputs(", \"static_build_id\": ", out);
        json_text(out, r->static_build_id);
        fputc('}', out);
        is_first = false;
    }
    fputs(is_first ? "],\n" : "\n  ],\n", out);
}

static void write_checks(FILE *out, const struct cc_report *report)
{
    fputs("  \"gates\": [", out);
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct cc_check *c = &report->checks[i];

        fprintf(out,
                "%s\n    {\"figure\": \"%s\", \"lifetime\": ", i > 0 ? "," : "",
                cc_figures[c->figure].name);
        if (c->bound == 0)
            fputs("null", out);
        else
            cc_json_bound(out, c->bound);
        fputs(", \"value\": ", out);
        cc_json_ratio(out, c->ratio);
        fputs(", \"bar\": ", out);
        json_number(out, c->threshold);
        fputs(", \"baseline\": ", out);
        if (c->is_drop)
            json_number(out, c->before);
        else
            fputs("null", out);
        fprintf(out, ", \"passed\": %s}", c->passed ? "true" : "false");
    }
    fputs(report->n_checks > 0 ? "\n  ],\n" : "],\n", out);
}

static void write_groups(FILE *out, const struct cc_report *report)
{
    const struct cc_groups *groups = report->groups;
    const struct cc_data *data = report->data;

    if (groups->by == CC_BY_NONE)
        return;
    fprintf(out, "  \"by\": \"%s\",\n  \"groups\": [", cc_by_name(groups->by));
    for (size_t i = 0; i < groups->n; i++) {
        const struct cc_group *g = &groups->list[i];

        fprintf(out, "%s\n    {\n      \"path\": ", i > 0 ? "," : "");
        json_text(out, data->objects[g->object].path);
        fputs(", \"object\": ", out);
        json_text(out, data->objects[g->object].build_id);
        fputs(", \"function\": ", out);
        json_text(out, g->function);
        if (groups->by == CC_BY_LINE) {
            fputs(", \"file\": ", out);
            json_text(out, g->file);
            fprintf(out, ", \"line\": %d", g->line);
        }
        fprintf(out,
                ",\n      \"start\": \"0x%" PRIx64 "\", \"end\": \"0x%" PRIx64
                "\", \"weight\": %" PRIu64 ",\n",
                g->start, g->end, g->weight);
        write_score(out, &data->bounds, g->score, "      ");
        fputs("\n    }", out);
    }
    fputs(groups->n > 0 ? "\n  ],\n" : "],\n", out);
}

/* What becomes of all that occurred. */
static void write_shares(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char headline[CC_HEADLINE];

    cc_headline(report, headline);
    fputs("  \"headline\": ", out);
    json_text(out, headline);
    fputs(",\n  \"scored\": [", out);
    for (unsigned b = 0; b < bounds->n; b++) {
        struct cc_share s = cc_share_at(report, b);

        fprintf(out, "%s\n    {\"lifetime\": ", b > 0 ? "," : "");
        cc_json_bound(out, bounds->bound[b]);
        fputs(", \"share\": ", out);
        cc_json_ratio(out, (struct cc_ratio){s.scored, s.all});
        fprintf(out,
                ", \"occurrences\": %" PRIu64 ", \"scored\": %" PRIu64
                ", \"dropped\": %" PRIu64 ", \"between_blocks\": %" PRIu64
                ", \"outside\": %" PRIu64 ", \"within_scope\": ",
                s.all, s.scored, s.dropped, s.between, s.outside);
        cc_json_ratio(out, (struct cc_ratio){s.within, s.all});
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void write_outside(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    const struct cc_outside *o = report->outside;
    char *command = cc_outside_command(report->data, o);

    fputs("  \"outside\": [", out);
    for (size_t i = 0; i < o->n; i++) {
        fprintf(out, "%s\n    {\"path\": ", i > 0 ? "," : "");
        json_text(out, o->files[i].path);
        fprintf(out, ", \"analysed\": %s, \"lifetimes\": [",
                o->files[i].is_analysed ? "true" : "false");
        for (unsigned b = 0; b < bounds->n; b++) {
            fputs(b > 0 ? ", {\"lifetime\": " : "{\"lifetime\": ", out);
            cc_json_bound(out, bounds->bound[b]);
            fprintf(out, ", \"occurrences\": %" PRIu64 "}",
                    o->files[i].occurrences[b]);
        }
        fputs("]}", out);
    }
    fputs(o->n > 0 ? "\n  ],\n" : "],\n", out);
    fputs("  \"outside_command\": ", out);
    json_text(out, command);
    fputs(",\n", out);
    free(command);
}

static void write_where(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("  \"scopes\": [", out);
    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_where_counts *c = &report->where[b];

        fprintf(out, "%s\n    {\"lifetime\": ", b > 0 ? "," : "");
        cc_json_bound(out, bounds->bound[b]);
        fprintf(out, ", \"occurrences\": %" PRIu64, c->all);
        for (int s = 0; s < CC_N_WHERE; s++)
            fprintf(out, ", \"%s\": %" PRIu64, cc_where_name((enum cc_where)s),
                    c->occurrences[s]);
        fprintf(out,
                ", \"cross_thread\": {\"dependencies\": %" PRIu64
                ", \"occurrences\": %" PRIu64 "}}",
                c->cross_thread, c->cross_thread_occurrences);
    }
    fputs("\n  ],\n", out);
}

static void write_forwards(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("  \"forwards\": [", out);
    for (unsigned b = 0; b < bounds->n; b++) {
        fprintf(out, "%s\n    {\"lifetime\": ", b > 0 ? "," : "");
        cc_json_bound(out, bounds->bound[b]);
        fprintf(out, ", \"occurrences\": %" PRIu64 ", ",
                cc_forwards_known(&report->data->forwards[b]));
        cc_json_forwards(out, &report->data->forwards[b]);
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    fputs("  \"missed_reasons\": [", out);
    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_reason_counts *c = &report->reasons[b];

        fprintf(out, "%s\n    {\"lifetime\": ", b > 0 ? "," : "");
        cc_json_bound(out, bounds->bound[b]);
        for (int r = 0; r < CC_N_REASONS; r++)
            fprintf(out,
                    ",\n      \"%s\": {\"dependencies\": %" PRIu64
                    ", \"occurrences\": %" PRIu64 "}",
                    cc_reason_name((enum cc_reason)r), c->dependencies[r],
                    c->occurrences[r]);
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

void cc_report_json(FILE *out, const struct cc_report *report)
{
    fprintf(out, "{\n  \"scope\": \"%s\",\n  \"syntax\": \"%s\",\n",
            cc_scope_name(report->data->scope),
            disasm_syntax_name(report->syntax));
    write_shares(out, report);
    write_score(out, &report->data->bounds, report->total, "  ");
    fputs(",\n  \"min_weight\": ", out);
    json_number(out, report->filter.min_weight);
    fputs(",\n  \"min_share\": ", out);
    json_number(out, report->filter.min_share);
    fputs(",\n", out);
    write_objects(out, report);
    write_runs(out, report);
    write_rebuilt(out, report->notes);
    write_checks(out, report);
    write_groups(out, report);
    cc_report_json_breakdown(out, report);
    write_where(out, report);
    write_outside(out, report);
    write_forwards(out, report);
    write_reasons(out, report);
    cc_report_json_lists(out, report);
    fputs("}\n", out);
}
