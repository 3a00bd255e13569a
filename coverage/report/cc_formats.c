/*
 * cc_formats: which tables a report has in each format, and in which order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/cc_tables.h"
#include "report/cc_words.h"
#include "terminal.h"

static void write_table(struct report *out, struct report_table table)
{
    report_table(out, &table);
}

static struct cc_list list_of(const struct cc_report *r,
                              const struct cc_selection *selection)
{
    return (struct cc_list){r, selection->items, selection->n};
}

/* --- For people --- */

static void write_notes(struct report *out, const struct cc_report *r)
{
    for (size_t i = 0; i < r->notes->n; i++) {
        report_add_paragraph(out, cc_note_text(r->notes, i));
    }
}

static void write_outside(struct report *out, const struct cc_report *r)
{
    const struct cc_outside *o = r->outside;
    char *command = cc_outside_command(r->data, o);

    if (o->n > 0) {
        report_heading(out,
                       "outside, at lifetime %s: occurrences in code that was"
                       " not analysed",
                       bound_text(r->data->bounds.bound[0]).text);
        write_table(out, cc_table_outside_list(r));
        if (o->n > o->n_listed)
            report_paragraph(out, "  and %zu more; --format=json lists all",
                             o->n - o->n_listed);
        if (command != NULL)
            report_line(out, "to score those listed", command);
    }
    free(command);
}

static void write_list(struct report *out, const struct cc_report *r,
                       const char *name, const struct cc_selection *s)
{
    struct cc_list list = list_of(r, s);

    report_heading(out, "%s at lifetime %s: %zu of %zu%s%s%s", name,
                   bound_text(r->data->bounds.bound[0]).text, s->n, s->n_all,
                   s->n < s->n_all ? "; all: --" : "",
                   s->n < s->n_all ? name : "", s->n < s->n_all ? "=all" : "");
    if (s == r->missed && s->n_all > 0)
        write_table(out, cc_table_missed(r));
    write_table(out, cc_table_observed(&list, NULL, NULL));
}

static void write_comparison(struct report *out, const struct cc_report *r)
{
    const struct cc_fates *f = &r->comparison->fates;
    struct cc_list lost = {r, f->lost, f->n_lost};

    write_table(out, cc_table_changes(r));
    write_table(out, cc_table_fates(r));
    if (f->n_unnamed_before + f->n_unnamed_now > 0)
        report_paragraph(out,
                         "  without function and line, and so not compared:"
                         " %zu before, %zu now",
                         f->n_unnamed_before, f->n_unnamed_now);
    if (f->n_rows < CC_N_BEFORE)
        report_paragraph(out,
                         "  An older covcheck wrote the baseline, without what"
                         " was missed: of dependencies\n  that are alike, one"
                         " listed as missed now may have been missed before.");
    report_heading(out, "found before and missed now: %zu", f->n_lost);
    write_table(out, cc_table_observed(&lost, NULL, NULL));
    report_heading(out, "found before and gone now: %zu", f->n_gone);
    write_table(out, cc_table_gone(r));
}

static void write_lists(struct report *out, const struct cc_report *r)
{
    if (r->comparison != NULL)
        write_comparison(out, r);
    if (r->found != NULL)
        write_list(out, r, "found", r->found);
    if (r->missed != NULL)
        write_list(out, r, "missed", r->missed);
    if (r->false_positives != NULL) {
        struct cc_list list = list_of(r, r->false_positives);

        report_heading(out, "predicted, but did not occur: %zu of %zu%s",
                       r->false_positives->n, r->false_positives->n_all,
                       r->false_positives->n < r->false_positives->n_all
                           ? "; all: --false=all"
                           : "");
        write_table(out, cc_table_false(&list));
    }
}

static void write_for_people(struct report *out, const struct cc_report *r)
{
    char headline[CC_HEADLINE];

    cc_headline(r, headline);
    report_paragraph(out, "%s", headline);
    report_add_paragraph(out, cc_counted(r));
    write_notes(out, r);
    if (out->format != REPORT_TEXT)
        report_line(out, "program", r->program);
    else if (r->groups->by != CC_BY_OBJECT)
        write_table(out, cc_table_paths(r));
    write_table(out, cc_table_parts(r));
    write_table(out, cc_table_total(r));
    report_paragraph(out, CC_COVERAGE_NOTE);
    if (r->groups->by != CC_BY_NONE)
        write_table(out, cc_table_group_list(r));
    if (r->data->scope > CC_SCOPE_BLOCK)
        write_table(out, cc_table_scopes(r));
    if (cc_count_evidences(r->by_evidence, r->data->scope) > 1)
        write_table(out, cc_table_evidences(r));
    write_table(out, cc_table_where(r));
    write_outside(out, r);
    write_table(out, cc_table_figures(r));
    if (r->n_checks > 0)
        write_table(out, cc_table_gates(r));
    write_lists(out, r);
}

/* --- For programs --- */

static void write_identities(struct report *out, const struct cc_report *r,
                             const char *key, enum cc_verdict verdict)
{
    struct cc_list list = cc_list_all(r, verdict);

    write_table(out, cc_table_identities(&list, key));
    free((uint32_t *)list.items);
}

static void write_data(struct report *out, const struct cc_report *r)
{
    write_table(out, cc_table_head(r));
    write_table(out, cc_table_shares(r));
    write_table(out, cc_table_total(r));
    write_table(out, cc_table_settings(r));
    write_table(out, cc_table_objects(r));
    write_table(out, cc_table_incomplete(r));
    write_table(out, cc_table_rebuilt(r));
    write_table(out, cc_table_gates(r));
    if (r->groups->by != CC_BY_NONE)
        write_table(out, cc_table_groups(r));
    write_table(out, cc_table_scopes(r));
    write_table(out, cc_table_supports(r));
    write_table(out, cc_table_evidences(r));
    write_table(out, cc_table_where(r));
    write_table(out, cc_table_outside(r));
    write_table(out, cc_table_command(r));
    write_table(out, cc_table_forwards(r));
    write_table(out, cc_table_reasons(r));
    write_identities(out, r, "found_dependencies", CC_FOUND);
    write_identities(out, r, "all_missed_dependencies", CC_MISSED);
}

/* What was listed, and what has changed since the baseline. */
static void write_listed(struct report *out, const struct cc_report *r)
{
    if (r->comparison != NULL) {
        const struct cc_fates *f = &r->comparison->fates;
        struct cc_list lost = {r, f->lost, f->n_lost};

        write_table(out, cc_table_changes(r));
        write_table(out, cc_table_transitions(r));
        write_table(out, cc_table_observed(&lost, "lost_dependencies", "lost"));
        write_table(out, cc_table_gone(r));
    }
    if (r->found != NULL) {
        struct cc_list list = list_of(r, r->found);

        write_table(out, cc_table_observed(&list, "listed_found_dependencies",
                                           "found"));
    }
    if (r->missed != NULL) {
        struct cc_list list = list_of(r, r->missed);

        write_table(out,
                    cc_table_observed(&list, "missed_dependencies", "missed"));
    }
    if (r->false_positives != NULL) {
        struct cc_list list = list_of(r, r->false_positives);

        write_table(out, cc_table_false(&list));
    }
}

/* The lists have no tables in JUnit, so they are there as people read them. */
static void write_junit(FILE *out, const struct cc_report *r)
{
    struct report_table properties = cc_table_properties(r);
    struct report_table cases = cc_table_cases(r);
    struct memory_stream stream;
    struct report lists = {.format = REPORT_TEXT};
    char *suite = memory_printf("covcheck %s", r->program), *text;

    memory_stream_open(&stream);
    lists.out = stream.out;
    write_lists(&lists, r);
    text = memory_stream_close(&stream);
    report_junit(out, suite, &properties, &cases, text);
    free(text);
    free(suite);
}

/* --- Formats --- */

static const char *const formats[] = {
    [CC_FORMAT_TEXT] = "text",
    [CC_FORMAT_JSON] = "json",
    [CC_FORMAT_MARKDOWN] = "markdown",
    [CC_FORMAT_JUNIT] = "junit",
};

bool cc_format_parse(const char *name, enum cc_format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert(strstr(CC_FORMAT_NAMES, formats[i]) != NULL);
        if (strcmp(formats[i], name) == 0) {
            *format = (enum cc_format)i;
            return true;
        }
    }
    return false;
}

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
        report_begin(&r);
        write_data(&r, report);
        write_listed(&r, report);
        report_end(&r);
        break;
    case CC_FORMAT_JUNIT:
        write_junit(out, report);
        break;
    }
}
