/*
 * cy_report_text: the report for a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>

#include "object/demangle.h"
#include "report/cy_report.h"

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

static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    cy_report_name(out, c, plain);
    fputs("  ", out);
    cy_report_place(out, r, c, 0);
}

static void write_head(FILE *out, const struct cy_report *r)
{
    cy_report_scope(out, r);
    fprintf(out, "\nunits: %s; machine file: %s; edges through memory: %s\n",
            r->mca != NULL ? r->mca : "not known (no llvm-mca)",
            r->machine != NULL ? r->machine : "none", cy_edges_name(r->edges));
    if (r->data->has_executions) {
        fputs("share: ", out);
        cy_report_share_of(out, r);
        fputc('\n', out);
    }
}

static void write_total(FILE *out, const struct cy_total *t)
{
    fprintf(out, "  %12.4g %12.4g %12.4g    %5.1f%%     %5.1f%%  ",
            t->low_without, t->low, t->high, cy_report_memory_costs(t),
            cy_report_unmodelled(t));
    if (t->function != NULL)
        demangle_write(out, t->function, plain);
}

/* Cycles of the program, and of the functions that cost most. */
static void write_program(FILE *out, const struct cy_report *r)
{
    const struct cy_program *p = r->program;

    fputs("\n  cycles, if runs overlap:        or if      memory      not\n"
          "       without  with memory   they chain      costs   modelled\n",
          out);
    write_total(out, &p->total);
    fputs("the program\n", out);
    for (size_t i = 0; i < p->n && i < r->n_shown; i++) {
        write_total(out, &p->functions[i]);
        if (p->functions[i].function == NULL)
            fputs("(functions without a name)", out);
        fputc('\n', out);
    }
}

static void write_table(FILE *out, const struct cy_report *r)
{
    fputs("\n  cycles a round, by\n"
          "    units  registers  memory  limited by     rounds  share  loop\n",
          out);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        if (c->has_throughput)
            fprintf(out, "  %7.2f", c->throughput);
        else
            fputs("        -", out);
        fprintf(out, "  %9.2f %7.2f  %-10s ", c->bound.registers.cycles,
                c->bound.memory.cycles, cy_report_limit(c));
        if (r->data->has_executions)
            fprintf(out, "%10" PRIu64 " %5.1f%%  ", c->loop->rounds,
                    cy_report_share(r, c));
        else
            fputs("         -      -  ", out);
        write_name(out, r, c);
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

static void write_chain(FILE *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double cycles = 0;
    uint32_t rounds = 0;

    for (size_t i = 0; i < chain->n; i++) {
        cycles += chain->links[i].cycles;
        rounds += chain->links[i].rounds;
    }
    fprintf(out, "  chain of %.2f cycles in %u round%s:\n", cycles, rounds,
            rounds == 1 ? "" : "s");
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        fprintf(out, "  %7.2f  %-8s  %6" PRIx64 "  %-40s  ", l->cycles,
                cy_wait_name(l->wait), c->insns[l->to].address,
                c->insns[l->to].shown);
        cy_report_place(out, r, c, l->to);
        if (l->wait == CY_WAIT_MEMORY)
            write_how(out, l->how, &l->forward);
        if (l->support < 1)
            fprintf(out, "  support %.0f %%", 100 * l->support);
        write_rounds(out, l->rounds);
        if (cy_report_is_forward(l))
            write_distance(out, c, &l->forward, l->to);
        fputc('\n', out);
    }
}

static void write_loop(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    bool by_memory = strcmp(cy_report_limit(c), "memory") == 0;

    fprintf(out, "\n%s", paint(r, BOLD));
    write_name(out, r, c);
    fprintf(out, "%s: %.2f cycles a round, limited by %s%s%s", paint(r, PLAIN),
            c->predicted, by_memory ? paint(r, RED) : "", cy_report_limit(c),
            by_memory ? paint(r, PLAIN) : "");
    if (c->bound.memory.cycles > c->without)
        fprintf(out, " (%.2f without)", c->without);
    fputs("\n", out);
    if (r->annotates)
        cy_annotate(out, r, c);
    else if (strcmp(cy_report_limit(c), "units") != 0)
        write_chain(out, r, c);
    cy_report_advice(out, r, c, r->has_colour ? "  \033[1m" : "  ",
                     r->has_colour ? "\033[m\n" : "\n");
    write_failed(out, r, c);
    cy_report_notes(out, c, "  ", "\n");
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
