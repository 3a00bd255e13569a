/*
 * cy_html_listing: the source lines of a loop's chain on the page; and its
 * code, which unfolds, with an arc from each store of the chain to the load
 * that waits for it.
 *
 * A line of source has a row before its instructions, with its text where it
 * comes first.  An arc has to know where rows are, so that each row has a fixed
 * height: as many lines as its text needs.  There are two such layouts, one for
 * narrow windows, and the style shows one of them.  Its widths are counted in
 * characters, and the style makes the table as wide, whatever room there is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/internal.h"
#include "output.h"

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
    const char *text;
    char *inlined;

    if (!cy_report_begins_line(l->report, c, step, last, &line, &inlined))
        return;
    text = cy_code_source(l->report->code, c->loop->object,
                          c->insns[step].address);
    add_row(l, step,
            text == NULL || has_source(l, line.text)
                ? memory_text(line.text)
                : memory_printf("%s" BETWEEN "%s", line.text, text));
    if (inlined != NULL)
        add_row(l, step, memory_printf("inlined: %s", inlined));
    free(inlined);
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
    char *last = NULL;

    l->address_columns = digits_of(l->loop);
    for (enum layout i = 0; i < N_LAYOUTS; i++)
        l->tops[i] = memory_new(l->loop->n, sizeof *l->tops[i]);
    for (uint32_t step = 0; step < l->loop->n; step++) {
        add_source(l, step, &last);
        add_row(l, step, NULL);
    }
    assert(l->n >= l->loop->n);
    free(last);
}

/* Draws an arc from the row of a store to that of a load, with a text that
   shows when the mouse is on the arc. */
static void write_arc(FILE *out, const struct listing *l, enum layout layout,
                      uint32_t load, enum cy_how how,
                      const struct cy_forward *f, double cycles)
{
    const struct cy_cost_of_loop *c = l->loop;
    char *variable = cy_report_variable(l->report, c, f, load);
    double a, b;

    assert(f->store < c->n && load < c->n);
    a = l->tops[layout][f->store] + LINE / 2.0;
    b = l->tops[layout][load] + LINE / 2.0;
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
    free(variable);
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
    struct source_line *lines = memory_new(c->n, sizeof *lines);
    bool has_lines = false;
    size_t n = 0;

    for (uint32_t i = 0; i < c->n && cy_report_is_chained(c); i++) {
        struct source_line *l = line_of(r, c, i, lines, &n);
        double cycles;

        l->is_on |= cy_report_waits(cy_report_chain(c), i, &cycles);
        l->cycles += cycles;
    }
    for (size_t i = 0; i < n; i++) {
        const char *text;

        if (!lines[i].is_on || lines[i].line.text[0] == '\0')
            continue;
        text = cy_code_source(r->code, c->loop->object,
                              c->insns[lines[i].step].address);
        fputs(has_lines ? "" : "<table class=lines>\n", out);
        fprintf(out, "<tr class=on><td class=n>%.2f<td class=where>",
                lines[i].cycles);
        report_html_text(out, "", lines[i].line.text, "<td>");
        report_html_text(out, "", text, "</tr>\n");
        has_lines = true;
    }
    fputs(has_lines ? "</table>\n" : "", out);
    free(lines);
    return has_lines;
}

void cy_html_listing(FILE *out, const struct cy_report *r,
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
