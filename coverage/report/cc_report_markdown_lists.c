/*
 * cc_report_markdown_lists: found and missed dependencies, false predictions
 * and what has changed since the baseline, for a merge request.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "model/cc_find.h"
#include "report/cc_cells.h"
#include "object/demangle.h"
#include "report/cc_report.h"

static void write_end(FILE *out, const struct cc_report *report,
                      uint32_t object, uint64_t address)
{
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    cc_markdown_code(out, at.insn.length > 0 ? at.insn.text : "(no code)");
    fprintf(out, " %" PRIx64, address);
    if (at.frames[0].line > 0) {
        fputs(" ", out);
        cc_markdown_line(out, at.frames[0].file, at.frames[0].line);
    }
}

static void write_function(FILE *out, const char *function)
{
    demangle_write(out, function != NULL ? function : "(no function)",
                   cc_markdown_code);
}

/* Of two functions both are named, and of two objects, too. */
static void write_functions(FILE *out, const struct cc_report *report,
                            uint32_t src_block, uint32_t dst_block)
{
    const struct cc_data *data = report->data;
    const uint32_t blocks[] = {src_block, dst_block};
    enum cc_scope scope = cc_scope_of(data, src_block, dst_block);
    uint64_t start;

    for (int i = 0; i < (scope > CC_SCOPE_FUNCTION ? 2 : 1); i++) {
        fputs(i > 0 ? " → " : "", out);
        write_function(
            out, cc_symbolize_function(report->symbolizer, blocks[i], &start));
        if (scope < CC_SCOPE_PROGRAM)
            continue;
        fputs(" in ", out);
        cc_markdown_code(out,
                         data->objects[data->blocks[blocks[i]].object].path);
    }
}

static void write_pair(FILE *out, const struct cc_report *report,
                       uint32_t src_block, uint32_t dst_block, uint64_t src,
                       uint64_t dst)
{
    const struct cc_block *blocks = report->data->blocks;

    fputs("| ", out);
    write_functions(out, report, src_block, dst_block);
    fputs(" | ", out);
    write_end(out, report, blocks[src_block].object, src);
    fputs(" | ", out);
    write_end(out, report, blocks[dst_block].object, dst);
}

static void write_observed(FILE *out, const struct cc_report *report,
                           const char *last, const uint32_t *items, size_t n)
{
    fprintf(out,
            "\n| function | store | load | occurrences | distances | %s |\n"
            "|---|---|---|---:|---:|---|\n",
            last);
    for (size_t i = 0; i < n; i++) {
        const struct cc_observed *d = &report->data->observed[items[i]];
        char *deltas = d->verdict == CC_FOUND
                           ? cc_deltas_text(report->data, d, ", ")
                           : NULL;

        write_pair(out, report, d->src_block, d->dst_block, d->src, d->dst);
        fprintf(
            out, " | %" PRIu64 " | %" PRIu64 " to %" PRIu64 " | %s%s%s%s |\n",
            cc_counts(report->data, d)[0], d->min_distance, d->max_distance,
            d->is_cross_thread ? "between threads; " : "",
            cc_forwards_fail(&d->forwards) ? "forward fails; " : "",
            deltas != NULL ? deltas
                           : cc_reason_text(cc_reason_of(report->data, d)),
            deltas != NULL ? cc_evidence_text(cc_evidence_of(report->data, d))
                           : "");
        free(deltas);
    }
}

static void write_found(FILE *out, const struct cc_report *report)
{
    char bound[CC_CELL];

    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out, "\nFound at lifetime %s: %zu of %zu\n", bound,
            report->found->n, report->found->n_all);
    write_observed(out, report, "Δk", report->found->items, report->found->n);
}

static void write_missed(FILE *out, const struct cc_report *report)
{
    const struct cc_reason_counts *c = &report->reasons[0];
    char bound[CC_CELL];

    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out,
            "\nMissed at lifetime %s: %zu of %zu\n\n"
            "| reason | dependencies | occurrences |\n|---|---:|---:|\n",
            bound, report->missed->n, report->missed->n_all);
    for (int r = 0; r < CC_N_REASONS; r++)
        if (cc_reason_applies(report->data, (enum cc_reason)r))
            fprintf(out, "| %s | %" PRIu64 " | %" PRIu64 " |\n",
                    cc_reason_text((enum cc_reason)r), c->dependencies[r],
                    c->occurrences[r]);
    write_observed(out, report, "reason", report->missed->items,
                   report->missed->n);
}

static void write_false_positives(FILE *out, const struct cc_report *report)
{
    fprintf(out, "\nPredicted, but did not occur: %zu of %zu\n\n",
            report->false_positives->n, report->false_positives->n_all);
    fputs("| function | store | load | Δk | executions |\n"
          "|---|---|---|---:|---:|\n",
          out);
    for (size_t i = 0; i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &report->data->predictions[report->false_positives->items[i]];

        write_pair(out, report, p->block, p->dst_block, p->src, p->dst);
        fputs(" | ", out);
        if (p->delta_k != CC_ANY_DELTA)
            fprintf(out, "%" PRIu64, p->delta_k);
        fprintf(out, "%s | %" PRIu64 " |\n", cc_evidence_text(p->evidence),
                report->data->blocks[p->block].weight);
    }
}

/* What became of the baseline's dependencies. */
static void write_fates(FILE *out, const struct cc_fates *f)
{
    fputs("\n| dependencies |", out);
    for (enum cc_now now = 0; now < CC_N_NOW; now++)
        fprintf(out, " %s |", cc_now_text(now));
    fputs("\n|---|---:|---:|---:|---:|\n", out);
    for (unsigned before = 0; before < f->n_rows; before++) {
        fprintf(out, "| %s |", cc_before_text((enum cc_before)before));
        for (int now = 0; now < CC_N_NOW; now++)
            if (before != CC_NEW || now <= CC_MISSED_NOW)
                fprintf(out, " %zu |", f->counts[before][now]);
            else
                fputs(" |", out);
        fputc('\n', out);
    }
}

static void write_old_end(FILE *out, const struct cc_end *end)
{
    cc_markdown_code(out, end->insn != NULL ? end->insn : "(no code)");
    fprintf(out, " %" PRIx64, end->address);
    if (end->line != NULL) {
        fputs(" ", out);
        cc_markdown_code(out, end->line);
    }
    fputs(" | ", out);
}

/* With the instructions and addresses of the baseline. */
static void write_gone(FILE *out, const struct cc_fates *f)
{
    fprintf(out,
            "\nFound before and gone now: %zu\n\n"
            "| function | store | load | occurrences |\n|---|---|---|---:|\n",
            f->n_gone);
    for (size_t i = 0; i < f->n_gone; i++) {
        const struct cc_identity *id = &f->before[f->gone[i]];

        fputs("| ", out);
        write_function(out, id->code.function);
        if (id->dst_code.build_id != NULL) {
            fputs(" → ", out);
            write_function(out, id->dst_code.function);
        }
        fputs(" | ", out);
        write_old_end(out, &id->src);
        write_old_end(out, &id->dst);
        if (id->occurrences > 0)
            fprintf(out, "%" PRIu64, id->occurrences);
        fputs(" |\n", out);
    }
}

static void write_comparison(FILE *out, const struct cc_report *report)
{
    const struct cc_comparison *c = report->comparison;

    fputs("\n| since the baseline | before | now | points |\n"
          "|---|---:|---:|---:|\n",
          out);
    for (size_t i = 0; i < c->n_changes; i++) {
        const struct cc_change *change = &c->changes[i];
        char name[64], now[CC_CELL], before[CC_CELL] = "no data",
                                     points[CC_CELL] = "";

        cc_figure_label(change->figure, change->bound, name);
        cc_cell_ratio(change->now, now);
        if (change->before.has_data)
            snprintf(before, sizeof before, "%.1f%%", change->before.percent);
        if (change->before.has_data && change->now.whole > 0)
            snprintf(points, sizeof points, "%+.2f", cc_change_points(change));
        fprintf(out, "| %s | %s | %s | %s |\n", name, before, now, points);
    }
    write_fates(out, &c->fates);
    if (c->fates.n_lost > 0) {
        fprintf(out, "\nFound before and missed now: %zu\n", c->fates.n_lost);
        write_observed(out, report, "reason", c->fates.lost, c->fates.n_lost);
    }
    if (c->fates.n_gone > 0)
        write_gone(out, &c->fates);
}

void cc_report_markdown_lists(FILE *out, const struct cc_report *report)
{
    if (report->comparison != NULL)
        write_comparison(out, report);
    if (report->found != NULL)
        write_found(out, report);
    if (report->missed != NULL)
        write_missed(out, report);
    if (report->false_positives != NULL)
        write_false_positives(out, report);
}
