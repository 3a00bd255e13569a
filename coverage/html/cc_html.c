/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/cc_html.h"

#include <zlib.h>

#include "html/page.h"
#include "file.h"

/* Approximate size of the packed blocks and functions; the rest of the page has
   at most 300 KB. */
#define PACKED_BYTES 680000
#define BLOCKS_BYTES 520000 /* of these, of the blocks */

#define LISTED 200 /* largest number of rows in a list */
#define PLAIN  50  /* largest number of rows that are not packed */

/* --- The text between tags --- */

void cc_html_count_cell(FILE *out, uint64_t n)
{
    fprintf(out, "<td class=n data-v=%" PRIu64 ">", n);
    report_html_count(out, n);
    fputs("</td>", out);
}

void cc_html_ratio_cell(FILE *out, struct cc_ratio ratio)
{
    fprintf(out, "<td class=n data-v=%.9g>%s</td>",
            report_percent(ratio.part, ratio.whole),
            report_ratio_text(ratio.part, ratio.whole).text);
}

void cc_html_headings(FILE *out, const char *const *names)
{
    for (; *names != NULL; names++) {
        bool is_text = **names == '<';

        fprintf(out, "<th class=%c scope=col><button type=button>",
                is_text ? 't' : 'n');
        report_html_text(out, "", *names + is_text, "</button></th>");
    }
}

/* --- Packed parts --- */

/* The alphabet of RFC 4648 for file names, in which nothing looks like a
   link. */
static size_t write_base64(FILE *page, const unsigned char *bytes, size_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
        "uvwxyz0123456789-_";
    static_assert(sizeof digits == 64 + 1, "a digit is 6 bits");

    for (size_t i = 0; i < n; i += 3) {
        unsigned group = (unsigned)bytes[i] << 16;

        group |= i + 1 < n ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= i + 2 < n ? bytes[i + 2] : 0;
        fputc(digits[group >> 18], page);
        fputc(digits[group >> 12 & 63], page);
        if (i + 1 < n)
            fputc(digits[group >> 6 & 63], page);
        if (i + 2 < n)
            fputc(digits[group & 63], page);
    }
    return (n + 2) / 3 * 4;
}

size_t cc_pack_close(struct memory_stream *html, FILE *page, const char *id,
                     const char *attributes)
{
    AUTO_FREE char *text = memory_stream_close(html);
    uLongf n = compressBound((uLong)html->size);
    AUTO_FREE unsigned char *packed = memory_new(n, 1);

    /* compress2() fails only if memory runs out */
    if (compress2(packed, &n, (const Bytef *)text, (uLong)html->size,
                  Z_BEST_COMPRESSION) != Z_OK)
        memory_exhausted();
    fprintf(page, "<script type=text/plain class=packed id=%s%s%s>", id,
            *attributes != '\0' ? " " : "", attributes);
    size_t n_written = write_base64(page, packed, n);
    fputs("</script>\n", page);
    return n_written;
}

/* --- Sections of tables --- */

/* Writes a section with a table; `note` may be empty. */
static void write_section(FILE *out, const char *id, const char *title,
                          const char *note, struct report_table table)
{
    struct report report = {.out = out, .format = REPORT_HTML};

    fprintf(out, "<section id=%s><h2>%s</h2>\n", id, title);
    if (*note != '\0')
        fprintf(out, "<p class=note>%s</p>\n", note);
    report_table(&report, &table);
    fputs("</section>\n", out);
}

static void write_score(FILE *out, const struct cc_report *r)
{
    struct report report = {.out = out, .format = REPORT_HTML};
    struct report_table figures = cc_table_figures(r);

    write_section(out, "shares", "What is scored", "", cc_table_parts(r));
    write_section(out, "score", "Coverage", CC_COVERAGE_NOTE ".",
                  cc_table_total(r));
    report_table(&report, &figures);
    if (r->n_checks > 0)
        write_section(out, "gates", "Gates", "", cc_table_gates(r));
}

/* --- Lists --- */

/* Writes the first rows of a list as they are, and packs the others. */
static void write_rows(FILE *out, const struct report_table *t, size_t n_all)
{
    char id[64], attribute[64];

    assert(n_all >= t->n_rows);
    fprintf(out, "<div class='scroll tall'><table class='sortable list' id=%s>",
            t->id);
    report_html_headings(out, t);
    fputs("<tbody>\n", out);
    report_html_rows(out, t, 0, PLAIN);
    fputs("</tbody></table></div>\n", out);
    struct memory_stream pack = memory_stream_open(&pack);
    fputs("<table><tbody>", pack.out);
    report_html_rows(pack.out, t, PLAIN, LISTED);
    if (t->n_rows > LISTED)
        fprintf(pack.out,
                "<tr class=note><td colspan=9>and %zu more; the text report "
                "lists all</td></tr>\n",
                n_all - LISTED);
    snprintf(id, sizeof id, "%s-rows", t->id);
    snprintf(attribute, sizeof attribute, "data-rows=%s", t->id);
    cc_pack_close(&pack, out, id, attribute);
}

/* Writes a list, of dependencies at the first bound or of wrong predictions. */
static void write_list(FILE *out, const struct cc_report *r, const char *title,
                       const char *id, const struct cc_selection *s)
{
    struct cc_list list = {r, s->items, s->n};
    bool is_false = s == &r->false_positives;
    struct report_table t =
        is_false ? cc_table_false(&list) : cc_table_observed(&list, NULL, id);

    fprintf(out, "<section><h2>%s%s%s: %zu of %zu</h2>\n", title,
            is_false ? "" : " at lifetime ",
            is_false ? "" : bound_text(r->data->bounds.bound[0]).text, s->n,
            s->n_all);
    t.id = id;
    write_rows(out, &t, s->n);
    fputs("</section>\n", out);
}

static void write_changes(FILE *out, const struct cc_report *r)
{
    const struct cc_outcomes *f = &r->comparison.outcomes;
    struct cc_list lost = {r, f->lost, f->n_lost};
    struct report report = {.out = out, .format = REPORT_HTML};
    struct report_table outcomes = cc_table_outcomes(r);
    struct report_table list = cc_table_observed(&lost, NULL, "lost");

    write_section(out, "changes", "Since the baseline", "",
                  cc_table_changes(r));
    report_table(&report, &outcomes);
    if (f->n_lost > 0) {
        fprintf(out, "<h3>Found before and missed now: %zu</h3>\n", f->n_lost);
        write_rows(out, &list, f->n_lost);
    }
    if (f->n_gone > 0) {
        list = cc_table_gone(r);
        fprintf(out,
                "<h3>Found before and gone now: %zu</h3>\n<p class=note>"
                "Addresses and instructions are those of the baseline.</p>\n",
                f->n_gone);
        write_rows(out, &list, f->n_gone);
    }
}

/* --- Why dependencies were missed, and where they lie --- */

/* Writes the files that were not analysed, and how to analyse them. */
static void write_outside(FILE *out, const struct cc_report *r)
{
    const struct cc_outside *o = &r->outside;
    AUTO_FREE char *command = cc_outside_command(r->data, o);

    if (o->n > 0)
        write_section(out, "outside", "Outside",
                      "Occurrences with an end in no block that was analysed, "
                      "by its file.",
                      cc_table_outside_list(r));
    if (o->n > o->n_listed)
        fprintf(out,
                "<p class=note>and %zu more; covcheck --format=json lists all"
                "</p>\n",
                o->n - o->n_listed);
    if (command != NULL)
        report_html_text(out, "<p>To score those listed: <code>", command,
                         "</code></p>\n");
}

static void write_where(FILE *out, const struct cc_report *r)
{
    enum cc_scope scope = r->data->scope;
    unsigned largest = cc_bounds_largest(&r->data->bounds);

    if (scope > CC_SCOPE_BLOCK)
        write_section(out, "scopes", "Coverage by scope", "",
                      cc_table_scopes(r));
    if (cc_count_evidences(r->by_evidence, scope) > 1)
        write_section(out, "evidence", "Predictions by evidence",
                      "Walks showed a pair, or its store reaches its load by "
                      "flow alone.  share_w: of all occurrences that were "
                      "found.",
                      cc_table_evidences(r));
    write_section(out, "where", "Where dependencies lie",
                  scope == CC_SCOPE_BLOCK
                      ? "Shares of all occurrences, of dropped blocks too. "
                        "Only those in one block can be found."
                      : "Shares of all occurrences, of dropped blocks too.",
                  cc_table_where(r));
    write_outside(out, r);
    if (cc_forwards_known(&r->data->forwards[largest]) > 0)
        write_section(out, "forwards", "How loads got their bytes",
                      "Shares of the occurrences.  What is partial, or of"
                      " several stores, cannot be forwarded.",
                      cc_table_forwards(r));
}

/* --- The page --- */

static void write_title(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;
    char headline[CC_HEADLINE], *counted = cc_counted(report);

    fputs("<h1>Which dependencies were predicted?</h1>\n", out);
    cc_headline(report, headline);
    fprintf(out, "<p id=scored>%s</p>\n<p class=note>%s</p>\n", headline,
            counted);
    free(counted);
    for (size_t i = 0; i < report->notes->n; i++)
        report_html_text(out, "<p class=left-out>",
                         report->notes->items[i].text, "</p>\n");
    for (uint32_t i = 0; i < data->n_objects; i++)
        report_html_text(out, "<p class=path>", data->objects[i].path,
                         "</p>\n");
    fprintf(out, "<p class=note>%zu run%s", data->n_runs,
            data->n_runs == 1 ? "" : "s");
    if (data->n_incomplete > 0)
        fprintf(out, ", of which %zu incomplete", data->n_incomplete);
    fputs("</p>\n", out);
    report_html_made(out, NULL, report->command);
}

static void write_page(FILE *out, const struct cc_report *report,
                       const struct cc_curve *curve)
{
    report_html_begin(out, "covcheck", page_css);
    write_title(out, report);
    write_score(out, report);
    if (report->comparison.changes != NULL)
        write_changes(out, report);
    write_section(out, "reasons", "Why dependencies were missed",
                  "Missed dependencies within each lifetime bound, and their"
                  " occurrences.  A narrow window shows the first bound.",
                  cc_table_missed(report));
    cc_html_functions(out, report);
    if (report->missed.items != NULL)
        write_list(out, report, "Missed", "listed-missed", &report->missed);
    if (report->found.items != NULL)
        write_list(out, report, "Found", "listed-found", &report->found);
    if (report->false_positives.items != NULL)
        write_list(out, report, "Predicted, but did not occur", "listed-false",
                   &report->false_positives);
    write_where(out, report);
    cc_html_curve(out, curve);
    cc_html_support(out, report);
    size_t n_packed = cc_html_blocks(out, report, false, BLOCKS_BYTES);
    if (report->data->scope > CC_SCOPE_BLOCK)
        cc_html_blocks(out, report, true, PACKED_BYTES - n_packed);
    report_html_end(out, page_js);
}

/* Sort key of a bound: 512, then 1024, since about as many instructions are in
   flight in a processor; then the others, ascending. */
static int rank(uint64_t bound)
{
    return bound == 512 ? 0 : bound == 1024 ? 1 : 2;
}

static void order_bounds(struct cc_report *report)
{
    const uint64_t *bound = report->data->bounds.bound;

    for (unsigned i = 1; i < report->data->bounds.n; i++)
        for (unsigned j = i; j > 0; j--) {
            unsigned *a = &report->order[j - 1], *b = &report->order[j];
            unsigned t = *a;

            if (rank(bound[*a]) < rank(bound[*b]) ||
                (rank(bound[*a]) == rank(bound[*b]) && bound[*a] <= bound[*b]))
                break;
            *a = *b;
            *b = t;
        }
}

int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d)
{
    struct replace *file = replace_new(path, REPLACE_REGULAR, d);
    struct cc_report ordered = *report;

    if (file == NULL)
        return -1;
    order_bounds(&ordered);
    write_page(replace_stream(file), &ordered, curve);
    int rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}
