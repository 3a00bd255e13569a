/*
 * cc_table: what a table says, whatever it is written as.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "report/cc_cells.h"
#include "memory.h"

#define IN_ALL (CC_IN_TEXT | CC_IN_MARKDOWN | CC_IN_HTML)

/* --- What tables say --- */

/* Figures of one unit are neighbours. */
static const struct {
    enum cc_figure figure;
    unsigned shown;
    int width;
} score_columns[] = {
    {CC_COV_U, IN_ALL, 0},
    {CC_COV_W, IN_ALL, 0},
    {CC_PRECISION, IN_ALL, 0},
    {CC_N_FOUND, IN_ALL, 0},
    {CC_N_MISSED, IN_ALL, 0},
    {CC_N_SPANNING, IN_ALL, 0},
    {CC_FOUND_OCCURRENCES, IN_ALL, 7},
    {CC_MISSED_OCCURRENCES, IN_ALL, 7},
    {CC_SPANNING_OCCURRENCES, CC_IN_HTML, 7},
};

#define N_SCORE_COLUMNS (sizeof score_columns / sizeof score_columns[0])

static void add_column(struct cc_table *t, const char *heading,
                       const char *unit, int width)
{
    int least = (int)strlen(heading);

    assert(t->n_columns < sizeof t->columns / sizeof t->columns[0]);
    assert(t->n_cells == 0);
    t->columns[t->n_columns++] =
        (struct cc_column){heading, unit, width > least ? width : least};
}

static void add_cell(struct cc_table *t, struct cc_cell cell)
{
    assert(cell.kind != CC_CELL_RATIO || cell.ratio.part <= cell.ratio.whole);
    t->cells =
        memory_grow(t->cells, &t->capacity, t->n_cells, sizeof *t->cells);
    t->cells[t->n_cells++] = cell;
}

static void add_figure(struct cc_table *t, enum cc_figure figure,
                       const struct cc_score *score, unsigned bound)
{
    struct cc_cell cell = {.kind = CC_CELL_COUNT};

    if (cc_figures[figure].unit != NULL)
        cell.number = cc_figure_count(figure, &score->tally[bound]);
    else {
        cell.kind = CC_CELL_RATIO;
        cell.ratio = cc_figure_ratio(figure, score, bound);
    }
    add_cell(t, cell);
}

struct cc_table cc_table_of_scores(const struct cc_report *report,
                                   enum cc_renderer renderer)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    struct cc_table t = {.grows = true, .id = "coverage"};

    add_column(&t, "lifetime", NULL, 0);
    for (size_t i = 0; i < N_SCORE_COLUMNS; i++) {
        const struct cc_figure_def *f = &cc_figures[score_columns[i].figure];

        if (score_columns[i].shown & renderer)
            add_column(&t, f->heading, f->unit, score_columns[i].width);
    }
    for (unsigned row = 0; row < bounds->n; row++) {
        unsigned b = report->order[row];

        add_cell(&t, (struct cc_cell){CC_CELL_BOUND, bounds->bound[b], {0}});
        for (size_t i = 0; i < N_SCORE_COLUMNS; i++)
            if (score_columns[i].shown & renderer)
                add_figure(&t, score_columns[i].figure, report->total, b);
    }
    return t;
}

struct cc_table cc_table_of_where(const struct cc_report *report,
                                  enum cc_renderer renderer)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    bool sum_first = renderer == CC_IN_MARKDOWN;
    struct cc_table t = {0};

    add_column(&t, "lifetime", NULL, 0);
    if (sum_first)
        add_column(&t, "all occurrences", NULL, 0);
    for (enum cc_where s = 0; s < CC_N_WHERE; s++)
        add_column(&t, cc_where_text(s), NULL, 0);
    if (!sum_first)
        add_column(&t, "occurrences", NULL, 0);
    for (unsigned row = 0; row < bounds->n; row++) {
        unsigned b = report->order[row];
        const struct cc_where_counts *c = &report->where[b];
        const struct cc_cell all = {CC_CELL_COUNT, c->all, {0}};

        add_cell(&t, (struct cc_cell){CC_CELL_BOUND, bounds->bound[b], {0}});
        if (sum_first)
            add_cell(&t, all);
        for (enum cc_where s = 0; s < CC_N_WHERE; s++)
            add_cell(&t, (struct cc_cell){
                             CC_CELL_RATIO, 0, {c->occurrences[s], c->all}});
        if (!sum_first)
            add_cell(&t, all);
    }
    return t;
}

static void add_scope(struct cc_table *t, const struct cc_report *report,
                      enum cc_scope scope, unsigned b)
{
    const struct cc_score *s = &report->by_scope[scope];
    const struct cc_where_counts *c = &report->where[b];

    add_cell(t, (struct cc_cell){CC_CELL_SCOPE, scope, {0}});
    add_cell(
        t, (struct cc_cell){CC_CELL_BOUND, report->data->bounds.bound[b], {0}});
    add_cell(t, (struct cc_cell){CC_CELL_RATIO, 0, {c->within[scope], c->all}});
    add_figure(t, CC_COV_U, s, b);
    add_figure(t, CC_COV_W, s, b);
    add_figure(t, CC_PRECISION, s, b);
    add_figure(t, CC_N_FOUND, s, b);
    add_figure(t, CC_N_MISSED, s, b);
    add_cell(t, (struct cc_cell){CC_CELL_COUNT,
                                 s->precision.whole - s->precision.part,
                                 {0}});
}

struct cc_table cc_table_of_scopes(const struct cc_report *report)
{
    static const char *const headings[] = {"scope", "lifetime", "of all",
                                           "cov_u", "cov_w",    "precision",
                                           "found", "missed",   "false"};
    struct cc_table t = {.grows = true};

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        add_column(&t, headings[i], NULL, 0);
    for (enum cc_scope r = 0; r <= report->data->scope; r++)
        for (unsigned b = 0; b < report->data->bounds.n; b++)
            add_scope(&t, report, r, report->order[b]);
    return t;
}

static void add_evidence(struct cc_table *t, const struct cc_report *report,
                         enum cc_scope scope, unsigned b, enum cc_evidence e)
{
    const struct cc_score *s = &report->by_evidence[scope * CC_N_EVIDENCES + e];
    const struct cc_tally *tally = &s->tally[b],
                          *all = &report->by_scope[scope].tally[b];

    add_cell(t, (struct cc_cell){CC_CELL_SCOPE, scope, {0}});
    add_cell(
        t, (struct cc_cell){CC_CELL_BOUND, report->data->bounds.bound[b], {0}});
    add_cell(t, (struct cc_cell){CC_CELL_EVIDENCE, e, {0}});
    add_cell(t, (struct cc_cell){CC_CELL_COUNT, s->precision.whole, {0}});
    add_cell(t, (struct cc_cell){CC_CELL_COUNT, tally->occurred, {0}});
    add_figure(t, CC_PRECISION, s, b);
    add_figure(t, CC_N_FOUND, s, b);
    add_cell(t, (struct cc_cell){
                    CC_CELL_RATIO,
                    0,
                    {tally->found_occurrences, all->found_occurrences}});
}

struct cc_table cc_table_of_evidences(const struct cc_report *report)
{
    static const char *const headings[] = {"scope",     "lifetime", "evidence",
                                           "predicted", "true",     "precision",
                                           "found",     "share_w"};
    enum cc_scope widest = report->data->scope;
    struct cc_table t = {.grows = true};

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        add_column(&t, headings[i], NULL, 0);
    if (cc_count_evidences(report->by_evidence, widest) < 2)
        return t;
    for (enum cc_scope r = 0; r <= widest; r++)
        for (unsigned b = 0; b < report->data->bounds.n; b++)
            for (enum cc_evidence e = 0; e < CC_N_EVIDENCES; e++)
                if (report->by_evidence[r * CC_N_EVIDENCES + e]
                        .precision.whole > 0)
                    add_evidence(&t, report, r, report->order[b], e);
    return t;
}

struct cc_table cc_table_of_forwards(const struct cc_report *report)
{
    static const char *const headings[] = {
        "lifetime", "same bytes",      "contained",  "partial",
        "several",  "crossing a line", "occurrences"};
    struct cc_table t = {0};

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        add_column(&t, headings[i], NULL, 0);
    for (unsigned row = 0; row < report->data->bounds.n; row++) {
        unsigned b = report->order[row];
        const struct cc_forwards *f = &report->data->forwards[b];
        uint64_t all = cc_forwards_known(f);

        add_cell(&t, (struct cc_cell){
                         CC_CELL_BOUND, report->data->bounds.bound[b], {0}});
        for (int i = 0; i < FORWARD_N; i++)
            add_cell(&t, (struct cc_cell){CC_CELL_RATIO, 0, {f->by[i], all}});
        add_cell(&t, (struct cc_cell){CC_CELL_RATIO, 0, {f->crossing, all}});
        add_cell(&t, (struct cc_cell){CC_CELL_COUNT, all, {0}});
    }
    return t;
}

size_t cc_table_rows(const struct cc_table *t)
{
    assert(t->n_columns > 0 && t->n_cells % t->n_columns == 0);
    return t->n_cells / t->n_columns;
}

size_t cc_table_unit_end(const struct cc_table *t, size_t column)
{
    const char *unit = t->columns[column].unit;
    size_t end = column + 1;

    assert(column < t->n_columns);
    while (unit != NULL && end < t->n_columns && t->columns[end].unit != NULL &&
           strcmp(t->columns[end].unit, unit) == 0)
        end++;
    return end;
}

/* --- What they are written as --- */

static void format_cell(const struct cc_cell *cell, char text[CC_CELL])
{
    switch (cell->kind) {
    case CC_CELL_BOUND:
        cc_bound_format(cell->number, text);
        break;
    case CC_CELL_COUNT:
        cc_cell_number(cell->number, text);
        break;
    case CC_CELL_RATIO:
        cc_cell_ratio(cell->ratio, text);
        break;
    case CC_CELL_SCOPE:
        snprintf(text, CC_CELL, "%s",
                 cc_scope_name((enum cc_scope)cell->number));
        break;
    case CC_CELL_EVIDENCE:
        snprintf(text, CC_CELL, "%s",
                 cc_evidence_name((enum cc_evidence)cell->number));
        break;
    }
}

static void grow_columns(const struct cc_table *t, int *width)
{
    char text[CC_CELL];

    for (size_t i = 0; i < t->n_cells; i++) {
        int *w = &width[i % t->n_columns];

        format_cell(&t->cells[i], text);
        if ((int)strlen(text) > *w)
            *w = (int)strlen(text);
    }
}

/* A unit amid a line, which is as wide as the columns below it. */
static void write_unit(FILE *out, const char *unit, int width)
{
    int n = width - (int)strlen(unit) - 2;

    for (int i = 0; i < n / 2; i++)
        fputc('-', out);
    fprintf(out, " %s ", unit);
    for (int i = n / 2; i < n; i++)
        fputc('-', out);
}

static void write_units(FILE *out, const struct cc_table *t, const int *width)
{
    for (size_t c = 0, end; c < t->n_columns; c = end) {
        int n = -2;

        end = cc_table_unit_end(t, c);
        for (size_t i = c; i < end; i++)
            n += 2 + width[i];
        fputs(c > 0 ? "  " : "", out);
        if (t->columns[c].unit != NULL)
            write_unit(out, t->columns[c].unit, n);
        else
            fprintf(out, "%*s", n, "");
    }
    fputc('\n', out);
}

void cc_table_text(FILE *out, const struct cc_table *t, const char *before,
                   const char *after)
{
    int width[sizeof t->columns / sizeof t->columns[0]];
    bool has_units = false;
    char text[CC_CELL];

    assert(cc_table_rows(t) > 0);
    for (size_t c = 0; c < t->n_columns; c++) {
        width[c] = t->columns[c].width;
        has_units |= t->columns[c].unit != NULL;
    }
    if (t->grows)
        grow_columns(t, width);
    if (has_units)
        write_units(out, t, width);
    fputs(before, out);
    for (size_t c = 0; c < t->n_columns; c++)
        fprintf(out, "%s%*s", c > 0 ? "  " : "", width[c],
                t->columns[c].heading);
    fprintf(out, "%s\n", after);
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t c = i % t->n_columns;

        format_cell(&t->cells[i], text);
        fprintf(out, "%*s%s", width[c], text,
                c + 1 < t->n_columns ? "  " : "\n");
    }
}

/* Markdown has no headings over others, so the unit is said where a heading is
   there already. */
static bool is_repeated(const struct cc_table *t, size_t column)
{
    for (size_t c = 0; c < column; c++)
        if (strcmp(t->columns[c].heading, t->columns[column].heading) == 0)
            return true;
    return false;
}

void cc_table_markdown(FILE *out, const struct cc_table *t)
{
    char text[CC_CELL];

    for (size_t c = 0; c < t->n_columns; c++) {
        const struct cc_column *column = &t->columns[c];

        fputs(c > 0 ? " " : "| ", out);
        if (is_repeated(t, c))
            fprintf(out, "%s ", column->unit);
        fprintf(out, "%s |", column->heading);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < t->n_columns; c++)
        fputs("---:|", out);
    for (size_t i = 0; i < t->n_cells; i++) {
        format_cell(&t->cells[i], text);
        fprintf(out, "%s %s |", i % t->n_columns == 0 ? "\n|" : "", text);
    }
    fputc('\n', out);
}
