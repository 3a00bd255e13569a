/*
 * cc_report_text: the score as a table for a terminal of 80 columns.
 *
 * Columns grow with their numbers, so counts beyond some 10^9 make the lines
 * longer than that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>

#include "cc_report.h"

#define CELL 24 /* the longest: 20 digits */

enum {
    LIFETIME,
    COV_U,
    COV_W,
    FOUND,
    MISSED,
    SPANNING,
    FOUND_OCC,
    MISSED_OCC,
    N_COLUMNS
};

/* Above those from FOUND on stands what they count. */
static const char *const headings[N_COLUMNS] = {
    "lifetime", "cov_u",    "cov_w", "found",
    "missed",   "spanning", "found", "missed",
};

static void format_number(uint64_t n, char cell[CELL])
{
    snprintf(cell, CELL, "%" PRIu64, n);
}

static void format_bound(uint64_t bound, char cell[CELL])
{
    if (bound == LIFETIME_INF)
        snprintf(cell, CELL, "inf");
    else
        format_number(bound, cell);
}

/* One digit after the point, but neither 100.0% nor 0.0% unless it is. */
static void format_ratio(struct cc_ratio r, char cell[CELL])
{
    double percent;

    if (r.whole == 0) {
        snprintf(cell, CELL, "no data");
        return;
    }
    percent = cc_percent(r);
    if (r.part < r.whole && percent > 99.9)
        percent = 99.9;
    if (r.part > 0 && percent < 0.1)
        percent = 0.1;
    snprintf(cell, CELL, "%.1f%%", percent);
}

static void format_row(uint64_t bound, const struct cc_tally *t,
                       char row[N_COLUMNS][CELL])
{
    format_bound(bound, row[LIFETIME]);
    format_ratio(cc_cov_u(t), row[COV_U]);
    format_ratio(cc_cov_w(t), row[COV_W]);
    format_number(t->found, row[FOUND]);
    format_number(t->missed, row[MISSED]);
    format_number(t->spanning, row[SPANNING]);
    format_number(t->found_occurrences, row[FOUND_OCC]);
    format_number(t->missed_occurrences, row[MISSED_OCC]);
}

/* The heading of the columns from `first` to `last`: its text amid a line. */
static void write_group(FILE *out, const int width[N_COLUMNS], int first,
                        int last, const char *text)
{
    int n = 2 * (last - first) - (int)strlen(text) - 2;

    for (int c = first; c <= last; c++)
        n += width[c];
    for (int i = 0; i < n / 2; i++)
        fputc('-', out);
    fprintf(out, " %s ", text);
    for (int i = n / 2; i < n; i++)
        fputc('-', out);
}

static void write_table(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char rows[LIFETIMES_MAX][N_COLUMNS][CELL];
    int width[N_COLUMNS];

    for (int c = 0; c < N_COLUMNS; c++)
        width[c] = c >= FOUND_OCC ? 9 : (int)strlen(headings[c]);
    for (unsigned r = 0; r < bounds->n; r++) {
        format_row(bounds->bound[r], &report->total->tally[r], rows[r]);
        for (int c = 0; c < N_COLUMNS; c++)
            if ((int)strlen(rows[r][c]) > width[c])
                width[c] = (int)strlen(rows[r][c]);
    }
    fprintf(out, "%*s", width[LIFETIME] + width[COV_U] + width[COV_W] + 6, "");
    write_group(out, width, FOUND, SPANNING, "dependencies");
    fputs("  ", out);
    write_group(out, width, FOUND_OCC, MISSED_OCC, "occurrences");
    fputc('\n', out);
    for (int c = 0; c < N_COLUMNS; c++)
        fprintf(out, "%*s%s", width[c], headings[c],
                c + 1 < N_COLUMNS ? "  " : "\n");
    for (unsigned r = 0; r < bounds->n; r++)
        for (int c = 0; c < N_COLUMNS; c++)
            fprintf(out, "%*s%s", width[c], rows[r][c],
                    c + 1 < N_COLUMNS ? "  " : "\n");
}

static void write_precision(FILE *out, const struct cc_score *s)
{
    char cell[CELL];

    format_ratio(s->precision, cell);
    fprintf(out, "%-17s  %7s", "precision", cell);
    if (s->precision.whole > 0)
        fprintf(out, "  %" PRIu64 " of %" PRIu64 " predictions occurred",
                s->precision.part, s->precision.whole);
    fputc('\n', out);
}

static void write_agreement(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    struct cc_ratio agreement = report->total->agreement;
    char cell[CELL], bound[CELL];

    format_ratio(agreement, cell);
    format_bound(bounds->bound[cc_bounds_largest(bounds)], bound);
    fprintf(out, "%-17s  %7s", "delta-k agreement", cell);
    if (agreement.whole > 0)
        fprintf(out, "  %" PRIu64 " of %" PRIu64 " found at lifetime %s",
                agreement.part, agreement.whole, bound);
    fputc('\n', out);
}

static void write_blocks(FILE *out, const struct cc_report *report)
{
    const struct cc_score *s = report->total;

    fprintf(out,
            "%-17s  %7" PRIu64 "  of %" PRIu64
            " ran at least %.12g%% as often as the heaviest\n",
            "blocks kept", s->n_kept, s->n_blocks, report->min_weight);
    if (s->n_unanalysed > 0)
        fprintf(out, "%-17s  %7" PRIu64 "  of those kept\n",
                "blocks unanalysed", s->n_unanalysed);
}

/* A path may hold anything; it must not control the terminal. */
static void write_path(FILE *out, const char *path)
{
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;

        fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
    }
    fputc('\n', out);
}

void cc_report_text(FILE *out, const struct cc_report *report)
{
    for (uint32_t i = 0; i < report->data->n_objects; i++)
        write_path(out, report->data->objects[i].path);
    fputc('\n', out);
    write_table(out, report);
    fputc('\n', out);
    write_precision(out, report->total);
    write_agreement(out, report);
    write_blocks(out, report);
}
