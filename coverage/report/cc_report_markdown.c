/*
 * cc_report_markdown: the score as tables for a comment on a pull request.
 *
 * Names are code spans.  GitHub and GitLab cut tables at "|", which is
 * escaped even there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/cc_cells.h"
#include "object/demangle.h"
#include "report/cc_headline.h"
#include "report/cc_report.h"
#include "report/cc_table.h"

/* A text that may hold anything, as one code span. */
static void write_code(FILE *out, const char *text)
{
    fputs(strchr(text, '`') != NULL ? "`` " : "`", out);
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '|')
            fputs("\\|", out);
        else
            fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, out);
    fputs(strchr(text, '`') != NULL ? " ``" : "`", out);
}

static void write_score(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scores(report, CC_IN_MARKDOWN);

    cc_table_markdown(out, &table);
    free(table.cells);
}

static void write_scopes(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scopes(report, CC_IN_MARKDOWN);

    fputc('\n', out);
    cc_table_markdown(out, &table);
    free(table.cells);
}

static void write_reaches(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_reaches(report);

    fputc('\n', out);
    cc_table_markdown(out, &table);
    free(table.cells);
}

static void write_outside(FILE *out, const struct cc_report *report)
{
    const struct cc_outside *o = report->outside;
    size_t n = o->n_listed;
    char *command = cc_outside_command(report->data, o), bound[CC_BOUND];

    if (o->n == 0)
        return;
    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out, "\n| outside | occurrences at lifetime %s |\n|---|---:|\n",
            bound);
    for (size_t i = 0; i < n; i++) {
        fputs("| ", out);
        write_code(out, o->files[i].path);
        fprintf(out, "%s | %" PRIu64 " |\n",
                o->files[i].is_analysed ? ", in no block" : "",
                o->files[i].occurrences[0]);
    }
    if (o->n > n)
        fprintf(out, "| and %zu more | |\n", o->n - n);
    if (command != NULL) {
        fputs("\nTo score it: ", out);
        write_code(out, command);
        fputc('\n', out);
    }
    free(command);
}

static void write_threads(FILE *out, const struct cc_report *report)
{
    char bound[CC_BOUND];
    const struct cc_scope_counts *c = cc_report_between_threads(report, bound);

    if (c == NULL)
        return;
    fprintf(out,
            "\nBetween threads: %" PRIu64 " dependencies at lifetime %s, with"
            " %" PRIu64 " occurrences.\n",
            c->cross_thread, bound, c->cross_thread_occurrences);
}

static void write_forwards(FILE *out, const struct cc_report *report)
{
    char text[CC_FORWARDS];

    if (cc_forwards_format(report, text))
        fprintf(out, "\nForwards: %s.\n", text);
}

static void write_figures(FILE *out, const struct cc_report *report)
{
    const struct cc_score *s = report->total;
    char precision[CC_CELL], agreement[CC_CELL], filter[CC_FILTER_TEXT];

    cc_cell_ratio(s->precision, precision);
    cc_cell_ratio(s->agreement, agreement);
    cc_filter_text(&report->filter, filter);
    fprintf(out,
            "\nPrecision at any distance: %s of %" PRIu64
            " predictions. Δk agreement: %s of"
            " %" PRIu64 " found in blocks that repeat. Blocks kept: %" PRIu64
            " of %" PRIu64 " %s, %" PRIu64 " of them unanalysed.\n",
            precision, s->precision.whole, agreement, s->agreement.whole,
            s->n_kept, s->n_blocks, filter, s->n_unanalysed);
}

static void write_line(FILE *out, const char *file, int line)
{
    char text[512] = "(no line)";

    if (line > 0)
        snprintf(text, sizeof text, "%s:%d", cc_base_name(file), line);
    write_code(out, text);
}

static void write_groups(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char cell[CC_CELL];

    fprintf(out, "\n| %s |", cc_by_name(report->groups->by));
    for (unsigned b = 0; b < bounds->n; b++) {
        cc_bound_format(bounds->bound[b], cell);
        fprintf(out, " cov_u %s | cov_w %s |", cell, cell);
    }
    fputs(" occurrences found | occurrences missed |\n|---|", out);
    for (unsigned b = 0; b <= bounds->n; b++)
        fputs("---:|---:|", out);
    fputc('\n', out);
    for (size_t i = 0; i < report->groups->n; i++) {
        const struct cc_group *g = &report->groups->list[i];

        fputs("| ", out);
        if (report->groups->by == CC_BY_BLOCK)
            fprintf(out, "%" PRIx64 "-%" PRIx64 " ", g->start, g->end);
        if (report->groups->by == CC_BY_LINE) {
            write_line(out, g->file, g->line);
            fputs(" in ", out);
        } else if (report->groups->by != CC_BY_OBJECT) {
            demangle_write(out, g->function ? g->function : "(no function)",
                           write_code);
            fputs(" in ", out);
        }
        write_code(out, report->data->objects[g->object].path);
        for (unsigned b = 0; b < bounds->n; b++) {
            cc_cell_ratio(cc_cov_u(&g->score->tally[b]), cell);
            fprintf(out, " | %s", cell);
            cc_cell_ratio(cc_cov_w(&g->score->tally[b]), cell);
            fprintf(out, " | %s", cell);
        }
        fprintf(out, " | %" PRIu64 " | %" PRIu64 " |\n",
                g->score->tally[0].found_occurrences,
                g->score->tally[0].missed_occurrences);
    }
}

static void write_checks(FILE *out, const struct cc_report *report)
{
    fputs("\n| gate | |\n|---|---|\n", out);
    for (size_t i = 0; i < report->n_checks; i++) {
        struct diag d;

        cc_check_describe(&report->checks[i], &d);
        fprintf(out, "| %s | %s |\n", d.text,
                report->checks[i].passed ? "passed" : "**failed**");
    }
}

static void write_end(FILE *out, const struct cc_report *report,
                      uint32_t object, uint64_t address)
{
    struct cc_location at;

    cc_symbolize(report->symbolizer, object, address, &at);
    write_code(out, at.insn.length > 0 ? at.insn.text : "(no code)");
    fprintf(out, " %" PRIx64, address);
    if (at.frames[0].line > 0) {
        fputs(" ", out);
        write_line(out, at.frames[0].file, at.frames[0].line);
    }
}

static void write_function(FILE *out, const char *function)
{
    demangle_write(out, function != NULL ? function : "(no function)",
                   write_code);
}

/* Of two functions both are named, and of two objects, too. */
static void write_functions(FILE *out, const struct cc_report *report,
                            uint32_t src_block, uint32_t dst_block)
{
    const struct cc_data *data = report->data;
    const uint32_t blocks[] = {src_block, dst_block};
    enum cc_reach reach = cc_reach_of(data, src_block, dst_block);
    uint64_t start;

    for (int i = 0; i < (reach > CC_REACH_FUNCTION ? 2 : 1); i++) {
        fputs(i > 0 ? " → " : "", out);
        write_function(
            out, cc_symbolize_function(report->symbolizer, blocks[i], &start));
        if (reach < CC_REACH_PROGRAM)
            continue;
        fputs(" in ", out);
        write_code(out, data->objects[data->blocks[blocks[i]].object].path);
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
        fprintf(out, " | %" PRIu64 " | %" PRIu64 " to %" PRIu64 " | %s%s%s |\n",
                cc_counts(report->data, d)[0], d->min_distance, d->max_distance,
                d->is_cross_thread ? "between threads; " : "",
                cc_forwards_fail(&d->forwards) ? "forward fails; " : "",
                deltas != NULL ? deltas
                               : cc_reason_text(cc_reason_of(report->data, d)));
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
        fprintf(out, " | %" PRIu64 " |\n",
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
    write_code(out, end->insn != NULL ? end->insn : "(no code)");
    fprintf(out, " %" PRIx64, end->address);
    if (end->line != NULL) {
        fputs(" ", out);
        write_code(out, end->line);
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

void cc_report_markdown(FILE *out, const struct cc_report *report)
{
    char headline[CC_HEADLINE];

    cc_headline(report, headline);
    fprintf(out, "%s\n\n", headline);
    cc_notes_write(out, report->notes, "", "\n\n", write_code);
    fputs("Program: ", out);
    write_code(out, report->program);
    fputs("\n\n", out);
    write_score(out, report);
    if (report->groups->by != CC_BY_NONE)
        write_groups(out, report);
    if (report->data->reach > CC_REACH_BLOCK)
        write_reaches(out, report);
    write_scopes(out, report);
    write_outside(out, report);
    write_figures(out, report);
    write_threads(out, report);
    write_forwards(out, report);
    if (report->n_checks > 0)
        write_checks(out, report);
    if (report->comparison != NULL)
        write_comparison(out, report);
    if (report->found != NULL)
        write_found(out, report);
    if (report->missed != NULL)
        write_missed(out, report);
    if (report->false_positives != NULL)
        write_false_positives(out, report);
}
