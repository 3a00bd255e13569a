/*
 * cc_tables: what covcheck found, as tables for any format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_tables.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "report/cc_headline.h"
#include "report/cc_words.h"

#define TEXT_MARKDOWN (REPORT_SHOWN_TEXT | REPORT_SHOWN_MARKDOWN)

#define N(array) (sizeof(array) / sizeof(array)[0])

static unsigned n_bounds(const struct cc_report *r)
{
    return r->data->bounds.n;
}

/* Rows are in the order of the report's bounds. */
static unsigned bound_of(const struct cc_report *r, size_t row)
{
    return r->order[row % n_bounds(r)];
}

static void put_bound(struct report_row *row, const struct cc_report *r,
                      size_t i)
{
    report_bound(row, r->data->bounds.bound[bound_of(r, i)]);
}

static void put_ratio(struct report_row *row, struct cc_ratio ratio)
{
    report_ratio(row, ratio.part, ratio.whole);
}

/* --- Scores --- */

/* What a score has at one bound.  People see the first columns where `main`
   says, the others where `more` says; figures of one unit are neighbours for
   them. */
#define FIGURES(unit_, main, more)                                             \
    REPORT_BOTH("cov_u", "cov_u", .shown = (main), .flags = REPORT_INNER),     \
        REPORT_BOTH("cov_w", "cov_w", .shown = (main), .flags = REPORT_INNER), \
        REPORT_SEEN("precision", .shown = (main)),                             \
        REPORT_BOTH("found", "found", .unit = (unit_), .shown = (main),        \
                    .flags = REPORT_INNER),                                    \
        REPORT_BOTH("missed", "missed", .unit = (unit_), .shown = (main),      \
                    .flags = REPORT_INNER),                                    \
        REPORT_SEEN("spanning", .unit = (unit_), .shown = (more)),             \
        REPORT_BOTH("found", "found_occurrences", .unit = "occurrences",       \
                    .shown = (more), .width = 7, .flags = REPORT_INNER),       \
        REPORT_BOTH("missed", "missed_occurrences", .unit = "occurrences",     \
                    .shown = (more), .width = 7, .flags = REPORT_INNER),       \
        {.key = "spanning", .csv = "spanning", .flags = REPORT_INNER},         \
        REPORT_BOTH("spanning", "spanning_occurrences", .unit = "occurrences", \
                    .shown = (more) == 0 ? REPORT_SHOWN_HTML : (more),         \
                    .flags = REPORT_INNER),                                    \
    {                                                                          \
        .key = "precision", .csv = "precision", .flags = REPORT_INNER          \
    }

static void put_figures(struct report_row *row, const struct cc_score *s,
                        unsigned b)
{
    const struct cc_tally *t = &s->tally[b];
    struct cc_ratio precision = cc_figure_ratio(CC_PRECISION, s, b);

    put_ratio(row, cc_cov_u(t));
    put_ratio(row, cc_cov_w(t));
    put_ratio(row, precision);
    report_count(row, t->found);
    report_count(row, t->missed);
    report_count(row, t->spanning);
    report_count(row, t->found_occurrences);
    report_count(row, t->missed_occurrences);
    report_count(row, t->spanning);
    report_count(row, t->spanning_occurrences);
    put_ratio(row, precision);
}

#define LIFETIME(where) \
    REPORT_BOTH("lifetime", "lifetime", .shown = (where), .flags = REPORT_INNER)

/* What a score has once, after the list of what it has at each bound. */
#define JUDGED                                          \
    {.key = "predictions.occurred"},                    \
        {.key = "predictions.judged", .csv = "judged"}, \
    {                                                   \
        .csv = "occurred"                               \
    }

static void put_judged(struct report_row *row, const struct cc_score *s,
                       unsigned b)
{
    report_count(row, s->precision.part);
    report_count(row, s->precision.whole);
    report_count(row, s->tally[b].occurred);
}

#define SCORE(unit, shown)                                              \
    LIFETIME(shown), FIGURES(unit, shown, shown), {.key = "precision"}, \
        {.key = "delta_k_agreement", .csv = "delta_k_agreement"},       \
        {.key = "delta_k.agreed"}, {.key = "delta_k.judged"}, JUDGED,   \
        {.key = "blocks.kept"}, {.key = "blocks.dropped"},              \
        {.key = "blocks.unanalysed"},                                   \
    {                                                                   \
        .csv = "scope"                                                  \
    }

static void put_score(struct report_row *row, const struct cc_report *r,
                      const struct cc_score *s, size_t i)
{
    unsigned b = bound_of(r, i);

    put_bound(row, r, i);
    put_figures(row, s, b);
    put_ratio(row, s->precision);
    put_ratio(row, s->agreement);
    report_count(row, s->agreement.part);
    report_count(row, s->agreement.whole);
    put_judged(row, s, b);
    report_count(row, s->n_kept);
    report_count(row, s->n_blocks - s->n_kept);
    report_count(row, s->n_unanalysed);
    report_text(row, cc_scope_name(r->data->scope));
}

static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    struct cc_share s = cc_share_at(r, bound_of(r, i));
    char *left_out = cc_notes_text(r);

    put_score(row, r, r->total, i);
    report_ratio(row, s.scored, s.all);
    report_count(row, s.all);
    report_text(row, left_out);
    free(left_out);
}

struct report_table cc_table_total(const struct cc_report *r)
{
    static const struct report_column columns[] = {SCORE("dependencies", 0),
                                                   {.csv = "scored"},
                                                   {.csv = "occurrences"},
                                                   {.csv = "left_out"}};

    return REPORT_TABLE(columns, n_bounds(r), fill_total, r, .csv = "total",
                        .id = "coverage", .inner = "lifetimes",
                        .n_inner = n_bounds(r), .is_bold = true);
}

static void fill_shares(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    struct cc_share s = cc_share_at(r, bound_of(r, i));

    put_bound(row, r, i);
    report_ratio(row, s.scored, s.all);
    report_count(row, s.all);
    report_count(row, s.scored);
    report_count(row, s.dropped);
    report_count(row, s.between);
    report_count(row, s.outside);
    report_ratio(row, s.within, s.all);
}

struct report_table cc_table_shares(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "lifetime"}, {.key = "share"},       {.key = "occurrences"},
        {.key = "scored"},   {.key = "dropped"},     {.key = "between_blocks"},
        {.key = "outside"},  {.key = "within_scope"}};

    return REPORT_TABLE(columns, n_bounds(r), fill_shares, r, .key = "scored");
}

static void fill_object(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t object = i / n_bounds(r);
    const struct cc_object *o = &r->data->objects[object];
    const struct cc_left_out *left_out = &r->notes->left_out[object];

    report_text(row, o->path);
    report_text(row, o->build_id);
    report_text(row, o->filter);
    report_count(row, left_out->outside);
    report_count(row, left_out->outside_occurrences);
    put_score(row, r, &r->by_object[object], i);
}

struct report_table cc_table_objects(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "path"},
        {.key = "build_id"},
        {.key = "filter"},
        {.key = "left_out.dependencies"},
        {.key = "left_out.occurrences"},
        SCORE(NULL, REPORT_HIDDEN)};

    return REPORT_TABLE(columns, r->data->n_objects * n_bounds(r), fill_object,
                        r, .key = "objects", .inner = "lifetimes",
                        .n_inner = n_bounds(r));
}

static void fill_group(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups->list[i / n_bounds(r)];
    const struct cc_object *o = &r->data->objects[g->object];
    bool has_code = g->end != 0;

    report_text(row, o->path);
    report_text(row, o->build_id);
    report_function(row, g->function, NULL);
    if (r->groups->by == CC_BY_LINE) {
        report_text(row, g->file);
        report_count(row, (uint64_t)g->line);
    } else {
        report_absent(row);
        report_absent(row);
    }
    if (g->line > 0)
        report_printf(row, "%s:%d", cc_base_name(g->file), g->line);
    else
        report_none(row);
    report_address(row, g->start);
    report_address(row, g->end);
    report_count(row, g->weight);
    /* CSV leaves out what is not known. */
    has_code ? report_address(row, g->start) : report_none(row);
    has_code ? report_address(row, g->end) : report_none(row);
    has_code ? report_count(row, g->weight) : report_none(row);
    put_score(row, r, g->score, i);
}

struct report_table cc_table_groups(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "path", .csv = "object"},
        {.key = "object", .csv = "build_id"},
        {.key = "function", .csv = "function"},
        {.key = "file"},
        {.key = "line"},
        {.csv = "dst_line"},
        {.key = "start"},
        {.key = "end"},
        {.key = "weight"},
        {.csv = "start"},
        {.csv = "end"},
        {.csv = "weight"},
        SCORE(NULL, REPORT_HIDDEN)};

    return REPORT_TABLE(columns, r->groups->n * n_bounds(r), fill_group, r,
                        .key = "groups", .csv = cc_by_name(r->groups->by),
                        .inner = "lifetimes", .n_inner = n_bounds(r));
}

/* Groups without a name are those outside any function. */
static void put_group_name(struct report_row *row, const struct cc_report *r,
                           const struct cc_group *g)
{
    const char *path = r->data->objects[g->object].path;

    switch (r->groups->by) {
    case CC_BY_LINE:
        if (g->line > 0)
            report_printf(row, "%s:%d in %s", cc_base_name(g->file), g->line,
                          path);
        else
            report_printf(row, "(no line) in %s", path);
        break;
    case CC_BY_OBJECT:
        report_code(row, path, NULL);
        break;
    default:
        report_function(row, g->function, path);
    }
}

static void fill_group_list(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups->list[i];

    report_count(row, g->score->tally[0].found_occurrences);
    report_count(row, g->score->tally[0].missed_occurrences);
    for (unsigned b = 0; b < n_bounds(r); b++) {
        put_ratio(row, cc_cov_u(&g->score->tally[b]));
        put_ratio(row, cc_cov_w(&g->score->tally[b]));
    }
    if (r->groups->by == CC_BY_BLOCK)
        report_printf(row, "%" PRIx64 "-%" PRIx64, g->start, g->end);
    put_group_name(row, r, g);
}

struct report_table cc_table_group_list(const struct cc_report *r)
{
    static struct report_column columns[REPORT_COLUMNS];
    static char units[LIFETIMES_MAX][CC_BOUND];
    size_t n = 0;

    columns[n++] =
        (struct report_column)REPORT_SEEN("found", .unit = "occurrences");
    columns[n++] =
        (struct report_column)REPORT_SEEN("missed", .unit = "occurrences");
    for (unsigned b = 0; b < n_bounds(r) && n + 4 <= REPORT_COLUMNS; b++) {
        cc_bound_format(r->data->bounds.bound[b], units[b]);
        columns[n++] = (struct report_column)REPORT_SEEN(
            "cov_u", .unit = units[b], .width = 7);
        columns[n++] = (struct report_column)REPORT_SEEN(
            "cov_w", .unit = units[b], .width = 7);
    }
    if (r->groups->by == CC_BY_BLOCK)
        columns[n++] = (struct report_column){.heading = "addresses"};
    columns[n++] = (struct report_column){.heading = cc_by_name(r->groups->by),
                                          .flags = REPORT_LEFT | REPORT_RAGGED};
    return (struct report_table){.columns = columns,
                                 .n_columns = n,
                                 .n_rows = r->groups->n,
                                 .fill = fill_group_list,
                                 .from = r};
}

/* --- The score of each scope, by support and by evidence --- */

/* A part of a score. */
#define PART(main, ...)                                          \
    LIFETIME(0), __VA_ARGS__ FIGURES(NULL, main, REPORT_HIDDEN), \
        {.key = "precision"}, {.csv = "delta_k_agreement"}, JUDGED

/* Without the bound. */
static void put_part(struct report_row *row, const struct cc_score *s,
                     unsigned b)
{
    put_figures(row, s, b);
    put_ratio(row, s->precision);
    put_ratio(row, s->agreement);
    put_judged(row, s, b);
}

static void fill_scope(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    unsigned b = bound_of(r, i);
    enum cc_scope scope = (enum cc_scope)(i / n_bounds(r));
    const struct cc_score *s = &r->by_scope[scope];

    report_text(row, cc_scope_name(scope));
    put_bound(row, r, i);
    report_ratio(row, r->where[b].within[scope], r->where[b].all);
    put_part(row, s, b);
    report_count(row, s->precision.whole - s->precision.part);
}

struct report_table cc_table_scopes(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_BOTH("scope", "scope"),
        PART(0, {.heading = "of all"}, ),
        {.heading = "false"}};

    return REPORT_TABLE(columns, (r->data->scope + 1) * n_bounds(r), fill_scope,
                        r, .key = "by_scope", .csv = "by_scope",
                        .inner = "lifetimes", .n_inner = n_bounds(r),
                        .is_plain = true);
}

static void fill_support(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t threshold = i / n_bounds(r);

    report_text(row, cc_scope_name((enum cc_scope)(threshold / CC_N_SUPPORTS)));
    report_count(row, threshold % CC_N_SUPPORTS * CC_SUPPORT_STEP);
    put_bound(row, r, i);
    put_part(row, &r->by_support[threshold], bound_of(r, i));
}

struct report_table cc_table_supports(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "scope", .csv = "scope"},
        {.key = "support", .csv = "support"},
        PART(REPORT_HIDDEN, )};

    return REPORT_TABLE(
        columns, (r->data->scope + 1) * CC_N_SUPPORTS * n_bounds(r),
        fill_support, r, .key = "by_support", .csv = "by_support",
        .inner = "lifetimes", .n_inner = n_bounds(r));
}

static void fill_evidence(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t part = i / n_bounds(r);
    unsigned b = bound_of(r, i);
    enum cc_evidence evidence = (enum cc_evidence)(part % CC_N_EVIDENCES);
    const struct cc_score *s = &r->by_evidence[part];
    const struct cc_tally *t = &s->tally[b];
    const struct cc_tally *all = &r->by_scope[part / CC_N_EVIDENCES].tally[b];

    report_text(row, cc_scope_name((enum cc_scope)(part / CC_N_EVIDENCES)));
    put_bound(row, r, i);
    report_text(row, cc_evidence_name(evidence));
    if (s->precision.whole == 0)
        report_hide(row);
    report_count(row, s->precision.whole);
    report_count(row, t->occurred);
    put_ratio(row, cc_figure_ratio(CC_PRECISION, s, b));
    report_count(row, t->found);
    put_part(row, s, b);
    report_count(row, t->occurred);
    report_ratio(row, t->found, all->found);
    report_ratio(row, t->found_occurrences, all->found_occurrences);
}

struct report_table cc_table_evidences(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_BOTH("scope", "scope"),
        PART(REPORT_HIDDEN, REPORT_BOTH("evidence", "evidence"),
             {.heading = "predicted"}, {.heading = "true"},
             {.heading = "precision"}, {.heading = "found"}, ),
        {.key = "occurred", .flags = REPORT_INNER},
        {.key = "share_u", .csv = "share_u", .flags = REPORT_INNER},
        REPORT_BOTH("share_w", "share_w", .flags = REPORT_INNER)};

    return REPORT_TABLE(
        columns, (r->data->scope + 1) * CC_N_EVIDENCES * n_bounds(r),
        fill_evidence, r, .key = "by_evidence", .csv = "by_evidence",
        .inner = "lifetimes", .n_inner = n_bounds(r), .is_plain = true);
}

/* --- Where dependencies lie, and how they were forwarded --- */

static void fill_where(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[bound_of(r, i)];

    put_bound(row, r, i);
    report_count(row, c->all);
    for (int w = 0; w < CC_N_WHERE; w++) {
        report_ratio(row, c->occurrences[w], c->all);
        report_count(row, c->occurrences[w]);
    }
    report_count(row, c->all);
    report_count(row, c->cross_thread);
    report_count(row, c->cross_thread_occurrences);
}

struct report_table cc_table_where(const struct cc_report *r)
{
    static struct report_column columns[2 * CC_N_WHERE + 5];
    size_t n = 0;

    columns[n++] =
        (struct report_column)REPORT_SEEN("lifetime", .key = "lifetime");
    columns[n++] = (struct report_column){.key = "occurrences"};
    for (enum cc_where w = 0; w < CC_N_WHERE; w++) {
        columns[n++] = (struct report_column)REPORT_SEEN(cc_where_text(w));
        columns[n++] = (struct report_column){.key = cc_where_name(w)};
    }
    columns[n++] = (struct report_column)REPORT_SEEN("occurrences");
    columns[n++] = (struct report_column){.key = "cross_thread.dependencies"};
    columns[n++] = (struct report_column){.key = "cross_thread.occurrences"};
    assert(n == N(columns));
    return (struct report_table){.key = "scopes",
                                 .columns = columns,
                                 .n_columns = n,
                                 .n_rows = n_bounds(r),
                                 .fill = fill_where,
                                 .from = r,
                                 .is_plain = true};
}

static void fill_where_row(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_where where = (enum cc_where)(i % CC_N_WHERE);

    put_bound(row, r, i / CC_N_WHERE);
    report_count(row, r->where[bound_of(r, i / CC_N_WHERE)].occurrences[where]);
    report_text(row, cc_where_name(where));
}

struct report_table cc_table_where_rows(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.csv = "lifetime"}, {.csv = "occurrences"}, {.csv = "scope"}};

    return REPORT_TABLE(columns, CC_N_WHERE * n_bounds(r), fill_where_row, r,
                        .csv = "scope");
}

static void fill_threads(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[bound_of(r, i)];

    put_bound(row, r, i);
    report_count(row, c->cross_thread_occurrences);
    report_count(row, c->cross_thread);
}

struct report_table cc_table_threads(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.csv = "lifetime"}, {.csv = "occurrences"}, {.csv = "cross_thread"}};

    return REPORT_TABLE(columns, n_bounds(r), fill_threads, r,
                        .csv = "threads");
}

static void fill_outside(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i / n_bounds(r)];

    report_text(row, f->path);
    report_bool(row, f->is_analysed);
    put_bound(row, r, i);
    report_count(row, f->occurrences[bound_of(r, i)]);
}

struct report_table cc_table_outside(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "path", .csv = "object"},
        {.key = "analysed"},
        {.key = "lifetime", .csv = "lifetime", .flags = REPORT_INNER},
        {.key = "occurrences", .csv = "occurrences", .flags = REPORT_INNER}};

    return REPORT_TABLE(columns, r->outside->n * n_bounds(r), fill_outside, r,
                        .key = "outside", .csv = "outside",
                        .inner = "lifetimes", .n_inner = n_bounds(r));
}

static void fill_command(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char *command = cc_outside_command(r->data, r->outside);

    (void)i;
    report_text(row, command);
    free(command);
}

struct report_table cc_table_command(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.key = "outside_command"}};

    return REPORT_TABLE(columns, 1, fill_command, r, );
}

static void fill_outside_list(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i];

    report_count(row, f->occurrences[r->order[0]]);
    report_code(row, f->path, f->is_analysed ? ", in no block" : NULL);
    for (unsigned b = 0; b < n_bounds(r); b++)
        report_count(row, f->occurrences[r->order[b]]);
}

struct report_table cc_table_outside_list(const struct cc_report *r)
{
    static struct report_column columns[2 + LIFETIMES_MAX] = {
        REPORT_SEEN("occurrences", .shown = TEXT_MARKDOWN, .width = 10),
        REPORT_SEEN("file", .flags = REPORT_LEFT | REPORT_RAGGED)};
    static char headings[LIFETIMES_MAX][32];

    for (unsigned b = 0; b < n_bounds(r); b++) {
        char bound[CC_BOUND];

        cc_bound_format(r->data->bounds.bound[r->order[b]], bound);
        snprintf(headings[b], sizeof headings[b], "within %s", bound);
        columns[2 + b] = (struct report_column)REPORT_SEEN(
            headings[b], .shown = REPORT_SHOWN_HTML);
    }
    return (struct report_table){.columns = columns,
                                 .n_columns = 2 + n_bounds(r),
                                 .n_rows = r->outside->n_listed,
                                 .fill = fill_outside_list,
                                 .from = r,
                                 .id = "files",
                                 .is_joined = true,
                                 .bare = REPORT_SHOWN_TEXT};
}

/* CSV has nothing where nothing is known. */
static void put_forward(struct report_row *row, uint64_t part, uint64_t all)
{
    report_ratio(row, part, all);
    report_count(row, part);
    all > 0 ? report_count(row, part) : report_none(row);
}

static void fill_forwards(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_forwards *f = &r->data->forwards[bound_of(r, i)];
    uint64_t all = cc_forwards_known(f);

    put_bound(row, r, i);
    report_count(row, all);
    for (int kind = 0; kind < FORWARD_N; kind++)
        put_forward(row, f->by[kind], all);
    put_forward(row, f->crossing, all);
    report_count(row, all);
}

struct report_table cc_table_forwards(const struct cc_report *r)
{
#define FORWARD(heading_, name)                                       \
    REPORT_SEEN(heading_, .shown = REPORT_SHOWN_HTML), {.key = name}, \
    {                                                                 \
        .csv = name                                                   \
    }
    static const struct report_column columns[] = {
        REPORT_BOTH("lifetime", "lifetime", .shown = REPORT_SHOWN_HTML),
        {.key = "occurrences", .csv = "occurrences"},
        FORWARD("same bytes", "same"),
        FORWARD("contained", "contained"),
        FORWARD("partial", "partial"),
        FORWARD("several", "several"),
        FORWARD("crossing a line", "crossing"),
        REPORT_SEEN("occurrences", .shown = REPORT_SHOWN_HTML)};

    return REPORT_TABLE(columns, n_bounds(r), fill_forwards, r,
                        .key = "forwards", .csv = "forwards", .is_plain = true);
}

/* --- Why dependencies were missed --- */

static enum cc_reason reason_number(const struct cc_report *r, size_t i)
{
    enum cc_reason reason = 0;

    for (;; reason++)
        if (cc_reason_applies(r->data, reason) && i-- == 0)
            return reason;
}

static void fill_missed(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_reason reason = reason_number(r, i);
    const struct cc_reason_counts *c = &r->reasons[r->order[0]];
    uint64_t dependencies = 0, occurrences = 0;

    for (int any = 0; any < CC_N_REASONS; any++) {
        dependencies += c->dependencies[any];
        occurrences += c->occurrences[any];
    }
    report_text(row, cc_reason_text(reason));
    report_count(row, c->dependencies[reason]);
    report_ratio(row, c->dependencies[reason], dependencies);
    report_count(row, c->occurrences[reason]);
    report_ratio(row, c->occurrences[reason], occurrences);
    for (unsigned b = 0; b < n_bounds(r); b++) {
        report_count(row, r->reasons[r->order[b]].dependencies[reason]);
        report_count(row, r->reasons[r->order[b]].occurrences[reason]);
    }
}

struct report_table cc_table_missed(const struct cc_report *r)
{
    static struct report_column columns[5 + 2 * LIFETIMES_MAX] = {
        REPORT_SEEN("reason", .flags = REPORT_LEFT, .width = 39),
        REPORT_SEEN("dependencies", .shown = REPORT_SHOWN_MARKDOWN),
        REPORT_SEEN("dependencies", .shown = REPORT_SHOWN_TEXT),
        REPORT_SEEN("occurrences", .shown = REPORT_SHOWN_MARKDOWN),
        REPORT_SEEN("occurrences", .shown = REPORT_SHOWN_TEXT)};
    static char units[LIFETIMES_MAX][CC_BOUND];
    size_t n = 0, n_columns = 5;

    for (enum cc_reason reason = 0; reason < CC_N_REASONS; reason++)
        n += cc_reason_applies(r->data, reason);
    for (unsigned b = 0; b < n_bounds(r); b++) {
        cc_bound_format(r->data->bounds.bound[r->order[b]], units[b]);
        columns[n_columns++] = (struct report_column){
            "dependencies", units[b], .shown = REPORT_SHOWN_HTML};
        columns[n_columns++] = (struct report_column){
            "occurrences", units[b], .shown = REPORT_SHOWN_HTML};
    }
    return (struct report_table){.columns = columns,
                                 .n_columns = n_columns,
                                 .n_rows = n,
                                 .fill = fill_missed,
                                 .from = r,
                                 .is_joined = true,
                                 .is_plain = true};
}

static void fill_reasons(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_reason_counts *c = &r->reasons[bound_of(r, i)];

    put_bound(row, r, i);
    for (int reason = 0; reason < CC_N_REASONS; reason++) {
        report_count(row, c->dependencies[reason]);
        report_count(row, c->occurrences[reason]);
    }
}

struct report_table cc_table_reasons(const struct cc_report *r)
{
    static struct report_column columns[2 * CC_N_REASONS + 1] = {
        {.key = "lifetime"}};
    static char keys[N(columns)][64];

    for (size_t i = 1; i < N(columns); i++) {
        snprintf(keys[i], sizeof keys[i], "%s.%s",
                 cc_reason_name((enum cc_reason)((i - 1) / 2)),
                 i % 2 == 1 ? "dependencies" : "occurrences");
        columns[i].key = keys[i];
    }
    return REPORT_TABLE(columns, n_bounds(r), fill_reasons, r,
                        .key = "missed_reasons");
}

static void fill_reason_row(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_reason reason = (enum cc_reason)(i % CC_N_REASONS);
    const struct cc_reason_counts *c =
        &r->reasons[bound_of(r, i / CC_N_REASONS)];

    put_bound(row, r, i / CC_N_REASONS);
    report_count(row, c->dependencies[reason]);
    report_count(row, c->occurrences[reason]);
    report_text(row, cc_reason_name(reason));
}

struct report_table cc_table_reason_rows(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.csv = "lifetime"},
        {.csv = "missed"},
        {.csv = "missed_occurrences"},
        {.csv = "reason"}};

    return REPORT_TABLE(columns, CC_N_REASONS * n_bounds(r), fill_reason_row, r,
                        .csv = "reason");
}

/* --- Figures with a remark, and gates --- */

enum line { PRECISION, AGREEMENT, BLOCKS, UNANALYSED, THREADS, FORWARDS };

/* Which lines there are; returns how many. */
static size_t find_lines(const struct cc_report *r, enum line lines[])
{
    char text[CC_FORWARDS];
    size_t n = 0;

    lines[n++] = PRECISION;
    lines[n++] = AGREEMENT;
    lines[n++] = BLOCKS;
    if (r->total->n_unanalysed > 0)
        lines[n++] = UNANALYSED;
    if (cc_report_between_threads(r, text) != NULL)
        lines[n++] = THREADS;
    if (cc_forwards_format(r, text))
        lines[n++] = FORWARDS;
    return n;
}

static void put_line(struct report_row *row, const char *name,
                     struct cc_ratio ratio, const char *of)
{
    report_text(row, name);
    put_ratio(row, ratio);
    if (ratio.whole > 0)
        report_printf(row, "%" PRIu64 " of %" PRIu64 " %s", ratio.part,
                      ratio.whole, of);
    else
        report_none(row);
}

static void fill_figures(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_score *s = r->total;
    char text[CC_FORWARDS], bound[CC_BOUND];
    const struct cc_where_counts *c;
    enum line lines[FORWARDS + 1];

    find_lines(r, lines);
    switch (lines[i]) {
    case PRECISION:
        put_line(row, "precision", s->precision,
                 "predictions occurred at any distance");
        break;
    case AGREEMENT:
        cc_bound_format(
            r->data->bounds.bound[cc_bounds_largest(&r->data->bounds)], bound);
        snprintf(text, sizeof text, "found at %s in blocks that repeat", bound);
        put_line(row, "delta-k agreement", s->agreement, text);
        break;
    case BLOCKS:
        cc_filter_text(&r->filter, text);
        report_text(row, "blocks kept");
        report_count(row, s->n_kept);
        report_printf(row, "of %" PRIu64 " %s", s->n_blocks, text);
        break;
    case UNANALYSED:
        report_text(row, "blocks unanalysed");
        report_count(row, s->n_unanalysed);
        report_text(row, "of those kept");
        break;
    case THREADS:
        c = cc_report_between_threads(r, bound);
        report_text(row, "between threads");
        report_count(row, c->cross_thread);
        report_printf(
            row, "dependencies at lifetime %s, with %" PRIu64 " occurrences",
            bound, c->cross_thread_occurrences);
        break;
    case FORWARDS:
        cc_forwards_format(r, text);
        report_text(row, "forwards");
        report_none(row);
        report_text(row, text);
        break;
    }
}

struct report_table cc_table_figures(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("figure", .flags = REPORT_LEFT, .width = 17),
        REPORT_SEEN("value", .width = 7),
        REPORT_SEEN("", .flags = REPORT_LEFT | REPORT_RAGGED)};
    enum line lines[FORWARDS + 1];

    return REPORT_TABLE(columns, find_lines(r, lines), fill_figures, r,
                        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML,
                        .is_plain = true);
}

static void fill_gate(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_check *c = &r->checks[i];
    struct diag d;

    cc_check_describe(c, &d);
    report_text(row, c->passed ? "passed" : "FAILED");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, d.text);
    report_text(row, cc_figures[c->figure].name);
    c->bound == 0 ? report_none(row) : report_bound(row, c->bound);
    put_ratio(row, c->ratio);
    report_real(row, c->threshold);
    c->is_drop ? report_real(row, c->before) : report_none(row);
    report_bool(row, c->passed);
}

struct report_table cc_table_gates(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("gate", .flags = REPORT_LEFT),
        REPORT_SEEN("", .flags = REPORT_LEFT | REPORT_RAGGED),
        {.key = "figure"},
        {.key = "lifetime"},
        {.key = "value"},
        {.key = "bar"},
        {.key = "baseline"},
        {.key = "passed"}};

    return REPORT_TABLE(
        columns, r->n_checks, fill_gate, r, .key = "gates", .id = "gates",
        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML, .is_plain = true);
}

/* A note as a value; what it is about has a text before it. */
static void put_note(struct report_row *row, const struct cc_report *r,
                     size_t i,
                     void (*write)(FILE *, const struct cc_notes *, size_t))
{
    struct memory_stream stream;
    char *text;

    memory_stream_open(&stream);
    write(stream.out, r->notes, i);
    text = memory_stream_close(&stream);
    report_printf(row, "%s%s",
                  write == cc_note_write_subject ? "left out of " : "", text);
    free(text);
}

char *cc_notes_text(const struct cc_report *r)
{
    struct memory_stream text;

    memory_stream_open(&text);
    for (size_t i = 0; i < r->notes->n; i++) {
        fputs(i > 0 ? "; " : "", text.out);
        cc_note_write(text.out, r->notes, i);
    }
    return memory_stream_close(&text);
}

/* --- What the report is about --- */

static void fill_path(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    report_code(row, r->data->objects[i].path, NULL);
}

struct report_table cc_table_paths(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("program", .shown = REPORT_SHOWN_TEXT,
                    .flags = REPORT_LEFT | REPORT_RAGGED)};

    return REPORT_TABLE(columns, r->data->n_objects, fill_path, r,
                        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML,
                        .is_plain = true);
}

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char headline[CC_HEADLINE];

    (void)i;
    cc_headline(r, headline);
    report_text(row, cc_scope_name(r->data->scope));
    report_text(row, disasm_syntax_name(r->syntax));
    report_text(row, headline);
}

struct report_table cc_table_head(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        {.key = "scope"}, {.key = "syntax"}, {.key = "headline"}};

    return REPORT_TABLE(columns, 1, fill_head, r, );
}

static void fill_settings(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    (void)i;
    report_real(row, r->filter.min_weight);
    report_real(row, r->filter.min_share);
    report_count(row, r->data->n_runs);
    if (r->groups->by != CC_BY_NONE)
        report_text(row, cc_by_name(r->groups->by));
    else
        report_absent(row);
}

struct report_table cc_table_settings(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.key = "min_weight"},
                                                   {.key = "min_share"},
                                                   {.key = "runs"},
                                                   {.key = "by"}};

    return REPORT_TABLE(columns, 1, fill_settings, r, );
}

static void fill_incomplete(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_run *run = &r->data->incomplete_runs[i];

    report_text(row, r->notes->in->deps[run->source]);
    report_count(row, (uint64_t)run->id);
}

struct report_table cc_table_incomplete(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.key = "database"},
                                                   {.key = "run"}};

    return REPORT_TABLE(columns, r->data->n_incomplete, fill_incomplete, r,
                        .key = "incomplete_runs");
}

/* Notes of one kind are neighbours. */
static size_t first_rebuilt(const struct cc_notes *notes, size_t *n)
{
    size_t first = 0;

    while (first < notes->n && notes->items[first].kind != CC_NOTE_REBUILT)
        first++;
    *n = 0;
    while (first + *n < notes->n &&
           notes->items[first + *n].kind == CC_NOTE_REBUILT)
        (*n)++;
    return first;
}

static void fill_rebuilt(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t n, first = first_rebuilt(r->notes, &n);
    const struct cc_rebuilt *b =
        &r->data->rebuilt[r->notes->items[first + i].number];

    report_text(row, b->path);
    report_text(row, r->notes->in->deps[b->deps]);
    report_text(row, b->build_id);
    report_text(row, r->notes->in->statics[b->statics]);
    report_text(row, b->static_build_id);
}

struct report_table cc_table_rebuilt(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.key = "path"},
                                                   {.key = "database"},
                                                   {.key = "build_id"},
                                                   {.key = "static_database"},
                                                   {.key = "static_build_id"}};
    size_t n;

    first_rebuilt(r->notes, &n);
    return REPORT_TABLE(columns, n, fill_rebuilt, r, .key = "rebuilt");
}

/* --- What has changed since the baseline --- */

static void fill_change(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_change *c = &r->comparison->changes[i];
    char name[64];

    cc_figure_label(c->figure, c->bound, name);
    report_text(row, name);
    report_text(row, cc_figures[c->figure].name);
    c->bound == 0 ? report_none(row) : report_bound(row, c->bound);
    if (c->before.has_data)
        report_printf(row, "%.1f%%", c->before.percent);
    else
        report_text(row, "no data");
    c->before.has_data ? report_real(row, c->before.percent) : report_none(row);
    put_ratio(row, c->now);
    if (c->before.has_data && c->now.whole > 0) {
        double points = cc_change_points(c);

        if (fabs(points) < 1e-9) /* the baseline has 15 digits */
            points = 0;
        report_printf(row, "%+.2f %s", points,
                      points > 0   ? "better"
                      : points < 0 ? "worse"
                                   : "the same");
    } else {
        report_none(row);
    }
}

struct report_table cc_table_changes(const struct cc_report *r)
{
    static const struct report_column columns[] = {
        REPORT_SEEN("since the baseline", .width = 31, .flags = REPORT_LEFT),
        {.key = "figure"},
        {.key = "lifetime"},
        REPORT_SEEN("before", .width = 7),
        {.key = "before"},
        REPORT_SEEN("now", .key = "now", .width = 7),
        REPORT_SEEN("points", .flags = REPORT_LEFT | REPORT_RAGGED)};

    return REPORT_TABLE(columns, r->comparison->n_changes, fill_change, r,
                        .key = "changes", .is_plain = true);
}

static void fill_fate(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_fates *f = &r->comparison->fates;

    report_text(row, cc_before_text((enum cc_before)i));
    for (int now = 0; now < CC_N_NOW; now++)
        if (i != CC_NEW || now <= CC_MISSED_NOW)
            report_count(row, f->counts[i][now]);
        else
            report_none(row);
}

struct report_table cc_table_fates(const struct cc_report *r)
{
    static struct report_column columns[CC_N_NOW + 1] = {
        REPORT_SEEN("dependencies", .width = 21, .flags = REPORT_LEFT)};

    for (enum cc_now now = 0; now < CC_N_NOW; now++)
        columns[now + 1] =
            (struct report_column)REPORT_SEEN(cc_now_text(now), .width = 10);
    return REPORT_TABLE(columns, r->comparison->fates.n_rows, fill_fate, r,
                        .id = "fates", .is_plain = true);
}

static void fill_transitions(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_fates *f = &r->comparison->fates;

    (void)i;
    for (unsigned before = 0; before < CC_N_BEFORE; before++)
        for (int now = 0; now < CC_N_NOW; now++)
            if (before == CC_NEW && now > CC_MISSED_NOW)
                report_absent(row);
            else if (before >= f->n_rows)
                report_none(row);
            else
                report_count(row, f->counts[before][now]);
    report_count(row, f->n_unnamed_before);
    report_count(row, f->n_unnamed_now);
}

/* Null is what the baseline does not show. */
struct report_table cc_table_transitions(const struct cc_report *r)
{
#define FATES(before)                               \
    {.key = "transitions." before ".found"},        \
        {.key = "transitions." before ".missed"},   \
        {.key = "transitions." before ".unscored"}, \
    {                                               \
        .key = "transitions." before ".gone"        \
    }
    static const struct report_column columns[] = {
        FATES("found"),
        FATES("missed"),
        FATES("new"),
        {.key = "transitions.unnamed.before"},
        {.key = "transitions.unnamed.now"}};

    return REPORT_TABLE(columns, 1, fill_transitions, r, );
}

/* --- Test cases --- */

/* The shares of one score: a figure at each bound, and precision. */
static size_t n_shares(void)
{
    size_t n = 0;

    for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
        n += cc_figures[f].unit == NULL;
    return n;
}

static enum cc_figure share_number(size_t i)
{
    enum cc_figure f = 0;

    for (;; f++)
        if (cc_figures[f].unit == NULL && i-- == 0)
            return f;
}

static void put_value(struct report_row *row, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        report_real(row, cc_percent(ratio));
    else
        report_text(row, "no data");
}

/* Property number i of a score, whose names have a text before them. */
static void put_share(struct report_row *row, const struct cc_report *r,
                      const struct cc_score *s, const char *before, size_t i)
{
    size_t b = i / n_shares();
    bool is_last = b == n_bounds(r);
    enum cc_figure f = is_last ? CC_PRECISION : share_number(i % n_shares());
    char name[64];

    cc_figure_label(f, is_last ? 0 : r->data->bounds.bound[b], name);
    report_printf(row, "%s%s", before, name);
    put_value(row, is_last ? s->precision : cc_figure_ratio(f, s, (unsigned)b));
}

/* The headline, the notes, the score, and those of the scopes below it. */
static void fill_property(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t n_notes = r->notes->n, n = n_bounds(r) * n_shares() + 1;
    char text[CC_HEADLINE];

    if (i == 0) {
        cc_headline(r, text);
        report_text(row, "scored");
        report_text(row, text);
    } else if (i <= n_notes) {
        report_text(row, "left out");
        put_note(row, r, i - 1, cc_note_write);
    } else if ((i -= n_notes + 1) < n) {
        put_share(row, r, r->total, "", i);
    } else if ((i -= n) == 0) {
        report_text(row, "delta-k agreement");
        put_value(row, r->total->agreement);
    } else if (i == 1) {
        report_text(row, "dependencies between threads");
        report_count(
            row, r->where[cc_bounds_largest(&r->data->bounds)].cross_thread);
    } else {
        i -= 2;
        snprintf(text, sizeof text,
                 "scope %s: ", cc_scope_name((enum cc_scope)(i / n)));
        put_share(row, r, &r->by_scope[i / n], text, i % n);
    }
}

struct report_table cc_table_properties(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.heading = "name"},
                                                   {.heading = "value"}};
    size_t n = n_bounds(r) * n_shares() + 1;

    return REPORT_TABLE(columns, 1 + r->notes->n + n + 2 + r->data->scope * n,
                        fill_property, r, );
}

/* What the figures do not cover is a case that was skipped, since most readers
   show no properties. */
static void fill_case(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_check *c;
    char name[64];
    struct diag d;

    if (i < r->notes->n) {
        put_note(row, r, i, cc_note_write_subject);
        put_note(row, r, i, cc_note_write);
        return;
    }
    c = &r->checks[i - r->notes->n];
    cc_figure_label(c->figure, c->bound, name);
    cc_check_describe(c, &d);
    report_printf(row, "%s, %s %.12g%s", name,
                  c->is_drop ? "drop of at most" : "at least", c->threshold,
                  c->is_drop ? " points" : "%");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, d.text);
}

struct report_table cc_table_cases(const struct cc_report *r)
{
    static const struct report_column columns[] = {{.heading = "name"},
                                                   {.heading = "text"}};

    return REPORT_TABLE(columns, r->notes->n + r->n_checks, fill_case, r, );
}
