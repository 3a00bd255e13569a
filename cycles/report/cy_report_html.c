/*
 * cy_report_html: the report as a page for a browser.
 *
 * Each loop has a listing in which an arc leads from each store of its chain to
 * the load that waits for it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "memory.h"
#include "report/internal.h"

#define ROW 20 /* pixels; the style says so, too */

static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--dim:#5c6670;"
    "--rule:#d5dae0;--soft:#f3f5f7;--on:#c24a00;--link:#0064a8}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14171a;--ink:#e4e8ec;"
    "--dim:#98a3ad;--rule:#363d45;--soft:#1e2328;--on:#ff9350;--link:#5ab4f2}}"
    "\nbody{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.45 system-ui,'DejaVu Sans',sans-serif}\n"
    "main{max-width:1120px;margin:0 auto;padding:12px 16px 48px}\n"
    "h1{font-size:22px;margin:8px 0 4px}h2{font-size:18px;margin:32px 0 8px;"
    "overflow-wrap:anywhere}p{margin:6px 0}a{color:var(--link)}\n"
    ".note{color:var(--dim)}.memory{color:var(--on)}"
    ".advice{font-weight:600}\n"
    ".scroll{overflow-x:auto;max-width:100%}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:3px 10px;text-align:left;white-space:nowrap}"
    "th{font-weight:600;border-bottom:1px solid var(--rule)}"
    ".n{text-align:right}\n"
    ".code td{font:13px/20px ui-monospace,'DejaVu Sans Mono',monospace;"
    "height:20px;padding:0 8px;white-space:pre}"
    ".code .arcs{padding:0;vertical-align:top}.arcs svg{display:block}\n"
    ".on{background:var(--soft)}.on .n{color:var(--on);font-weight:700}"
    ".where{color:var(--dim)}\n"
    "path{fill:none;stroke:var(--on);stroke-width:1.6}"
    "path.failed{stroke-dasharray:4 3}circle{fill:var(--on)}\n";

/* Writes a text, and frees it. */
static void take(FILE *out, char *text)
{
    report_safe_html(out, text);
    free(text);
}

static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    take(out, cy_report_name_text(c));
    fputc(' ', out);
    take(out, cy_report_place_text(r, c, 0));
}

static void write_head(FILE *out, const struct cy_report *r)
{
    char *strange = cy_report_strange(r);

    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
            "<meta name=viewport content='width=device-width, "
            "initial-scale=1'>\n"
            "<meta http-equiv=Content-Security-Policy content=\"default-src "
            "'none'; style-src 'unsafe-inline'; img-src data:\">\n"
            "<link rel=icon href=data:,>\n"
            "<title>depbound</title>\n<style>\n%s</style>\n</head>\n"
            "<body>\n<main>\n<h1>What limits the loops?</h1>\n<p>",
            style);
    if (strange != NULL) {
        fputs("<strong>", out);
        report_safe_html(out, strange);
        fputs("</strong></p>\n<p>", out);
    }
    free(strange);
    cy_report_scope(out, r);
    fputs("</p>\n<p class=note>Units: ", out);
    report_safe_html(out, r->mca != NULL ? r->mca : "not known (no llvm-mca)");
    fputs("; machine file: ", out);
    report_safe_html(out, r->machine != NULL ? r->machine->name : "none");
    fprintf(out, "; edges through memory: %s", cy_edges_name(r->edges));
    if (r->data->has_executions) {
        fputs("; share: ", out);
        cy_report_share_of(out, r);
    }
    fputs("</p>\n", out);
}

/* Draws an arc from the row of a store to that of a load; a pointer on it shows
   a text. */
static void write_arc(FILE *out, const struct cy_report *r,
                      const struct cy_cost_of_loop *c, uint32_t load,
                      enum cy_how how, const struct cy_forward *f,
                      double cycles)
{
    char *variable = cy_report_variable(r, c, f, load);
    double a = ROW * (f->store + 0.5), b = ROW * (load + 0.5);

    assert(f->store < c->n && load < c->n);
    if (f->store == load) {
        a -= ROW / 4.0;
        b += ROW / 4.0;
    }
    fprintf(out,
            "<path%s d='M60 %.0fC4 %.0f 4 %.0f 60 %.0f'><title>%.2f cycles, "
            "%s (%s, %s)",
            how == CY_FAILED ? " class=failed" : "", a, a, b, b, cycles,
            cy_how_name(how), cy_relation_name(f->relation),
            f->is_observed ? "observed" : "predicted");
    if (f->rounds > 0)
        fprintf(out, ", %u round%s later", f->rounds,
                f->rounds == 1 ? "" : "s");
    fprintf(out, ", distance %" PRIu64, cy_report_distance(c, f, load));
    if (variable != NULL) {
        fputs(", through ", out);
        report_safe_html(out, variable);
    }
    free(variable);
    fprintf(out, "</title></path><circle cx=58 cy=%.0f r=3 />", b);
}

static void write_arcs(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);

    fprintf(out,
            "<td class=arcs rowspan=%u><svg width=62 height=%u role=img "
            "aria-label='forwards through memory'>",
            c->n, ROW * c->n);
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].wait == CY_WAIT_MEMORY &&
            chain->links[i].how != CY_FAILED)
            write_arc(out, r, c, chain->links[i].to, chain->links[i].how,
                      &chain->links[i].forward, chain->links[i].cycles);
    for (unsigned i = 0; i < c->bound.n_failed; i++)
        write_arc(out, r, c, c->bound.failed[i].load, CY_FAILED,
                  &c->bound.failed[i].forward, c->bound.failed[i].cycles);
    fputs("</svg>", out);
}

static void write_listing(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);

    fputs("<div class=scroll><table class=code>\n", out);
    for (uint32_t i = 0; i < c->n; i++) {
        const char *source =
            cy_code_source(r->code, c->loop->object, c->insns[i].address);
        double cycles;
        bool is_on = cy_report_waits(chain, i, &cycles);

        fprintf(out, "<tr%s>", is_on ? " class=on" : "");
        if (i == 0)
            write_arcs(out, r, c);
        fputs("<td class=n>", out);
        if (is_on)
            fprintf(out, "%.2f", cycles);
        fprintf(out, "<td class=where>%" PRIx64 "<td>", c->insns[i].address);
        report_safe_html(out, c->insns[i].shown);
        fputs("<td class=where>", out);
        take(out, cy_report_place_text(r, c, i));
        fputs("<td>", out);
        report_safe_html(out, source != NULL ? source : "");
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void write_loop(FILE *out, const struct cy_report *r, size_t i)
{
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    char *advice = cy_report_advice_text(r, c);
    const char *limit = cy_report_limit(c);

    fprintf(out, "<h2 id=l%zu>", i);
    write_name(out, r, c);
    fputs("</h2>\n<p>", out);
    report_safe_html(out, cy_report_mark(c));
    fprintf(out, "%.2f cycles a round, limited by <b class=%s>%s</b>",
            c->cycles.predicted, limit, limit);
    if (strcmp(limit, "memory") == 0)
        fprintf(out, " (%.2f without)", c->cycles.mended);
    fputs("</p>\n", out);
    if (advice[0] != '\0') {
        fputs("<p class=advice>", out);
        report_safe_html(out, advice);
        fputs("</p>\n", out);
    }
    free(advice);
    write_listing(out, r, c);
    cy_report_notes(out, r, c, "<p class=note>", "</p>\n", report_safe_html);
}

void cy_report_html(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_HTML};
    struct report_table table = cy_table_loops(r);

    write_head(out, r);
    if (r->comparison != NULL)
        cy_report_changes(&report, r);
    if (r->prediction->n_shown > 0)
        report_table(&report, &table);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, i);
    if (r->program != NULL && r->prediction->n_shown > 0) {
        table = cy_table_program(r);
        report_heading(&report, "cycles");
        report_table(&report, &table);
    }
    if (r->windowed != NULL)
        cy_report_windows(&report, r);
    fputs("</main>\n</body>\n</html>\n", out);
}
