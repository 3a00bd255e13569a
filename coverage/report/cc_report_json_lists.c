/*
 * cc_report_json_lists: dependencies one by one, as JSON.
 *
 * Addresses are texts in hexadecimal: many readers of JSON have no integers of
 * 64 bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "report/cc_cells.h"
#include "report/cc_report.h"
#include "json.h"

static void write_line(FILE *out, const char *key,
                       const struct objfile_frame *frame)
{
    char line[512];

    fprintf(out, ", \"%s\": ", key);
    if (frame->line > 0)
        snprintf(line, sizeof line, "%s:%d", cc_base_name(frame->file),
                 frame->line);
    json_text(out, frame->line > 0 ? line : NULL);
}

/* What identifies the dependency to a later run: struct cc_identity. */
static void write_found(FILE *out, const struct cc_report *report,
                        const struct cc_observed *d, uint64_t occurrences)
{
    struct objfile_frame src =
        cc_symbolize_line(report->symbolizer, d->src_object, d->src);
    struct objfile_frame dst =
        cc_symbolize_line(report->symbolizer, d->dst_object, d->dst);
    uint64_t start;
    const char *function =
        cc_symbolize_function(report->symbolizer, d->src_block, &start);
    struct objfile_frame first =
        cc_symbolize_line(report->symbolizer, d->src_object, start);

    fputs("\n    {\"object\": ", out);
    json_text(out, report->data->objects[d->src_object].build_id);
    fputs(", \"function\": ", out);
    json_text(out, function);
    fprintf(out,
            ", \"function_start\": \"0x%" PRIx64 "\", \"src\": \"0x%" PRIx64
            "\", \"dst\": \"0x%" PRIx64 "\"",
            start, d->src, d->dst);
    write_line(out, "function_line", &first);
    write_line(out, "src_line", &src);
    write_line(out, "dst_line", &dst);
    fprintf(out, ", \"occurrences\": %" PRIu64 "}", occurrences);
}

static void write_all_found(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    unsigned largest = cc_bounds_largest(&data->bounds);
    bool is_first = true;

    fputs("  \"found_dependencies\": [", out);
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        uint64_t occurrences = cc_counts(data, d)[largest];

        if (d->verdict != CC_FOUND || occurrences == 0)
            continue;
        fputs(is_first ? "" : ",", out);
        write_found(out, report, d, occurrences);
        is_first = false;
    }
    fputs(is_first ? "]" : "\n  ]", out);
}

static void write_frames(FILE *out, const struct cc_location *at)
{
    bool is_first = true;

    fputs(", \"lines\": [", out);
    for (size_t i = 0; i < at->n_frames; i++) {
        const struct objfile_frame *f = &at->frames[i];

        if (f->line == 0)
            continue;
        fputs(is_first ? "{\"function\": " : ", {\"function\": ", out);
        json_text(out, f->function);
        fputs(", \"file\": ", out);
        json_text(out, f->file);
        fprintf(out, ", \"line\": %d}", f->line);
        is_first = false;
    }
    fputc(']', out);
}

static void write_end(FILE *out, const struct cc_report *report,
                      const char *key, uint32_t object, uint64_t address)
{
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    fprintf(out,
            ",\n      \"%s\": {\"address\": \"0x%" PRIx64
            "\", \"instruction\": ",
            key, address);
    json_text(out, at.insn.length > 0 ? at.insn.text : NULL);
    write_frames(out, &at);
    fputc('}', out);
}

static void write_pair(FILE *out, const struct cc_report *report,
                       uint32_t block, uint64_t src, uint64_t dst)
{
    uint32_t object = report->data->blocks[block].object;
    uint64_t start;

    fputs("\n    {\"object\": ", out);
    json_text(out, report->data->objects[object].build_id);
    fputs(", \"function\": ", out);
    json_text(out, cc_symbolize_function(report->symbolizer, block, &start));
    write_end(out, report, "src", object, src);
    write_end(out, report, "dst", object, dst);
}

static void write_observed(FILE *out, const struct cc_report *report,
                           const char *key, const uint32_t *items, size_t n)
{
    fprintf(out, ",\n  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        const struct cc_observed *d = &report->data->observed[items[i]];

        fputs(i > 0 ? "," : "", out);
        write_pair(out, report, d->src_block, d->src, d->dst);
        fprintf(out,
                ",\n      \"occurrences\": %" PRIu64
                ", \"min_distance\": %" PRIu64 ", \"max_distance\": %" PRIu64
                ", \"cross_thread\": %s, \"reason\": \"%s\"}",
                cc_counts(report->data, d)[0], d->min_distance, d->max_distance,
                d->is_cross_thread ? "true" : "false",
                cc_reason_name(cc_reason_of(report->data, d)));
    }
    fputs(n > 0 ? "\n  ]" : "]", out);
}

static void write_false_positives(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;

    fputs(",\n  \"false_predictions\": [", out);
    for (size_t i = 0; i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &data->predictions[report->false_positives->items[i]];

        fputs(i > 0 ? "," : "", out);
        write_pair(out, report, p->block, p->src, p->dst);
        fprintf(out,
                ",\n      \"delta_k\": %" PRIu64 ", \"weight\": %" PRIu64 "}",
                p->delta_k, data->blocks[p->block].weight);
    }
    fputs(report->false_positives->n > 0 ? "\n  ]" : "]", out);
}

static void write_comparison(FILE *out, const struct cc_report *report)
{
    const struct cc_comparison *c = report->comparison;

    fputs(",\n  \"changes\": [", out);
    for (size_t i = 0; i < c->n_changes; i++) {
        const struct cc_change *change = &c->changes[i];

        fprintf(out,
                "%s\n    {\"figure\": \"%s\", \"lifetime\": ", i > 0 ? "," : "",
                cc_figures[change->figure].name);
        if (change->bound == 0)
            fputs("null", out);
        else
            cc_json_bound(out, change->bound);
        fputs(", \"before\": ", out);
        if (change->before.has_data)
            json_number(out, change->before.percent);
        else
            fputs("null", out);
        fputs(", \"now\": ", out);
        cc_json_ratio(out, change->now);
        fputc('}', out);
    }
    fputs(c->n_changes > 0 ? "\n  ]" : "]", out);
    write_observed(out, report, "lost_dependencies", c->lost, c->n_lost);
}

void cc_report_json_lists(FILE *out, const struct cc_report *report)
{
    write_all_found(out, report);
    if (report->comparison != NULL)
        write_comparison(out, report);
    if (report->missed != NULL)
        write_observed(out, report, "missed_dependencies",
                       report->missed->items, report->missed->n);
    if (report->false_positives != NULL)
        write_false_positives(out, report);
    fputc('\n', out);
}
