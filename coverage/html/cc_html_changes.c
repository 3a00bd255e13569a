/*
 * cc_html_changes: the figures beside those of the baseline, and what was
 * found before and is missed or gone now.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "html/cc_html.h"
#include "html/cc_html_text.h"

static void write_change(FILE *out, const struct cc_change *change)
{
    fprintf(out, "<tr><td>%s</td><td class=n>",
            cc_figures[change->figure].name);
    if (change->bound != 0)
        cc_html_bound(out, change->bound);
    fputs("</td><td class=n>", out);
    if (change->before.has_data)
        fprintf(out, "%.1f%%", change->before.percent);
    else
        fputs("no data", out);
    fputs("</td>", out);
    cc_html_ratio_cell(out, change->now);
    fputs("<td class=n>", out);
    if (change->before.has_data && change->now.whole > 0)
        fprintf(out, "%+.2f", cc_change_points(change));
    fputs("</td></tr>\n", out);
}

static void write_lost(FILE *out, const struct cc_report *report,
                       const struct cc_observed *d)
{
    struct cc_location src, dst;

    cc_symbolize(report->symbolizer, d->src_object, d->src, &src);
    cc_symbolize(report->symbolizer, d->dst_object, d->dst, &dst);
    fputs("<tr>", out);
    cc_html_two_functions(out, src.function, dst.function,
                          cc_scope_of(report->data, d->src_block,
                                      d->dst_block) > CC_SCOPE_FUNCTION);
    cc_html_end(out, &src, d->src);
    cc_html_end(out, &dst, d->dst);
    cc_html_count_cell(
        out,
        cc_counts(report->data, d)[cc_bounds_largest(&report->data->bounds)]);
    fputs("<td>", out);
    html_text(out, cc_reason_text(cc_reason_of(report->data, d)));
    fputs("</td></tr>\n", out);
}

static void write_all_lost(FILE *out, const struct cc_report *report)
{
    static const char *const names[] = {"<function",   "<store", "<load",
                                        "occurrences", "<why",   NULL};
    const struct cc_comparison *c = report->comparison;

    fprintf(out,
            "<h3>Found before and missed now: %zu</h3>\n"
            "<div class='scroll tall'><table class=sortable id=lost><thead>"
            "<tr>",
            c->fates.n_lost);
    cc_html_headings(out, names);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < c->fates.n_lost && i < CC_HTML_LISTED; i++)
        write_lost(out, report, &report->data->observed[c->fates.lost[i]]);
    if (c->fates.n_lost > CC_HTML_LISTED)
        fprintf(out, "<tr class=note><td colspan=5>and %zu more</td></tr>\n",
                c->fates.n_lost - CC_HTML_LISTED);
    fputs("</tbody></table></div>\n", out);
}

static void write_fates(FILE *out, const struct cc_fates *f)
{
    fputs("<div class=scroll><table id=fates><thead><tr><th>dependencies</th>",
          out);
    for (enum cc_now now = 0; now < CC_N_NOW; now++)
        fprintf(out, "<th class=n>%s</th>", cc_now_text(now));
    fputs("</tr></thead>\n<tbody>\n", out);
    for (unsigned before = 0; before < f->n_rows; before++) {
        fprintf(out, "<tr><td>%s</td>", cc_before_text((enum cc_before)before));
        for (int now = 0; now < CC_N_NOW; now++)
            if (before != CC_NEW || now <= CC_MISSED_NOW)
                fprintf(out, "<td class=n>%zu</td>", f->counts[before][now]);
            else
                fputs("<td></td>", out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_old_end(FILE *out, const struct cc_end *end)
{
    fprintf(out, "<td data-v=%" PRIu64 "><code>%" PRIx64 " ", end->address,
            end->address);
    html_text(out, end->insn != NULL ? end->insn : "");
    fputs("</code>", out);
    if (end->line != NULL) {
        fputs(" <span class=where>", out);
        html_text(out, end->line);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void write_all_gone(FILE *out, const struct cc_fates *f)
{
    static const char *const names[] = {"<function", "<store", "<load",
                                        "occurrences", NULL};

    fprintf(out,
            "<h3>Found before and gone now: %zu</h3>\n"
            "<p class=note>Addresses and instructions are those of the"
            " baseline.</p>\n<div class='scroll tall'>"
            "<table class=sortable id=gone><thead><tr>",
            f->n_gone);
    cc_html_headings(out, names);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < f->n_gone && i < CC_HTML_LISTED; i++) {
        const struct cc_identity *id = &f->before[f->gone[i]];

        fputs("<tr>", out);
        cc_html_two_functions(out, id->code.function, id->dst_code.function,
                              id->dst_code.build_id != NULL);
        write_old_end(out, &id->src);
        write_old_end(out, &id->dst);
        if (id->occurrences > 0)
            cc_html_count_cell(out, id->occurrences);
        else
            fputs("<td></td>", out);
        fputs("</tr>\n", out);
    }
    if (f->n_gone > CC_HTML_LISTED)
        fprintf(out, "<tr class=note><td colspan=4>and %zu more</td></tr>\n",
                f->n_gone - CC_HTML_LISTED);
    fputs("</tbody></table></div>\n", out);
}

void cc_html_changes(FILE *out, const struct cc_report *report)
{
    const struct cc_comparison *c = report->comparison;

    fputs("<section id=changes><h2>Since the baseline</h2>\n"
          "<div class=scroll><table><thead><tr><th>figure</th>"
          "<th class=n>lifetime</th><th class=n>before</th><th class=n>now"
          "</th><th class=n>points</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < c->n_changes; i++)
        write_change(out, &c->changes[i]);
    fputs("</tbody></table></div>\n", out);
    write_fates(out, &c->fates);
    if (c->fates.n_lost > 0)
        write_all_lost(out, report);
    if (c->fates.n_gone > 0)
        write_all_gone(out, &c->fates);
    fputs("</section>\n", out);
}
