/*
 * cc_report_text_lists: found and missed dependencies, false predictions and
 * what has changed since the baseline, for people.
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
                      const char *what, uint32_t object, uint64_t address)
{
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    fprintf(out, "    %-5s  %6" PRIx64 "  %s\n", what, address,
            at.insn.length > 0 ? at.insn.text : "(no code)");
    fprintf(out, "                   in ");
    cc_write_place(out, &at);
    fputc('\n', out);
}

/* One, or both if they differ. */
static void write_objects(FILE *out, const struct cc_report *report,
                          uint32_t src, uint32_t dst)
{
    cc_write_safe(out, report->data->objects[src].path);
    if (dst == src)
        return;
    fputs(" and ", out);
    cc_write_safe(out, report->data->objects[dst].path);
}

static void write_observed(FILE *out, const struct cc_report *report,
                           const struct cc_observed *d)
{
    static const char *const apart[] = {
        [CC_SCOPE_BLOCK] = "",
        [CC_SCOPE_FUNCTION] = ", between blocks",
        [CC_SCOPE_OBJECT] = ", between functions",
        [CC_SCOPE_PROGRAM] = "",
    };

    fprintf(out,
            "  %" PRIu64 " occurrences at distances from %" PRIu64
            " to %" PRIu64 " in ",
            cc_counts(report->data, d)[0], d->min_distance, d->max_distance);
    write_objects(out, report, d->src_object, d->dst_object);
    fputs(apart[cc_scope_of(report->data, d->src_block, d->dst_block)], out);
    if (d->is_cross_thread)
        fputs(", between threads", out);
    fputs(cc_forwards_fail(&d->forwards) ? ", forward fails\n" : "\n", out);
    write_end(out, report, "store", d->src_object, d->src);
    write_end(out, report, "load", d->dst_object, d->dst);
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    const struct cc_reason_counts *c = &report->reasons[0];
    uint64_t dependencies = 0, occurrences = 0;

    for (int r = 0; r < CC_N_REASONS; r++) {
        dependencies += c->dependencies[r];
        occurrences += c->occurrences[r];
    }
    for (int r = 0; r < CC_N_REASONS; r++) {
        char unweighted[CC_CELL], weighted[CC_CELL];

        if (!cc_reason_applies(report->data, (enum cc_reason)r))
            continue;
        cc_cell_ratio((struct cc_ratio){c->dependencies[r], dependencies},
                      unweighted);
        cc_cell_ratio((struct cc_ratio){c->occurrences[r], occurrences},
                      weighted);
        fprintf(out, "  %-39s %7s  %7s of occurrences\n",
                cc_reason_text((enum cc_reason)r), unweighted, weighted);
    }
}

/* Where a block follows itself, iterations are distances. */
static void write_deltas(FILE *out, const struct cc_report *report,
                         const struct cc_observed *d)
{
    char *deltas = cc_deltas_text(report->data, d, ", ");

    fprintf(out, "    predicted%s with %s%s",
            cc_evidence_text(cc_evidence_of(report->data, d)),
            *deltas != '\0' ? "delta-k " : "no fixed delta-k", deltas);
    if (d->has_delta_k && report->data->blocks[d->src_block].follows_itself)
        fputs(d->agrees ? ", as the smallest distance"
                        : ", unlike the smallest distance",
              out);
    fputc('\n', out);
    free(deltas);
}

static void write_found(FILE *out, const struct cc_report *report)
{
    char bound[CC_CELL];

    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out, "\nfound at lifetime %s: %zu of %zu\n", bound,
            report->found->n, report->found->n_all);
    for (size_t i = 0; i < report->found->n; i++) {
        const struct cc_observed *d =
            &report->data->observed[report->found->items[i]];

        fputc('\n', out);
        write_observed(out, report, d);
        write_deltas(out, report, d);
    }
}

static void write_missed(FILE *out, const struct cc_report *report)
{
    char bound[CC_CELL];

    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out, "\nmissed at lifetime %s: %zu of %zu\n", bound,
            report->missed->n, report->missed->n_all);
    if (report->missed->n_all > 0)
        write_reasons(out, report);
    for (size_t i = 0; i < report->missed->n; i++) {
        const struct cc_observed *d =
            &report->data->observed[report->missed->items[i]];

        fputc('\n', out);
        write_observed(out, report, d);
        fprintf(out, "    reason %s\n",
                cc_reason_text(cc_reason_of(report->data, d)));
    }
}

static void write_false_positives(FILE *out, const struct cc_report *report)
{
    fprintf(out, "\npredicted, but did not occur: %zu of %zu\n",
            report->false_positives->n, report->false_positives->n_all);
    for (size_t i = 0; i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &report->data->predictions[report->false_positives->items[i]];
        const struct cc_block *src = &report->data->blocks[p->block];
        const struct cc_block *dst = &report->data->blocks[p->dst_block];

        if (p->delta_k != CC_ANY_DELTA)
            fprintf(out, "\n  delta-k %" PRIu64 " in a block", p->delta_k);
        else
            fputs(src == dst ? "\n  in a block" : "\n  between blocks", out);
        fprintf(out, " executed %" PRIu64, src->weight);
        if (src != dst)
            fprintf(out, " and %" PRIu64, dst->weight);
        fputs(" times in ", out);
        write_objects(out, report, src->object, dst->object);
        if (p->evidence != CC_EVIDENCE_BLOCK)
            fprintf(out, ", predicted%s", cc_evidence_text(p->evidence));
        fputc('\n', out);
        write_end(out, report, "store", src->object, p->src);
        write_end(out, report, "load", dst->object, p->dst);
    }
}

static void write_change(FILE *out, const struct cc_change *c)
{
    char name[64], now[CC_CELL], before[CC_CELL] = "no data";

    cc_figure_label(c->figure, c->bound, name);
    cc_cell_ratio(c->now, now);
    if (c->before.has_data)
        snprintf(before, sizeof before, "%.1f%%", c->before.percent);
    fprintf(out, "  %-29s  %7s  %7s", name, before, now);
    if (c->before.has_data && c->now.whole > 0) {
        double points = cc_change_points(c);
        const char *how = points > 0 ? "better" : "worse";

        fprintf(out, "  %+.2f %s", points, points == 0 ? "the same" : how);
    }
    fputc('\n', out);
}

/* What became of the baseline's dependencies, as a table. */
static void write_fates(FILE *out, const struct cc_fates *f)
{
    fprintf(out, "\n%-23s", "dependencies");
    for (enum cc_now now = 0; now < CC_N_NOW; now++)
        fprintf(out, "  %10s", cc_now_text(now));
    fputc('\n', out);
    for (unsigned before = 0; before < f->n_rows; before++) {
        fprintf(out, "  %-21s", cc_before_text((enum cc_before)before));
        for (int now = 0; now < CC_N_NOW; now++)
            if (before != CC_NEW || now <= CC_MISSED_NOW)
                fprintf(out, "  %10zu", f->counts[before][now]);
        fputc('\n', out);
    }
    if (f->n_unnamed_before + f->n_unnamed_now > 0)
        fprintf(out,
                "  without function and line, and so not compared: %zu before,"
                " %zu now\n",
                f->n_unnamed_before, f->n_unnamed_now);
    if (f->n_rows < CC_N_BEFORE)
        fputs("  An older covcheck wrote the baseline, without what was missed:"
              " of dependencies\n  that are alike, one listed as missed now may"
              " have been missed before.\n",
              out);
}

/* An end as it was in the baseline. */
static void write_old_end(FILE *out, const char *what, const struct cc_end *end,
                          const char *function)
{
    fprintf(out, "    %-5s  %6" PRIx64 "  ", what, end->address);
    cc_write_safe(out, end->insn != NULL ? end->insn : "(no code)");
    fputs("\n                   in ", out);
    demangle_write(out, function != NULL ? function : "?", cc_write_safe);
    if (end->line != NULL) {
        fputs(" at ", out);
        cc_write_safe(out, end->line);
    }
    fputc('\n', out);
}

static void write_gone(FILE *out, const struct cc_identity *id)
{
    fputs("\n  ", out);
    if (id->occurrences > 0)
        fprintf(out, "%" PRIu64 " occurrences ", id->occurrences);
    fputs("in the baseline, with its addresses\n", out);
    write_old_end(out, "store", &id->src, id->code.function);
    write_old_end(out, "load", &id->dst, cc_identity_dst_code(id)->function);
}

static void write_comparison(FILE *out, const struct cc_report *report)
{
    const struct cc_comparison *c = report->comparison;

    fprintf(out, "\n%-31s  %7s  %7s  points\n", "since the baseline", "before",
            "now");
    for (size_t i = 0; i < c->n_changes; i++)
        write_change(out, &c->changes[i]);
    write_fates(out, &c->fates);
    fprintf(out, "\nfound before and missed now: %zu\n", c->fates.n_lost);
    for (size_t i = 0; i < c->fates.n_lost; i++) {
        fputc('\n', out);
        write_observed(out, report, &report->data->observed[c->fates.lost[i]]);
    }
    fprintf(out, "\nfound before and gone now: %zu\n", c->fates.n_gone);
    for (size_t i = 0; i < c->fates.n_gone; i++)
        write_gone(out, &c->fates.before[c->fates.gone[i]]);
}

void cc_report_text_lists(FILE *out, const struct cc_report *report)
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
