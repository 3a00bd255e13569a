/*
 * as_junit: test cases for the test reports of CI systems.
 *
 * Most readers show no properties, and nothing of a case that passed but its
 * name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>

#include "quote.h"
#include "memory.h"
#include "report/renderers.h"

static void write_cell(FILE *out, const struct report_cell *cell)
{
    cell_write(out, cell, report_safe_xml, report_safe_xml);
}

static void write_property(FILE *out, const struct report_row *row)
{
    fputs("      <property name=\"", out);
    write_cell(out, &row->cells[0]);
    fputs("\" value=\"", out);
    if (row->cells[1].kind == REAL)
        json_number(out, row->cells[1].real);
    else
        write_cell(out, &row->cells[1]);
    fputs("\"/>\n", out);
}

/* A case that passed says why as its output. */
static void write_case(FILE *out, const char *suite,
                       const struct report_row *row)
{
    static const char *const before[REPORT_N_STYLES] = {
        [REPORT_PLAIN] = "<skipped message=\"",
        [REPORT_BAD] = "<failure message=\"",
        [REPORT_GOOD] = "<system-out>",
    };
    enum report_style style = row->cells[0].style;

    assert(row->n >= 2);
    assert(before[style] != NULL);
    fputs("    <testcase classname=\"", out);
    report_safe_xml(out, suite);
    fputs("\" name=\"", out);
    write_cell(out, &row->cells[0]);
    fprintf(out, "\">\n      %s", before[style]);
    write_cell(out, &row->cells[1]);
    fprintf(out, "%s\n    </testcase>\n",
            style == REPORT_GOOD ? "</system-out>" : "\"/>");
}

static void count_cases(const struct report_table *cases,
                        size_t count[REPORT_N_STYLES])
{
    for (size_t i = 0; i < cases->n_rows; i++) {
        struct report_row row;

        row_fill(&row, cases, REPORT_TEXT, i);
        count[row.cells[0].style]++;
        row_fini(&row);
    }
}

void report_junit(FILE *out, const char *suite,
                  const struct report_table *properties,
                  const struct report_table *cases, const char *output)
{
    size_t count[REPORT_N_STYLES] = {0};
    struct report_row row;

    count_cases(cases, count);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites>\n"
          "  <testsuite name=\"",
          out);
    report_safe_xml(out, suite);
    fprintf(out,
            "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n"
            "    <properties>\n",
            cases->n_rows, count[REPORT_BAD], count[REPORT_PLAIN]);
    for (size_t i = 0; i < properties->n_rows; i++) {
        row_fill(&row, properties, REPORT_TEXT, i);
        write_property(out, &row);
        row_fini(&row);
    }
    fputs("    </properties>\n", out);
    for (size_t i = 0; i < cases->n_rows; i++) {
        row_fill(&row, cases, REPORT_TEXT, i);
        write_case(out, suite, &row);
        row_fini(&row);
    }
    if (*output != '\0') {
        fputs("    <system-out>", out);
        report_safe_xml(out, output);
        fputs("</system-out>\n", out);
    }
    fputs("  </testsuite>\n</testsuites>\n", out);
}
