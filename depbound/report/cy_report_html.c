/*
 * cy_report_html: the report as a page for a browser.
 *
 * The page begins with what limits the program, and the part about a loop with
 * what limits the loop.  In a narrow window, tables have at most three columns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/report.h"
#include "report/internal.h"
#include "report/page_style.h"

/* Writes a text, and frees it. */
static void take(FILE *out, char *text)
{
    report_safe_html(out, text);
    free(text);
}

static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    take(out, cy_report_name(r, c));
    fputc(' ', out);
    report_safe_html(out, cy_report_place(r, c, 0).text);
}

static void write_limit(FILE *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    const char *limit = cy_limit_name(cy_report_limit(c));

    if (cy_unknown_is_all(&c->unknown)) {
        take(out, cy_report_round_text(r, c));
        return;
    }
    report_safe_html(out, cy_report_mark(c));
    fprintf(out, "%.2f cycles an iteration, limited by <b class=%s>%s</b>",
            c->cycles.predicted, limit, limit);
    if (cy_report_without(c) != NULL)
        fprintf(out, " (%.2f without)", *cy_report_without(c));
}

/* Writes how many loops each limit applies to. */
static void write_limits(FILE *out, const struct cy_report *r)
{
    const char *before = "";

    for (enum cy_limit limit = 0; limit < CY_BY_UNKNOWN; limit++) {
        const char *name = cy_limit_name(limit);
        size_t n = 0;

        for (size_t j = 0; j < cy_report_n(r); j++)
            n += cy_report_limit(&r->prediction->loops[j]) == limit;
        if (n == 0)
            continue;
        fprintf(out, "%s<b class=%s>%s</b> limit%s %zu", before, name, name,
                limit == CY_BY_MEMORY ? "s" : "", n);
        before = ", ";
    }
    fprintf(out, " of %zu loops", cy_report_n(r));
}

/* Writes the source of the verdict's pair, and how long its load waits. */
static void write_pair(FILE *out, const struct cy_report *r,
                       const struct cy_windowed_pair *p)
{
    const uint32_t ends[] = {p->store, p->load};

    fputs("<table class=lines>\n", out);
    for (unsigned i = 0; i < 2; i++) {
        fputs("<tr class=on><td class=n>", out);
        if (ends[i] == p->load)
            fprintf(out, "%.2f",
                    p->cycles / r->windowed->outcome.weighed[p->load]);
        report_html_text(out, "<td class=where>",
                         cy_windowed_place(r->windowed, ends[i]).text, "<td>");
        report_html_text(out, "", cy_windowed_source(r, ends[i]), "</tr>\n");
    }
    fputs("</table>\n", out);
}

/* Writes the verdict, whose first line is a link to the loop that it names. */
static void write_first(FILE *out, const struct cy_report *r)
{
    const struct cy_verdict v = cy_verdict_of(r);
    const struct cy_cost_of_loop *c = v.loop;
    char *rest = v.text, *line;
    bool is_listed = v.pair == NULL && !v.is_away && c != NULL &&
                     c < &r->prediction->loops[cy_report_n(r)];

    if (c == NULL)
        fputs("<p class=limit>No loop is listed</p>\n", out);
    while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
        bool is_link = line == v.text + v.n_before && is_listed;

        if (is_link)
            fprintf(out, "<p class=limit><a href=#l%td>",
                    c - r->prediction->loops);
        else if (line <= v.text + v.n_before)
            fputs("<p class=limit>", out);
        else
            fputs(line[0] == ' ' ? "<p class=advice>" : "<p>", out);
        report_safe_html(out, line);
        fprintf(out, "%s</p>\n", is_link ? "</a>" : "");
    }
    free(v.text);
    if (v.pair != NULL)
        write_pair(out, r, v.pair);
    if (!r->data->has_executions && cy_report_n(r) > 1) {
        fputs("<p>", out);
        write_limits(out, r);
        fputs("</p>\n", out);
    }
}

/* The name of the program, or of the first file that static.db names. */
static char *subject_of(const struct cy_report *r)
{
    size_t n = r->data->n_objects;

    if (r->subject != NULL || n == 0)
        return memory_text(r->subject != NULL ? r->subject : "");
    return n == 1 ? memory_text(r->data->objects[0].path)
                  : memory_printf("%s and %zu other file%s",
                                  r->data->objects[0].path, n - 1,
                                  n == 2 ? "" : "s");
}

static void write_conditions(FILE *out, const struct cy_report *r)
{
    fputs("<p>", out);
    cy_report_scope(out, r);
    report_html_text(out, "</p>\n<p class=note>Units: ",
                     r->mca != NULL
                         ? r->mca
                         : "only the width of the processor (no llvm-mca)",
                     "; machine file: ");
    report_html_text(out, "", r->machine != NULL ? r->machine->name : "none",
                     "; edges through memory: ");
    fputs(cy_edges_name(r->choice->edges), out);
    if (r->data->has_executions) {
        fputs("; share: ", out);
        cy_report_share_of(out, r);
    }
    fputs("</p>\n", out);
}

static void write_head(FILE *out, const struct cy_report *r)
{
    char *subject = subject_of(r);
    char *title = memory_printf("depbound: %s", text_base_name(subject));

    report_html_begin(out, title, page_css);
    free(title);
    fputs("<h1>What limits the loops?</h1>\n", out);
    write_first(out, r);
    for (unsigned i = 0; i < CY_N_NOTICES; i++) {
        char *notice = cy_report_notice(r, i);

        if (notice != NULL)
            report_html_text(out, "<p><strong>", notice, "</strong></p>\n");
        free(notice);
    }
    write_conditions(out, r);
    report_html_made(out, subject, r->command);
    free(subject);
}

/* Explains the figures and the drawings. */
static void write_legend(FILE *out)
{
    fputs(
        "<details class=note><summary>Legend</summary>\n<dl class=legend>\n"
        "<dt>an iteration</dt><dd>one execution of the loop's body, in cycles"
        "</dd>\n"
        "<dt>units</dt><dd>what the core has to do if no instruction waits for "
        "a value</dd>\n"
        "<dt>registers</dt><dd>what it would take with the values that go "
        "through memory in registers</dd>\n"
        "<dt>memory</dt><dd>with loads that wait for stores, too: what it "
        "takes; &quot;without&quot; is an iteration with these values in "
        "registers</dd>\n"
        "<dt>share, self</dt><dd>of the program's cycles: of a loop with what "
        "it calls, and without</dd>\n"
        "<dt>&gt;=</dt><dd>at least: the figure leaves something out</dd>\n"
        "<dt>~</dt><dd>the figure is that of some iterations</dd>\n"
        "<dt>0.00</dt><dd>before an instruction: the cycles that the chain "
        "waits for it</dd>\n"
        "<dt><svg width=30 height=12><path d='M0 6h24' />"
        "<circle cx=26 cy=6 r=3 /></svg></dt><dd>from a store to the load, "
        "at the dot, that waits for it; a pointer on it shows more</dd>\n"
        "<dt><svg width=30 height=12><path class=failed d='M0 6h24' />"
        "<circle cx=26 cy=6 r=3 /></svg></dt><dd>the same, if the load must "
        "wait until the store is in the cache (the forward fails)</dd>\n"
        "</dl>\n</details>\n",
        out);
}

/* Does a loop call the function that contains another loop? */
static bool calls(const struct cy_report *r, const struct cy_cost_of_loop *c,
                  const struct cy_cost_of_loop *other)
{
    if (!c->loop->has_call || other->function == NULL)
        return false;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->insns[i].flow;
        uint32_t block;

        if (flow->leave != FLOW_CALL || flow->called == FLOW_NOWHERE)
            continue;
        block = cy_data_block(r->data, c->loop->object, flow->called);
        if (block != CY_NO_BLOCK &&
            r->data->blocks[block].function == other->function)
            return true;
    }
    return false;
}

/* Writes links to the loops that loop i calls, if `is_caller`, or else to the
   loops that call its function. */
static void write_calls(FILE *out, const struct cy_report *r, size_t i,
                        bool is_caller)
{
    const struct cy_cost_of_loop *loops = r->prediction->loops;
    const char *before = is_caller ? "<p>Calls " : "<p>Called by ";
    bool has_any = false;

    for (size_t j = 0; j < cy_report_n(r); j++) {
        if (!(is_caller ? calls(r, &loops[i], &loops[j])
                        : calls(r, &loops[j], &loops[i])))
            continue;
        fprintf(out, "%s<a href=#l%zu>", has_any ? ", " : before, j);
        write_name(out, r, &loops[j]);
        fputs("</a>", out);
        has_any = true;
    }
    fputs(has_any ? "</p>\n" : "", out);
}

static void write_loop(FILE *out, const struct cy_report *r, size_t i)
{
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    char *advice = cy_report_advice(r, c);

    fprintf(out, "<h2 id=l%zu>", i);
    write_name(out, r, c);
    fputs("</h2>\n<p>", out);
    write_limit(out, r, c);
    fputs("</p>\n", out);
    if (advice != NULL)
        report_html_text(out, "<p class=advice>", advice, "</p>\n");
    free(advice);
    write_calls(out, r, i, true);
    write_calls(out, r, i, false);
    cy_html_listing(out, r, c);
    cy_report_notes(out, r, c, "<p class=note>", "</p>\n", report_safe_html);
}

void cy_report_html(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_HTML};
    struct report_table table = cy_table_loops(r);

    write_head(out, r);
    cy_report_programs(&report, r);
    if (r->comparison != NULL)
        cy_report_changes(&report, r);
    if (r->prediction->n_shown > 0)
        report_table(&report, &table);
    if (cy_report_n(r) > 0)
        write_legend(out);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, i);
    if (r->program != NULL && !r->program->is_recorded &&
        r->prediction->n_shown > 0) {
        table = cy_table_program(r);
        report_heading(&report, "cycles");
        report_table(&report, &table);
    }
    if (r->windowed != NULL)
        cy_report_windows(&report, r);
    if (r->threads != NULL)
        cy_report_between(&report, r);
    report_html_end(out, "");
}
