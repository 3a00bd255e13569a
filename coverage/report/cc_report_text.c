/*
 * cc_report_text: the score as tables for a terminal of 80 columns.
 *
 * Columns grow with their numbers, so counts beyond some 10^8 make the lines
 * longer than that.
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

enum colour { PLAIN, BOLD, RED, GREEN };

static const char *paint(const struct cc_report *report, enum colour colour)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[m",
        [BOLD] = "\033[1m",
        [RED] = "\033[31m",
        [GREEN] = "\033[32m",
    };

    return report->has_colour ? codes[colour] : "";
}

static void write_score(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scores(report, CC_IN_TEXT);

    cc_table_text(out, &table, paint(report, BOLD), paint(report, PLAIN));
    free(table.cells);
}

static void write_precision(FILE *out, const struct cc_score *s)
{
    char cell[CC_CELL];

    cc_cell_ratio(s->precision, cell);
    fprintf(out, "%-17s  %7s", "precision", cell);
    if (s->precision.whole > 0)
        fprintf(out,
                "  %" PRIu64 " of %" PRIu64
                " predictions occurred at any distance",
                s->precision.part, s->precision.whole);
    fputc('\n', out);
}

static void write_agreement(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    struct cc_ratio agreement = report->total->agreement;
    char cell[CC_CELL], bound[CC_CELL];

    cc_cell_ratio(agreement, cell);
    cc_bound_format(bounds->bound[cc_bounds_largest(bounds)], bound);
    fprintf(out, "%-17s  %7s", "delta-k agreement", cell);
    if (agreement.whole > 0)
        fprintf(out,
                "  %" PRIu64 " of %" PRIu64
                " found at %s in blocks that repeat",
                agreement.part, agreement.whole, bound);
    fputc('\n', out);
}

static void write_blocks(FILE *out, const struct cc_report *report)
{
    const struct cc_score *s = report->total;
    char filter[CC_FILTER_TEXT];

    cc_filter_text(&report->filter, filter);
    fprintf(out, "%-17s  %7" PRIu64 "  of %" PRIu64 " %s\n", "blocks kept",
            s->n_kept, s->n_blocks, filter);
    if (s->n_unanalysed > 0)
        fprintf(out, "%-17s  %7" PRIu64 "  of those kept\n",
                "blocks unanalysed", s->n_unanalysed);
}

/* Without a name, those outside any function. */
static void write_group_name(FILE *out, const struct cc_report *report,
                             const struct cc_group *g)
{
    enum cc_by by = report->groups->by;

    if (by == CC_BY_BLOCK)
        fprintf(out, "%" PRIx64 "-%" PRIx64 " ", g->start, g->end);
    if (by == CC_BY_LINE) {
        cc_write_safe(out, g->line > 0 ? cc_base_name(g->file) : "(no line)");
        if (g->line > 0)
            fprintf(out, ":%d", g->line);
        fputs(" in ", out);
    } else if (by != CC_BY_OBJECT) {
        demangle_write(out, g->function != NULL ? g->function : "(no function)",
                       cc_write_safe);
        fputs(" in ", out);
    }
    cc_write_safe(out, report->data->objects[g->object].path);
}

/* One row for each group: cov_u and cov_w at each bound, and what they are
   made of at the first.  The name comes last, as it may be long. */
static void write_groups(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char cell[CC_CELL];

    fputs("\n      found     missed", out);
    for (unsigned b = 0; b < bounds->n; b++) {
        cc_bound_format(bounds->bound[b], cell);
        fprintf(out, "  --- %s", cell);
        for (size_t i = strlen(cell); i < 12; i++)
            fputc(i == strlen(cell) ? ' ' : '-', out);
    }
    fputs("\noccurrences  occurrences", out);
    for (unsigned b = 0; b < bounds->n; b++)
        fputs("    cov_u    cov_w", out);
    fprintf(out, "  %s\n", cc_by_name(report->groups->by));
    for (size_t i = 0; i < report->groups->n; i++) {
        const struct cc_group *g = &report->groups->list[i];

        fprintf(out, "%11" PRIu64 "  %11" PRIu64,
                g->score->tally[0].found_occurrences,
                g->score->tally[0].missed_occurrences);
        for (unsigned b = 0; b < bounds->n; b++) {
            cc_cell_ratio(cc_cov_u(&g->score->tally[b]), cell);
            fprintf(out, "  %7s", cell);
            cc_cell_ratio(cc_cov_w(&g->score->tally[b]), cell);
            fprintf(out, "  %7s", cell);
        }
        fputs("  ", out);
        write_group_name(out, report, g);
        fputc('\n', out);
    }
}

/* Where the two ends of all that occurred lie. */
static void write_where(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_where(report, CC_IN_TEXT);

    fputc('\n', out);
    cc_table_text(out, &table, "", "");
    free(table.cells);
}

/* The score of each scope up to that of the report. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_scopes(report);

    fputc('\n', out);
    cc_table_text(out, &table, "", "");
    free(table.cells);
}

/* What walks showed, and what was inferred. */
static void write_evidences(FILE *out, const struct cc_report *report)
{
    struct cc_table table = cc_table_of_evidences(report);

    if (cc_table_rows(&table) > 0) {
        fputc('\n', out);
        cc_table_text(out, &table, "", "");
    }
    free(table.cells);
}

/* What is outside, and how to have it inside. */
static void write_outside(FILE *out, const struct cc_report *report)
{
    const struct cc_outside *o = report->outside;
    size_t n = o->n_listed;
    char *command = cc_outside_command(report->data, o), bound[CC_BOUND];

    if (o->n == 0)
        return;
    cc_bound_format(report->data->bounds.bound[0], bound);
    fprintf(out, "\noutside, at lifetime %s\n", bound);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "  %10" PRIu64 "  ", o->files[i].occurrences[0]);
        cc_write_safe(out, o->files[i].path);
        fputs(o->files[i].is_analysed ? ", in no block\n" : "\n", out);
    }
    if (o->n > n)
        fprintf(out, "  and %zu more\n", o->n - n);
    if (command != NULL) {
        fputs("to score it: ", out);
        cc_write_safe(out, command);
        fputc('\n', out);
    }
    free(command);
}

/* Loads of what another thread stored are no iterations of a loop. */
static void write_threads(FILE *out, const struct cc_report *report)
{
    char bound[CC_BOUND];
    const struct cc_where_counts *c = cc_report_between_threads(report, bound);

    if (c == NULL)
        return;
    fprintf(out,
            "%-17s  %7" PRIu64 "  dependencies at lifetime %s, with %" PRIu64
            " occurrences\n",
            "between threads", c->cross_thread, bound,
            c->cross_thread_occurrences);
}

static void write_forwards(FILE *out, const struct cc_report *report)
{
    char text[CC_FORWARDS];

    if (cc_forwards_format(report, text))
        fprintf(out, "%-17s  %s\n", "forwards", text);
}

static void write_checks(FILE *out, const struct cc_report *report)
{
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct cc_check *c = &report->checks[i];
        struct diag d;

        cc_check_describe(c, &d);
        fprintf(out, "%s%s%s%s  %s\n", i == 0 ? "\n" : "",
                paint(report, c->passed ? GREEN : RED),
                c->passed ? "passed" : "FAILED", paint(report, PLAIN), d.text);
    }
}

void cc_report_text(FILE *out, const struct cc_report *report)
{
    bool names_objects = report->groups->by != CC_BY_OBJECT;
    char headline[CC_HEADLINE];

    cc_headline(report, headline);
    fprintf(out, "%s\n", headline);
    cc_notes_write(out, report->notes, "", "\n", cc_write_safe);
    fputc('\n', out);
    for (uint32_t i = 0; names_objects && i < report->data->n_objects; i++) {
        cc_write_safe(out, report->data->objects[i].path);
        fputc('\n', out);
    }
    if (names_objects)
        fputc('\n', out);
    write_score(out, report);
    if (report->groups->by != CC_BY_NONE)
        write_groups(out, report);
    if (report->data->scope > CC_SCOPE_BLOCK)
        write_scopes(out, report);
    write_evidences(out, report);
    write_where(out, report);
    write_outside(out, report);
    fputc('\n', out);
    write_precision(out, report->total);
    write_agreement(out, report);
    write_blocks(out, report);
    write_threads(out, report);
    write_forwards(out, report);
    write_checks(out, report);
    cc_report_text_lists(out, report);
}
