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

void cc_markdown_code(FILE *out, const char *text)
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

static void write_where(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_where(report, CC_IN_MARKDOWN);

    fputc('\n', out);
    cc_table_markdown(out, &table);
    free(table.cells);
}

static void write_scopes(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scopes(report);

    fputc('\n', out);
    cc_table_markdown(out, &table);
    free(table.cells);
}

static void write_evidences(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_evidences(report);

    if (cc_table_rows(&table) > 0) {
        fputc('\n', out);
        cc_table_markdown(out, &table);
    }
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
        cc_markdown_code(out, o->files[i].path);
        fprintf(out, "%s | %" PRIu64 " |\n",
                o->files[i].is_analysed ? ", in no block" : "",
                o->files[i].occurrences[0]);
    }
    if (o->n > n)
        fprintf(out, "| and %zu more | |\n", o->n - n);
    if (command != NULL) {
        fputs("\nTo score it: ", out);
        cc_markdown_code(out, command);
        fputc('\n', out);
    }
    free(command);
}

static void write_threads(FILE *out, const struct cc_report *report)
{
    char bound[CC_BOUND];
    const struct cc_where_counts *c = cc_report_between_threads(report, bound);

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

void cc_markdown_line(FILE *out, const char *file, int line)
{
    char text[512] = "(no line)";

    if (line > 0)
        snprintf(text, sizeof text, "%s:%d", cc_base_name(file), line);
    cc_markdown_code(out, text);
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
            cc_markdown_line(out, g->file, g->line);
            fputs(" in ", out);
        } else if (report->groups->by != CC_BY_OBJECT) {
            demangle_write(out, g->function ? g->function : "(no function)",
                           cc_markdown_code);
            fputs(" in ", out);
        }
        cc_markdown_code(out, report->data->objects[g->object].path);
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

void cc_report_markdown(FILE *out, const struct cc_report *report)
{
    char headline[CC_HEADLINE];

    cc_headline(report, headline);
    fprintf(out, "%s\n\n", headline);
    cc_notes_write(out, report->notes, "", "\n\n", cc_markdown_code);
    fputs("Program: ", out);
    cc_markdown_code(out, report->program);
    fputs("\n\n", out);
    write_score(out, report);
    if (report->groups->by != CC_BY_NONE)
        write_groups(out, report);
    if (report->data->scope > CC_SCOPE_BLOCK)
        write_scopes(out, report);
    write_evidences(out, report);
    write_where(out, report);
    write_outside(out, report);
    write_figures(out, report);
    write_threads(out, report);
    write_forwards(out, report);
    if (report->n_checks > 0)
        write_checks(out, report);
    cc_report_markdown_lists(out, report);
}
