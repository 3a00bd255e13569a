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

static unsigned n_bounds(const struct cc_report *r)
{
    return r->data->bounds.n;
}

/* Rows are in the order of the report's bounds. */
static unsigned bound_of(const struct cc_report *r, size_t row)
{
    return r->order[row % n_bounds(r)];
}

static void put_bound(struct report_row *row, struct report_column column,
                      const struct cc_report *r, size_t i)
{
    report_bound(row, column, r->data->bounds.bound[bound_of(r, i)]);
}

static void put_ratio(struct report_row *row, struct report_column column,
                      struct cc_ratio ratio)
{
    report_ratio(row, column, ratio.part, ratio.whole);
}

/* A text that the row keeps. */
static const char *bound_text(struct report_row *row, const struct cc_report *r,
                              const char *before, unsigned b)
{
    char bound[CC_BOUND], text[64];

    cc_bound_format(r->data->bounds.bound[b], bound);
    snprintf(text, sizeof text, "%s%s", before, bound);
    return report_copy(row, text);
}

/* --- Scores --- */

/* What a score has at one bound.  People see the first columns where `main`
   says, the others where `more` says; figures of one unit are neighbours for
   them. */
static void put_figures(struct report_row *row, const struct cc_score *s,
                        unsigned b, const char *unit, unsigned main,
                        unsigned more)
{
    const struct cc_tally *t = &s->tally[b];
    struct cc_ratio precision = cc_figure_ratio(CC_PRECISION, s, b);
    unsigned html = more == 0 ? REPORT_SHOWN_HTML : more;

#define FIGURE(name, unit_, shown_)                        \
    R_BOTH(name, name, .unit = (unit_), .shown = (shown_), \
           .flags = REPORT_INNER)
#define OCCURRENCES(heading, shown_)                               \
    R_BOTH(heading, heading "_occurrences", .unit = "occurrences", \
           .shown = (shown_), .width = 7, .flags = REPORT_INNER)
    put_ratio(row, FIGURE("cov_u", NULL, main), cc_cov_u(t));
    put_ratio(row, FIGURE("cov_w", NULL, main), cc_cov_w(t));
    put_ratio(row, R_SEEN("precision", .shown = main), precision);
    report_count(row, FIGURE("found", unit, main), t->found);
    report_count(row, FIGURE("missed", unit, main), t->missed);
    report_count(row, R_SEEN("spanning", .unit = unit, .shown = more),
                 t->spanning);
    report_count(row, OCCURRENCES("found", more), t->found_occurrences);
    report_count(row, OCCURRENCES("missed", more), t->missed_occurrences);
    report_count(row, R_DATA("spanning", .flags = REPORT_INNER), t->spanning);
    report_count(row, OCCURRENCES("spanning", html), t->spanning_occurrences);
    put_ratio(row, R_DATA("precision", .flags = REPORT_INNER), precision);
}

static void put_lifetime(struct report_row *row, const struct cc_report *r,
                         size_t i)
{
    put_bound(row, R_BOTH("lifetime", "lifetime", .flags = REPORT_INNER), r, i);
}

/* What a score has once, after the list of what it has at each bound. */
static void put_judged(struct report_row *row, const struct cc_score *s,
                       unsigned b)
{
    report_count(row, R_KEY("predictions.occurred"), s->precision.part);
    report_count(row, R_KEY("predictions.judged"), s->precision.whole);
    report_count(row, R_CSV("judged"), s->precision.whole);
    report_count(row, R_CSV("occurred"), s->tally[b].occurred);
}

static void put_score(struct report_row *row, const struct cc_report *r,
                      const struct cc_score *s, size_t i)
{
    unsigned b = bound_of(r, i);

    put_lifetime(row, r, i);
    put_figures(row, s, b, "dependencies", 0, 0);
    put_ratio(row, R_KEY("precision"), s->precision);
    put_ratio(row, R_DATA("delta_k_agreement"), s->agreement);
    report_count(row, R_KEY("delta_k.agreed"), s->agreement.part);
    report_count(row, R_KEY("delta_k.judged"), s->agreement.whole);
    put_judged(row, s, b);
    report_count(row, R_KEY("blocks.kept"), s->n_kept);
    report_count(row, R_KEY("blocks.dropped"), s->n_blocks - s->n_kept);
    report_count(row, R_KEY("blocks.unanalysed"), s->n_unanalysed);
    report_text(row, R_CSV("scope"), cc_scope_name(r->data->scope));
}

static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    struct cc_share s = cc_share_at(r, bound_of(r, i));
    char *left_out = cc_notes_text(r);

    put_score(row, r, r->total, i);
    report_ratio(row, R_CSV("scored"), s.scored, s.all);
    report_count(row, R_CSV("occurrences"), s.all);
    report_text(row, R_CSV("left_out"), left_out);
    free(left_out);
}

struct report_table cc_table_total(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_total, r, .csv = "total",
                        .id = "coverage", .inner = "lifetimes",
                        .n_inner = n_bounds(r), .is_bold = true);
}

static void fill_shares(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    struct cc_share s = cc_share_at(r, bound_of(r, i));

    put_bound(row, R_KEY("lifetime"), r, i);
    report_ratio(row, R_KEY("share"), s.scored, s.all);
    report_count(row, R_KEY("occurrences"), s.all);
    report_count(row, R_KEY("scored"), s.scored);
    report_count(row, R_KEY("dropped"), s.dropped);
    report_count(row, R_KEY("between_blocks"), s.between);
    report_count(row, R_KEY("outside"), s.outside);
    report_ratio(row, R_KEY("within_scope"), s.within, s.all);
}

struct report_table cc_table_shares(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_shares, r, .key = "scored");
}

static void fill_object(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t object = i / n_bounds(r);
    const struct cc_object *o = &r->data->objects[object];
    const struct cc_left_out *left_out = &r->notes->left_out[object];

    report_text(row, R_KEY("path"), o->path);
    report_text(row, R_KEY("build_id"), o->build_id);
    report_text(row, R_KEY("filter"), o->filter);
    report_count(row, R_KEY("left_out.dependencies"), left_out->outside);
    report_count(row, R_KEY("left_out.occurrences"),
                 left_out->outside_occurrences);
    put_score(row, r, &r->by_object[object], i);
}

struct report_table cc_table_objects(const struct cc_report *r)
{
    return REPORT_TABLE(r->data->n_objects * n_bounds(r), fill_object, r,
                        .key = "objects", .inner = "lifetimes",
                        .n_inner = n_bounds(r));
}

static void fill_group(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups->list[i / n_bounds(r)];
    const struct cc_object *o = &r->data->objects[g->object];

    report_text(row, R_KEY("path"), o->path);
    report_text(row, R_CSV("object"), o->path);
    report_text(row, R_KEY("object"), o->build_id);
    report_text(row, R_CSV("build_id"), o->build_id);
    report_text(row, R_DATA("function"), g->function);
    if (r->groups->by == CC_BY_LINE) {
        report_text(row, R_KEY("file"), g->file);
        report_count(row, R_KEY("line"), (uint64_t)g->line);
    }
    if (g->line > 0)
        report_printf(row, R_CSV("dst_line"), "%s:%d", cc_base_name(g->file),
                      g->line);
    report_address(row, R_KEY("start"), g->start);
    report_address(row, R_KEY("end"), g->end);
    report_count(row, R_KEY("weight"), g->weight);
    if (g->end != 0) { /* CSV leaves out what is not known. */
        report_address(row, R_CSV("start"), g->start);
        report_address(row, R_CSV("end"), g->end);
        report_count(row, R_CSV("weight"), g->weight);
    }
    put_score(row, r, g->score, i);
}

struct report_table cc_table_groups(const struct cc_report *r)
{
    return REPORT_TABLE(r->groups->n * n_bounds(r), fill_group, r,
                        .key = "groups", .csv = cc_by_name(r->groups->by),
                        .inner = "lifetimes", .n_inner = n_bounds(r));
}

/* Groups without a name are those outside any function. */
static void put_group_name(struct report_row *row, const struct cc_report *r,
                           const struct cc_group *g)
{
    const char *path = r->data->objects[g->object].path;
    struct report_column column =
        R_SEEN(cc_by_name(r->groups->by), .flags = REPORT_LEFT | REPORT_RAGGED);

    if (r->groups->by == CC_BY_LINE && g->line > 0)
        report_printf(row, column, "%s:%d in %s", cc_base_name(g->file),
                      g->line, path);
    else if (r->groups->by == CC_BY_LINE)
        report_printf(row, column, "(no line) in %s", path);
    else if (r->groups->by == CC_BY_OBJECT)
        report_code(row, column, path, NULL);
    else
        report_function(row, column, g->function, path);
}

static void fill_group_list(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups->list[i];

    report_count(row, R_SEEN("found", .unit = "occurrences"),
                 g->score->tally[0].found_occurrences);
    report_count(row, R_SEEN("missed", .unit = "occurrences"),
                 g->score->tally[0].missed_occurrences);
    for (unsigned b = 0; b < n_bounds(r); b++) {
        const char *unit = bound_text(row, r, "", b);

        put_ratio(row, R_SEEN("cov_u", .unit = unit, .width = 7),
                  cc_cov_u(&g->score->tally[b]));
        put_ratio(row, R_SEEN("cov_w", .unit = unit, .width = 7),
                  cc_cov_w(&g->score->tally[b]));
    }
    if (r->groups->by == CC_BY_BLOCK)
        report_printf(row, R_SEEN("addresses", ), "%" PRIx64 "-%" PRIx64,
                      g->start, g->end);
    put_group_name(row, r, g);
}

struct report_table cc_table_group_list(const struct cc_report *r)
{
    return REPORT_TABLE(r->groups->n, fill_group_list, r, );
}

/* --- The score of each scope, by support and by evidence --- */

/* What follows the bound. */
static void put_part(struct report_row *row, const struct cc_score *s,
                     unsigned b, unsigned shown)
{
    put_figures(row, s, b, NULL, shown, REPORT_HIDDEN);
    put_ratio(row, R_KEY("precision"), s->precision);
    put_ratio(row, R_CSV("delta_k_agreement"), s->agreement);
    put_judged(row, s, b);
}

static void fill_scope(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    unsigned b = bound_of(r, i);
    enum cc_scope scope = (enum cc_scope)(i / n_bounds(r));
    const struct cc_score *s = &r->by_scope[scope];

    report_text(row, R_BOTH("scope", "scope", ), cc_scope_name(scope));
    put_lifetime(row, r, i);
    report_ratio(row, R_SEEN("of all", ), r->where[b].within[scope],
                 r->where[b].all);
    put_part(row, s, b, 0);
    report_count(row, R_SEEN("false", ),
                 s->precision.whole - s->precision.part);
}

struct report_table cc_table_scopes(const struct cc_report *r)
{
    return REPORT_TABLE((r->data->scope + 1) * n_bounds(r), fill_scope, r,
                        .key = "by_scope", .csv = "by_scope",
                        .inner = "lifetimes", .n_inner = n_bounds(r),
                        .is_plain = true);
}

static void fill_support(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t threshold = i / n_bounds(r);

    report_text(row, R_DATA("scope"),
                cc_scope_name((enum cc_scope)(threshold / CC_N_SUPPORTS)));
    report_count(row, R_DATA("support"),
                 threshold % CC_N_SUPPORTS * CC_SUPPORT_STEP);
    put_lifetime(row, r, i);
    put_part(row, &r->by_support[threshold], bound_of(r, i), REPORT_HIDDEN);
}

struct report_table cc_table_supports(const struct cc_report *r)
{
    return REPORT_TABLE((r->data->scope + 1) * CC_N_SUPPORTS * n_bounds(r),
                        fill_support, r, .key = "by_support",
                        .csv = "by_support", .inner = "lifetimes",
                        .n_inner = n_bounds(r));
}

static void fill_evidence(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t part = i / n_bounds(r);
    unsigned b = bound_of(r, i);
    const struct cc_score *s = &r->by_evidence[part];
    const struct cc_tally *t = &s->tally[b];
    const struct cc_tally *all = &r->by_scope[part / CC_N_EVIDENCES].tally[b];

    if (s->precision.whole == 0)
        report_hide(row);
    report_text(row, R_BOTH("scope", "scope", ),
                cc_scope_name((enum cc_scope)(part / CC_N_EVIDENCES)));
    put_lifetime(row, r, i);
    report_text(row, R_BOTH("evidence", "evidence", ),
                cc_evidence_name((enum cc_evidence)(part % CC_N_EVIDENCES)));
    report_count(row, R_SEEN("predicted", ), s->precision.whole);
    report_count(row, R_SEEN("true", ), t->occurred);
    put_ratio(row, R_SEEN("precision", ), cc_figure_ratio(CC_PRECISION, s, b));
    report_count(row, R_SEEN("found", ), t->found);
    put_part(row, s, b, REPORT_HIDDEN);
    report_count(row, R_KEY("occurred", .flags = REPORT_INNER), t->occurred);
    report_ratio(row, R_DATA("share_u", .flags = REPORT_INNER), t->found,
                 all->found);
    report_ratio(row, R_BOTH("share_w", "share_w", .flags = REPORT_INNER),
                 t->found_occurrences, all->found_occurrences);
}

struct report_table cc_table_evidences(const struct cc_report *r)
{
    return REPORT_TABLE((r->data->scope + 1) * CC_N_EVIDENCES * n_bounds(r),
                        fill_evidence, r, .key = "by_evidence",
                        .csv = "by_evidence", .inner = "lifetimes",
                        .n_inner = n_bounds(r), .is_plain = true);
}

/* --- Where dependencies lie, and how they were forwarded --- */

static void fill_where(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[bound_of(r, i)];

    put_bound(row, R_BOTH("lifetime", "lifetime", ), r, i);
    report_count(row, R_KEY("occurrences"), c->all);
    for (enum cc_where w = 0; w < CC_N_WHERE; w++) {
        report_ratio(row, R_SEEN(cc_where_text(w), ), c->occurrences[w],
                     c->all);
        report_count(row, R_KEY(cc_where_name(w)), c->occurrences[w]);
    }
    report_count(row, R_SEEN("occurrences", ), c->all);
    report_count(row, R_KEY("cross_thread.dependencies"), c->cross_thread);
    report_count(row, R_KEY("cross_thread.occurrences"),
                 c->cross_thread_occurrences);
}

struct report_table cc_table_where(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_where, r, .key = "scopes",
                        .is_plain = true);
}

static void fill_where_row(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_where where = (enum cc_where)(i % CC_N_WHERE);
    size_t b = i / CC_N_WHERE;

    put_bound(row, R_CSV("lifetime"), r, b);
    report_count(row, R_CSV("occurrences"),
                 r->where[bound_of(r, b)].occurrences[where]);
    report_text(row, R_CSV("scope"), cc_where_name(where));
}

struct report_table cc_table_where_rows(const struct cc_report *r)
{
    return REPORT_TABLE(CC_N_WHERE * n_bounds(r), fill_where_row, r,
                        .csv = "scope");
}

static void fill_threads(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[bound_of(r, i)];

    put_bound(row, R_CSV("lifetime"), r, i);
    report_count(row, R_CSV("occurrences"), c->cross_thread_occurrences);
    report_count(row, R_CSV("cross_thread"), c->cross_thread);
}

struct report_table cc_table_threads(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_threads, r, .csv = "threads");
}

static void fill_outside(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i / n_bounds(r)];

    report_text(row, R_KEY("path"), f->path);
    report_text(row, R_CSV("object"), f->path);
    report_bool(row, R_KEY("analysed"), f->is_analysed);
    put_bound(row, R_DATA("lifetime", .flags = REPORT_INNER), r, i);
    report_count(row, R_DATA("occurrences", .flags = REPORT_INNER),
                 f->occurrences[bound_of(r, i)]);
}

struct report_table cc_table_outside(const struct cc_report *r)
{
    return REPORT_TABLE(r->outside->n * n_bounds(r), fill_outside, r,
                        .key = "outside", .csv = "outside",
                        .inner = "lifetimes", .n_inner = n_bounds(r));
}

static void fill_command(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char *command = cc_outside_command(r->data, r->outside);

    (void)i;
    report_text(row, R_KEY("outside_command"), command);
    free(command);
}

struct report_table cc_table_command(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_command, r, );
}

static void fill_outside_list(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside->files[i];

    report_count(row,
                 R_SEEN("occurrences", .shown = TEXT_MARKDOWN, .width = 10),
                 f->occurrences[r->order[0]]);
    report_code(row, R_SEEN("file", .flags = REPORT_LEFT | REPORT_RAGGED),
                f->path, f->is_analysed ? ", in no block" : NULL);
    for (unsigned b = 0; b < n_bounds(r); b++)
        report_count(row,
                     R_SEEN(bound_text(row, r, "within ", r->order[b]),
                            .shown = REPORT_SHOWN_HTML),
                     f->occurrences[r->order[b]]);
}

struct report_table cc_table_outside_list(const struct cc_report *r)
{
    return REPORT_TABLE(r->outside->n_listed, fill_outside_list, r,
                        .id = "files", .is_joined = true,
                        .bare = REPORT_SHOWN_TEXT);
}

/* CSV has nothing where nothing is known. */
static void put_forward(struct report_row *row, const char *heading,
                        const char *name, uint64_t part, uint64_t all)
{
    report_ratio(row, R_SEEN(heading, .shown = REPORT_SHOWN_HTML), part, all);
    report_count(row, R_KEY(name), part);
    if (all > 0)
        report_count(row, R_CSV(name), part);
}

static void fill_forwards(struct report_row *row, const void *from, size_t i)
{
    static const char *const names[FORWARD_N] = FORWARD_NAMES;
    const struct cc_report *r = from;
    const struct cc_forwards *f = &r->data->forwards[bound_of(r, i)];
    uint64_t all = cc_forwards_known(f);

    put_bound(row, R_BOTH("lifetime", "lifetime", .shown = REPORT_SHOWN_HTML),
              r, i);
    report_count(row, R_DATA("occurrences"), all);
    for (int kind = 0; kind < FORWARD_N; kind++)
        put_forward(row, kind == FORWARD_SAME ? "same bytes" : names[kind],
                    names[kind], f->by[kind], all);
    put_forward(row, "crossing a line", "crossing", f->crossing, all);
    report_count(row, R_SEEN("occurrences", .shown = REPORT_SHOWN_HTML), all);
}

struct report_table cc_table_forwards(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_forwards, r, .key = "forwards",
                        .csv = "forwards", .is_plain = true);
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
    report_text(row, R_SEEN("reason", .flags = REPORT_LEFT, .width = 39),
                cc_reason_text(reason));
    report_count(row, R_SEEN("dependencies", .shown = REPORT_SHOWN_MARKDOWN),
                 c->dependencies[reason]);
    report_ratio(row, R_SEEN("dependencies", .shown = REPORT_SHOWN_TEXT),
                 c->dependencies[reason], dependencies);
    report_count(row, R_SEEN("occurrences", .shown = REPORT_SHOWN_MARKDOWN),
                 c->occurrences[reason]);
    report_ratio(row, R_SEEN("occurrences", .shown = REPORT_SHOWN_TEXT),
                 c->occurrences[reason], occurrences);
    for (unsigned b = 0; b < n_bounds(r); b++) {
        const char *unit = bound_text(row, r, "", r->order[b]);

        c = &r->reasons[r->order[b]];
        report_count(
            row,
            R_SEEN("dependencies", .unit = unit, .shown = REPORT_SHOWN_HTML),
            c->dependencies[reason]);
        report_count(
            row,
            R_SEEN("occurrences", .unit = unit, .shown = REPORT_SHOWN_HTML),
            c->occurrences[reason]);
    }
}

struct report_table cc_table_missed(const struct cc_report *r)
{
    size_t n = 0;

    for (enum cc_reason reason = 0; reason < CC_N_REASONS; reason++)
        n += cc_reason_applies(r->data, reason);
    return REPORT_TABLE(n, fill_missed, r, .is_joined = true, .is_plain = true);
}

static void fill_reasons(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_reason_counts *c = &r->reasons[bound_of(r, i)];

    put_bound(row, R_KEY("lifetime"), r, i);
    for (enum cc_reason reason = 0; reason < CC_N_REASONS; reason++) {
        char key[64];

        snprintf(key, sizeof key, "%s.dependencies", cc_reason_name(reason));
        report_count(row, R_KEY(report_copy(row, key)),
                     c->dependencies[reason]);
        snprintf(key, sizeof key, "%s.occurrences", cc_reason_name(reason));
        report_count(row, R_KEY(report_copy(row, key)), c->occurrences[reason]);
    }
}

struct report_table cc_table_reasons(const struct cc_report *r)
{
    return REPORT_TABLE(n_bounds(r), fill_reasons, r, .key = "missed_reasons");
}

static void fill_reason_row(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_reason reason = (enum cc_reason)(i % CC_N_REASONS);
    size_t b = i / CC_N_REASONS;
    const struct cc_reason_counts *c = &r->reasons[bound_of(r, b)];

    put_bound(row, R_CSV("lifetime"), r, b);
    report_count(row, R_CSV("missed"), c->dependencies[reason]);
    report_count(row, R_CSV("missed_occurrences"), c->occurrences[reason]);
    report_text(row, R_CSV("reason"), cc_reason_name(reason));
}

struct report_table cc_table_reason_rows(const struct cc_report *r)
{
    return REPORT_TABLE(CC_N_REASONS * n_bounds(r), fill_reason_row, r,
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

#define NAME   R_SEEN("figure", .flags = REPORT_LEFT, .width = 17)
#define VALUE  R_SEEN("value", .width = 7)
#define REMARK R_SEEN("", .flags = REPORT_LEFT | REPORT_RAGGED)

static void put_line(struct report_row *row, const char *name,
                     struct cc_ratio ratio, const char *of)
{
    report_text(row, NAME, name);
    put_ratio(row, VALUE, ratio);
    if (ratio.whole > 0)
        report_printf(row, REMARK, "%" PRIu64 " of %" PRIu64 " %s", ratio.part,
                      ratio.whole, of);
    else
        report_none(row, REMARK);
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
        report_text(row, NAME, "blocks kept");
        report_count(row, VALUE, s->n_kept);
        report_printf(row, REMARK, "of %" PRIu64 " %s", s->n_blocks, text);
        break;
    case UNANALYSED:
        report_text(row, NAME, "blocks unanalysed");
        report_count(row, VALUE, s->n_unanalysed);
        report_text(row, REMARK, "of those kept");
        break;
    case THREADS:
        c = cc_report_between_threads(r, bound);
        report_text(row, NAME, "between threads");
        report_count(row, VALUE, c->cross_thread);
        report_printf(row, REMARK,
                      "dependencies at lifetime %s, with %" PRIu64
                      " occurrences",
                      bound, c->cross_thread_occurrences);
        break;
    case FORWARDS:
        cc_forwards_format(r, text);
        report_text(row, NAME, "forwards");
        report_none(row, VALUE);
        report_text(row, REMARK, text);
        break;
    }
}

struct report_table cc_table_figures(const struct cc_report *r)
{
    enum line lines[FORWARDS + 1];

    return REPORT_TABLE(find_lines(r, lines), fill_figures, r, .id = "figures",
                        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML,
                        .is_plain = true);
}

static void fill_gate(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_check *c = &r->checks[i];
    struct diag d;

    cc_check_describe(c, &d);
    report_text(row, R_SEEN("gate", .flags = REPORT_LEFT),
                c->passed ? "passed" : "FAILED");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, REMARK, d.text);
    report_text(row, R_KEY("figure"), cc_figures[c->figure].name);
    if (c->bound == 0)
        report_none(row, R_KEY("lifetime"));
    else
        report_bound(row, R_KEY("lifetime"), c->bound);
    put_ratio(row, R_KEY("value"), c->ratio);
    report_real(row, R_KEY("bar"), c->threshold);
    if (c->is_drop)
        report_real(row, R_KEY("baseline"), c->before);
    else
        report_none(row, R_KEY("baseline"));
    report_bool(row, R_KEY("passed"), c->passed);
}

struct report_table cc_table_gates(const struct cc_report *r)
{
    return REPORT_TABLE(
        r->n_checks, fill_gate, r, .key = "gates", .id = "gates",
        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML, .is_plain = true);
}

/* A note as a value; what it is about has a text before it. */
static void put_note(struct report_row *row, struct report_column column,
                     const struct cc_report *r, size_t i,
                     void (*write)(FILE *, const struct cc_notes *, size_t))
{
    struct memory_stream stream;
    char *text;

    memory_stream_open(&stream);
    write(stream.out, r->notes, i);
    text = memory_stream_close(&stream);
    report_printf(row, column, "%s%s",
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

    report_code(row,
                R_SEEN("program", .shown = REPORT_SHOWN_TEXT,
                       .flags = REPORT_LEFT | REPORT_RAGGED),
                r->data->objects[i].path, NULL);
}

struct report_table cc_table_paths(const struct cc_report *r)
{
    return REPORT_TABLE(r->data->n_objects, fill_path, r,
                        .bare = REPORT_SHOWN_TEXT);
}

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char headline[CC_HEADLINE];

    (void)i;
    cc_headline(r, headline);
    report_text(row, R_KEY("scope"), cc_scope_name(r->data->scope));
    report_text(row, R_KEY("syntax"), disasm_syntax_name(r->syntax));
    report_text(row, R_KEY("headline"), headline);
}

struct report_table cc_table_head(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_head, r, );
}

static void fill_settings(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    (void)i;
    report_real(row, R_KEY("min_weight"), r->filter.min_weight);
    report_real(row, R_KEY("min_share"), r->filter.min_share);
    report_count(row, R_KEY("runs"), r->data->n_runs);
    if (r->groups->by != CC_BY_NONE)
        report_text(row, R_KEY("by"), cc_by_name(r->groups->by));
}

struct report_table cc_table_settings(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_settings, r, );
}

static void fill_incomplete(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_run *run = &r->data->incomplete_runs[i];

    report_text(row, R_KEY("database"), r->notes->in->deps[run->source]);
    report_count(row, R_KEY("run"), (uint64_t)run->id);
}

struct report_table cc_table_incomplete(const struct cc_report *r)
{
    return REPORT_TABLE(r->data->n_incomplete, fill_incomplete, r,
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

    report_text(row, R_KEY("path"), b->path);
    report_text(row, R_KEY("database"), r->notes->in->deps[b->deps]);
    report_text(row, R_KEY("build_id"), b->build_id);
    report_text(row, R_KEY("static_database"),
                r->notes->in->statics[b->statics]);
    report_text(row, R_KEY("static_build_id"), b->static_build_id);
}

struct report_table cc_table_rebuilt(const struct cc_report *r)
{
    size_t n;

    first_rebuilt(r->notes, &n);
    return REPORT_TABLE(n, fill_rebuilt, r, .key = "rebuilt");
}

/* --- What has changed since the baseline --- */

static void fill_change(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_change *c = &r->comparison->changes[i];
    struct report_column points_column =
        R_SEEN("points", .flags = REPORT_LEFT | REPORT_RAGGED);
    char name[64];

    cc_figure_label(c->figure, c->bound, name);
    report_text(row,
                R_SEEN("since the baseline", .width = 31, .flags = REPORT_LEFT),
                name);
    report_text(row, R_KEY("figure"), cc_figures[c->figure].name);
    if (c->bound == 0)
        report_none(row, R_KEY("lifetime"));
    else
        report_bound(row, R_KEY("lifetime"), c->bound);
    if (c->before.has_data) {
        report_printf(row, R_SEEN("before", .width = 7), "%.1f%%",
                      c->before.percent);
        report_real(row, R_KEY("before"), c->before.percent);
    } else {
        report_text(row, R_SEEN("before", .width = 7), "no data");
        report_none(row, R_KEY("before"));
    }
    put_ratio(row, R_SEEN("now", .key = "now", .width = 7), c->now);
    if (c->before.has_data && c->now.whole > 0) {
        double points = cc_change_points(c);

        if (fabs(points) < 1e-9) /* the baseline has 15 digits */
            points = 0;
        report_printf(row, points_column, "%+.2f %s", points,
                      points > 0   ? "better"
                      : points < 0 ? "worse"
                                   : "the same");
    } else {
        report_none(row, points_column);
    }
}

struct report_table cc_table_changes(const struct cc_report *r)
{
    return REPORT_TABLE(r->comparison->n_changes, fill_change, r,
                        .key = "changes", .is_plain = true);
}

static void fill_fate(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_fates *f = &r->comparison->fates;

    report_text(row, R_SEEN("dependencies", .width = 21, .flags = REPORT_LEFT),
                cc_before_text((enum cc_before)i));
    for (enum cc_now now = 0; now < CC_N_NOW; now++)
        if (i != CC_NEW || now <= CC_MISSED_NOW)
            report_count(row, R_SEEN(cc_now_text(now), .width = 10),
                         f->counts[i][now]);
        else
            report_none(row, R_SEEN(cc_now_text(now), .width = 10));
}

struct report_table cc_table_fates(const struct cc_report *r)
{
    return REPORT_TABLE(r->comparison->fates.n_rows, fill_fate, r,
                        .id = "fates", .is_plain = true);
}

/* Null is what the baseline does not show. */
static void fill_transitions(struct report_row *row, const void *from, size_t i)
{
    static const char *const befores[] = {"found", "missed", "new"};
    static const char *const nows[] = {"found", "missed", "unscored", "gone"};
    const struct cc_report *r = from;
    const struct cc_fates *f = &r->comparison->fates;

    (void)i;
    for (unsigned before = 0; before < CC_N_BEFORE; before++)
        for (int now = 0; now < CC_N_NOW; now++) {
            char key[64];

            if (before == CC_NEW && now > CC_MISSED_NOW)
                continue;
            snprintf(key, sizeof key, "transitions.%s.%s", befores[before],
                     nows[now]);
            if (before >= f->n_rows)
                report_none(row, R_KEY(report_copy(row, key)));
            else
                report_count(row, R_KEY(report_copy(row, key)),
                             f->counts[before][now]);
        }
    report_count(row, R_KEY("transitions.unnamed.before"), f->n_unnamed_before);
    report_count(row, R_KEY("transitions.unnamed.now"), f->n_unnamed_now);
}

struct report_table cc_table_transitions(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_transitions, r, );
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
        report_real(row, VALUE, cc_percent(ratio));
    else
        report_text(row, VALUE, "no data");
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
    report_printf(row, NAME, "%s%s", before, name);
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
        report_text(row, NAME, "scored");
        report_text(row, VALUE, text);
    } else if (i <= n_notes) {
        report_text(row, NAME, "left out");
        put_note(row, VALUE, r, i - 1, cc_note_write);
    } else if ((i -= n_notes + 1) < n) {
        put_share(row, r, r->total, "", i);
    } else if ((i -= n) == 0) {
        report_text(row, NAME, "delta-k agreement");
        put_value(row, r->total->agreement);
    } else if (i == 1) {
        report_text(row, NAME, "dependencies between threads");
        report_count(
            row, VALUE,
            r->where[cc_bounds_largest(&r->data->bounds)].cross_thread);
    } else {
        i -= 2;
        snprintf(text, sizeof text,
                 "scope %s: ", cc_scope_name((enum cc_scope)(i / n)));
        put_share(row, r, &r->by_scope[i / n], text, i % n);
    }
}

struct report_table cc_table_properties(const struct cc_report *r)
{
    size_t n = n_bounds(r) * n_shares() + 1;

    return REPORT_TABLE(1 + r->notes->n + n + 2 + r->data->scope * n,
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
        put_note(row, NAME, r, i, cc_note_write_subject);
        put_note(row, VALUE, r, i, cc_note_write);
        return;
    }
    c = &r->checks[i - r->notes->n];
    cc_figure_label(c->figure, c->bound, name);
    cc_check_describe(c, &d);
    report_printf(row, NAME, "%s, %s %.12g%s", name,
                  c->is_drop ? "drop of at most" : "at least", c->threshold,
                  c->is_drop ? " points" : "%");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, VALUE, d.text);
}

struct report_table cc_table_cases(const struct cc_report *r)
{
    return REPORT_TABLE(r->notes->n + r->n_checks, fill_case, r, );
}
