/*
 * cy_report_text: the report for a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "object/demangle.h"
#include "report/internal.h"
#include "terminal.h"

enum colour { PLAIN, BOLD, RED };

static const char *paint(const struct cy_report *report, enum colour colour)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[m", [BOLD] = "\033[1m", [RED] = "\033[31m"};

    return report->has_colour ? codes[colour] : "";
}

static void plain(FILE *out, const char *text)
{
    fputs(text, out);
}

/* The fewest columns of a name in a table; the sections below show it whole. */
#define LEAST_NAME 12

/* Writes the gathered lines, folded, and frees them. */
static void write_gathered(FILE *out, const struct cy_report *r,
                           struct memory_stream *lines)
{
    char *text = memory_stream_close(lines);

    terminal_fold(out, text, 4, r->width);
    free(text);
}

static size_t max(size_t a, size_t b)
{
    return a > b ? a : b;
}

static char *name_of(const struct cy_cost_of_loop *c)
{
    struct memory_stream name;

    memory_stream_open(&name);
    cy_report_name(name.out, c, plain);
    return memory_stream_close(&name);
}

static char *place_of(const struct cy_report *r,
                      const struct cy_cost_of_loop *c, uint32_t step)
{
    struct memory_stream place;

    memory_stream_open(&place);
    cy_report_place(place.out, r, c, step);
    return memory_stream_close(&place);
}

/* A loop at the end of a line, after `columns` columns. */
static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c, size_t columns)
{
    size_t all = terminal_room(r->width, columns, LEAST_NAME);
    char *name = name_of(c), *place = place_of(r, c, 0);
    size_t named = terminal_columns(name), ending = 2 + terminal_columns(place);
    bool has_place =
        all == 0 || all >= ending + (named < LEAST_NAME ? named : LEAST_NAME);

    terminal_cut(out, name, all > 0 && has_place ? all - ending : all);
    if (has_place)
        fprintf(out, "  %s", place);
    free(name);
    free(place);
}

static void write_head(FILE *out, const struct cy_report *r)
{
    struct memory_stream lines;

    memory_stream_open(&lines);
    cy_report_scope(lines.out, r);
    fprintf(lines.out,
            "\nunits: %s; machine file: %s; edges through memory: %s\n",
            r->mca != NULL ? r->mca : "not known (no llvm-mca)",
            r->machine != NULL ? r->machine : "none", cy_edges_name(r->edges));
    if (r->data->has_executions) {
        fputs("share: ", lines.out);
        cy_report_share_of(lines.out, r);
        fputc('\n', lines.out);
    }
    write_gathered(out, r, &lines);
}

#define TOTAL_COLUMNS 63

static void write_total(FILE *out, const struct cy_report *r,
                        const struct cy_total *t, const char *nameless)
{
    struct memory_stream name;
    char *text;

    fprintf(out, "  %12.4g %12.4g %12.4g    %5.1f%%     %5.1f%%  ",
            t->low_without, t->low, t->high, cy_report_memory_costs(t),
            cy_report_unmodelled(t));
    memory_stream_open(&name);
    if (t->function != NULL)
        demangle_write(name.out, t->function, plain);
    else
        fputs(nameless, name.out);
    text = memory_stream_close(&name);
    terminal_cut(out, text, terminal_room(r->width, TOTAL_COLUMNS, LEAST_NAME));
    fputc('\n', out);
    free(text);
}

/* Cycles of the program, and of the functions that cost most. */
static void write_program(FILE *out, const struct cy_report *r)
{
    const struct cy_program *p = r->program;

    fputs("\n  cycles, if runs overlap:        or if      memory      not\n"
          "       without  with memory   they chain      costs   modelled\n",
          out);
    write_total(out, r, &p->total, "the program");
    for (size_t i = 0; i < p->n && i < r->n_shown; i++)
        write_total(out, r, &p->functions[i], "(functions without a name)");
}

#define TABLE_COLUMNS 57

static void write_table(FILE *out, const struct cy_report *r)
{
    fputs("\n  cycles a round, by\n"
          "  units registers  memory  limited by     rounds  share  loop\n",
          out);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        if (c->cycles.has_throughput)
            fprintf(out, "%7.2f", c->cycles.throughput);
        else
            fputs("      -", out);
        fprintf(out, " %9.2f %7.2f  %-10s ", c->bound.registers.cycles,
                c->bound.memory.cycles, cy_report_limit(c));
        if (r->data->has_executions)
            fprintf(out, "%10" PRIu64 " %5.1f%%  ", c->loop->rounds,
                    cy_report_share(r, c));
        else
            fputs("         -      -  ", out);
        write_name(out, r, c, TABLE_COLUMNS);
        fputc('\n', out);
    }
}

static void write_how(FILE *out, enum cy_how how, const struct cy_forward *f)
{
    fprintf(out, "  %s (%s, %s)", cy_how_name(how),
            cy_relation_name(f->relation),
            f->is_observed ? "observed" : "predicted");
}

static void write_rounds(FILE *out, uint32_t rounds)
{
    if (rounds > 0)
        fprintf(out, "  %u round%s later", rounds, rounds == 1 ? "" : "s");
}

static void write_distance(FILE *out, const struct cy_cost_of_loop *c,
                           const struct cy_forward *f, uint32_t load)
{
    fprintf(out, "%sdistance %" PRIu64, f->rounds > 0 ? ", " : "  ",
            cy_report_distance(c, f, load));
}

static void write_failed(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c)
{
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_failed *f = &c->bound.failed[i];

        fputs("  Failed forward of ", out);
        fprintf(out, "%.2f cycles, from ", f->cycles);
        cy_report_place(out, r, c, f->store);
        fputs(" to ", out);
        cy_report_place(out, r, c, f->load);
        write_how(out, CY_FAILED, &f->forward);
        write_rounds(out, f->rounds);
        write_distance(out, c, &f->forward, f->load);
        fputc('\n', out);
    }
}

/* The details of a link, which follow its source line. */
static void write_details(FILE *out, const struct cy_cost_of_loop *c,
                          const struct cy_link *l)
{
    if (l->wait == CY_WAIT_MEMORY)
        write_how(out, l->how, &l->forward);
    if (l->support < 1)
        fprintf(out, "  support %.0f %%", 100 * l->support);
    write_rounds(out, l->rounds);
    if (cy_report_is_forward(l))
        write_distance(out, c, &l->forward, l->to);
}

#define LINK_COLUMNS 29 /* in front of the instruction */
#define LEAST_INSN   16

/* The columns of the longest instruction of a chain, as far as the terminal has
   them beside the source lines. */
static size_t insn_columns(const struct cy_report *r,
                           const struct cy_cost_of_loop *c,
                           const struct cy_chain *chain)
{
    size_t longest = LEAST_INSN, beside = 0, most;

    for (size_t i = 0; i < chain->n; i++) {
        uint32_t step = chain->links[i].to;
        char *place = place_of(r, c, step);

        longest = max(longest, terminal_columns(c->insns[step].shown));
        beside = max(beside, 2 + terminal_columns(place));
        free(place);
    }
    most = terminal_room(r->width, LINK_COLUMNS + beside, LEAST_INSN);
    return most > 0 && most < longest ? most : longest;
}

static void write_link(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c, const struct cy_link *l,
                       size_t columns)
{
    const char *insn = c->insns[l->to].shown;
    size_t shown = terminal_columns(insn);
    char *place = place_of(r, c, l->to), *details;
    struct memory_stream stream;

    fprintf(out, "  %7.2f  %-8s  %6" PRIx64 "  ", l->cycles,
            cy_wait_name(l->wait), c->insns[l->to].address);
    terminal_cut(out, insn, columns);
    fprintf(out, "%*s  %s", shown < columns ? (int)(columns - shown) : 0, "",
            place);
    memory_stream_open(&stream);
    write_details(stream.out, c, l);
    details = memory_stream_close(&stream);
    /* The details begin with two blanks. */
    if (r->width > 0 && LINK_COLUMNS + columns + 2 + terminal_columns(place) +
                                terminal_columns(details) >
                            r->width)
        fputs(details[0] != '\0' ? "\n         " : "", out);
    fprintf(out, "%s\n", details);
    free(details);
    free(place);
}

static void write_chain(FILE *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double cycles = 0;
    uint32_t rounds = 0;
    size_t columns;

    for (size_t i = 0; i < chain->n; i++) {
        cycles += chain->links[i].cycles;
        rounds += chain->links[i].rounds;
    }
    fprintf(out, "  chain of %.2f cycles in %u round%s:\n", cycles, rounds,
            rounds == 1 ? "" : "s");
    columns = insn_columns(r, c, chain);
    for (size_t i = 0; i < chain->n; i++)
        write_link(out, r, c, &chain->links[i], columns);
}

static void write_heading(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    bool by_memory = strcmp(cy_report_limit(c), "memory") == 0;
    struct memory_stream lines;

    memory_stream_open(&lines);
    fprintf(lines.out, "\n%s", paint(r, BOLD));
    cy_report_name(lines.out, c, plain);
    fputs("  ", lines.out);
    cy_report_place(lines.out, r, c, 0);
    fprintf(lines.out, "%s: %.2f cycles a round, limited by %s%s%s",
            paint(r, PLAIN), c->cycles.predicted,
            by_memory ? paint(r, RED) : "", cy_report_limit(c),
            by_memory ? paint(r, PLAIN) : "");
    if (c->bound.memory.cycles > c->cycles.without)
        fprintf(lines.out, " (%.2f without)", c->cycles.without);
    fputs("\n", lines.out);
    write_gathered(out, r, &lines);
}

static void write_loop(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    struct memory_stream lines;

    write_heading(out, r, c);
    if (r->annotates)
        cy_annotate(out, r, c);
    else if (strcmp(cy_report_limit(c), "units") != 0)
        write_chain(out, r, c);
    memory_stream_open(&lines);
    cy_report_advice(lines.out, r, c, r->has_colour ? "  \033[1m" : "  ",
                     r->has_colour ? "\033[m\n" : "\n");
    write_failed(lines.out, r, c);
    cy_report_notes(lines.out, r, c, "  ", "\n");
    write_gathered(out, r, &lines);
}

void cy_report_text(FILE *out, const struct cy_report *r)
{
    write_head(out, r);
    if (r->prediction->n_shown == 0)
        return;
    write_table(out, r);
    if (r->program != NULL)
        write_program(out, r);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, &r->prediction->loops[i]);
}
