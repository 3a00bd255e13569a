/*
 * document: the parts of a report, and what formats spell alike.
 *
 * A text of an object's file or a database holds any bytes.  Characters that a
 * format cannot have become U+FFFD, or "?" in a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/report.h"

#include <ctype.h>

#include "occurrence.h"
#include "demangle.h"
#include "report/renderers.h"
#include "output.h"

#define FOLDED      4 /* blanks before the rest of a line that is too long */
#define REPLACEMENT "\xef\xbf\xbd"

/* --- Parts --- */

void report_table(struct report *r, const struct report_table *table)
{
    static void (*const renderers[])(struct report *,
                                     const struct report_table *) = {
        [REPORT_TEXT] = text_table,
        [REPORT_MARKDOWN] = markdown_table,
        [REPORT_HTML] = html_table,
        [REPORT_JSON] = json_table,
    };

    assert(r->format < REPORT_N_FORMATS);
    assert(table->n_inner == 0 || table->n_rows % table->n_inner == 0);
    assert(r->db == NULL || r->format == REPORT_JSON);
    if (r->db != NULL)
        db_table(r, table);
    else if (r->format == REPORT_JSON || table->n_rows > 0)
        renderers[r->format](r, table);
}

void report_begin(struct report *r)
{
    if (r->format == REPORT_JSON)
        fputc('{', r->out);
}

void report_end(struct report *r)
{
    if (r->format == REPORT_JSON)
        fputs("\n}\n", r->out);
}

void report_add_heading(struct report *r, char *text)
{
    if (r->format == REPORT_MARKDOWN)
        markdown_break(r);
    if (r->format == REPORT_TEXT)
        fprintf(r->out, "\n%s\n", text);
    else if (r->format <= REPORT_HTML)
        fprintf(r->out, r->format == REPORT_HTML ? "<h2>%c%s</h2>\n" : "%c%s\n",
                toupper((unsigned char)text[0]), text + 1);
    free(text);
}

void report_add_paragraph(struct report *r, char *text)
{
    switch (r->format) {
    case REPORT_TEXT:
        text_make_safe(text);
        terminal_fold(r->out, text, FOLDED, r->width);
        break;
    case REPORT_MARKDOWN:
        markdown_break(r);
        report_safe_markdown(r->out, text + strspn(text, " "));
        break;
    case REPORT_HTML:
        fputs("<p>", r->out);
        report_safe_html(r->out, text);
        fputs("</p>", r->out);
        break;
    default:
        break;
    }
    if (r->format <= REPORT_HTML)
        fputc('\n', r->out);
    free(text);
}

void report_line(struct report *r, const char *name, const char *text)
{
    if (r->format == REPORT_TEXT) {
        report_paragraph(r, "%s: %s", name, text);
        return;
    }
    if (r->format > REPORT_HTML)
        return;
    if (r->format == REPORT_MARKDOWN)
        markdown_break(r);
    fprintf(r->out, "%s%c%s: ", r->format == REPORT_HTML ? "<p>" : "",
            toupper((unsigned char)name[0]), name + 1);
    (r->format == REPORT_HTML ? html_code : report_safe_code)(r->out, text);
    fputs(r->format == REPORT_HTML ? "</p>\n" : "\n", r->out);
}

/* --- Values --- */

double report_percent(uint64_t part, uint64_t whole)
{
    assert(part <= whole);
    return whole > 0 ? 100 * (double)part / (double)whole : -1;
}

struct report_value report_ratio_text(uint64_t part, uint64_t whole)
{
    struct report_value value = {"no data"};
    double percent = report_percent(part, whole);

    assert(percent <= 100);
    if (part < whole && percent > 99.9)
        percent = 99.9;
    if (part > 0 && percent < 0.1)
        percent = 0.1;
    if (whole > 0)
        snprintf(value.text, sizeof value.text, "%.1f%%", percent);
    return value;
}

void cell_write(FILE *out, const struct report_cell *cell,
                void (*safe)(FILE *out, const char *text),
                void (*code)(FILE *out, const char *text))
{
    switch (cell->kind) {
    case TEXT:
        safe(out, cell->text);
        break;
    case CODE:
        code(out, cell->text);
        if (cell->after != NULL)
            safe(out, cell->after);
        break;
    case COUNT:
        fprintf(out, "%" PRIu64, cell->number);
        break;
    case REAL:
        /* A column's format is a printf format for one double. */
        fprintf(out, cell->column.format != NULL ? cell->column.format : "%.2f",
                cell->real);
        break;
    case TRUTH:
        fputs(cell->truth ? "yes" : "no", out);
        break;
    case ADDRESS:
        fprintf(out, "%" PRIx64, cell->number);
        break;
    case BOUND:
        fputs(bound_text(cell->number).text, out);
        break;
    case RANGE:
        fprintf(out, "%" PRIu64 " to %" PRIu64, cell->range.low,
                cell->range.high);
        break;
    case COUNTS:
        for (size_t i = 0; i < cell->counts.n; i++)
            fprintf(out, "%s%" PRIu64, i > 0 ? ", " : "", cell->counts.list[i]);
        break;
    case RATIO:
        fputs(report_ratio_text(cell->ratio.part, cell->ratio.whole).text, out);
        break;
    case FUNCTION:
        for (size_t i = 0; i < cell->functions.n; i++) {
            const char *symbol = cell->functions.symbols[i];

            fputs(i > 0 ? " \xe2\x86\x92 " : "", out);
            demangle_write(out, symbol != NULL ? symbol : "(no function)",
                           code);
            if (cell->functions.objects[i] == NULL)
                continue;
            fputs(" in ", out);
            code(out, cell->functions.objects[i]);
        }
        break;
    case NO_VALUE:
    case PLACE:
    case ROWS:
        break;
    }
}

/* --- Foreign texts --- */

/* Writes a text with character references for characters of markup. */
static void write_markup(FILE *out, const char *text,
                         bool (*is_bad)(const char *text, size_t n))
{
    static const char special[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                             "&#39;"};
    const char *c;

    while (*text != '\0') {
        size_t n = utf8_length(text);

        if (n == 1 && (c = strchr(special, *text)) != NULL)
            fputs(references[c - special], out);
        else if (n == 0 || is_bad(text, n))
            fputs(REPLACEMENT, out);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}

static bool is_control(const char *text, size_t n)
{
    (void)n;
    return text_control_length(text) > 0;
}

void report_safe_html(FILE *out, const char *text)
{
    write_markup(out, text, is_control);
}

/* XML 1.0 allows three control characters only, and forbids U+FFFE and
   U+FFFF. */
static bool is_not_xml(const char *text, size_t n)
{
    return (is_control(text, n) && *text != '\n') ||
           (n == 3 && (strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
                       strncmp(text, "\xef\xbf\xbf", 3) == 0));
}

void report_safe_xml(FILE *out, const char *text)
{
    write_markup(out, text, is_not_xml);
}

/* Writes a text so that none of it is markup in a table or a paragraph. */
void report_safe_markdown(FILE *out, const char *text)
{
    text_marked(out, text, "|<`*[\\", '\\');
}

/* The length of the longest run of backticks in a text. */
static size_t longest_fence(const char *text)
{
    size_t longest = 0, n;

    for (; *text != '\0'; text += n > 0 ? n : 1) {
        n = strspn(text, "`");
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* GitHub and GitLab end a cell at "|", which is escaped even in code. */
void report_safe_code(FILE *out, const char *text)
{
    size_t fence = longest_fence(text) + 1;
    const char *blank = fence > 1 ? " " : "";

    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
    fputs(blank, out);
    while (*text != '\0') {
        size_t n = strcspn(text, "|");
        AUTO_FREE char *part = memory_text(text);

        part[n] = '\0';
        text_make_safe(part);
        fputs(part, out);
        text += n;
        if (*text == '|') {
            fputs("\\|", out);
            text++;
        }
    }
    fputs(blank, out);
    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
}

char *report_safe_utf8(const char *text)
{
    const size_t most = sizeof REPLACEMENT - 1;
    char *safe = memory_new(most * strlen(text) + 1, 1), *to = safe;

    while (*text != '\0') {
        size_t n = utf8_length(text), written = n > 0 ? n : most;

        memcpy(to, n > 0 ? text : REPLACEMENT, written);
        to += written;
        text += n > 0 ? n : 1;
    }
    return safe;
}
