/*
 * cc_report_junit: a test case for each gate, for the test reports of CI
 * systems.
 *
 * Only texts of our own stand in it, which need no escapes but one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_report.h"

static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("&apos;", out);
        else
            fputc(*text, out);
}

static void write_case(FILE *out, const struct cc_check *check)
{
    char name[64];
    struct diag d;

    cc_check_name(check, name);
    cc_check_describe(check, &d);
    fprintf(out, "    <testcase classname=\"covcheck\" name=\"%s, %s %.12g%s\"",
            name, check->is_drop ? "drop of at most" : "at least", check->bar,
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

void cc_report_junit(FILE *out, const struct cc_report *report)
{
    size_t n_failed = 0;

    for (size_t i = 0; i < report->n_checks; i++)
        n_failed += !report->checks[i].passed;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites>\n"
            "  <testsuite name=\"covcheck\" tests=\"%zu\" failures=\"%zu\""
            " errors=\"0\" skipped=\"0\">\n",
            report->n_checks, n_failed);
    for (size_t i = 0; i < report->n_checks; i++)
        write_case(out, &report->checks[i]);
    fputs("  </testsuite>\n</testsuites>\n", out);
}
