/*
 * cc_report_csv: the score as rows for a spreadsheet, RFC 4180.
 *
 * One header; the first column says what a row is, and a column that does
 * not apply to it is empty.  A figure without data is empty, too.  Texts that a
 * spreadsheet would take for a formula begin with an apostrophe; numbers are
 * never negative.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "report/cc_cells.h"
#include "report/cc_headline.h"
#include "report/cc_report.h"
#include "json.h"

/* Columns may be added after the last. */
enum {
    ROW,
    OBJECT,
    BUILD_ID,
    FUNCTION,
    START,
    END,
    WEIGHT,
    LIFETIME,
    FIGURES, /* one for each of cc_figures */
    AGREEMENT = FIGURES + CC_N_FIGURES,
    SRC, /* and its instruction and line, as those of DST */
    DST = SRC + 3,
    OCCURRENCES = DST + 3,
    MIN_DISTANCE,
    MAX_DISTANCE,
    DELTA_K,
    REASON,
    SCOPE,
    SCORED, /* the share of all that occurred */
    CROSS_THREAD,
    PROGRAM,
    DST_FUNCTION,
    N_COLUMNS
};

static const char *const names[N_COLUMNS] = {
    [ROW] = "row",
    [OBJECT] = "object",
    [BUILD_ID] = "build_id",
    [FUNCTION] = "function",
    [START] = "start",
    [END] = "end",
    [WEIGHT] = "weight",
    [LIFETIME] = "lifetime",
    [AGREEMENT] = "delta_k_agreement",
    [SRC] = "src",
    [SRC + 1] = "src_instruction",
    [SRC + 2] = "src_line",
    [DST] = "dst",
    [DST + 1] = "dst_instruction",
    [DST + 2] = "dst_line",
    [OCCURRENCES] = "occurrences",
    [MIN_DISTANCE] = "min_distance",
    [MAX_DISTANCE] = "max_distance",
    [DELTA_K] = "delta_k",
    [REASON] = "reason",
    [SCOPE] = "scope",
    [SCORED] = "scored",
    [CROSS_THREAD] = "cross_thread",
    [PROGRAM] = "program",
    [DST_FUNCTION] = "dst_function",
};

/* A zeroed row is empty. */
struct row {
    struct value {
        enum { EMPTY, TEXT, COUNT, ADDRESS, BOUND, RATIO } kind;
        const char *text;
        uint64_t number;
        struct cc_ratio ratio;
    } values[N_COLUMNS];
    char lines[2][512]; /* the texts of both ends' lines */
    struct disasm_insn insns[2];
};

static void set_text(struct row *row, int column, const char *text)
{
    assert(column < N_COLUMNS && row->values[column].kind == EMPTY);
    if (text != NULL)
        row->values[column] = (struct value){.kind = TEXT, .text = text};
}

static void set_number(struct row *row, int column, int kind, uint64_t number)
{
    assert(column < N_COLUMNS && row->values[column].kind == EMPTY);
    row->values[column] = (struct value){.kind = kind, .number = number};
}

static void set_ratio(struct row *row, int column, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        row->values[column] = (struct value){.kind = RATIO, .ratio = ratio};
}

/* An apostrophe keeps spreadsheets from taking a text for a formula. */
static void write_text(FILE *out, const char *text)
{
    const char *mark =
        text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL ? "'" : "";

    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(out, "%s%s", mark, text);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_value(FILE *out, const struct value *v)
{
    char bound[CC_BOUND];

    switch (v->kind) {
    case EMPTY:
        break;
    case TEXT:
        write_text(out, v->text);
        break;
    case COUNT:
        fprintf(out, "%" PRIu64, v->number);
        break;
    case ADDRESS:
        fprintf(out, "0x%" PRIx64, v->number);
        break;
    case BOUND:
        cc_bound_format(v->number, bound);
        fputs(bound, out);
        break;
    case RATIO:
        json_number(out, cc_percent(v->ratio));
        break;
    }
}

static void write_columns(FILE *out, const struct row *row)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        write_value(out, &row->values[c]);
        fputs(c + 1 < N_COLUMNS ? "," : "\r\n", out);
    }
}

/* Each row names the program, so that rows of several reports can be put
   together. */
static void write_row(FILE *out, const struct cc_report *report,
                      struct row *row)
{
    set_text(row, PROGRAM, report->program);
    write_columns(out, row);
}

static void write_header(FILE *out)
{
    struct row row = {0};

    for (int c = 0; c < N_COLUMNS; c++)
        set_text(&row, c, names[c]);
    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
        set_text(&row, FIGURES + (int)f, cc_figures[f].name);
    write_columns(out, &row);
}

static void set_code(struct row *row, const struct cc_object *object,
                     const char *function, uint64_t start, uint64_t end,
                     uint64_t weight)
{
    set_text(row, OBJECT, object->path);
    set_text(row, BUILD_ID, object->build_id);
    set_text(row, FUNCTION, function);
    if (end == 0)
        return;
    set_number(row, START, ADDRESS, start);
    set_number(row, END, ADDRESS, end);
    set_number(row, WEIGHT, COUNT, weight);
}

static void set_scored(struct row *row, const struct cc_report *report,
                       unsigned bound)
{
    struct cc_share s = cc_share_at(report, bound);

    set_ratio(row, SCORED, (struct cc_ratio){s.scored, s.all});
    set_number(row, OCCURRENCES, COUNT, s.all);
}

static void set_figures(struct row *row, const struct cc_score *s, unsigned b)
{
    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
        if (cc_figures[f].unit == NULL)
            set_ratio(row, FIGURES + (int)f, cc_figure_ratio(f, s, b));
        else
            set_number(row, FIGURES + (int)f, COUNT,
                       cc_figure_count(f, &s->tally[b]));
    set_ratio(row, AGREEMENT, s->agreement);
}

/* One row for each bound. */
static void write_score(FILE *out, const struct cc_report *report,
                        const char *name, const struct cc_group *g)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    for (unsigned b = 0; b < bounds->n; b++) {
        struct row row = {0};

        set_text(&row, ROW, name);
        if (g->object != CC_NONE)
            set_code(&row, &report->data->objects[g->object], g->function,
                     g->start, g->end, g->weight);
        set_number(&row, LIFETIME, BOUND, bounds->bound[b]);
        set_figures(&row, g->score, b);
        set_text(&row, SCOPE, cc_reach_name(report->data->reach));
        if (g->object == CC_NONE)
            set_scored(&row, report, b);
        write_row(out, report, &row);
    }
}

/* Each scope up to that of the report, at each bound. */
static void write_reaches(FILE *out, const struct cc_report *report)
{
    for (enum cc_reach r = 0; r <= report->data->reach; r++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            struct row row = {0};

            set_text(&row, ROW, "by_scope");
            set_number(&row, LIFETIME, BOUND, report->data->bounds.bound[b]);
            set_figures(&row, &report->by_reach[r], b);
            set_text(&row, SCOPE, cc_reach_name(r));
            write_row(out, report, &row);
        }
}

/* The columns of one end, 0 or 1. */
static void set_end(struct row *row, int end, const struct cc_report *report,
                    uint32_t object, uint64_t address)
{
    int column = end == 0 ? SRC : DST;
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    row->insns[end] = at.insn;
    set_number(row, column, ADDRESS, address);
    if (at.insn.length > 0)
        set_text(row, column + 1, row->insns[end].text);
    if (at.frames[0].line == 0)
        return;
    snprintf(row->lines[end], sizeof row->lines[end], "%s:%d",
             cc_base_name(at.frames[0].file), at.frames[0].line);
    set_text(row, column + 2, row->lines[end]);
}

static void set_pair(struct row *row, const struct cc_report *report,
                     const char *name, uint32_t src_block, uint32_t dst_block,
                     uint64_t src, uint64_t dst)
{
    const struct cc_data *data = report->data;
    const struct cc_block *b = &data->blocks[src_block];
    uint64_t start;

    set_text(row, ROW, name);
    set_code(row, &data->objects[b->object],
             cc_symbolize_function(report->symbolizer, src_block, &start),
             b->start, b->end, b->weight);
    set_text(row, DST_FUNCTION,
             cc_symbolize_function(report->symbolizer, dst_block, &start));
    set_text(row, SCOPE,
             cc_reach_name(cc_reach_of(data, src_block, dst_block)));
    set_end(row, 0, report, b->object, src);
    set_end(row, 1, report, data->blocks[dst_block].object, dst);
}

static void write_observed(FILE *out, const struct cc_report *report,
                           const char *name, uint32_t number)
{
    const struct cc_observed *d = &report->data->observed[number];
    struct row row = {0};

    set_pair(&row, report, name, d->src_block, d->dst_block, d->src, d->dst);
    set_number(&row, OCCURRENCES, COUNT, cc_counts(report->data, d)[0]);
    set_number(&row, MIN_DISTANCE, COUNT, d->min_distance);
    set_number(&row, MAX_DISTANCE, COUNT, d->max_distance);
    set_text(&row, REASON, cc_reason_name(cc_reason_of(report->data, d)));
    set_number(&row, CROSS_THREAD, COUNT, d->is_cross_thread);
    write_row(out, report, &row);
}

static void write_false_positive(FILE *out, const struct cc_report *report,
                                 uint32_t number)
{
    const struct cc_prediction *p = &report->data->predictions[number];
    struct row row = {0};

    set_pair(&row, report, "false", p->block, p->dst_block, p->src, p->dst);
    if (p->delta_k != CC_ANY_DELTA)
        set_number(&row, DELTA_K, COUNT, p->delta_k);
    write_row(out, report, &row);
}

/* With the instructions and addresses of the baseline. */
static void write_gone(FILE *out, const struct cc_report *report,
                       const struct cc_identity *id)
{
    struct row row = {0};

    set_text(&row, ROW, "gone");
    set_text(&row, BUILD_ID, id->build_id);
    set_text(&row, FUNCTION, id->function);
    set_number(&row, SRC, ADDRESS, id->src.address);
    set_text(&row, SRC + 1, id->src.insn);
    set_text(&row, SRC + 2, id->src.line);
    set_number(&row, DST, ADDRESS, id->dst.address);
    set_text(&row, DST + 1, id->dst.insn);
    set_text(&row, DST + 2, id->dst.line);
    if (id->occurrences > 0)
        set_number(&row, OCCURRENCES, COUNT, id->occurrences);
    write_row(out, report, &row);
}

/* Where the dependencies of all blocks lie. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (enum cc_scope s = 0; s < CC_N_SCOPES; s++) {
            struct row row = {0};

            set_text(&row, ROW, "scope");
            set_number(&row, LIFETIME, BOUND, report->data->bounds.bound[b]);
            set_number(&row, OCCURRENCES, COUNT,
                       report->scopes[b].occurrences[s]);
            set_text(&row, SCOPE, cc_scope_name(s));
            write_row(out, report, &row);
        }
}

/* The files that are outside, and what is between threads. */
static void write_outside(FILE *out, const struct cc_report *report)
{
    for (size_t i = 0; i < report->outside->n; i++)
        for (unsigned b = 0; b < report->data->bounds.n; b++) {
            const struct cc_outside_file *file = &report->outside->files[i];
            struct row row = {0};

            set_text(&row, ROW, "outside");
            set_text(&row, OBJECT, file->path);
            set_number(&row, LIFETIME, BOUND, report->data->bounds.bound[b]);
            set_number(&row, OCCURRENCES, COUNT, file->occurrences[b]);
            write_row(out, report, &row);
        }
}

static void write_threads(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++) {
        const struct cc_scope_counts *c = &report->scopes[b];
        struct row row = {0};

        set_text(&row, ROW, "threads");
        set_number(&row, LIFETIME, BOUND, report->data->bounds.bound[b]);
        set_number(&row, OCCURRENCES, COUNT, c->cross_thread_occurrences);
        set_number(&row, CROSS_THREAD, COUNT, c->cross_thread);
        write_row(out, report, &row);
    }
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (enum cc_reason r = 0; r < CC_N_REASONS; r++) {
            const struct cc_reason_counts *c = &report->reasons[b];
            struct row row = {0};

            set_text(&row, ROW, "reason");
            set_number(&row, LIFETIME, BOUND, report->data->bounds.bound[b]);
            set_number(&row, FIGURES + CC_N_MISSED, COUNT, c->dependencies[r]);
            set_number(&row, FIGURES + CC_MISSED_OCCURRENCES, COUNT,
                       c->occurrences[r]);
            set_text(&row, REASON, cc_reason_name(r));
            write_row(out, report, &row);
        }
}

void cc_report_csv(FILE *out, const struct cc_report *report)
{
    const struct cc_group total = {.object = CC_NONE, .score = report->total};
    const struct cc_fates *fates =
        report->comparison != NULL ? &report->comparison->fates : NULL;

    write_header(out);
    write_score(out, report, "total", &total);
    for (size_t i = 0; i < report->groups->n; i++)
        write_score(out, report, cc_by_name(report->groups->by),
                    &report->groups->list[i]);
    write_reaches(out, report);
    write_scopes(out, report);
    write_outside(out, report);
    write_threads(out, report);
    write_reasons(out, report);
    for (size_t i = 0; fates != NULL && i < fates->n_lost; i++)
        write_observed(out, report, "lost", fates->lost[i]);
    for (size_t i = 0; fates != NULL && i < fates->n_gone; i++)
        write_gone(out, report, &fates->before[fates->gone[i]]);
    for (size_t i = 0; report->missed && i < report->missed->n; i++)
        write_observed(out, report, "missed", report->missed->items[i]);
    for (size_t i = 0;
         report->false_positives && i < report->false_positives->n; i++)
        write_false_positive(out, report, report->false_positives->items[i]);
}
