/* cc_tables: scores as tables, and what all tables share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/cc_report.h"

#include "demangle.h"

void cc_write_table(struct report *out, struct report_table table)
{
    report_table(out, &table);
}

unsigned cc_n_bounds(const struct cc_report *r)
{
    return r->data->bounds.n;
}

unsigned cc_bound_of(const struct cc_report *r, size_t row)
{
    assert(r->order[row % cc_n_bounds(r)] < cc_n_bounds(r));
    return r->order[row % cc_n_bounds(r)];
}

void cc_put_bound(struct report_row *row, struct report_column column,
                  const struct cc_report *r, size_t i)
{
    report_bound(row, column, r->data->bounds.bound[cc_bound_of(r, i)]);
}

void cc_put_ratio(struct report_row *row, struct report_column column,
                  struct cc_ratio ratio)
{
    report_ratio(row, column, ratio.part, ratio.whole);
}

const char *cc_bound_text(struct report_row *row, const struct cc_report *r,
                          const char *before, unsigned b)
{
    return report_keep(
        row, memory_printf("%s%s", before,
                           bound_text(r->data->bounds.bound[b]).text));
}

/* --- Scores --- */

/* Puts what a score has at one bound.  People see the first columns where
   `main` says so, and the others where `more` does; for people, figures of the
   same unit are adjacent. */
static void put_figures(struct report_row *row, const struct cc_score *s,
                        unsigned b, const char *unit, unsigned main,
                        unsigned more)
{
    const struct cc_tally *t = &s->tally[b];
    struct cc_ratio precision = cc_figure_ratio(CC_PRECISION, s, b);
    unsigned html = more == 0 ? R_IN_HTML : more;

#define FIGURE(name, unit_, shown_, flags_)                \
    R_BOTH(name, name, .unit = (unit_), .shown = (shown_), \
           .flags = R_INNER | (flags_))
#define OCCURRENCES(heading, shown_)                               \
    R_BOTH(heading, heading "_occurrences", .unit = "occurrences", \
           .shown = (shown_), .width = 7, .flags = R_INNER | R_EXTRA)
    cc_put_ratio(row, FIGURE("cov_u", NULL, main, 0), cc_cov_u(t));
    cc_put_ratio(row, FIGURE("cov_w", NULL, main, 0), cc_cov_w(t));
    cc_put_ratio(row, R_SEEN("precision", .shown = main, .flags = R_EXTRA),
                 precision);
    report_count(row, FIGURE("found", unit, main, R_EXTRA), t->found);
    report_count(row, FIGURE("missed", unit, main, 0), t->missed);
    report_count(
        row, R_SEEN("spanning", .unit = unit, .shown = more, .flags = R_EXTRA),
        t->spanning);
    report_count(row, OCCURRENCES("found", more), t->found_occurrences);
    report_count(row, OCCURRENCES("missed", more), t->missed_occurrences);
    report_count(row, R_KEY("spanning", .flags = R_INNER), t->spanning);
    report_count(row, OCCURRENCES("spanning", html), t->spanning_occurrences);
    cc_put_ratio(row, R_KEY("precision", .flags = R_INNER), precision);
}

void cc_put_lifetime(struct report_row *row, const struct cc_report *r,
                     size_t i)
{
    cc_put_bound(row, R_BOTH("lifetime", "lifetime", .flags = R_INNER), r, i);
}

/* Puts what a score has once, after the list of what it has at each bound. */
static void put_judged(struct report_row *row, const struct cc_score *s)
{
    report_count(row, R_KEY("predictions.occurred"), s->precision.part);
    report_count(row, R_KEY("predictions.judged"), s->precision.whole);
}

void cc_put_score(struct report_row *row, const struct cc_report *r,
                  const struct cc_score *s, size_t i)
{
    unsigned b = cc_bound_of(r, i);

    cc_put_lifetime(row, r, i);
    put_figures(row, s, b, "dependencies", 0, 0);
    cc_put_ratio(row, R_KEY("precision"), s->precision);
    cc_put_ratio(row, R_KEY("delta_k_agreement"), s->agreement);
    report_count(row, R_KEY("delta_k.agreed"), s->agreement.part);
    report_count(row, R_KEY("delta_k.judged"), s->agreement.whole);
    put_judged(row, s);
    report_count(row, R_KEY("blocks.kept"), s->n_kept);
    report_count(row, R_KEY("blocks.dropped"), s->n_blocks - s->n_kept);
    report_count(row, R_KEY("blocks.unanalysed"), s->n_unanalysed);
}

static void fill_total(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    cc_put_score(row, r, r->total, i);
}

struct report_table cc_table_total(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_total, r, .id = "coverage",
                        .inner = "lifetimes", .n_inner = cc_n_bounds(r),
                        .is_bold = true);
}

/* Puts what becomes of all occurrences at the first bound, and which option
   would score those that are not scored. */
static void fill_part(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    enum cc_scope scope = r->data->scope;
    struct cc_share s = cc_share_at(r, r->order[0]);
    const char *place = cc_place_text(scope);
    const uint64_t parts[] = {s.scored, s.dropped, s.between, s.outside};
    struct report_column words = R_SEEN(
        report_keep(row,
                    memory_printf(
                        "of all %" PRIu64 " occurrences at lifetime %s", s.all,
                        bound_text(r->data->bounds.bound[r->order[0]]).text)),
        .flags = R_LEFT | R_RAGGED);

    assert(parts[0] + parts[1] + parts[2] + parts[3] == s.all);
    report_ratio(row, R_SEEN("share"), parts[i], s.all);
    if (i > 0 && parts[i] == 0)
        report_hide(row);
    switch (i) {
    case 0:
        report_printf(row, words, "scored: within %s, in kept blocks", place);
        break;
    case 1:
        report_printf(row, words, "dropped: in blocks %s%s%s",
                      r->filter.min_share > 0 || r->filter.min_weight > 0
                          ? "that ran little; to keep them:"
                          : "without executions",
                      r->filter.min_share > 0 ? " --min-share=0" : "",
                      r->filter.min_weight > 0 ? " --min-weight=0" : "");
        break;
    case 2:
        report_printf(row, words,
                      "spanning: beyond %s; to score it: staticdeps --scope=%s",
                      place, scope == CC_SCOPE_BLOCK ? "function" : "program");
        break;
    default:
        report_text(row, words, "outside: in code not analysed; see below");
    }
}

struct report_table cc_table_parts(const struct cc_report *r)
{
    return REPORT_TABLE(cc_share_at(r, r->order[0]).all > 0 ? 4 : 0, fill_part,
                        r, .id = "parts", .is_plain = true);
}

/* Puts a group's name; a group without one is code outside any function. */
static void put_group_name(struct report_row *row, const struct cc_report *r,
                           const struct cc_group *g)
{
    const char *path = r->data->objects[g->object].path;
    struct report_column column =
        R_SEEN(cc_by_words[r->groups.by], .flags = R_LEFT | R_RAGGED);

    assert(g->object < r->data->n_objects);
    if (r->groups.by == CC_BY_LINE && g->line > 0)
        report_printf(row, column, "%s:%d in %s", text_base_name(g->file),
                      g->line, path);
    else if (r->groups.by == CC_BY_LINE)
        report_printf(row, column, "(no line) in %s", path);
    else if (r->groups.by == CC_BY_OBJECT)
        report_code(row, column, path, NULL);
    else if (g->other_names == NULL)
        report_function(row, column, g->function, path);
    else {
        AUTO_FREE char *names = demangle_names(g->function, g->other_names);
        AUTO_FREE char *in =
            memory_printf(" in %s", r->data->objects[g->object].path);

        report_code(row, column, names, in);
    }
}

static void fill_group_list(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_group *g = &r->groups.list[i];

    report_count(row, R_SEEN("found", .unit = "occurrences"),
                 g->score->tally[0].found_occurrences);
    report_count(row, R_SEEN("missed", .unit = "occurrences"),
                 g->score->tally[0].missed_occurrences);
    for (unsigned b = 0; b < cc_n_bounds(r); b++) {
        const char *unit = cc_bound_text(row, r, "", b);

        cc_put_ratio(row, R_SEEN("cov_u", .unit = unit, .width = 7),
                     cc_cov_u(&g->score->tally[b]));
        cc_put_ratio(row, R_SEEN("cov_w", .unit = unit, .width = 7),
                     cc_cov_w(&g->score->tally[b]));
    }
    if (r->groups.by == CC_BY_BLOCK)
        report_printf(row, R_SEEN("addresses"), "%" PRIx64 "-%" PRIx64,
                      g->start, g->end);
    put_group_name(row, r, g);
}

struct report_table cc_table_group_list(const struct cc_report *r)
{
    return REPORT_TABLE(r->groups.n, fill_group_list, r);
}

/* --- The score of each scope, by support and by evidence --- */

void cc_put_part(struct report_row *row, const struct cc_score *s, unsigned b,
                 unsigned shown)
{
    put_figures(row, s, b, NULL, shown, R_HIDDEN);
    cc_put_ratio(row, R_KEY("precision"), s->precision);
    put_judged(row, s);
}

static void fill_scope(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    unsigned b = cc_bound_of(r, i);
    enum cc_scope scope = (enum cc_scope)(i / cc_n_bounds(r));
    const struct cc_score *s = &r->by_scope[scope];

    assert(scope <= r->data->scope);
    report_text(row, R_BOTH("scope", "scope"), cc_scope_name(scope));
    cc_put_lifetime(row, r, i);
    report_ratio(row, R_SEEN("of all", .flags = R_EXTRA),
                 r->where[b].within[scope], r->where[b].all);
    cc_put_part(row, s, b, 0);
    report_count(row, R_SEEN("false", .flags = R_EXTRA),
                 s->precision.whole - s->precision.part);
}

struct report_table cc_table_scopes(const struct cc_report *r)
{
    return REPORT_TABLE((r->data->scope + 1) * cc_n_bounds(r), fill_scope, r,
                        .key = "by_scope", .inner = "lifetimes",
                        .n_inner = cc_n_bounds(r), .is_plain = true);
}

static void fill_evidence(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t part = i / cc_n_bounds(r);
    unsigned b = cc_bound_of(r, i);
    const struct cc_score *s = &r->by_evidence[part];
    const struct cc_tally *t = &s->tally[b];
    const struct cc_tally *all = &r->by_scope[part / CC_N_EVIDENCES].tally[b];

    assert(t->found <= all->found &&
           t->found_occurrences <= all->found_occurrences);
    if (s->precision.whole == 0)
        report_hide(row);
    report_text(row, R_BOTH("scope", "scope"),
                cc_scope_name((enum cc_scope)(part / CC_N_EVIDENCES)));
    cc_put_lifetime(row, r, i);
    report_text(row, R_BOTH("evidence", "evidence"),
                cc_evidence_name((enum cc_evidence)(part % CC_N_EVIDENCES)));
    report_count(row, R_SEEN("predicted", .flags = R_EXTRA),
                 s->precision.whole);
    report_count(row, R_SEEN("true", .flags = R_EXTRA), t->occurred);
    cc_put_ratio(row, R_SEEN("precision"), cc_figure_ratio(CC_PRECISION, s, b));
    report_count(row, R_SEEN("found", .flags = R_EXTRA), t->found);
    cc_put_part(row, s, b, R_HIDDEN);
    report_count(row, R_KEY("occurred", .flags = R_INNER), t->occurred);
    report_ratio(row, R_KEY("share_u", .flags = R_INNER), t->found, all->found);
    report_ratio(row, R_BOTH("share_w", "share_w", .flags = R_INNER),
                 t->found_occurrences, all->found_occurrences);
}

struct report_table cc_table_evidences(const struct cc_report *r)
{
    return REPORT_TABLE((r->data->scope + 1) * CC_N_EVIDENCES * cc_n_bounds(r),
                        fill_evidence, r, .key = "by_evidence",
                        .inner = "lifetimes", .n_inner = cc_n_bounds(r),
                        .is_plain = true);
}
