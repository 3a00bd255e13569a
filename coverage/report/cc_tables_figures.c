/*
 * cc_tables_figures: figures, gates, what a report is about, and what has
 * changed since the baseline, as tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "report/cc_words.h"

/* --- Figures with a remark, and gates --- */

enum line { PRECISION, AGREEMENT, BLOCKS, UNANALYSED, THREADS, FORWARDS };

/* Which lines there are; returns how many. */
static size_t find_lines(const struct cc_report *r, enum line lines[])
{
    char text[CC_FORWARDS];
    size_t n = 0;

    if (r->total->precision.whole > 0)
        lines[n++] = PRECISION;
    if (r->total->agreement.whole > 0)
        lines[n++] = AGREEMENT;
    lines[n++] = BLOCKS;
    if (r->total->n_unanalysed > 0)
        lines[n++] = UNANALYSED;
    if (r->where[cc_bounds_largest(&r->data->bounds)].cross_thread > 0)
        lines[n++] = THREADS;
    if (cc_forwards_format(r, text))
        lines[n++] = FORWARDS;
    return n;
}

static void put_line(struct report_row *row, const char *name,
                     struct cc_ratio ratio, const char *of)
{
    report_text(row, NAME, name);
    cc_put_ratio(row, VALUE, ratio);
    report_printf(row, REMARK, "%" PRIu64 " of %" PRIu64 " %s", ratio.part,
                  ratio.whole, of);
}

static void fill_figures(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_score *s = r->total;
    unsigned largest = cc_bounds_largest(&r->data->bounds);
    const struct bound_text bound = bound_text(r->data->bounds.bound[largest]);
    char text[CC_FORWARDS];
    enum line lines[FORWARDS + 1];

    find_lines(r, lines);
    switch (lines[i]) {
    case PRECISION:
        put_line(row, "precision", s->precision,
                 "predictions occurred at any distance");
        break;
    case AGREEMENT:
        put_line(row, "delta-k agreement", s->agreement,
                 "found have the right number of iterations");
        break;
    case BLOCKS:
        cc_filter_text(&r->filter, text);
        report_text(row, NAME, "blocks kept (hot)");
        report_count(row, VALUE, s->n_kept);
        report_printf(row, REMARK, "of %" PRIu64 " %s", s->n_blocks, text);
        break;
    case UNANALYSED:
        report_text(row, NAME, "blocks unanalysed");
        report_count(row, VALUE, s->n_unanalysed);
        report_text(row, REMARK, "of those kept");
        break;
    case THREADS:
        report_text(row, NAME, "between threads");
        report_count(row, VALUE, r->where[largest].cross_thread);
        report_printf(row, REMARK,
                      "dependencies at lifetime %s, with %" PRIu64
                      " occurrences",
                      bound.text, r->where[largest].cross_thread_occurrences);
        break;
    case FORWARDS:
        cc_forwards_format(r, text);
        report_text(row, NAME, "loads read");
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
    report_text(row, R_KEY("figure"), cc_figure_name(c->figure));
    report_bound(row, R_KEY("lifetime"), c->bound);
    report_known(row, c->bound != 0);
    cc_put_ratio(row, R_KEY("value"), c->ratio);
    report_real(row, R_KEY("bar"), c->threshold);
    report_real(row, R_KEY("baseline"), c->before);
    report_known(row, c->is_drop);
    report_bool(row, R_KEY("passed"), c->passed);
}

struct report_table cc_table_gates(const struct cc_report *r)
{
    return REPORT_TABLE(
        r->n_checks, fill_gate, r, .key = "gates", .id = "gates",
        .bare = REPORT_SHOWN_TEXT | REPORT_SHOWN_HTML, .is_plain = true);
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
    return REPORT_TABLE(1, fill_head, r);
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
    return REPORT_TABLE(1, fill_settings, r);
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
    bool had_data = !isnan(c->before);
    char name[64];

    cc_figure_label(c->figure, c->bound, name);
    report_text(row,
                R_SEEN("since the baseline", .width = 31, .flags = REPORT_LEFT),
                name);
    report_text(row, R_KEY("figure"), cc_figure_name(c->figure));
    report_bound(row, R_KEY("lifetime"), c->bound);
    report_known(row, c->bound != 0);
    if (had_data)
        report_printf(row, R_SEEN("before", .width = 7), "%.1f%%", c->before);
    else
        report_text(row, R_SEEN("before", .width = 7), "no data");
    report_real(row, R_KEY("before"), had_data ? c->before : 0);
    report_known(row, had_data);
    cc_put_ratio(row, R_SEEN("now", .key = "now", .width = 7), c->now);
    if (had_data && c->now.whole > 0) {
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
    for (enum cc_now now = 0; now < CC_N_NOW; now++) {
        report_count(row, R_SEEN(cc_now_text(now), .width = 10),
                     f->counts[i][now]);
        report_known(row, i != CC_NEW || now <= CC_MISSED_NOW);
    }
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
            if (before == CC_NEW && now > CC_MISSED_NOW)
                continue;
            report_count(row,
                         R_KEY(report_keep(
                             row, memory_printf("transitions.%s.%s",
                                                befores[before], nows[now]))),
                         f->counts[before][now]);
            report_known(row, before < f->n_rows);
        }
    report_count(row, R_KEY("transitions.unnamed.before"), f->n_unnamed_before);
    report_count(row, R_KEY("transitions.unnamed.now"), f->n_unnamed_now);
}

struct report_table cc_table_transitions(const struct cc_report *r)
{
    return REPORT_TABLE(1, fill_transitions, r);
}
