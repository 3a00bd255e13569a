/*
 * cc_html_tables: the sections of the page that consist of tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_pack.h"
#include "report/cc_tables.h"
#include "report/cc_words.h"

#define LISTED 200 /* rows of a list, at most */
#define PLAIN  50  /* of these, those that are not packed */

/* A section; `note` may be empty. */
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

void cc_html_score(FILE *out, const struct cc_report *r)
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

/* What does not follow as it is, is packed. */
static void write_rows(FILE *out, const struct report_table *t, size_t n_all)
{
    struct memory_stream pack;
    char id[64], attribute[64];

    fprintf(out, "<div class='scroll tall'><table class='sortable list' id=%s>",
            t->id);
    report_html_headings(out, t);
    fputs("<tbody>\n", out);
    report_html_rows(out, t, 0, PLAIN);
    fputs("</tbody></table></div>\n", out);
    memory_stream_open(&pack);
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

/* A list at the first bound, or of predictions. */
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

void cc_html_lists(FILE *out, const struct cc_report *r)
{
    if (r->missed.items != NULL)
        write_list(out, r, "Missed", "listed-missed", &r->missed);
    if (r->found.items != NULL)
        write_list(out, r, "Found", "listed-found", &r->found);
    if (r->false_positives.items != NULL)
        write_list(out, r, "Predicted, but did not occur", "listed-false",
                   &r->false_positives);
}

void cc_html_changes(FILE *out, const struct cc_report *r)
{
    const struct cc_fates *f = &r->comparison.fates;
    struct cc_list lost = {r, f->lost, f->n_lost};
    struct report report = {.out = out, .format = REPORT_HTML};
    struct report_table fates = cc_table_fates(r);
    struct report_table list = cc_table_observed(&lost, NULL, "lost");

    write_section(out, "changes", "Since the baseline", "",
                  cc_table_changes(r));
    report_table(&report, &fates);
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

/* The files that are outside, and how to have them inside. */
static void write_outside(FILE *out, const struct cc_report *r)
{
    const struct cc_outside *o = &r->outside;
    char *command = cc_outside_command(r->data, o);

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
    if (command != NULL) {
        fputs("<p>To score those listed: <code>", out);
        report_safe_html(out, command);
        fputs("</code></p>\n", out);
    }
    free(command);
}

void cc_html_reasons(FILE *out, const struct cc_report *r)
{
    write_section(out, "reasons", "Why dependencies were missed",
                  "Missed dependencies within each lifetime bound, and their"
                  " occurrences.  A narrow window shows the first bound.",
                  cc_table_missed(r));
}

void cc_html_where(FILE *out, const struct cc_report *r)
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
