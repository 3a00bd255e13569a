/*
 * as_html: tables for a browser, with the numbers by which a reader can sort
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demangle.h"
#include "report/page.h"
#include "report/renderers.h"
#include "text.h"

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
    time_t when;

    if (given != NULL && (!num_parse(given, &seconds) || seconds > INT64_MAX))
        return;
    when = (time_t)seconds;
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

static void write_place(FILE *out, const struct report_place *at)
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
        write_place(out, cell->place);
        break;
    default:
        cell_write(out, cell, report_safe_html, html_code);
    }
}

/* What a column is sorted by, where that is not its text. */
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

/* Columns for which there may be no room. */
static const char *extra(const struct report_column *column)
{
    return column->flags & REPORT_EXTRA ? " extra" : "";
}

static void write_cell(FILE *out, const struct report_cell *cell)
{
    fprintf(out, "<td class='%s%s'",
            cell->kind == FUNCTION             ? "name"
            : cell->column.flags & REPORT_LEFT ? "t"
            : cell->style == REPORT_BAD        ? "n bad"
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

static void write_headings(FILE *out, const struct report_table *t,
                           const struct report_row *row)
{
    fputs("<thead>", out);
    if (row_has_units(row))
        write_units(out, row);
    fputs("<tr>", out);
    for (size_t c = 0; c < row->n; c++) {
        const struct report_column *column = &row->cells[c].column;
        const char *class = column->flags & REPORT_LEFT ? "t" : "n";

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
    struct report_row row;

    if (t->n_rows == 0)
        return;
    row_fill(&row, t, REPORT_HTML, 0);
    write_headings(out, t, &row);
    row_fini(&row);
}

void report_html_rows(FILE *out, const struct report_table *t, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to && i < t->n_rows; i++) {
        struct report_row row;

        row_fill(&row, t, REPORT_HTML, i);
        if (!row.is_hidden) {
            fputs("<tr>", out);
            for (size_t c = 0; c < row.n; c++)
                write_cell(out, &row.cells[c]);
            fputs("</tr>\n", out);
        }
        row_fini(&row);
    }
}

void html_table(struct report *r, const struct report_table *t)
{
    fputs("<div class=scroll><table", r->out);
    if (t->id != NULL)
        fprintf(r->out, "%s id=%s", t->is_plain ? "" : " class=sortable",
                t->id);
    fputc('>', r->out);
    if ((t->bare & REPORT_SHOWN_HTML) == 0)
        report_html_headings(r->out, t);
    fputs("<tbody>\n", r->out);
    report_html_rows(r->out, t, 0, t->n_rows);
    fputs("</tbody></table></div>\n", r->out);
}
