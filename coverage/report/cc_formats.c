/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/cc_report.h"

#include "output.h"

/* --- Words --- */

#define MAX_NAMED 3 /* objects whose path names a program */

char *cc_report_program(const struct cc_data *data)
{
    uint32_t n = data->n_objects > MAX_NAMED + 1 ? MAX_NAMED : data->n_objects;
    struct memory_stream text = memory_stream_open(&text);

    for (uint32_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? ", " : "", data->objects[i].path);
    if (n < data->n_objects)
        fprintf(text.out, " and %" PRIu32 " more", data->n_objects - n);
    return memory_stream_close(&text);
}

/* --- How much of what occurred is scored --- */

struct cc_share cc_share_at(const struct cc_report *report, unsigned bound)
{
    const struct cc_tally *t = &report->total->tally[bound];
    const struct cc_where_counts *c = &report->where[bound];
    struct cc_share s = {
        .all = c->all,
        .scored = t->found_occurrences + t->missed_occurrences,
        .outside = c->occurrences[CC_OUTSIDE],
    };

    s.within = c->within[report->data->scope];
    assert(s.scored <= s.within && s.within + s.outside <= s.all);
    s.dropped = s.within - s.scored;
    s.between = s.all - s.outside - s.within;
    return s;
}

TEXT_NAMES(cc_place_text, cc_scope, "one block", "one function", "one file",
           "the files analysed")

void cc_headline(const struct cc_report *report, char text[CC_HEADLINE])
{
    const struct cc_tally *t = &report->total->tally[report->order[0]];
    uint64_t n = t->found + t->missed, all = n + t->spanning;
    const char *place = cc_place_text(report->data->scope);
    FILE *out = fmemopen(text, CC_HEADLINE, "w");

    if (out == NULL)
        memory_exhausted();
    if (all == 0)
        fputs("No dependency through memory occurred", out);
    else
        fprintf(out, "Of %" PRIu64 " dependenc%s through memory, ", all,
                all == 1 ? "y" : "ies");
    if (n > 0)
        fprintf(out, "%" PRIu64 " lie%s in %s", n, n == 1 ? "s" : "", place);
    else if (all > 0)
        fprintf(out, "none lies in %s", place);
    if (n > 0) {
        if (n == 1)
            fprintf(out, "; it was %spredicted", t->found == 1 ? "" : "not ");
        else if (t->found == n)
            fputs("; all of them were predicted", out);
        else if (t->found == 0)
            fputs("; none of them was predicted", out);
        else
            fprintf(out, "; %" PRIu64 " of them %s predicted", t->found,
                    t->found == 1 ? "was" : "were");
    }
    fclose(out);
}

char *cc_counted(const struct cc_report *report)
{
    uint64_t bound = report->data->bounds.bound[report->order[0]];

    if (bound == LIFETIME_INF)
        return memory_text("(in kept blocks, at any distance from store to "
                           "load: lifetime inf)");
    return memory_printf("(in kept blocks, up to %" PRIu64
                         " instructions from store to load: lifetime %" PRIu64
                         ")",
                         bound, bound);
}

/* --- Notes --- */

/* Does an earlier rebuilt object have the same two builds? */
static bool is_repeated(const struct cc_data *data, size_t i)
{
    const struct cc_rebuilt *r = &data->rebuilt[i];

    for (size_t j = 0; j < i; j++)
        if (strcmp(data->rebuilt[j].path, r->path) == 0 &&
            strcmp(data->rebuilt[j].build_id, r->build_id) == 0)
            return true;
    return false;
}

static char *left_out_text(const struct cc_object *object,
                           const struct cc_left_out *l)
{
    const struct report_value share =
        report_ratio_text(l->outside_occurrences, l->occurrences);

    return memory_printf("%s: analysed with %s: what ran outside that, %" PRIu64
                         " of %" PRIu64 " dependencies%s%s%s, is not scored",
                         object->static_path, object->filter, l->outside,
                         l->dependencies, l->occurrences > 0 ? ", " : "",
                         l->occurrences > 0 ? share.text : "",
                         l->occurrences > 0 ? " of occurrences" : "");
}

struct cc_notes cc_notes_new(const struct cc_data *data,
                             const struct cc_inputs *in,
                             const struct cc_left_out *left_out)
{
    struct cc_notes notes = {.in = in, .left_out = left_out};
    struct cc_note *note = notes.items =
        memory_new(data->n_incomplete + data->n_rebuilt + data->n_objects,
                   sizeof *notes.items);

    for (size_t i = 0; i < data->n_incomplete; i++) {
        const struct cc_run *run = &data->incomplete_runs[i];
        const char *path = in->deps[run->source];

        *note++ = (struct cc_note){
            memory_printf("%s: run %" PRId64 " is incomplete", path, run->id),
            memory_printf("run %" PRId64 " of %s", run->id, path), i};
    }
    for (size_t i = 0; i < data->n_rebuilt; i++) {
        const struct cc_rebuilt *rebuilt = &data->rebuilt[i];

        if (is_repeated(data, i))
            continue;
        *note++ = (struct cc_note){cc_rebuilt_text(rebuilt, in),
                                   memory_text(rebuilt->path), i};
        notes.n_rebuilt++;
    }
    for (size_t i = 0; i < data->n_objects; i++)
        if (left_out[i].has_run)
            *note++ =
                (struct cc_note){left_out_text(&data->objects[i], &left_out[i]),
                                 memory_text(data->objects[i].static_path), i};
    notes.n = (size_t)(note - notes.items);
    assert(notes.n >= data->n_incomplete && notes.n_rebuilt <= data->n_rebuilt);
    return notes;
}

void cc_notes_fini(struct cc_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        free(notes->items[i].text);
        free(notes->items[i].subject);
    }
    free(notes->items);
    *notes = (struct cc_notes){0};
}

/* --- For people --- */

static void write_outside(struct report *out, const struct cc_report *r)
{
    const struct cc_outside *o = &r->outside;
    AUTO_FREE char *command = cc_outside_command(r->data, o);

    if (o->n > 0) {
        report_heading(out,
                       "outside, at lifetime %s: occurrences in code that was"
                       " not analysed",
                       bound_text(r->data->bounds.bound[0]).text);
        cc_write_table(out, cc_table_outside_list(r));
        if (o->n > o->n_listed)
            report_paragraph(out, "  and %zu more; --format=json lists all",
                             o->n - o->n_listed);
        if (command != NULL)
            report_line(out, "to score those listed", command);
    }
}

static void write_list(struct report *out, const struct cc_report *r,
                       const char *name, const struct cc_selection *s)
{
    struct cc_list list = {r, s->items, s->n};

    assert(s->n <= s->n_all);
    report_heading(out, "%s at lifetime %s: %zu of %zu%s%s%s", name,
                   bound_text(r->data->bounds.bound[0]).text, s->n, s->n_all,
                   s->n < s->n_all ? "; all: --" : "",
                   s->n < s->n_all ? name : "", s->n < s->n_all ? "=all" : "");
    if (s == &r->missed && s->n_all > 0)
        cc_write_table(out, cc_table_missed(r));
    cc_write_table(out, cc_table_observed(&list, NULL, NULL));
}

static void write_comparison(struct report *out, const struct cc_report *r)
{
    const struct cc_outcomes *f = &r->comparison.outcomes;
    struct cc_list lost = {r, f->lost, f->n_lost};

    cc_write_table(out, cc_table_changes(r));
    cc_write_table(out, cc_table_outcomes(r));
    if (f->n_unnamed_before + f->n_unnamed_now > 0)
        report_paragraph(out,
                         "  without function and line, and so not compared:"
                         " %zu before, %zu now",
                         f->n_unnamed_before, f->n_unnamed_now);
    report_heading(out, "found before and missed now: %zu", f->n_lost);
    cc_write_table(out, cc_table_observed(&lost, NULL, NULL));
    report_heading(out, "found before and gone now: %zu", f->n_gone);
    cc_write_table(out, cc_table_gone(r));
}

static void write_lists(struct report *out, const struct cc_report *r)
{
    if (r->comparison.changes != NULL)
        write_comparison(out, r);
    if (r->found.items != NULL)
        write_list(out, r, "found", &r->found);
    if (r->missed.items != NULL)
        write_list(out, r, "missed", &r->missed);
    if (r->false_positives.items != NULL) {
        struct cc_list list = {r, r->false_positives.items,
                               r->false_positives.n};

        report_heading(out, "predicted, but did not occur: %zu of %zu%s",
                       r->false_positives.n, r->false_positives.n_all,
                       r->false_positives.n < r->false_positives.n_all
                           ? "; all: --false=all"
                           : "");
        cc_write_table(out, cc_table_false(&list));
    }
}

static void write_for_people(struct report *out, const struct cc_report *r)
{
    char headline[CC_HEADLINE];

    cc_headline(r, headline);
    report_paragraph(out, "%s", headline);
    report_add_paragraph(out, cc_counted(r));
    for (size_t i = 0; i < r->notes->n; i++)
        report_paragraph(out, "%s", r->notes->items[i].text);
    if (out->format != REPORT_TEXT)
        report_line(out, "program", r->program);
    else if (r->groups.by != CC_BY_OBJECT)
        cc_write_table(out, cc_table_paths(r));
    cc_write_table(out, cc_table_parts(r));
    cc_write_table(out, cc_table_total(r));
    report_paragraph(out, CC_COVERAGE_NOTE);
    if (r->groups.by != CC_BY_NONE)
        cc_write_table(out, cc_table_group_list(r));
    if (r->data->scope > CC_SCOPE_BLOCK)
        cc_write_table(out, cc_table_scopes(r));
    if (cc_count_evidences(r->by_evidence, r->data->scope) > 1)
        cc_write_table(out, cc_table_evidences(r));
    cc_write_table(out, cc_table_where(r));
    write_outside(out, r);
    cc_write_table(out, cc_table_figures(r));
    if (r->n_checks > 0)
        cc_write_table(out, cc_table_gates(r));
    write_lists(out, r);
}

/* --- JUnit --- */

static void put_value(struct report_row *row, struct cc_ratio ratio)
{
    if (ratio.whole > 0)
        report_real(row, VALUE, cc_percent(ratio));
    else
        report_text(row, VALUE, "no data");
}

/* Puts property number i of a score: each figure at each bound, then precision.
   `before` is put before the name. */
static void put_share(struct report_row *row, const struct cc_report *r,
                      const struct cc_score *s, const char *before, size_t i)
{
    size_t b = i / CC_N_FIGURES;
    bool is_last = b == cc_n_bounds(r);
    enum cc_figure f =
        is_last ? CC_PRECISION : (enum cc_figure)(i % CC_N_FIGURES);
    char name[64];

    cc_figure_label(f, is_last ? 0 : r->data->bounds.bound[b], name);
    report_printf(row, NAME, "%s%s", before, name);
    put_value(row, is_last ? s->precision : cc_figure_ratio(f, s, (unsigned)b));
}

/* Puts the headline, the notes, and the scores of the total and each scope. */
static void fill_property(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    size_t n_notes = r->notes->n, n = cc_n_bounds(r) * CC_N_FIGURES + 1;
    char text[CC_HEADLINE];

    if (i == 0) {
        cc_headline(r, text);
        report_text(row, NAME, "scored");
        report_text(row, VALUE, text);
    } else if (i <= n_notes) {
        report_text(row, NAME, "left out");
        report_text(row, VALUE, r->notes->items[i - 1].text);
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
        assert(i / n < r->data->scope);
        snprintf(text, sizeof text,
                 "scope %s: ", cc_scope_name((enum cc_scope)(i / n)));
        put_share(row, r, &r->by_scope[i / n], text, i % n);
    }
}

/* A test case that was skipped tells what the figures do not cover, since most
   readers of JUnit show no properties. */
static void fill_case(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    char name[64];
    struct diag d;

    if (i < r->notes->n) {
        report_printf(row, NAME, "left out of %s", r->notes->items[i].subject);
        report_text(row, VALUE, r->notes->items[i].text);
        return;
    }
    assert(i - r->notes->n < r->n_checks);
    const struct cc_check *c = &r->checks[i - r->notes->n];
    cc_figure_label(c->figure, c->bound, name);
    cc_check_describe(c, &d);
    report_printf(row, NAME, "%s, %s %.12g%s", name,
                  c->is_drop ? "drop of at most" : "at least", c->threshold,
                  c->is_drop ? " points" : "%");
    report_style(row, c->passed ? REPORT_GOOD : REPORT_BAD);
    report_text(row, VALUE, d.text);
}

/* JUnit has no tables, so lists are written as the text for people. */
static void write_junit(FILE *out, const struct cc_report *r)
{
    size_t n_notes = r->notes->n;
    size_t n = cc_n_bounds(r) * CC_N_FIGURES + 1;
    const struct report_table properties = REPORT_TABLE(
        1 + n_notes + n + 2 + r->data->scope * n, fill_property, r);
    const struct report_table cases =
        REPORT_TABLE(n_notes + r->n_checks, fill_case, r);
    struct report lists = {.format = REPORT_TEXT};
    AUTO_FREE char *suite = memory_printf("covcheck %s", r->program), *text;
    struct memory_stream stream = memory_stream_open(&stream);

    lists.out = stream.out;
    write_lists(&lists, r);
    text = memory_stream_close(&stream);
    report_junit(out, suite, &properties, &cases, text);
}

/* --- Formats --- */

void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report)
{
    struct report r = {
        .out = out,
        .has_colour = report->has_colour,
        .width = format == CC_FORMAT_TEXT ? terminal_width(fileno(out)) : 0};

    assert(report->data->bounds.n > 0 && report->total != NULL);
    switch (format) {
    case CC_FORMAT_TEXT:
    case CC_FORMAT_MARKDOWN:
        r.format = format == CC_FORMAT_TEXT ? REPORT_TEXT : REPORT_MARKDOWN;
        write_for_people(&r, report);
        break;
    case CC_FORMAT_JSON:
        r.format = REPORT_JSON;
        cc_write_json(&r, report);
        break;
    case CC_FORMAT_JUNIT:
        write_junit(out, report);
        break;
    }
}
