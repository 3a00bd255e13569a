/*
 * cy_report_html: the report as a page for a browser.
 *
 * The page begins with what limits the program, and the part about a loop with
 * what limits the loop.  In a narrow window, tables have at most three columns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include "output.h"
#include "report/page_style.h"

/* --- The listing of a loop --- */

/* The source lines of a loop's chain on the page; and its
   code, which unfolds, with an arc from each store of the chain to the load
   that waits for it.

   A line of source has a row before its instructions, with its text where it
   comes first.  An arc has to know where rows are, so that each row has a fixed
   height: as many lines as its text needs.  There are two such layouts, one for
   narrow windows, and the style shows one of them.  Its widths are counted in
   characters, and the style makes the table as wide, whatever room there is. */

#define LINE 20 /* height of a line in pixels, as in the style sheet */
#define ARCS 62 /* width of the drawing of the arcs, in its own units */

enum layout { WIDE, NARROW, N_LAYOUTS };

static const struct {
    const char *name;
    size_t columns; /* characters of a row, without the arcs */
    unsigned arcs;  /* width of the arcs, in pixels */
} layouts[N_LAYOUTS] = {
    [WIDE] = {"wide", 95, 62},
    [NARROW] = {"narrow", 42, 44},
};

/* Characters of the column with cycles, with the blanks around it. */
#define CYCLES_COLUMNS 9

/* Between a source line's place and its text, which has single blanks only. */
#define BETWEEN "  "

/* A row is an instruction, or a line of source before one. */
struct row {
    uint32_t step;
    char *source; /* source line; NULL if the row is an instruction */
    unsigned lines[N_LAYOUTS];
};

struct listing {
    const struct cy_report *report;
    const struct cy_cost_of_loop *loop;
    size_t address_columns;
    struct row *rows;
    size_t n, room;
    unsigned *tops[N_LAYOUTS]; /* tops of the steps' rows, in pixels */
    unsigned height[N_LAYOUTS];
};

static void add_row(struct listing *l, uint32_t step, char *source)
{
    struct row row = {step, source, {0}};
    size_t beside = source != NULL ? 0 : CYCLES_COLUMNS + l->address_columns;

    for (enum layout i = 0; i < N_LAYOUTS; i++) {
        size_t room = layouts[i].columns - beside,
               n = terminal_columns(
                   source != NULL ? source : l->loop->insns[step].shown);

        assert(beside < layouts[i].columns);
        row.lines[i] = n > 0 ? (unsigned)((n + room - 1) / room) : 1;
        if (source == NULL)
            l->tops[i][step] = l->height[i];
        l->height[i] += LINE * row.lines[i];
    }
    array_push(l->rows, l->n, l->room, row);
}

/* Does an earlier row have the text of this source line? */
static bool has_source(const struct listing *l, const char *line)
{
    size_t n = strlen(line);

    for (size_t i = 0; i < l->n; i++)
        if (l->rows[i].source != NULL &&
            strncmp(l->rows[i].source, line, n) == 0 &&
            (strncmp(l->rows[i].source + n, BETWEEN, strlen(BETWEEN)) == 0 ||
             l->rows[i].source[n] == '\0'))
            return true;
    return false;
}

/* Adds a row for the source line of a step, and the functions that were inlined
   there, unless both are those of the step before.  `last` keeps both. */
static void add_source(struct listing *l, uint32_t step, char **last)
{
    const struct cy_cost_of_loop *c = l->loop;
    struct cy_line line;
    AUTO_FREE char *inlined = NULL;

    if (!cy_report_begins_line(l->report, c, step, last, &line, &inlined))
        return;
    const char *text = cy_code_source(l->report->code, c->loop->object,
                                      c->insns[step].address);
    add_row(l, step,
            text == NULL || has_source(l, line.text)
                ? memory_text(line.text)
                : memory_printf("%s" BETWEEN "%s", line.text, text));
    if (inlined != NULL)
        add_row(l, step, memory_printf("inlined: %s", inlined));
}

static size_t digits_of(const struct cy_cost_of_loop *c)
{
    size_t most = 1;

    for (uint32_t i = 0; i < c->n; i++) {
        char text[24];
        size_t n = (size_t)snprintf(text, sizeof text, "%" PRIx64,
                                    c->insns[i].address);

        most = n > most ? n : most;
    }
    return most;
}

static void lay_out(struct listing *l)
{
    AUTO_FREE char *last = NULL;

    l->address_columns = digits_of(l->loop);
    for (enum layout i = 0; i < N_LAYOUTS; i++)
        l->tops[i] = memory_new(l->loop->n, sizeof *l->tops[i]);
    for (uint32_t step = 0; step < l->loop->n; step++) {
        add_source(l, step, &last);
        add_row(l, step, NULL);
    }
    assert(l->n >= l->loop->n);
}

/* Draws an arc from the row of a store to that of a load, with a text that
   shows when the mouse is on the arc. */
static void write_arc(FILE *out, const struct listing *l, enum layout layout,
                      uint32_t load, enum cy_how how,
                      const struct cy_forward *f, double cycles)
{
    const struct cy_cost_of_loop *c = l->loop;
    AUTO_FREE char *variable = cy_report_variable(l->report, c, f, load);

    assert(f->store < c->n && load < c->n);
    double a = l->tops[layout][f->store] + LINE / 2.0;
    double b = l->tops[layout][load] + LINE / 2.0;
    if (f->store == load) {
        a -= LINE / 4.0;
        b += LINE / 4.0;
    }
    assert(a > 0 && b < l->height[layout]);
    fprintf(out,
            "<path%s d='M60 %.0fC4 %.0f 4 %.0f 60 %.0f'><title>%.2f cycles: "
            "the load waits for the store",
            how == CY_FAILED ? " class=failed" : "", a, a, b, b, cycles);
    cy_report_rounds(out, f);
    fprintf(out, ", %" PRIu64 " instructions before",
            cy_report_distance(c, f, load));
    if (variable != NULL)
        report_html_text(out, ", through ", variable, "");
    if (how == CY_FAILED)
        fprintf(out, "; the value cannot be forwarded (%s)",
                cy_relation_name(f->relation));
    else if (how == CY_RENAMED)
        fputs("; the processor renames it, without a wait", out);
    if (l->report->choice->edges == CY_EDGES_STATIC)
        fputs("; predicted, no run has shown it", out);
    fprintf(out, "</title></path><circle cx=58 cy=%.0f r=3 />", b);
}

static void write_drawing(FILE *out, const struct listing *l,
                          enum layout layout)
{
    const struct cy_cost_of_loop *c = l->loop;
    const struct cy_chain *chain = cy_report_chain(c);

    fprintf(out,
            "<svg class=%s width=%u height=%u viewBox='0 0 %u %u' "
            "preserveAspectRatio=none role=img "
            "aria-label='forwards through memory'>",
            layouts[layout].name, layouts[layout].arcs, l->height[layout], ARCS,
            l->height[layout]);
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].wait == CY_WAIT_MEMORY &&
            chain->links[i].how != CY_FAILED)
            write_arc(out, l, layout, chain->links[i].to, chain->links[i].how,
                      &chain->links[i].forward, chain->links[i].cycles);
    for (unsigned i = 0; i < c->bound.n_failed; i++)
        write_arc(out, l, layout, c->bound.failed[i].to, CY_FAILED,
                  &c->bound.failed[i].forward, c->bound.failed[i].cycles);
    fputs("</svg>", out);
}

static void write_row(FILE *out, const struct listing *l, size_t i)
{
    const struct row *row = &l->rows[i];
    double cycles;
    bool is_on = row->source == NULL &&
                 cy_report_waits(cy_report_chain(l->loop), row->step, &cycles);

    assert(row->step < l->loop->n && row->lines[WIDE] > 0);
    fprintf(out, "<tr class=%s",
            row->source != NULL ? "source"
            : is_on             ? "on"
                                : "insn");
    if (row->lines[WIDE] > 1 || row->lines[NARROW] > 1)
        fprintf(out, " style='--wide:%u;--narrow:%u'", row->lines[WIDE],
                row->lines[NARROW]);
    fputc('>', out);
    if (i == 0) {
        fprintf(out, "<td class=arcs rowspan=%zu>", l->n);
        for (enum layout layout = 0; layout < N_LAYOUTS; layout++)
            write_drawing(out, l, layout);
    }
    if (row->source != NULL) {
        fputs("<td colspan=3>", out);
        report_safe_html(out, row->source);
    } else {
        const struct cy_code_insn *insn = &l->loop->insns[row->step];

        fputs("<td class=n>", out);
        if (is_on)
            fprintf(out, "%.2f", cycles);
        fprintf(out, "<td class=where>%" PRIx64 "<td>", insn->address);
        report_safe_html(out, insn->shown);
    }
    fputs("</tr>\n", out);
}

/* A source line, what the chain waits for there, and its first instruction. */
struct source_line {
    struct cy_line line;
    bool is_on;
    double cycles;
    uint32_t step;
};

static struct source_line *line_of(const struct cy_report *r,
                                   const struct cy_cost_of_loop *c,
                                   uint32_t step, struct source_line *lines,
                                   size_t *n)
{
    struct source_line new = {
        .step = step,
        .line = cy_code_line(r->code, c->loop->object, c->insns[step].address)};

    for (size_t i = 0; i < *n; i++)
        if (strcmp(lines[i].line.text, new.line.text) == 0)
            return &lines[i];
    assert(*n < c->n);
    lines[*n] = new;
    return &lines[(*n)++];
}

/* Writes the source lines of the chain.  Returns false if none is known. */
static bool write_lines(FILE *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    AUTO_FREE struct source_line *lines = memory_new(c->n, sizeof *lines);
    bool has_lines = false;
    size_t n = 0;

    for (uint32_t i = 0; i < c->n && cy_report_is_chained(c); i++) {
        struct source_line *l = line_of(r, c, i, lines, &n);
        double cycles;

        l->is_on |= cy_report_waits(cy_report_chain(c), i, &cycles);
        l->cycles += cycles;
    }
    for (size_t i = 0; i < n; i++) {
        if (!lines[i].is_on || lines[i].line.text[0] == '\0')
            continue;
        const char *text = cy_code_source(r->code, c->loop->object,
                                          c->insns[lines[i].step].address);
        fputs(has_lines ? "" : "<table class=lines>\n", out);
        fprintf(out, "<tr class=on><td class=n>%.2f<td class=where>",
                lines[i].cycles);
        report_html_text(out, "", lines[i].line.text, "<td>");
        report_html_text(out, "", text, "</tr>\n");
        has_lines = true;
    }
    fputs(has_lines ? "</table>\n" : "", out);
    return has_lines;
}

/* Writes the listing of a loop on the HTML page. */
static void write_listing(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    struct listing l = {.report = r, .loop = c};
    bool has_lines = write_lines(out, r, c);

    lay_out(&l);
    fprintf(out, "<details%s><summary>Instructions</summary>\n",
            has_lines ? "" : " open");
    fprintf(out,
            "<table class=code><colgroup><col class=drawing><col class=cycles>"
            "<col style='width:calc(%zuch + 8px)'><col></colgroup>\n",
            l.address_columns);
    for (size_t i = 0; i < l.n; i++)
        write_row(out, &l, i);
    fputs("</table></details>\n", out);
    for (enum layout i = 0; i < N_LAYOUTS; i++)
        free(l.tops[i]);
    for (size_t i = 0; i < l.n; i++)
        free(l.rows[i].source);
    free(l.rows);
}

/* --- The page --- */

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
    AUTO_FREE char *subject = subject_of(r);
    AUTO_FREE char *title =
        memory_printf("depbound: %s", text_base_name(subject));

    report_html_begin(out, title, page_css);
    fputs("<h1>What limits the loops?</h1>\n", out);
    write_first(out, r);
    for (unsigned i = 0; i < CY_N_NOTICES; i++) {
        AUTO_FREE char *notice = cy_report_notice(r, i);

        if (notice != NULL)
            report_html_text(out, "<p><strong>", notice, "</strong></p>\n");
    }
    write_conditions(out, r);
    report_html_made(out, subject, r->command);
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

        if (flow->leave != FLOW_CALL || flow->called == FLOW_NOWHERE)
            continue;
        uint32_t block = cy_data_block(r->data, c->loop->object, flow->called);
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
    AUTO_FREE char *advice = cy_report_advice(r, c);

    fprintf(out, "<h2 id=l%zu>", i);
    write_name(out, r, c);
    fputs("</h2>\n<p>", out);
    write_limit(out, r, c);
    fputs("</p>\n", out);
    if (advice != NULL)
        report_html_text(out, "<p class=advice>", advice, "</p>\n");
    write_calls(out, r, i, true);
    write_calls(out, r, i, false);
    write_listing(out, r, c);
    cy_report_notes(out, r, c, "<p class=note>", "</p>\n", report_safe_html);
}

void cy_report_html(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_HTML};

    write_head(out, r);
    cy_report_programs(&report, r);
    cy_report_changes(&report, r);
    if (r->prediction->n_shown > 0)
        cy_report_loops(&report, r);
    if (cy_report_n(r) > 0)
        write_legend(out);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, i);
    if (r->program != NULL && !r->program->is_recorded &&
        r->prediction->n_shown > 0) {
        report_heading(&report, "cycles");
        cy_report_program(&report, r);
    }
    cy_report_windows(&report, r);
    cy_report_between(&report, r);
    report_html_end(out, "");
}
