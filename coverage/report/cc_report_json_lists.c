/*
 * cc_report_json_lists: dependencies one by one, as JSON.
 *
 * Addresses are texts in hexadecimal: many readers of JSON have no integers of
 * 64 bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "model/cc_find.h"
#include "report/cc_cells.h"
#include "report/cc_report.h"
#include "json.h"

static void write_identity_end(FILE *out, const char *key,
                               const struct cc_end *end)
{
    fprintf(out, ", \"%s_line\": ", key);
    json_text(out, end->line);
    if (end->column > 0)
        fprintf(out, ", \"%s_column\": %d", key, end->column);
    else
        fprintf(out, ", \"%s_column\": null", key);
    fprintf(out, ", \"%s_instruction\": ", key);
    json_text(out, end->insn);
}

static void write_code(FILE *out, const char *prefix,
                       const struct cc_code *code)
{
    fprintf(out, "\"%sobject\": ", prefix);
    json_text(out, code->build_id);
    fprintf(out, ", \"%sfunction\": ", prefix);
    json_text(out, code->function);
    fprintf(out,
            ", \"%sfunction_start\": \"0x%" PRIx64 "\", \"%sfunction_line\": ",
            prefix, code->function_start, prefix);
    json_text(out, code->function_line);
}

/* What identifies the dependency to a later run. */
static void write_identity(FILE *out, const struct cc_identity *id)
{
    fputs("\n    {", out);
    write_code(out, "", &id->code);
    if (id->dst_code.build_id != NULL) {
        fputs(", ", out);
        write_code(out, "dst_", &id->dst_code);
    }
    fprintf(out, ", \"src\": \"0x%" PRIx64 "\", \"dst\": \"0x%" PRIx64 "\"",
            id->src.address, id->dst.address);
    write_identity_end(out, "src", &id->src);
    write_identity_end(out, "dst", &id->dst);
    fputs(", \"occurrences\": ", out);
    if (id->occurrences > 0)
        fprintf(out, "%" PRIu64 "}", id->occurrences);
    else
        fputs("null}", out);
}

/* All of one verdict, at the largest bound. */
static void write_all(FILE *out, const struct cc_report *report,
                      const char *key, enum cc_verdict verdict)
{
    const struct cc_data *data = report->data;
    unsigned largest = cc_bounds_largest(&data->bounds);
    bool is_first = true;

    fprintf(out, "  \"%s\": [", key);
    for (uint32_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        struct cc_identity id;

        if (d->verdict != verdict || cc_counts(data, d)[largest] == 0)
            continue;
        fputs(is_first ? "" : ",", out);
        id = cc_identify(data, report->symbolizer, i);
        write_identity(out, &id);
        free(id.texts);
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

static void write_function(FILE *out, const struct cc_report *report,
                           const char *key, uint32_t block)
{
    uint64_t start;

    fprintf(out, ", \"%s\": ", key);
    json_text(out, cc_symbolize_function(report->symbolizer, block, &start));
}

/* The load's object and function may be others than the store's. */
static void write_pair(FILE *out, const struct cc_report *report,
                       uint32_t src_block, uint32_t dst_block, uint64_t src,
                       uint64_t dst)
{
    const struct cc_data *data = report->data;
    uint32_t src_object = data->blocks[src_block].object;
    uint32_t dst_object = data->blocks[dst_block].object;

    fputs("\n    {\"object\": ", out);
    json_text(out, data->objects[src_object].build_id);
    write_function(out, report, "function", src_block);
    fputs(", \"dst_object\": ", out);
    json_text(out, data->objects[dst_object].build_id);
    write_function(out, report, "dst_function", dst_block);
    fprintf(out, ", \"scope\": \"%s\"",
            cc_scope_name(cc_scope_of(data, src_block, dst_block)));
    write_end(out, report, "src", src_object, src);
    write_end(out, report, "dst", dst_object, dst);
}

/* null where iterations are no distances. */
static void write_deltas(FILE *out, const struct cc_report *report,
                         const struct cc_observed *d)
{
    bool is_judged =
        d->has_delta_k && report->data->blocks[d->src_block].follows_itself;
    char *deltas = cc_deltas_text(report->data, d, ", ");

    fprintf(out, ", \"delta_k\": [%s], \"delta_k_agrees\": %s", deltas,
            !is_judged  ? "null"
            : d->agrees ? "true"
                        : "false");
    fprintf(out, ", \"evidence\": \"%s\"",
            cc_evidence_name(cc_evidence_of(report->data, d)));
    free(deltas);
}

static void write_forwards(FILE *out, const struct cc_forwards *f)
{
    fputs(",\n      \"forwards\": ", out);
    if (cc_forwards_known(f) == 0) {
        fputs("null", out);
        return;
    }
    fputc('{', out);
    cc_json_forwards(out, f);
    fputc('}', out);
}

/* With why it is missed, or how it was predicted. */
static void write_observed(FILE *out, const struct cc_report *report,
                           const char *key, const uint32_t *items, size_t n)
{
    fprintf(out, ",\n  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        const struct cc_observed *d = &report->data->observed[items[i]];

        fputs(i > 0 ? "," : "", out);
        write_pair(out, report, d->src_block, d->dst_block, d->src, d->dst);
        fprintf(out,
                ",\n      \"occurrences\": %" PRIu64
                ", \"min_distance\": %" PRIu64 ", \"max_distance\": %" PRIu64
                ", \"cross_thread\": %s",
                cc_counts(report->data, d)[0], d->min_distance, d->max_distance,
                d->is_cross_thread ? "true" : "false");
        if (d->verdict == CC_FOUND)
            write_deltas(out, report, d);
        else
            fprintf(out, ", \"reason\": \"%s\"",
                    cc_reason_name(cc_reason_of(report->data, d)));
        write_forwards(out, &d->forwards);
        fputc('}', out);
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
        write_pair(out, report, p->block, p->dst_block, p->src, p->dst);
        fputs(",\n      \"delta_k\": ", out);
        if (p->delta_k != CC_ANY_DELTA)
            fprintf(out, "%" PRIu64, p->delta_k);
        else
            fputs("null", out);
        fprintf(out, ", \"evidence\": \"%s\", \"weight\": %" PRIu64 "}",
                cc_evidence_name(p->evidence), data->blocks[p->block].weight);
    }
    fputs(report->false_positives->n > 0 ? "\n  ]" : "]", out);
}

/* A row of what became of the baseline's dependencies; null for one that the
   baseline does not show. */
static void write_fate(FILE *out, const struct cc_fates *f,
                       enum cc_before before, const char *key)
{
    static const char *const names[] = {"found", "missed", "unscored", "gone"};

    fprintf(out, "%s\n    \"%s\": ", before > 0 ? "," : "", key);
    if (before >= f->n_rows) {
        fputs("null", out);
        return;
    }
    for (int now = 0; now < CC_N_NOW; now++)
        if (before != CC_NEW || now <= CC_MISSED_NOW)
            fprintf(out, "%s\"%s\": %zu", now > 0 ? ", " : "{", names[now],
                    f->counts[before][now]);
    fputc('}', out);
}

static void write_fates(FILE *out, const struct cc_report *report)
{
    const struct cc_fates *f = &report->comparison->fates;

    fputs(",\n  \"transitions\": {", out);
    write_fate(out, f, CC_FOUND_BEFORE, "found");
    write_fate(out, f, CC_MISSED_BEFORE, "missed");
    write_fate(out, f, CC_NEW, "new");
    fprintf(out, ",\n    \"unnamed\": {\"before\": %zu, \"now\": %zu}\n  }",
            f->n_unnamed_before, f->n_unnamed_now);
    write_observed(out, report, "lost_dependencies", f->lost, f->n_lost);
    fputs(",\n  \"gone_dependencies\": [", out);
    for (size_t i = 0; i < f->n_gone; i++) {
        fputs(i > 0 ? "," : "", out);
        write_identity(out, &f->before[f->gone[i]]);
    }
    fputs(f->n_gone > 0 ? "\n  ]" : "]", out);
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
    write_fates(out, report);
}

void cc_report_json_lists(FILE *out, const struct cc_report *report)
{
    write_all(out, report, "found_dependencies", CC_FOUND);
    fputs(",\n", out);
    write_all(out, report, "all_missed_dependencies", CC_MISSED);
    if (report->comparison != NULL)
        write_comparison(out, report);
    if (report->found != NULL)
        write_observed(out, report, "listed_found_dependencies",
                       report->found->items, report->found->n);
    if (report->missed != NULL)
        write_observed(out, report, "missed_dependencies",
                       report->missed->items, report->missed->n);
    if (report->false_positives != NULL)
        write_false_positives(out, report);
    fputc('\n', out);
}
