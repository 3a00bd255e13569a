/*
 * cc_tables: where dependencies lie, how they were forwarded and why they were
 * missed; figures, gates, what a report is about, and what has changed since
 * the baseline.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_report.h"

#define TEXT_MARKDOWN (R_IN_TEXT | R_IN_MARKDOWN)

/* --- Where dependencies lie, and how they were forwarded --- */

static const struct {
    const char *name, *text;
} places[] = {
    [CC_IN_BLOCK] = {"block", "one block"},
    [CC_IN_FUNCTION] = {"function", "one function"},
    [CC_ACROSS] = {"across_functions", "two functions"},
    [CC_NO_FUNCTION] = {"unknown_function", "unknown"},
    [CC_OUTSIDE] = {"outside", "outside"},
};

static void fill_where(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_where_counts *c = &r->where[cc_bound_of(r, i)];

    cc_put_bound(row, R_BOTH("lifetime", "lifetime"), r, i);
    report_count(row, R_KEY("occurrences"), c->all);
    for (enum cc_where w = 0; w < CC_N_WHERE; w++) {
        assert(c->occurrences[w] <= c->all);
        report_ratio(
            row,
            R_SEEN(places[w].text, .flags = w == CC_NO_FUNCTION ? R_EXTRA : 0),
            c->occurrences[w], c->all);
        report_count(row, R_KEY(places[w].name), c->occurrences[w]);
    }
    report_count(row, R_SEEN("occurrences", .flags = R_EXTRA), c->all);
    report_count(row, R_KEY("cross_thread.dependencies"), c->cross_thread);
    report_count(row, R_KEY("cross_thread.occurrences"),
                 c->cross_thread_occurrences);
}

struct report_table cc_table_where(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_where, r, .key = "scopes",
                        .is_plain = true);
}

static void fill_outside_list(struct report_row *row, const void *from,
                              size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outside_file *f = &r->outside.files[i];

    report_count(row,
                 R_SEEN("occurrences", .shown = TEXT_MARKDOWN, .width = 10),
                 f->occurrences[r->order[0]]);
    report_code(row, R_SEEN("file", .flags = R_LEFT | R_RAGGED), f->path,
                f->is_analysed ? ", in no block" : NULL);
    for (unsigned b = 0; b < cc_n_bounds(r); b++)
        report_count(row,
                     R_SEEN(cc_bound_text(row, r, "within ", r->order[b]),
                            .shown = R_IN_HTML, .flags = b > 0 ? R_EXTRA : 0),
                     f->occurrences[r->order[b]]);
}

struct report_table cc_table_outside_list(const struct cc_report *r)
{
    return REPORT_TABLE(r->outside.n_listed, fill_outside_list, r,
                        .id = "files", .is_joined = true, .bare = R_IN_TEXT);
}

static void put_forward(struct report_row *row, const char *heading,
                        const char *name, unsigned flags, uint64_t part,
                        uint64_t all)
{
    report_ratio(row, R_SEEN(heading, .shown = R_IN_HTML, .flags = flags), part,
                 all);
    report_count(row, R_KEY(name), part);
}

static void fill_forwards(struct report_row *row, const void *from, size_t i)
{
    static const char *const names[FORWARD_N] = FORWARD_NAMES;
    const struct cc_report *r = from;
    const struct cc_forwards *f = &r->data->forwards[cc_bound_of(r, i)];
    uint64_t all = cc_forwards_known(f);

    cc_put_bound(row, R_BOTH("lifetime", "lifetime", .shown = R_IN_HTML), r, i);
    report_count(row, R_KEY("occurrences"), all);
    for (int kind = 0; kind < FORWARD_N; kind++)
        put_forward(row, kind == FORWARD_SAME ? "same bytes" : names[kind],
                    names[kind], 0, f->by[kind], all);
    put_forward(row, "crossing a line", "crossing", R_EXTRA, f->crossing, all);
    report_count(
        row, R_SEEN("occurrences", .shown = R_IN_HTML, .flags = R_EXTRA), all);
}

struct report_table cc_table_forwards(const struct cc_report *r)
{
    return REPORT_TABLE(cc_n_bounds(r), fill_forwards, r, .key = "forwards",
                        .is_plain = true);
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
    report_text(row, R_SEEN("reason", .flags = R_LEFT, .width = 39),
                cc_reason_text(reason));
    report_count(row, R_SEEN("dependencies", .shown = R_IN_MARKDOWN),
                 c->dependencies[reason]);
    report_ratio(row, R_SEEN("dependencies", .shown = R_IN_TEXT),
                 c->dependencies[reason], dependencies);
    report_count(row, R_SEEN("occurrences", .shown = R_IN_MARKDOWN),
                 c->occurrences[reason]);
    report_ratio(row, R_SEEN("occurrences", .shown = R_IN_TEXT),
                 c->occurrences[reason], occurrences);
    for (unsigned b = 0; b < cc_n_bounds(r); b++) {
        const char *unit = cc_bound_text(row, r, "", r->order[b]);

        c = &r->reasons[r->order[b]];
        report_count(row,
                     R_SEEN("dependencies", .unit = unit, .shown = R_IN_HTML,
                            .flags = b > 0 ? R_EXTRA : 0),
                     c->dependencies[reason]);
        report_count(row,
                     R_SEEN("occurrences", .unit = unit, .shown = R_IN_HTML,
                            .flags = b > 0 ? R_EXTRA : 0),
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

/* --- Figures with a remark, and gates --- */

#define WORDS 160 /* largest size of a remark */

/* Writes what kept blocks did: "executed at least 0.1% of all instructions". */
static void filter_text(const struct cc_filter *filter, char text[WORDS])
{
    char share[64] = "", weight[64] = "";

    if (filter->min_share > 0)
        snprintf(share, sizeof share,
                 "executed at least %.12g%% of all instructions",
                 filter->min_share);
    if (filter->min_weight > 0)
        snprintf(weight, sizeof weight,
                 "ran at least %.12g%% as often as the heaviest",
                 filter->min_weight);
    snprintf(text, WORDS, "%s%s%s", share,
             *share != '\0' && *weight != '\0' ? " and " : "", weight);
    if (*text == '\0')
        snprintf(text, WORDS, "were executed");
}

/* Writes how the occurrences within the first bound were forwarded; false if
   that is not known. */
static bool forwards_text(const struct cc_report *report, char text[WORDS])
{
    static const char *const words[FORWARD_N] = {
        [FORWARD_SAME] = "just what a store wrote",
        [FORWARD_CONTAINED] = "a part of it",
        [FORWARD_PARTIAL] = "more than it",
        [FORWARD_SEVERAL] = "what several wrote",
    };
    const struct cc_forwards *f = &report->data->forwards[0];
    uint64_t n = cc_forwards_known(f);
    const char *before = "";
    int at = 0;

    for (int kind = 0; kind < FORWARD_N; kind++)
        if (f->by[kind] > 0) {
            at += snprintf(text + at, WORDS - (size_t)at, "%s%s %s", before,
                           report_ratio_text(f->by[kind], n).text, words[kind]);
            before = ", ";
        }
    if (f->crossing > 0)
        snprintf(text + at, WORDS - (size_t)at, "; %s cross a line",
                 report_ratio_text(f->crossing, n).text);
    return n > 0;
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
    enum { PRECISION, AGREEMENT, BLOCKS, UNANALYSED, THREADS };
    const struct cc_report *r = from;
    const struct cc_score *s = r->total;
    unsigned largest = cc_bounds_largest(&r->data->bounds);
    const struct cc_where_counts *where = &r->where[largest];
    bool has_line = true;
    char text[WORDS];

    switch (i) {
    case PRECISION:
        has_line = s->precision.whole > 0;
        put_line(row, "precision", s->precision,
                 "predictions occurred at any distance");
        break;
    case AGREEMENT:
        has_line = s->agreement.whole > 0;
        put_line(row, "delta-k agreement", s->agreement,
                 "found have the right number of iterations");
        break;
    case BLOCKS:
        filter_text(&r->filter, text);
        report_text(row, NAME, "blocks kept (hot)");
        report_count(row, VALUE, s->n_kept);
        report_printf(row, REMARK, "of %" PRIu64 " %s", s->n_blocks, text);
        break;
    case UNANALYSED:
        has_line = s->n_unanalysed > 0;
        report_text(row, NAME, "blocks unanalysed");
        report_count(row, VALUE, s->n_unanalysed);
        report_text(row, REMARK, "of those kept");
        break;
    case THREADS:
        has_line = where->cross_thread > 0;
        report_text(row, NAME, "between threads");
        report_count(row, VALUE, where->cross_thread);
        report_printf(row, REMARK,
                      "dependencies at lifetime %s, with %" PRIu64
                      " occurrences",
                      bound_text(r->data->bounds.bound[largest]).text,
                      where->cross_thread_occurrences);
        break;
    default:
        has_line = forwards_text(r, text);
        report_text(row, NAME, "loads read");
        report_none(row, VALUE);
        report_text(row, REMARK, text);
    }
    if (!has_line)
        report_hide(row);
}

struct report_table cc_table_figures(const struct cc_report *r)
{
    return REPORT_TABLE(6, fill_figures, r, .id = "figures",
                        .bare = R_IN_TEXT | R_IN_HTML, .is_plain = true);
}

static void fill_gate(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_check *c = &r->checks[i];
    struct diag d;

    assert(c->ratio.part <= c->ratio.whole);
    cc_check_describe(c, &d);
    report_text(row, R_SEEN("gate", .flags = R_LEFT),
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
    return REPORT_TABLE(r->n_checks, fill_gate, r, .key = "gates",
                        .id = "gates", .bare = R_IN_TEXT | R_IN_HTML,
                        .is_plain = true);
}

/* --- What the report is about --- */

static void fill_path(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;

    report_code(
        row, R_SEEN("program", .shown = R_IN_TEXT, .flags = R_LEFT | R_RAGGED),
        r->data->objects[i].path, NULL);
}

struct report_table cc_table_paths(const struct cc_report *r)
{
    return REPORT_TABLE(r->data->n_objects, fill_path, r, .bare = R_IN_TEXT);
}

/* --- What has changed since the baseline --- */

static void fill_change(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_change *c = &r->comparison.changes[i];
    struct report_column points_column =
        R_SEEN("points", .flags = R_LEFT | R_RAGGED);
    bool had_data = !isnan(c->before);
    char name[64];

    assert(had_data || c->now.whole > 0);
    cc_figure_label(c->figure, c->bound, name);
    report_text(row, R_SEEN("since the baseline", .width = 31, .flags = R_LEFT),
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

        if (fabs(points) < 1e-9) /* rounding: the baseline has 15 digits */
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
    return REPORT_TABLE(r->comparison.n_changes, fill_change, r,
                        .key = "changes", .is_plain = true);
}

static void fill_outcome(struct report_row *row, const void *from, size_t i)
{
    static const char *const befores[] = {"found before", "missed before",
                                          "new"};
    static const char *const nows[] = {"found now", "missed now", "not scored",
                                       "gone"};
    const struct cc_report *r = from;
    const struct cc_outcomes *f = &r->comparison.outcomes;

    report_text(row, R_SEEN("dependencies", .width = 21, .flags = R_LEFT),
                befores[i]);
    for (enum cc_now now = 0; now < CC_N_NOW; now++) {
        report_count(row, R_SEEN(nows[now], .width = 10), f->counts[i][now]);
        report_known(row, i != CC_NEW || now <= CC_MISSED_NOW);
    }
}

struct report_table cc_table_outcomes(const struct cc_report *r)
{
    return REPORT_TABLE(CC_N_BEFORE, fill_outcome, r, .id = "fates",
                        .is_plain = true);
}
