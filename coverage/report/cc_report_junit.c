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
#include <string.h>

#include "report/cc_headline.h"
#include "report/cc_report.h"
#include "json.h"

/* What XML cannot have becomes U+FFFD. */
static void write_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t n = utf8_length(text);
        bool is_control = (unsigned char)*text < 0x20;
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

static void write_at_bound(FILE *out, enum cc_figure figure, uint64_t bound,
                           struct cc_ratio ratio)
{
    char name[64];

    cc_figure_label(figure, bound, name);
    write_property(out, name, ratio);
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
    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_tally *t = &report->total->tally[b];

        write_at_bound(out, CC_COV_U, bounds->bound[b], cc_cov_u(t));
        write_at_bound(out, CC_COV_W, bounds->bound[b], cc_cov_w(t));
        write_at_bound(out, CC_PRECISION, bounds->bound[b],
                       cc_figure_ratio(CC_PRECISION, report->total, b));
    }
    write_at_bound(out, CC_PRECISION, 0, report->total->precision);
    write_property(out, "delta-k agreement", report->total->agreement);
    fprintf(out,
            "      <property name=\"dependencies between threads\""
            " value=\"%" PRIu64 "\"/>\n",
            report->scopes[cc_bounds_largest(bounds)].cross_thread);
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
    fputs("  </testsuite>\n</testsuites>\n", out);
}
