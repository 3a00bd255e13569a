/*
 * cc_report_junit: a test case for each gate, for the test reports of CI
 * systems, and the figures as properties.
 *
 * Most readers show no properties, and nothing of a case that passed but its
 * name.  So what the figures do not cover is also a case, a skipped one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/cc_headline.h"
#include "json.h"
#include "report/cc_report.h"
#include "text.h"
#include "memory.h"

/* What XML cannot have becomes U+FFFD. */
static void write_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t n = utf8_length(text);
        bool is_control = (unsigned char)*text < 0x20 && *text != '\n';
        bool is_noncharacter =
            n == 3 && (strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
                       strncmp(text, "\xef\xbf\xbf", 3) == 0);

        if (n == 1 && strchr("&<>\"'", *text) != NULL)
            fprintf(out, "&#%d;", *text);
        else if (n == 0 || is_control || is_noncharacter)
            fputs("\xef\xbf\xbd", out);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}

static void write_case(FILE *out, const struct cc_report *report,
                       const struct cc_check *check)
{
    char name[64];
    struct diag d;

    cc_figure_label(check->figure, check->bound, name);
    cc_check_describe(check, &d);
    fputs("    <testcase classname=\"covcheck ", out);
    write_text(out, report->program);
    fprintf(out, "\" name=\"%s, %s %.12g%s\"", name,
            check->is_drop ? "drop of at most" : "at least", check->threshold,
            check->is_drop ? " points" : "%");
    if (check->passed) {
        fputs(">\n      <system-out>", out);
        write_text(out, d.text);
        fputs("</system-out>\n    </testcase>\n", out);
        return;
    }
    fputs(">\n      <failure message=\"", out);
    write_text(out, d.text);
    fputs("\"/>\n    </testcase>\n", out);
}

static void write_property(FILE *out, const char *name, struct cc_ratio ratio)
{
    fprintf(out, "      <property name=\"%s\" value=\"", name);
    if (ratio.whole > 0)
        json_number(out, cc_percent(ratio));
    else
        fputs("no data", out);
    fputs("\"/>\n", out);
}

/* `prefix` comes before the name of the figure. */
static void write_at_bound(FILE *out, const char *prefix, enum cc_figure figure,
                           uint64_t bound, struct cc_ratio ratio)
{
    char name[64], prefixed[128];

    cc_figure_label(figure, bound, name);
    snprintf(prefixed, sizeof prefixed, "%s%s", prefix, name);
    write_property(out, prefixed, ratio);
}

/* The shares at each of the bounds, and at any distance. */
static void write_score(FILE *out, const struct cc_bounds *bounds,
                        const struct cc_score *s, const char *prefix)
{
    for (unsigned b = 0; b < bounds->n; b++)
        for (enum cc_figure f = 0; f < CC_N_FIGURES; f++)
            if (cc_figures[f].unit == NULL)
                write_at_bound(out, prefix, f, bounds->bound[b],
                               cc_figure_ratio(f, s, b));
    write_at_bound(out, prefix, CC_PRECISION, 0, s->precision);
}

/* Each scope below that of the report. */
static void write_scopes(FILE *out, const struct cc_report *report)
{
    for (enum cc_scope r = 0; r < report->data->scope; r++) {
        char prefix[32];

        snprintf(prefix, sizeof prefix, "scope %s: ", cc_scope_name(r));
        write_score(out, &report->data->bounds, &report->by_scope[r], prefix);
    }
}

static void write_figures(FILE *out, const struct cc_report *report)
{
    const struct cc_bounds *bounds = &report->data->bounds;
    char headline[CC_HEADLINE];

    fputs("    <properties>\n", out);
    cc_headline(report, headline);
    fprintf(out, "      <property name=\"scored\" value=\"%s\"/>\n", headline);
    cc_notes_write(out, report->notes,
                   "      <property name=\"left out\" value=\"", "\"/>\n",
                   write_text);
    write_score(out, bounds, report->total, "");
    write_property(out, "delta-k agreement", report->total->agreement);
    fprintf(out,
            "      <property name=\"dependencies between threads\""
            " value=\"%" PRIu64 "\"/>\n",
            report->where[cc_bounds_largest(bounds)].cross_thread);
    write_scopes(out, report);
    fputs("    </properties>\n", out);
}

static void write_notes(FILE *out, const struct cc_report *report)
{
    for (size_t i = 0; i < report->notes->n; i++) {
        fputs("    <testcase classname=\"covcheck ", out);
        write_text(out, report->program);
        fputs("\" name=\"left out of ", out);
        cc_note_write_subject(out, report->notes, i, write_text);
        fputs("\">\n      <skipped message=\"", out);
        cc_note_write(out, report->notes, i, write_text);
        fputs("\"/>\n    </testcase>\n", out);
    }
}

/* What was listed, as people read it. */
static void write_lists(FILE *out, const struct cc_report *report)
{
    char *text = NULL;
    size_t size;
    FILE *lists = open_memstream(&text, &size);

    if (lists == NULL)
        memory_exhausted();
    cc_report_text_lists(lists, report);
    if (fclose(lists) != 0)
        memory_exhausted();
    if (*text != '\0') {
        fputs("    <system-out>", out);
        write_text(out, text);
        fputs("</system-out>\n", out);
    }
    free(text);
}

void cc_report_junit(FILE *out, const struct cc_report *report)
{
    size_t n_notes = report->notes->n, n_failed = 0;

    for (size_t i = 0; i < report->n_checks; i++)
        n_failed += !report->checks[i].passed;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites>\n"
          "  <testsuite name=\"covcheck ",
          out);
    write_text(out, report->program);
    fprintf(out,
            "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
            report->n_checks + n_notes, n_failed, n_notes);
    write_figures(out, report);
    write_notes(out, report);
    for (size_t i = 0; i < report->n_checks; i++)
        write_case(out, report, &report->checks[i]);
    write_lists(out, report);
    fputs("  </testsuite>\n</testsuites>\n", out);
}
