/* cy_changes: what has changed since an earlier report, as tables. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "demangle.h"
#include "report/internal.h"

/* --- This report, in the form in which the earlier one was saved --- */

int cy_report_saved(struct cy_saved *saved, const struct cy_report *r,
                    struct diag *d)
{
    struct cy_prediction all = *r->prediction;
    struct cy_report whole = *r;

    /* A loop that is too fast to be listed now may have been listed before. */
    all.n_shown = all.n;
    whole.prediction = &all;
    whole.n_shown = SIZE_MAX;
    whole.comparison = NULL;
    struct memory_stream stream = memory_stream_open(&stream);
    cy_report_json(stream.out, &whole);
    size_t n = memory_stream_size(&stream);
    AUTO_FREE char *text = memory_stream_close(&stream);
    return cy_saved_parse(saved, text, n, "this report", d);
}

/* --- Values --- */

/* What people and programs call each kind of change. */
static const struct {
    const char *name, *key;
} kinds[CY_N_CHANGES] = {
    [CY_SLOWER] = {"slower", "slower"},
    [CY_FASTER] = {"faster", "faster"},
    [CY_NEW] = {"new", "new"},
    [CY_UNLISTED] = {"not listed before", "not_listed_before"},
    [CY_GONE] = {"gone", "gone"},
    [CY_LIMITING] = {"limiting now", "limiting_now"},
    [CY_FREE] = {"no longer limiting", "no_longer_limiting"},
    [CY_UNCHANGED] = {"same", "same"},
};

static void put(struct report_row *row, struct report_column column,
                double number)
{
    cy_put_real(row, column, !isnan(number), number);
}

/* Puts a figure for people, after ">=" if it is only a lower bound. */
static void put_seen(struct report_row *row, struct report_column column,
                     double number, bool is_least)
{
    if (is_least && !isnan(number))
        report_printf(row, column, ">=%.2f", number);
    else
        put(row, column, number);
}

/* Puts the figures of both reports, and their growth.  A loop whose `is_least`
   is set has at least the cycles of the round; NULL: no such loop. */
static void put_figures(struct report_row *row, const struct cy_two *round,
                        const struct cy_two *total,
                        const struct cy_saved_loop *before,
                        const struct cy_saved_loop *now)
{
    const struct cy_two *f =
        isnan(total->before) || isnan(total->now) ? round : total;
    double growth = cy_growth(f);

    put_seen(row,
             R_SEEN("before", .unit = "cycles an iteration", .width = 8,
                    .flags = R_EXTRA, .format = "%.2f"),
             round->before, before != NULL && before->is_least);
    put_seen(row,
             R_SEEN("now", .unit = "cycles an iteration", .width = 8,
                    .flags = R_EXTRA, .format = "%.2f"),
             round->now, now != NULL && now->is_least);
    put(row,
        R_SEEN("before", .unit = "cycles in total", .width = 10,
               .flags = R_EXTRA, .format = "%.4g"),
        total->before);
    put(row,
        R_SEEN("now", .unit = "cycles in total", .width = 10, .flags = R_EXTRA,
               .format = "%.4g"),
        total->now);
    put(row, R_SEEN("growth", .width = 8, .format = "%+.1f%%"), growth);
    put(row, R_KEY("round.before"), round->before);
    put(row, R_KEY("round.now"), round->now);
    put(row, R_KEY("total.before"), total->before);
    put(row, R_KEY("total.now"), total->now);
    put(row, R_KEY("growth"), growth);
}

static void put_kind(struct report_row *row, enum cy_change kind)
{
    report_text(row, R_SEEN("", .key = "state", .flags = R_LEFT),
                kinds[kind].name);
    report_style(row, kind == CY_SLOWER   ? REPORT_BAD
                      : kind == CY_FASTER ? REPORT_GOOD
                                          : REPORT_PLAIN);
}

static void put_name(struct report_row *row, struct report_column column,
                     const struct cy_saved_loop *loop)
{
    if (loop->region != NULL)
        report_text(row, column, loop->region);
    else if (loop->function != NULL)
        report_function(row, column, loop->function, NULL);
    else
        report_none(row, column);
}

/* --- Loops --- */

static void fill_change(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_loop_change *change = &r->comparison->loops[i];
    const struct cy_saved_loop *loop =
        change->now != NULL ? change->now : change->before;

    assert(loop != NULL && change->kind < CY_N_CHANGES);
    if (i >= r->n_shown || change->kind == CY_UNCHANGED)
        report_hide(row);
    put_figures(row, &change->round, &change->total, change->before,
                change->now);
    put_kind(row, change->kind);
    put_name(row, R_SEEN("loop", .flags = R_LEFT), loop);
    report_text(row, R_KEY("function"), loop->function);
    report_text(row, R_KEY("region"), loop->region);
    report_text(
        row,
        R_SEEN("line", .key = "line", .flags = R_LEFT | R_RAGGED | R_EXTRA),
        loop->line);
    report_text(row, R_KEY("line_before"),
                change->before != NULL ? change->before->line : NULL);
    report_count(row, R_KEY("loops_before"), change->n_before);
    report_count(row, R_KEY("loops_now"), change->n_now);
    report_printf(row, R_SEEN("", .flags = R_LEFT | R_RAGGED | R_EXTRA),
                  "%zu loops before, %zu now", change->n_before, change->n_now);
    report_known(row, change->n_before > 1 || change->n_now > 1);
    report_bool(row, R_KEY("fails"), change->fails);
}

/* --- Dependencies --- */

static const char *line_text(const char *line)
{
    return line != NULL ? line : "(no line)";
}

static void fill_dependency_change(struct report_row *row, const void *from,
                                   size_t i)
{
    const struct report_column forwarding =
        R_SEEN("forward", .flags = R_LEFT | R_EXTRA);
    const struct cy_report *r = from;
    const struct cy_dependency_change *c = &r->comparison->dependencies[i];
    const struct cy_saved_dependency *d = c->now != NULL ? c->now : c->before;
    bool has_both = c->before != NULL && c->now != NULL;

    assert(d != NULL && c->loop != NULL);
    if (i >= r->n_shown ||
        (c->kind == CY_UNCHANGED && c->was_failed == c->is_failed))
        report_hide(row);
    put_figures(row, &c->round, &c->total, NULL, NULL);
    put_kind(row, c->kind);
    put_name(row, R_SEEN("loop", .flags = R_LEFT), c->loop);
    report_text(row, R_KEY("function"), c->loop->function);
    report_text(row, R_KEY("region"), c->loop->region);
    report_text(row, R_KEY("loop_line"), c->loop->line);
    report_text(row, R_KEY("store_line"), d->store_line);
    report_text(row, R_KEY("load_line"), d->load_line);
    report_text(row, R_KEY("forwarding.before"),
                c->before != NULL ? c->before->forwarding : NULL);
    report_text(row, R_KEY("forwarding.now"),
                c->now != NULL ? c->now->forwarding : NULL);
    if (has_both && c->was_failed != c->is_failed)
        report_text(row, forwarding,
                    c->is_failed ? "fails now" : "failed before");
    else
        report_text(row, forwarding, d->forwarding);
    report_text(row, R_SEEN("store", .flags = R_LEFT | R_EXTRA),
                line_text(d->store_line));
    report_text(row, R_SEEN("load", .flags = R_LEFT | R_RAGGED | R_EXTRA),
                line_text(d->load_line));
}

/* --- Everything --- */

/* How many changes are of each kind: "1 slower, 3 the same"; "none". */
static char *counts_text(const size_t counts[CY_N_CHANGES])
{
    const char *before = "";
    struct memory_stream text = memory_stream_open(&text);

    for (enum cy_change k = 0; k < CY_N_CHANGES; k++)
        if (counts[k] > 0) {
            fprintf(text.out, "%s%zu %s%s", before, counts[k],
                    k == CY_UNCHANGED ? "the " : "", kinds[k].name);
            before = ", ";
        }
    if (*before == '\0')
        fputs("none", text.out);
    return memory_stream_close(&text);
}

static void write_counts(struct report *out, const struct cy_comparison *c)
{
    AUTO_FREE char *loops = counts_text(c->loops_by_kind);
    AUTO_FREE char *dependencies = counts_text(c->dependencies_by_kind);

    report_paragraph(out, "Loops: %s; dependencies through memory: %s.", loops,
                     dependencies);
    if (c->n_unmatched_before > 0 || c->n_unmatched_now > 0)
        report_paragraph(out,
                         "Not compared, since nothing tells which is which: "
                         "%zu loop%s before, %zu now.",
                         c->n_unmatched_before,
                         c->n_unmatched_before == 1 ? "" : "s",
                         c->n_unmatched_now);
}

static bool has_dependency_changes(const struct cy_comparison *c)
{
    for (size_t i = 0; i < c->n_dependencies; i++)
        if (c->dependencies[i].kind != CY_UNCHANGED ||
            c->dependencies[i].was_failed != c->dependencies[i].is_failed)
            return true;
    return false;
}

static struct report_table table_of_changes(const struct cy_report *r)
{
    return REPORT_TABLE(r->comparison->n_loops, fill_change, r, .key = "loops",
                        .is_plain = true);
}

static struct report_table
table_of_dependency_changes(const struct cy_report *r)
{
    return REPORT_TABLE(r->comparison->n_dependencies, fill_dependency_change,
                        r, .key = "dependencies", .is_plain = true);
}

/* --- For programs --- */

static void fill_counts(struct report_row *row, const void *from, size_t i)
{
    const size_t *counts = from;

    (void)i;
    for (enum cy_change k = 0; k < CY_N_CHANGES; k++)
        report_count(row, R_KEY(kinds[k].key), counts[k]);
}

static void fill_comparison(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_comparison *c = r->comparison;
    const struct report_table loops = table_of_changes(r);
    const struct report_table dependencies = table_of_dependency_changes(r);

    (void)i;
    report_text(row, R_KEY("baseline"), c->path);
    put(row, R_KEY("max_slowdown"), c->has_limit ? c->limit : NAN);
    report_bool(row, R_KEY("passed"), !c->fails);
    report_count(row, R_KEY("unmatched_before"), c->n_unmatched_before);
    report_count(row, R_KEY("unmatched_now"), c->n_unmatched_now);
    report_rows(row, R_KEY("loop_counts"),
                &REPORT_TABLE(1, fill_counts, c->loops_by_kind));
    report_rows(row, R_KEY("dependency_counts"),
                &REPORT_TABLE(1, fill_counts, c->dependencies_by_kind));
    put(row, R_KEY("program.before"), c->program.before);
    put(row, R_KEY("program.now"), c->program.now);
    put(row, R_KEY("program.growth"), cy_growth(&c->program));
    report_bool(row, R_KEY("program.fails"), c->program_fails);
    report_bool(row, R_KEY("program.may_be_chance"), c->may_be_chance);
    report_rows(row, R_KEY("loops"), &loops);
    report_rows(row, R_KEY("dependencies"), &dependencies);
}

static void write_changes(struct report *out, const struct cy_report *r)
{
    const struct cy_comparison *c = r->comparison;
    struct report_table table = table_of_changes(r);
    const struct cy_two *f = &c->program;

    assert(c->loops_by_kind[CY_UNCHANGED] <= c->n_loops);
    report_heading(out, "changes since the baseline");
    if (!isnan(f->before) && !isnan(f->now) && f->before > 0)
        report_paragraph(out,
                         "The program: %.4g cycles, before %.4g (%+.1f%%%s).",
                         f->now, f->before, cy_growth(f),
                         c->may_be_chance ? ", which may be chance" : "");
    write_counts(out, c);
    if (c->loops_by_kind[CY_UNCHANGED] < c->n_loops)
        report_table(out, &table);
    table = table_of_dependency_changes(r);
    if (has_dependency_changes(c))
        report_table(out, &table);
}

void cy_report_changes(struct report *out, const struct cy_report *r)
{
    if (r->comparison == NULL)
        return;
    if (out->format == REPORT_JSON)
        report_table(out,
                     &REPORT_TABLE(1, fill_comparison, r, .key = "comparison",
                                   .is_object = true));
    else
        write_changes(out, r);
}

/* --- The gate --- */

static void describe(FILE *out, const char *what, const struct cy_two *f,
                     const char *unit, double limit)
{
    assert(f->now > f->before);
    fprintf(out,
            "%s: %.4g %s, %.1f%% more than the baseline's %.4g; at most "
            "%.12g%% more are allowed\n",
            what, f->now, unit, cy_growth(f), f->before, limit);
}

static void describe_loop(FILE *out, const struct cy_loop_change *change,
                          double limit)
{
    const struct cy_saved_loop *loop = change->now;
    bool has_total = !isnan(change->total.before) && !isnan(change->total.now);
    AUTO_FREE char *name =
        loop->region != NULL
            ? memory_text(loop->region)
            : demangle_names(loop->function != NULL ? loop->function : "a loop",
                             NULL);
    AUTO_FREE char *text =
        memory_printf("%s%s%s", name, loop->line != NULL ? " " : "",
                      loop->line != NULL ? loop->line : "");

    assert(change->fails && change->before != NULL);
    describe(out, text, has_total ? &change->total : &change->round,
             has_total ? "cycles" : "cycles an iteration", limit);
}

char *cy_comparison_failures(const struct cy_comparison *c)
{
    struct memory_stream text = memory_stream_open(&text);

    if (c->program_fails)
        describe(text.out, "the program", &c->program, "cycles", c->limit);
    for (size_t i = 0; i < c->n_loops; i++)
        if (c->loops[i].fails)
            describe_loop(text.out, &c->loops[i], c->limit);
    if (c->fails && memory_stream_size(&text) == 0)
        fprintf(text.out,
                "%s: nothing to compare with: no loop of it was "
                "found again\n",
                c->path);
    return memory_stream_close(&text);
}
