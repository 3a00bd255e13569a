/*
 * cy_advice: advice to the author of a loop, depending on what limits the loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "report/internal.h"

/* A loop is limited by a unit that is busy for this share of the time.  Advice
   names at most 4 kinds of instructions that keep the unit busy. */
#define NEARLY     0.9
#define ROUNDING   0.005 /* cycles */
#define MOST_NAMES 4

/* "Most of an iteration" is at least this share of its cycles. */
#define MOST 0.75

/* Calls are the reason if the called code takes this share of an iteration. */
#define CALLED 0.25

void cy_advise_jump(FILE *out)
{
    fputs("It takes about one cycle, the least for a jump; it would be faster "
          "if it were unrolled.",
          out);
}

/* Returns the busy cycles per iteration of the busiest unit, and sets *unit. */
static double busiest(const struct cy_cost_of_loop *c, unsigned *unit)
{
    double work[CY_MOST_UNITS] = {0}, most = 0;

    *unit = 0;
    for (uint32_t i = 0; i < c->n; i++)
        for (unsigned j = 0; j < c->uses[i].n; j++) {
            const struct cy_mca_use *use = &c->uses[i].uses[j];

            for (unsigned u = 0; u < CY_MOST_UNITS; u++)
                if (use->units >> u & 1)
                    work[u] += use->cycles / __builtin_popcountll(use->units);
        }
    for (unsigned u = 0; u < CY_MOST_UNITS; u++)
        if (work[u] > most) {
            most = work[u];
            *unit = u;
        }
    return most;
}

/* The name for an instruction in a list of those that share a unit. */
static const char *worker_name(const struct cy_code_insn *insn)
{
    if (strncmp(insn->name, "mov", 3) != 0 &&
        strncmp(insn->name, "vmov", 4) != 0)
        return insn->name;
    return insn->flow.n_stores > 0  ? "stores"
           : insn->flow.n_loads > 0 ? "loads"
                                    : insn->name;
}

/* Writes the names of the instructions that keep a unit busy. */
static void write_workers(FILE *out, const struct cy_cost_of_loop *c,
                          unsigned unit)
{
    const char *names[MOST_NAMES];
    unsigned n = 0;

    for (uint32_t i = 0; i < c->n && n < MOST_NAMES; i++) {
        const char *name = worker_name(&c->insns[i]);
        bool works = false, is_new = true;

        for (unsigned j = 0; j < c->uses[i].n; j++)
            works |= c->uses[i].uses[j].units >> unit & 1;
        for (unsigned j = 0; j < n; j++)
            is_new &= strcmp(names[j], name) != 0;
        if (works && is_new)
            names[n++] = name;
    }
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "%s%s",
                i == 0       ? ""
                : i + 1 == n ? " and "
                             : ", ",
                names[i]);
}

/* Names the unit that is nearly always busy, or else says that the width or the
   loop's jump is the limit: with the machine file's figures, which replace
   those of llvm-mca, no unit may have so much to do. */
static void write_busy(FILE *out, const struct cy_cost_of_loop *c)
{
    unsigned unit;
    double busy = busiest(c, &unit);

    if (c->cycles.throughput <= 1) {
        cy_advise_jump(out);
        return;
    }
    if (busy >= NEARLY * c->cycles.predicted &&
        busy <= c->cycles.throughput + ROUNDING) {
        fputs("No chain limits it: the unit for ", out);
        write_workers(out, c, unit);
        fprintf(out,
                " is busy in %.2f of %.2f cycles; fewer of these, or vector "
                "(SIMD) ones, would help.",
                busy, c->cycles.predicted);
        return;
    }
    fprintf(out,
            "No chain limits it: its %u instructions need %.2f cycles; fewer "
            "instructions, or vector (SIMD) ones, would help.",
            c->n, c->cycles.predicted);
}

/* Does a part take most of an iteration? */
static bool is_most(const struct cy_cost_of_loop *c, double part)
{
    return part > 0 && part >= MOST * c->cycles.predicted;
}

/* Says that atomics and fences, or divisions and roots, take most of an
   iteration.  Returns false if neither does. */
static bool write_slow(FILE *out, const struct cy_cost_of_loop *c)
{
    bool is_ordered = is_most(c, c->cycles.ordered);

    if (!is_ordered && !is_most(c, c->cycles.occupancy))
        return false;
    fprintf(out, "%s %.2f of %.2f cycles; fewer of them would help.",
            is_ordered
                ? "Atomics and fences take turns, with the stores between "
                  "them, for"
                : "Divisions or square roots keep their unit for",
            fmin(is_ordered ? c->cycles.ordered : c->cycles.occupancy,
                 c->cycles.predicted),
            c->cycles.predicted);
    return true;
}

/* The loop's branch whose mispredictions cost most; UINT32_MAX if none cost
   anything. */
static uint32_t worst_branch(const struct cy_report *report,
                             const struct cy_cost_of_loop *c)
{
    const struct cy_windowed *w = report->windowed;
    uint32_t worst = UINT32_MAX;
    double most = 0;

    for (size_t i = 0; w != NULL && i < w->outcome.n_hops; i++) {
        const struct cy_hop *hop = &w->outcome.hops[i];

        if (hop->cause != CY_CAUSE_MISPREDICTION || hop->to == CY_NO_INSN ||
            !cy_loop_has(c->loop, w->blocks[hop->to]))
            continue;
        assert(hop->to < w->n_insns && hop->cycles >= 0);
        if (hop->cycles > most) {
            most = hop->cycles;
            worst = hop->to;
        }
    }
    return worst;
}

/* The most costly pair of a load in the loop and a store in another function;
   NULL if the loop has no such pair. */
static const struct cy_windowed_pair *
pair_of_calls(const struct cy_report *r, const struct cy_cost_of_loop *c)
{
    const struct cy_windowed *w = r->windowed;

    for (size_t i = 0; w != NULL && i < w->n_pairs; i++) {
        const struct cy_windowed_pair *p = &w->pairs[i];

        assert(p->cycles <= w->pairs[0].cycles && p->load < w->n_insns);
        if (p->cycles < w->pairs[0].cycles / 2)
            break; /* another pair may be the reason */
        if (cy_loop_has(c->loop, w->blocks[p->load]) &&
            cy_windowed_is_behind_call(r, p))
            return p;
    }
    return NULL;
}

static void write_away(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    const struct cy_misses *m = &r->windowed->misses;

    for (size_t i = 0; i < m->n; i++) {
        if (!cy_loop_has(c->loop, r->windowed->blocks[m->list[i].insn]))
            continue;
        fputs("It waits for caches, most for ", out);
        cy_miss_write(out, r, &m->list[i]);
        fputc('.', out);
        return;
    }
}

char *cy_report_advice(const struct cy_report *report,
                       const struct cy_cost_of_loop *c)
{
    enum cy_limit limit = cy_report_limit(c);
    const struct cy_windowed_pair *passed =
        limit == CY_BY_MEMORY && cy_report_worst(c) == NULL
            ? pair_of_calls(report, c)
            : NULL;
    struct memory_stream stream;
    FILE *out;
    char *advice;

    memory_stream_open(&stream);
    out = stream.out;
    if (c->unknown.is_spin) {
        ; /* no change of the loop makes it wait less */
    } else if (limit == CY_BY_MISPREDICTIONS) {
        uint32_t branch = worst_branch(report, c);

        if (branch != UINT32_MAX)
            fprintf(
                out,
                "Mispredicted branches take %.2f of %.2f cycles, most at %s; "
                "a conditional move, or data in order, would help.",
                c->cycles.predicted - c->cycles.steered, c->cycles.predicted,
                cy_windowed_place(report->windowed, branch).text);
    } else if (limit == CY_BY_CACHES) {
        write_away(out, report, c);
    } else if (limit == CY_BY_UNITS) {
        if (c->cycles.called > CALLED * c->cycles.predicted)
            fprintf(out,
                    "%.2f of %.2f cycles are in what it calls, besides what "
                    "the calls themselves take; inlining may help.",
                    c->cycles.called, c->cycles.predicted);
        /* No advice if something unknown may limit the loop. */
        else if (cy_report_mark(c)[0] == '\0' && !write_slow(out, c))
            write_busy(out, c);
    } else if (passed != NULL) {
        fprintf(out, "The load at %s waits for the store at %s",
                cy_windowed_place(report->windowed, passed->load).text,
                cy_windowed_place(report->windowed, passed->store).text);
        cy_report_through(out, cy_windowed_variable(report, passed));
        fputs("; pass the value in a register, or inline the function.", out);
    } else if (!cy_advise_chain(out, report, c)) {
        write_slow(out, c);
    }
    advice = memory_stream_close(&stream);
    if (advice[0] != '\0')
        return advice;
    free(advice);
    return NULL;
}
