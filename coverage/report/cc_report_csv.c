/*
 * cc_report_csv: the score as rows for a spreadsheet, RFC 4180.
 *
 * One header; the first column says what a row is, and what does not apply to
 * it is empty.  A figure without data is empty, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>

#include "report/cc_cells.h"
#include "report/cc_report.h"
#include "json.h"

static const char header[] =
    "row,object,build_id,function,start,end,weight,lifetime,cov_u,cov_w,found,"
    "missed,found_occurrences,missed_occurrences,spanning,"
    "spanning_occurrences,precision,delta_k_agreement,src,src_instruction,"
    "src_line,dst,dst_instruction,dst_line,occurrences,min_distance,"
    "max_distance,delta_k,reason,scope\r\n";

static void write_text(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_ratio(FILE *out, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        json_number(out, cc_percent(ratio));
    fputc(',', out);
}

/* The columns from "row" to "weight". */
static void write_head(FILE *out, const char *row,
                       const struct cc_object *object, const char *function,
                       uint64_t start, uint64_t end, uint64_t weight)
{
    fprintf(out, "%s,", row);
    if (object != NULL)
        write_text(out, object->path);
    fprintf(out, ",%s,", object != NULL ? object->build_id : "");
    if (function != NULL)
        write_text(out, function);
    if (end > 0)
        fprintf(out, ",0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu64 ",", start, end,
                weight);
    else
        fputs(",,,,", out);
}

/* One row for each bound. */
static void write_score(FILE *out, const struct cc_report *report,
                        const char *row, const struct cc_group *g)
{
    const struct cc_bounds *bounds = &report->data->bounds;

    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_tally *t = &g->score->tally[b];
        char bound[CC_CELL];

        write_head(out, row,
                   g->object != CC_NONE ? &report->data->objects[g->object]
                                        : NULL,
                   g->function, g->start, g->end, g->weight);
        cc_bound_format(bounds->bound[b], bound);
        fprintf(out, "%s,", bound);
        write_ratio(out, cc_cov_u(t));
        write_ratio(out, cc_cov_w(t));
        fprintf(out,
                "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%" PRIu64 ",",
                t->found, t->missed, t->found_occurrences,
                t->missed_occurrences, t->spanning, t->spanning_occurrences);
        write_ratio(out, g->score->precision);
        write_ratio(out, g->score->agreement);
        fputs(",,,,,,,,,,,\r\n", out);
    }
}

/* The columns of one end. */
static void write_end(FILE *out, const struct cc_report *report,
                      uint32_t object, uint64_t address)
{
    struct cc_location site;

    cc_symbolize(report->sites, object, address, &site);
    fprintf(out, "0x%" PRIx64 ",", address);
    write_text(out, site.insn.length > 0 ? site.insn.text : "");
    fputc(',', out);
    if (site.frames[0].line > 0) {
        char line[512];

        snprintf(line, sizeof line, "%s:%d", cc_base_name(site.frames[0].file),
                 site.frames[0].line);
        write_text(out, line);
    }
    fputc(',', out);
}

static void write_pair(FILE *out, const struct cc_report *report,
                       const char *row, uint32_t block, uint64_t src,
                       uint64_t dst)
{
    const struct cc_block *b = &report->data->blocks[block];
    uint64_t start;

    write_head(out, row, &report->data->objects[b->object],
               cc_symbolize_function(report->sites, block, &start), b->start,
               b->end, b->weight);
    fputs(",,,,,,,,,,,", out);
    write_end(out, report, b->object, src);
    write_end(out, report, b->object, dst);
}

static void write_dynamic(FILE *out, const struct cc_report *report,
                          const char *row, uint32_t number)
{
    const struct cc_observed *d = &report->data->dynamics[number];

    write_pair(out, report, row, d->src_block, d->src, d->dst);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,%s,\r\n",
            cc_counts(report->data, d)[0], d->min_distance, d->max_distance,
            cc_reason_name(cc_reason_of(report->data, d)));
}

/* Where the dependencies of all blocks lie. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (int s = 0; s < CC_N_SCOPES; s++) {
            char bound[CC_CELL];

            write_head(out, "scope", NULL, NULL, 0, 0, 0);
            cc_bound_format(report->data->bounds.bound[b], bound);
            fprintf(out, "%s,,,,,,,,,,,,,,,,,%" PRIu64 ",,,,,%s\r\n", bound,
                    report->scopes[b].occurrences[s],
                    cc_scope_name((enum cc_scope)s));
        }
}

static void write_reasons(FILE *out, const struct cc_report *report)
{
    for (unsigned b = 0; b < report->data->bounds.n; b++)
        for (int r = 0; r < CC_N_REASONS; r++) {
            const struct cc_reason_counts *c = &report->reasons[b];
            char bound[CC_CELL];

            write_head(out, "reason", NULL, NULL, 0, 0, 0);
            cc_bound_format(report->data->bounds.bound[b], bound);
            fprintf(out, "%s,,,,%" PRIu64 ",,%" PRIu64 ",,,,,,,,,,,,,,,%s,\r\n",
                    bound, c->dependencies[r], c->occurrences[r],
                    cc_reason_name((enum cc_reason)r));
        }
}

void cc_report_csv(FILE *out, const struct cc_report *report)
{
    const struct cc_group total = {.object = CC_NONE, .score = report->total};

    fputs(header, out);
    write_score(out, report, "total", &total);
    for (size_t i = 0; i < report->groups->n; i++)
        write_score(out, report, cc_by_name(report->groups->by),
                    &report->groups->list[i]);
    write_scopes(out, report);
    write_reasons(out, report);
    for (size_t i = 0; report->comparison && i < report->comparison->n_lost;
         i++)
        write_dynamic(out, report, "lost", report->comparison->lost[i]);
    for (size_t i = 0; report->missed && i < report->missed->n; i++)
        write_dynamic(out, report, "missed", report->missed->items[i]);
    for (size_t i = 0;
         report->false_positives && i < report->false_positives->n; i++) {
        const struct cc_prediction *p =
            &report->data->predictions[report->false_positives->items[i]];

        write_pair(out, report, "false", p->block, p->src, p->dst);
        fprintf(out, ",,,%" PRIu64 ",,\r\n", p->delta_k);
    }
}
