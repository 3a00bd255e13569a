/*
 * cc_html_lists: the found and missed dependencies and false predictions that
 * were asked for, wherever their ends lie.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"
#include "html/cc_pack.h"
#include "model/cc_find.h"
#include "object/demangle.h"
#include "report/cc_cells.h"

#define PLAIN 50 /* rows of a list that are not packed */

void cc_html_end(FILE *out, const struct cc_location *at, uint64_t address)
{
    fprintf(out, "<td data-v=%" PRIu64 "><code>%" PRIx64 " ", address, address);
    html_text(out, at->insn.length > 0 ? at->insn.text : "");
    fputs("</code>", out);
    if (at->frames[0].file != NULL) {
        fputs(" <span class=where>", out);
        html_text(out, cc_base_name(at->frames[0].file));
        fprintf(out, ":%d</span>", at->frames[0].line);
    }
    fputs("</td>", out);
}

void cc_html_two_functions(FILE *out, const char *src, const char *dst,
                           bool are_two)
{
    fputs("<td class=name><code>", out);
    demangle_write(out, src != NULL ? src : "?", html_text);
    if (are_two) {
        fputs("</code> \xe2\x86\x92 <code>", out);
        demangle_write(out, dst != NULL ? dst : "?", html_text);
    }
    fputs("</code></td>", out);
}

/* The cells that say where a pair is. */
static void write_pair(FILE *out, const struct cc_report *report,
                       uint32_t src_block, uint32_t dst_block, uint64_t src,
                       uint64_t dst)
{
    const struct cc_data *data = report->data;
    struct cc_location from, to;

    cc_symbolize(report->symbolizer, data->blocks[src_block].object, src,
                 &from);
    cc_symbolize(report->symbolizer, data->blocks[dst_block].object, dst, &to);
    fputs("<tr>", out);
    cc_html_two_functions(out, from.function, to.function,
                          cc_scope_of(data, src_block, dst_block) >
                              CC_SCOPE_FUNCTION);
    cc_html_end(out, &from, src);
    cc_html_end(out, &to, dst);
    fprintf(out, "<td>%s</td>",
            cc_scope_name(cc_scope_of(data, src_block, dst_block)));
}

static void write_observed(FILE *out, const struct cc_report *report,
                           uint32_t item)
{
    const struct cc_observed *d = &report->data->observed[item];

    write_pair(out, report, d->src_block, d->dst_block, d->src, d->dst);
    cc_html_count_cell(out, cc_counts(report->data, d)[0]);
    cc_html_distance_cell(out, d);
    fputs("<td>", out);
    if (d->verdict == CC_FOUND) {
        char *deltas = cc_deltas_text(report->data, d, ", ");

        fprintf(out, "%s%s%s", *deltas != '\0' ? "\xce\x94k " : "", deltas,
                cc_evidence_text(cc_evidence_of(report->data, d)));
        free(deltas);
    } else {
        html_text(out, cc_reason_text(cc_reason_of(report->data, d)));
    }
    if (d->is_cross_thread)
        fputs("; between threads", out);
    if (cc_forwards_fail(&d->forwards))
        fputs("; forward fails", out);
    fputs("</td></tr>\n", out);
}

static void write_false(FILE *out, const struct cc_report *report,
                        uint32_t item)
{
    const struct cc_prediction *p = &report->data->predictions[item];

    write_pair(out, report, p->block, p->dst_block, p->src, p->dst);
    cc_html_count_cell(out, report->data->blocks[p->block].weight);
    fputs("<td>", out);
    if (p->delta_k != CC_ANY_DELTA)
        fprintf(out, "\xce\x94k %" PRIu64, p->delta_k);
    fprintf(out, "%s</td></tr>\n", cc_evidence_text(p->evidence));
}

/* A list, of which `write` writes a row. */
struct list {
    const char *id;
    const char *const *names; /* of the columns */
    size_t n_columns;
    const struct cc_selection *items;
    void (*write)(FILE *out, const struct cc_report *report, uint32_t item);
};

/* What does not follow as it is, is packed. */
static void write_list(FILE *out, const struct cc_report *report,
                       const struct list *list)
{
    const struct cc_selection *s = list->items;
    struct cc_pack pack;
    char id[64], attribute[64];

    fprintf(out,
            "<div class='scroll tall'><table class='sortable list' id=%s>"
            "<thead><tr>",
            list->id);
    cc_html_headings(out, list->names);
    fputs("</tr></thead>\n<tbody>\n", out);
    cc_pack_open(&pack);
    fputs("<table><tbody>", pack.out);
    for (size_t i = 0; i < s->n && i < CC_HTML_LISTED; i++)
        list->write(i < PLAIN ? out : pack.out, report, s->items[i]);
    if (s->n > CC_HTML_LISTED)
        fprintf(pack.out,
                "<tr class=note><td colspan=%zu>and %zu more</td></tr>\n",
                list->n_columns, s->n - CC_HTML_LISTED);
    fputs("</tbody></table></div>\n", out);
    snprintf(id, sizeof id, "%s-rows", list->id);
    snprintf(attribute, sizeof attribute, "data-rows=%s", list->id);
    cc_pack_close(&pack, out, id, attribute);
    fputs("</section>\n", out);
}

static void write_all_observed(FILE *out, const struct cc_report *report,
                               const char *title, const char *id,
                               const struct cc_selection *s)
{
    static const char *const names[] = {"<function", "<store",      "<load",
                                        "<within",   "occurrences", "distance",
                                        "<note",     NULL};

    fprintf(out, "<section><h2>%s at lifetime ", title);
    cc_html_bound(out, report->data->bounds.bound[0]);
    fprintf(out, ": %zu of %zu</h2>\n", s->n, s->n_all);
    write_list(out, report, &(struct list){id, names, 7, s, write_observed});
}

static void write_all_false(FILE *out, const struct cc_report *report)
{
    static const char *const names[] = {
        "<function", "<store", "<load", "<within", "executions", "<note", NULL};
    const struct cc_selection *s = report->false_positives;

    fprintf(out, "<section><h2>Predicted, but did not occur: %zu of %zu</h2>\n",
            s->n, s->n_all);
    write_list(out, report,
               &(struct list){"listed-false", names, 6, s, write_false});
}

void cc_html_lists(FILE *out, const struct cc_report *report)
{
    if (report->found != NULL)
        write_all_observed(out, report, "Found", "listed-found", report->found);
    if (report->missed != NULL)
        write_all_observed(out, report, "Missed", "listed-missed",
                           report->missed);
    if (report->false_positives != NULL)
        write_all_false(out, report);
}
