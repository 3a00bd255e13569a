/*
 * cc_report_csv: the score as rows for a spreadsheet.
 *
 * One header; the first column says what a row is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "model/cc_find.h"
#include "report/cc_cells.h"
#include "report/cc_csv.h"
#include "report/cc_headline.h"
#include "memory.h"

static void set_code(struct cc_csv_row *row, const struct cc_object *object,
                     const char *function, uint64_t start, uint64_t end,
                     uint64_t weight)
{
    cc_csv_text(row, CC_CSV_OBJECT, object->path);
    cc_csv_text(row, CC_CSV_BUILD_ID, object->build_id);
    cc_csv_text(row, CC_CSV_FUNCTION, function);
    if (end == 0)
        return;
    cc_csv_address(row, CC_CSV_START, start);
    cc_csv_address(row, CC_CSV_END, end);
    cc_csv_count(row, CC_CSV_WEIGHT, weight);
}

static void write_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

/* What the figures do not cover, or an empty text; the caller frees. */
static char *left_out_text(const struct cc_report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        memory_exhausted();
    for (size_t i = 0; i < report->notes->n; i++) {
        fputs(i > 0 ? "; " : "", out);
        cc_note_write(out, report->notes, i, write_plain);
    }
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

static void set_scored(struct cc_csv_row *row, const struct cc_report *report,
                       unsigned bound)
{
    struct cc_share s = cc_share_at(report, bound);

    cc_csv_ratio(row, CC_CSV_SCORED, (struct cc_ratio){s.scored, s.all});
    cc_csv_count(row, CC_CSV_OCCURRENCES, s.all);
}

static void set_figures(struct cc_csv_row *row, const struct cc_score *s,
                        unsigned b)
{
    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
        if (cc_figures[f].unit == NULL)
            cc_csv_ratio(row, CC_CSV_FIGURES + (int)f,
                         cc_figure_ratio(f, s, b));
        else
            cc_csv_count(row, CC_CSV_FIGURES + (int)f,
                         cc_figure_count(f, &s->tally[b]));
    cc_csv_ratio(row, CC_CSV_AGREEMENT, s->agreement);
    cc_csv_count(row, CC_CSV_JUDGED, s->precision.whole);
    cc_csv_count(row, CC_CSV_OCCURRED, s->tally[b].occurred);
}

/* One row for each bound. */
static void write_score(FILE *out, const struct cc_report *report,
                        const char *name, const struct cc_group *g)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char *left_out = g->object == CC_NONE ? left_out_text(report) : NULL;

    for (unsigned b = 0; b < bounds->n; b++) {
        struct cc_csv_row row = {0};

        cc_csv_text(&row, CC_CSV_ROW, name);
        if (g->object != CC_NONE)
            set_code(&row, &report->data->objects[g->object], g->function,
                     g->start, g->end, g->weight);
        if (g->line > 0) {
            snprintf(row.lines[1], sizeof row.lines[1], "%s:%d",
                     cc_base_name(g->file), g->line);
            cc_csv_text(&row, CC_CSV_DST + 2, row.lines[1]);
        }
        cc_csv_bound(&row, CC_CSV_LIFETIME, bounds->bound[b]);
        set_figures(&row, g->score, b);
        cc_csv_text(&row, CC_CSV_SCOPE, cc_scope_name(report->data->scope));
        cc_csv_text(&row, CC_CSV_LEFT_OUT, left_out);
        if (g->object == CC_NONE)
            set_scored(&row, report, b);
        cc_csv_write(out, report, &row);
    }
    free(left_out);
}

/* Each scope up to that of the report, at each bound. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "by_scope");
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            set_figures(&row, &report->by_scope[r], b);
            cc_csv_text(&row, CC_CSV_SCOPE, cc_scope_name(r));
            cc_csv_write(out, report, &row);
        }
}

/* The same, of the predictions that reach each threshold of support. */
static void write_supports(FILE *out, const struct cc_report *report)
{
    unsigned n = (report->data->scope + 1) * CC_N_SUPPORTS;

    for (unsigned i = 0; i < n; i++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "by_support");
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            set_figures(&row, &report->by_support[i], b);
            cc_csv_text(&row, CC_CSV_SCOPE,
                        cc_scope_name((enum cc_scope)(i / CC_N_SUPPORTS)));
            cc_csv_count(&row, CC_CSV_SUPPORT,
                         i % CC_N_SUPPORTS * CC_SUPPORT_STEP);
            cc_csv_write(out, report, &row);
        }
}

/* The same, of the predictions of each evidence. */
static void write_evidences(FILE *out, const struct cc_report *report)
{
    unsigned n = (report->data->scope + 1) * CC_N_EVIDENCES;

    for (unsigned i = 0; i < n; i++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            enum cc_scope scope = (enum cc_scope)(i / CC_N_EVIDENCES);
            const struct cc_tally *t = &report->by_evidence[i].tally[b];
            const struct cc_tally *all = &report->by_scope[scope].tally[b];
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "by_evidence");
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            set_figures(&row, &report->by_evidence[i], b);
            cc_csv_text(&row, CC_CSV_SCOPE, cc_scope_name(scope));
            cc_csv_text(
                &row, CC_CSV_EVIDENCE,
                cc_evidence_name((enum cc_evidence)(i % CC_N_EVIDENCES)));
            cc_csv_ratio(&row, CC_CSV_SHARE_U,
                         (struct cc_ratio){t->found, all->found});
            cc_csv_ratio(&row, CC_CSV_SHARE_W,
                         (struct cc_ratio){t->found_occurrences,
                                           all->found_occurrences});
            cc_csv_write(out, report, &row);
        }
}

/* The columns of one end, 0 or 1. */
static void set_end(struct cc_csv_row *row, int end,
                    const struct cc_report *report, uint32_t object,
                    uint64_t address)
{
    int column = end == 0 ? CC_CSV_SRC : CC_CSV_DST;
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    row->insns[end] = at.insn;
    cc_csv_address(row, column, address);
    if (at.insn.length > 0)
        cc_csv_text(row, column + 1, row->insns[end].text);
    if (at.frames[0].line == 0)
        return;
    snprintf(row->lines[end], sizeof row->lines[end], "%s:%d",
             cc_base_name(at.frames[0].file), at.frames[0].line);
    cc_csv_text(row, column + 2, row->lines[end]);
}

static void set_pair(struct cc_csv_row *row, const struct cc_report *report,
                     const char *name, uint32_t src_block, uint32_t dst_block,
                     uint64_t src, uint64_t dst)
{
    const struct cc_data *data = report->data;
    const struct cc_block *b = &data->blocks[src_block];
    const struct cc_object *dst_object =
        &data->objects[data->blocks[dst_block].object];
    uint64_t start;

    cc_csv_text(row, CC_CSV_ROW, name);
    set_code(row, &data->objects[b->object],
             cc_symbolize_function(report->symbolizer, src_block, &start),
             b->start, b->end, b->weight);
    cc_csv_text(row, CC_CSV_DST_OBJECT, dst_object->path);
    cc_csv_text(row, CC_CSV_DST_BUILD_ID, dst_object->build_id);
    cc_csv_text(row, CC_CSV_DST_FUNCTION,
                cc_symbolize_function(report->symbolizer, dst_block, &start));
    cc_csv_text(row, CC_CSV_SCOPE,
                cc_scope_name(cc_scope_of(data, src_block, dst_block)));
    set_end(row, 0, report, b->object, src);
    set_end(row, 1, report, data->blocks[dst_block].object, dst);
}

/* Empty if they are unknown. */
static void set_forwards(struct cc_csv_row *row, const struct cc_forwards *f)
{
    if (cc_forwards_known(f) == 0)
        return;
    for (int i = 0; i < FORWARD_N; i++)
        cc_csv_count(row, CC_CSV_FORWARDS + i, f->by[i]);
    cc_csv_count(row, CC_CSV_CROSSING, f->crossing);
}

static void write_observed(FILE *out, const struct cc_report *report,
                           const char *name, uint32_t number)
{
    const struct cc_observed *d = &report->data->observed[number];
    struct cc_csv_row row = {0};
    char *deltas = NULL;

    set_pair(&row, report, name, d->src_block, d->dst_block, d->src, d->dst);
    cc_csv_count(&row, CC_CSV_OCCURRENCES, cc_counts(report->data, d)[0]);
    cc_csv_count(&row, CC_CSV_MIN_DISTANCE, d->min_distance);
    cc_csv_count(&row, CC_CSV_MAX_DISTANCE, d->max_distance);
    if (d->verdict == CC_FOUND) {
        deltas = cc_deltas_text(report->data, d, " ");
        cc_csv_text(&row, CC_CSV_DELTA_K, deltas);
        cc_csv_text(&row, CC_CSV_EVIDENCE,
                    cc_evidence_name(cc_evidence_of(report->data, d)));
    } else {
        cc_csv_text(&row, CC_CSV_REASON,
                    cc_reason_name(cc_reason_of(report->data, d)));
    }
    cc_csv_count(&row, CC_CSV_CROSS_THREAD, d->is_cross_thread);
    set_forwards(&row, &d->forwards);
    cc_csv_write(out, report, &row);
    free(deltas);
}

static void write_false_positive(FILE *out, const struct cc_report *report,
                                 uint32_t number)
{
    const struct cc_prediction *p = &report->data->predictions[number];
    struct cc_csv_row row = {0};

    set_pair(&row, report, "false", p->block, p->dst_block, p->src, p->dst);
    if (p->delta_k != CC_ANY_DELTA)
        cc_csv_count(&row, CC_CSV_DELTA_K, p->delta_k);
    cc_csv_text(&row, CC_CSV_EVIDENCE, cc_evidence_name(p->evidence));
    cc_csv_write(out, report, &row);
}

/* With the instructions and addresses of the baseline. */
static void write_gone(FILE *out, const struct cc_report *report,
                       const struct cc_identity *id)
{
    const struct cc_code *dst_code = cc_identity_dst_code(id);
    struct cc_csv_row row = {0};

    cc_csv_text(&row, CC_CSV_ROW, "gone");
    cc_csv_text(&row, CC_CSV_OBJECT, id->code.path);
    cc_csv_text(&row, CC_CSV_BUILD_ID, id->code.build_id);
    cc_csv_text(&row, CC_CSV_FUNCTION, id->code.function);
    cc_csv_text(&row, CC_CSV_DST_OBJECT, dst_code->path);
    cc_csv_text(&row, CC_CSV_DST_BUILD_ID, dst_code->build_id);
    cc_csv_text(&row, CC_CSV_DST_FUNCTION, dst_code->function);
    cc_csv_address(&row, CC_CSV_SRC, id->src.address);
    cc_csv_text(&row, CC_CSV_SRC + 1, id->src.insn);
    cc_csv_text(&row, CC_CSV_SRC + 2, id->src.line);
    cc_csv_address(&row, CC_CSV_DST, id->dst.address);
    cc_csv_text(&row, CC_CSV_DST + 1, id->dst.insn);
    cc_csv_text(&row, CC_CSV_DST + 2, id->dst.line);
    if (id->occurrences > 0)
        cc_csv_count(&row, CC_CSV_OCCURRENCES, id->occurrences);
    cc_csv_write(out, report, &row);
}

/* Where the dependencies of all blocks lie. */
static void write_where(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (enum cc_where s = 0; s < CC_N_WHERE; s++) {
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "scope");
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            cc_csv_count(&row, CC_CSV_OCCURRENCES,
                         report->where[b].occurrences[s]);
            cc_csv_text(&row, CC_CSV_SCOPE, cc_where_name(s));
            cc_csv_write(out, report, &row);
        }
}

/* The files that are outside, and what is between threads. */
static void write_outside(FILE *out, const struct cc_report *report)
{
    for (size_t i = 0; i < report->outside->n; i++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            const struct cc_outside_file *file = &report->outside->files[i];
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "outside");
            cc_csv_text(&row, CC_CSV_OBJECT, file->path);
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            cc_csv_count(&row, CC_CSV_OCCURRENCES, file->occurrences[b]);
            cc_csv_write(out, report, &row);
        }
}

static void write_threads(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++) {
        const struct cc_where_counts *c = &report->where[b];
        struct cc_csv_row row = {0};

        cc_csv_text(&row, CC_CSV_ROW, "threads");
        cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
        cc_csv_count(&row, CC_CSV_OCCURRENCES, c->cross_thread_occurrences);
        cc_csv_count(&row, CC_CSV_CROSS_THREAD, c->cross_thread);
        cc_csv_write(out, report, &row);
    }
}

static void write_forwards(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++) {
        const struct cc_forwards *f = &report->data->forwards[b];
        struct cc_csv_row row = {0};

        cc_csv_text(&row, CC_CSV_ROW, "forwards");
        cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
        cc_csv_count(&row, CC_CSV_OCCURRENCES, cc_forwards_known(f));
        set_forwards(&row, f);
        cc_csv_write(out, report, &row);
    }
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (enum cc_reason r = 0; r < CC_N_REASONS; r++) {
            const struct cc_reason_counts *c = &report->reasons[b];
            struct cc_csv_row row = {0};

            cc_csv_text(&row, CC_CSV_ROW, "reason");
            cc_csv_bound(&row, CC_CSV_LIFETIME, report->data->bounds.bound[b]);
            cc_csv_count(&row, CC_CSV_FIGURES + CC_N_MISSED,
                         c->dependencies[r]);
            cc_csv_count(&row, CC_CSV_FIGURES + CC_MISSED_OCCURRENCES,
                         c->occurrences[r]);
            cc_csv_text(&row, CC_CSV_REASON, cc_reason_name(r));
            cc_csv_write(out, report, &row);
        }
}

void cc_report_csv(FILE *out, const struct cc_report *report)
{
    const struct cc_group total = {.object = CC_NONE, .score = report->total};
    const struct cc_fates *fates =
        report->comparison != NULL ? &report->comparison->fates : NULL;

    cc_csv_header(out);
    write_score(out, report, "total", &total);
    for (size_t i = 0; i < report->groups->n; i++)
        write_score(out, report, cc_by_name(report->groups->by),
                    &report->groups->list[i]);
    write_scopes(out, report);
    write_supports(out, report);
    write_evidences(out, report);
    write_where(out, report);
    write_outside(out, report);
    write_threads(out, report);
    write_forwards(out, report);
    write_reasons(out, report);
    for (size_t i = 0; fates != NULL && i < fates->n_lost; i++)
        write_observed(out, report, "lost", fates->lost[i]);
    for (size_t i = 0; fates != NULL && i < fates->n_gone; i++)
        write_gone(out, report, &fates->before[fates->gone[i]]);
    for (size_t i = 0; report->found && i < report->found->n; i++)
        write_observed(out, report, "found", report->found->items[i]);
    for (size_t i = 0; report->missed && i < report->missed->n; i++)
        write_observed(out, report, "missed", report->missed->items[i]);
    for (size_t i = 0;
         report->false_positives && i < report->false_positives->n; i++)
        write_false_positive(out, report, report->false_positives->items[i]);
}
