/*
 * as_markup: tables for a browser, with the numbers by which a reader can sort
 * them; tables for a comment on a pull request, in Markdown; and test cases for
 * the test reports of CI systems, in JUnit's XML.
 *
 * In Markdown, names are code spans, in which nothing of a foreign text has a
 * meaning.  Most readers of JUnit's XML show no properties, and nothing of a
 * case that passed but its name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <time.h>

#include "demangle.h"
#include "output.h"
#include "report/page.h"
#include "report/renderers.h"

/* --- HTML --- */

void report_html_count(FILE *out, uint64_t count)
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, count);

    assert(length > 0 && length < sizeof digits);
    for (size_t i = 0; i < length; i++) {
        /* A narrow space that does not break the line. */
        if (i > 0 && (length - i) % 3 == 0 && length > 4)
            fputs("\xe2\x80\xaf", out);
        fputc(digits[i], out);
    }
}

void report_html_text(FILE *out, const char *before, const char *text,
                      const char *after)
{
    fputs(before, out);
    report_safe_html(out, text != NULL ? text : "");
    fputs(after, out);
}

void report_html_begin(FILE *out, const char *title, const char *style)
{
    fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content='width=device-width, "
          "initial-scale=1'>\n"
          "<meta http-equiv=Content-Security-Policy content=\"default-src "
          "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
          "img-src data:\">\n"
          "<link rel=icon href=data:,>\n<title>",
          out);
    report_safe_html(out, title);
    fprintf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<main>\n",
            page_css, style);
}

void report_html_end(FILE *out, const char *script)
{
    fprintf(out, "</main>\n<script>\n%s%s</script>\n</body>\n</html>\n",
            page_js, script);
}

/* Writes the time in UTC.  If SOURCE_DATE_EPOCH is set, it is that number of
   seconds since 1970, so that a document can be made again byte for byte; none
   is written if that is no date. */
static void write_date(FILE *out)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = (uint64_t)time(NULL);
    struct tm date;
    char text[64];

    if (given != NULL && (!num_parse(given, &seconds) || seconds > INT64_MAX))
        return;
    time_t when = (time_t)seconds;
    if (gmtime_r(&when, &date) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &date) > 0)
        fprintf(out, "<br><time>%s</time>", text);
}

void report_html_made(FILE *out, const char *program, const char *command)
{
    fputs("<p class=made>", out);
    if (program != NULL)
        report_html_text(out, "", program, "<br>");
    html_code(out, command);
    write_date(out);
    fputs("</p>\n", out);
}

void html_code(FILE *out, const char *text)
{
    report_html_text(out, "<code>", text, "</code>");
}

static void html_place(FILE *out, const struct report_place *at)
{
    fprintf(out, "<code>%" PRIx64 " ", at->address);
    report_safe_html(out, at->insn != NULL ? at->insn : "");
    fputs("</code>", out);
    if (at->n == 0 || at->frames[0].file == NULL)
        return;
    fputs(" <span class=where>", out);
    report_safe_html(out, text_base_name(at->frames[0].file));
    if (at->frames[0].line > 0)
        fprintf(out, ":%d", at->frames[0].line);
    fputs("</span>", out);
}

static void write_content(FILE *out, const struct report_cell *cell)
{
    switch (cell->kind) {
    case COUNT:
        report_html_count(out, cell->number);
        break;
    case RANGE:
        report_html_count(out, cell->range.low);
        if (cell->range.high == cell->range.low)
            break;
        fputs("\xe2\x80\x93", out);
        report_html_count(out, cell->range.high);
        break;
    case PLACE:
        html_place(out, cell->place);
        break;
    default:
        cell_write(out, cell, report_safe_html, html_code);
    }
}

/* Writes the key by which a cell is sorted, unless that is its text. */
static void write_order(FILE *out, const struct report_cell *cell)
{
    switch (cell->kind) {
    case COUNT:
    case BOUND:
        fprintf(out, " data-v=%" PRIu64, cell->number);
        break;
    case RANGE:
        fprintf(out, " data-v=%" PRIu64, cell->range.low);
        break;
    case PLACE:
        fprintf(out, " data-v=%" PRIu64, cell->place->address);
        break;
    case RATIO:
        fprintf(out, " data-v=%.9g",
                report_percent(cell->ratio.part, cell->ratio.whole));
        break;
    default:
        break;
    }
}

/* The HTML class of a column for which there may be no room. */
static const char *extra(const struct report_column *column)
{
    return column->flags & R_EXTRA ? " extra" : "";
}

static void html_cell(FILE *out, const struct report_cell *cell)
{
    fprintf(out, "<td class='%s%s'",
            cell->kind == FUNCTION        ? "name"
            : cell->column.flags & R_LEFT ? "t"
            : cell->style == REPORT_BAD   ? "n bad"
                                          : "n",
            extra(&cell->column));
    write_order(out, cell);
    fputc('>', out);
    if (cell->link != NULL)
        fprintf(out, "<a href=#%s>", cell->link);
    write_content(out, cell);
    fputs(cell->link != NULL ? "</a></td>" : "</td>", out);
}

static void write_units(FILE *out, const struct report_row *row)
{
    fputs("\n<tr class=extra>", out);
    for (size_t c = 0, end; c < row->n; c = end) {
        const char *unit = row->cells[c].column.unit;

        end = row_unit_end(row, c);
        if (unit != NULL)
            fprintf(out, "<th colspan=%zu scope=colgroup>%s</th>", end - c,
                    unit);
        else
            fprintf(out, "<td colspan=%zu></td>", end - c);
    }
    fputs("</tr>\n", out);
}

static void html_headings(FILE *out, const struct report_table *t,
                          const struct report_row *row)
{
    fputs("<thead>", out);
    if (row_has_units(row))
        write_units(out, row);
    fputs("<tr>", out);
    for (size_t c = 0; c < row->n; c++) {
        const struct report_column *column = &row->cells[c].column;
        const char *class = column->flags & R_LEFT ? "t" : "n";

        if (t->is_plain)
            fprintf(out, "<th class='%s%s'>%s</th>", class, extra(column),
                    column->heading);
        else
            fprintf(out,
                    "<th class='%s%s' scope=col><button type=button>%s"
                    "</button></th>",
                    class, extra(column), column->heading);
    }
    fputs("</tr></thead>\n", out);
}

void report_html_headings(FILE *out, const struct report_table *t)
{
    if (t->n_rows == 0)
        return;
    AUTO_FINI(row_fini) struct report_row row;
    row_fill(&row, t, REPORT_HTML, 0);
    html_headings(out, t, &row);
}

void report_html_rows(FILE *out, const struct report_table *t, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to && i < t->n_rows; i++) {
        AUTO_FINI(row_fini) struct report_row row;

        row_fill(&row, t, REPORT_HTML, i);
        if (!row.is_hidden) {
            fputs("<tr>", out);
            for (size_t c = 0; c < row.n; c++)
                html_cell(out, &row.cells[c]);
            fputs("</tr>\n", out);
        }
    }
}

void html_table(struct report *r, const struct report_table *t)
{
    fputs("<div class=scroll><table", r->out);
    if (t->id != NULL)
        fprintf(r->out, "%s id=%s", t->is_plain ? "" : " class=sortable",
                t->id);
    fputc('>', r->out);
    if ((t->bare & R_IN_HTML) == 0)
        report_html_headings(r->out, t);
    fputs("<tbody>\n", r->out);
    report_html_rows(r->out, t, 0, t->n_rows);
    fputs("</tbody></table></div>\n", r->out);
}

/* --- Markdown --- */

void markdown_break(struct report *r)
{
    if (r->n_written++ > 0)
        fputc('\n', r->out);
}

static void markdown_headings(FILE *out, const struct report_row *row)
{
    fputc('|', out);
    for (size_t c = 0; c < row->n; c++) {
        const struct report_column *column = &row->cells[c].column;

        /* Markdown has no headings over other headings. */
        if (column->unit != NULL)
            fprintf(out, " %s", column->unit);
        fprintf(out, " %s |", column->heading);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < row->n; c++)
        fputs(row->cells[c].column.flags & R_LEFT ? "---|" : "---:|", out);
    fputc('\n', out);
}

static void markdown_place(FILE *out, const struct report_place *at)
{
    char line[512];

    report_safe_code(out, at->insn != NULL ? at->insn : "(no code)");
    fprintf(out, " %" PRIx64, at->address);
    if (at->n == 0 || at->frames[0].line == 0)
        return;
    snprintf(line, sizeof line, "%s:%d", text_base_name(at->frames[0].file),
             at->frames[0].line);
    fputc(' ', out);
    report_safe_code(out, line);
}

void markdown_table(struct report *r, const struct report_table *t)
{
    for (size_t i = 0; i < t->n_rows; i++) {
        AUTO_FINI(row_fini) struct report_row row;

        row_fill(&row, t, REPORT_MARKDOWN, i);
        if (i == 0 && row.n > 0) {
            markdown_break(r);
            markdown_headings(r->out, &row);
        }
        if (!row.is_hidden && row.n > 0) {
            fputc('|', r->out);
            for (size_t c = 0; c < row.n; c++) {
                const char *mark = row.cells[c].style == REPORT_BAD ? "**" : "";

                fprintf(r->out, " %s", mark);
                if (row.cells[c].kind == PLACE)
                    markdown_place(r->out, row.cells[c].place);
                else
                    cell_write(r->out, &row.cells[c], report_safe_markdown,
                               report_safe_code);
                fprintf(r->out, "%s |", mark);
            }
            fputc('\n', r->out);
        }
    }
}

/* --- JUnit --- */

static void xml_cell(FILE *out, const struct report_cell *cell)
{
    cell_write(out, cell, report_safe_xml, report_safe_xml);
}

/* Writes a test case; one that passed has its text as output. */
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
    xml_cell(out, &row->cells[0]);
    fprintf(out, "\">\n      %s", before[style]);
    xml_cell(out, &row->cells[1]);
    fprintf(out, "%s\n    </testcase>\n",
            style == REPORT_GOOD ? "</system-out>" : "\"/>");
}

void report_junit(FILE *out, const char *suite,
                  const struct report_table *properties,
                  const struct report_table *cases, const char *output)
{
    size_t count[REPORT_N_STYLES] = {0};
    struct report_row row;

    for (size_t i = 0; i < cases->n_rows; i++) {
        row_fill(&row, cases, REPORT_TEXT, i);
        count[row.cells[0].style]++;
        row_fini(&row);
    }
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
        fputs("      <property name=\"", out);
        xml_cell(out, &row.cells[0]);
        fputs("\" value=\"", out);
        if (row.cells[1].kind == REAL)
            json_number(out, row.cells[1].real);
        else
            xml_cell(out, &row.cells[1]);
        fputs("\"/>\n", out);
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
