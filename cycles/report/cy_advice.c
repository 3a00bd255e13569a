/*
 * cy_advice: advice to the author of a loop, by what limits it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/internal.h"

/* A chain and what it consists of, for each round. */
struct facts {
    const struct cy_chain *chain;
    const struct cy_link *worst; /* wait for memory; NULL: none */
    unsigned n_memory;
    uint32_t rounds;
    double memory; /* cycles of these waits */
    bool has_address;
    const struct cy_link *fence; /* NULL: there is none */
};

static struct facts facts_of(const struct cy_chain *chain)
{
    struct facts f = {.chain = chain};

    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        f.rounds += l->rounds;
        f.has_address |= l->wait == CY_WAIT_ADDRESS;
        if (l->wait == CY_WAIT_FENCE)
            f.fence = l;
        if (l->wait != CY_WAIT_MEMORY)
            continue;
        f.n_memory++;
        f.memory += l->cycles;
        if (f.worst == NULL || l->cycles > f.worst->cycles)
            f.worst = l;
    }
    if (chain->is_recorded)
        f.rounds = 1;
    if (f.rounds > 0)
        f.memory /= f.rounds;
    return f;
}

/* A chain is a cycle, so it has no first link.  If several loads wait for
   stores, only the rounds of the whole chain are told. */
static void write_rounds(FILE *out, const struct facts *f)
{
    if (f->worst->forward.varies)
        fputs(" at varying distances", out);
    else if (f->n_memory > 1)
        fprintf(out, ", one of %u such in %u round%s", f->n_memory, f->rounds,
                f->rounds == 1 ? "" : "s");
    else if (f->worst->forward.rounds == 0)
        fputs(" of the same round", out);
    else if (f->worst->forward.rounds == 1)
        fputs(" of the round before", out);
    else
        fprintf(out, " of %u rounds before", f->worst->forward.rounds);
}

/* The share of these waits in the program's predicted cycles, if they are
   known. */
static void write_share(FILE *out, const struct cy_report *report,
                        const struct cy_cost_of_loop *c, const struct facts *f)
{
    double share = c->cycles.predicted > 0 ? cy_report_share(report, c) *
                                                 f->memory / c->cycles.predicted
                                           : 0;

    if (report->program != NULL && share >= 0.5)
        fprintf(out, ", %.0f %% of all cycles", share);
}

static void write_memory(FILE *out, const struct cy_report *report,
                         const struct cy_cost_of_loop *c, const struct facts *f)
{
    char stored[64], *variable;

    assert(f->worst != NULL && f->worst->forward.store < c->n);
    fputs("The load at ", out);
    cy_report_place(out, report, c, f->worst->to);
    fputs(" waits for the store at ", out);
    cy_report_place(out, report, c, f->worst->forward.store);
    write_rounds(out, f);
    variable = cy_report_variable(report, c, &f->worst->forward, f->worst->to);
    if (variable != NULL)
        fprintf(out, ", through %s", variable);
    free(variable);
    fprintf(out, ", %.4g of %.4g cycles", f->memory, c->cycles.predicted);
    write_share(out, report, c, f);
    fputs("; ", out);
    if (f->worst->how == CY_FAILED)
        fputs("it needs bytes that no single store has: store and load values "
              "of the same width.",
              out);
    else if (cy_code_assigned(report->code, c->loop->object,
                              c->insns[f->worst->forward.store].address, stored,
                              sizeof stored))
        fprintf(out, "keep what is stored to %s in a register.", stored);
    else
        fputs("keep the value in a register.", out);
}

/* The instruction of a chain that takes longest. */
static const struct cy_link *slowest(const struct cy_chain *chain)
{
    const struct cy_link *slowest = &chain->links[0];

    assert(chain->n > 0);
    for (size_t i = 1; i < chain->n; i++)
        if (chain->links[i].cycles > slowest->cycles)
            slowest = &chain->links[i];
    return slowest;
}

static void write_registers(FILE *out, const struct cy_report *report,
                            const struct cy_cost_of_loop *c,
                            const struct facts *f)
{
    const struct cy_link *l = slowest(f->chain);
    const char *text = c->insns[l->to].shown;

    if (f->fence != NULL) {
        fprintf(out,
                "Nothing after a fence begins before everything before it is "
                "done, %.4g of %.4g cycles; fewer fences would help.",
                f->chain->cycles, c->cycles.predicted);
        return;
    }
    if (f->has_address) {
        fputs("The load at ", out);
        cy_report_place(out, report, c, l->to);
        fputs(" needs its address from the round before, ", out);
        fprintf(out, "%.4g of %.4g cycles; ", f->chain->cycles,
                c->cycles.predicted);
        fputs("addresses that do not come from memory would not wait.", out);
        return;
    }
    fprintf(out, "The %.*s at ", (int)strcspn(text, " "), text);
    cy_report_place(out, report, c, l->to);
    fputs(f->chain->n == 1 ? " waits for itself in the round before"
                           : " is on a chain from round to round",
          out);
    fprintf(out, ", %.4g of %.4g cycles; ", f->chain->cycles,
            c->cycles.predicted);
    fputs("several such chains at once would overlap.", out);
}

static void write_units(FILE *out, const struct cy_cost_of_loop *c)
{
    if (c->cycles.ordered > 0 && c->cycles.ordered >= c->cycles.throughput)
        fprintf(out,
                "Atomics and fences take turns, with the stores between them, "
                "for %.4g of %.4g cycles; fewer of them would help.",
                c->cycles.ordered, c->cycles.predicted);
    else if (c->cycles.occupancy > 0 &&
             c->cycles.occupancy >= c->cycles.throughput)
        fprintf(out,
                "Divisions or square roots keep their unit for %.4g of %.4g "
                "cycles; fewer of them would help.",
                c->cycles.occupancy, c->cycles.predicted);
    else if (c->cycles.throughput > 1)
        fprintf(out,
                "No chain limits it: its %u instructions need %.4g cycles of "
                "the units; fewer, or wider ones, would help.",
                c->n, c->cycles.predicted);
    else
        fputs("It takes one cycle, the least for a jump; it would be faster "
              "if it were unrolled.",
              out);
}

char *cy_report_advice_text(const struct cy_report *report,
                            const struct cy_cost_of_loop *c)
{
    const char *limit = cy_report_limit(c);
    struct facts f = facts_of(cy_report_chain(c));
    struct memory_stream advice;

    memory_stream_open(&advice);
    if (strcmp(limit, "units") == 0) {
        /* What is not known may limit it. */
        if (cy_report_mark(c)[0] == '\0')
            write_units(advice.out, c);
    } else if (f.chain->n == 0 || f.chain->cycles < c->cycles.predicted ||
               (strcmp(limit, "memory") == 0 && f.worst == NULL))
        ; /* no chain explains the prediction */
    else if (strcmp(limit, "memory") == 0)
        write_memory(advice.out, report, c, &f);
    else
        write_registers(advice.out, report, c, &f);
    return memory_stream_close(&advice);
}
