/*
 * cy_advice: advice to the author of a loop, by what limits it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain/cy_predict.h"
#include "memory.h"
#include "report/internal.h"

/* A unit that is busy for this share of the time limits a loop; at most 4 kinds
   of instructions that it works for are told.  A chain does whose waits take
   the other share. */
#define NEARLY     0.9
#define ROUNDING   0.005 /* cycles */
#define MOST_NAMES 4
#define EXPLAINED  0.75

/* A loop of fewer cycles can only have more of its iterations in each jump. */
#define ABOUT_ONE 1.5

/* Calls are the reason if what is called has this share of an iteration. */
#define CALLED 0.25

/* Addresses are what a recorded chain waits for if this share of it does. */
#define ADDRESSES 0.5

/* A chain and what it consists of, for each round. */
struct facts {
    const struct cy_chain *chain;
    const struct cy_link *worst; /* wait for memory; NULL: none */
    uint32_t rounds;
    double memory;                 /* cycles of these waits */
    double all;                    /* of all waits, but for units */
    const struct cy_link *address; /* the longest wait for one; NULL: none that
                                      matters */
    const struct cy_link *fence;   /* NULL: there is none */
};

static struct facts facts_of(const struct cy_chain *chain)
{
    struct facts f = {.chain = chain};
    double addresses = 0;

    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        f.rounds += l->rounds;
        if (l->wait != CY_WAIT_UNITS)
            f.all += l->cycles;
        if (l->wait == CY_WAIT_ADDRESS) {
            addresses += l->cycles;
            if (f.address == NULL || l->cycles > f.address->cycles)
                f.address = l;
        }
        if (l->wait == CY_WAIT_FENCE)
            f.fence = l;
        if (l->wait != CY_WAIT_MEMORY)
            continue;
        f.memory += l->cycles;
        if (f.worst == NULL || l->cycles > f.worst->cycles)
            f.worst = l;
    }
    /* Recorded rounds also begin, each with addresses that nothing carries. */
    if (chain->is_recorded && addresses < ADDRESSES * chain->cycles)
        f.address = NULL;
    if (chain->is_recorded)
        f.rounds = 1;
    if (f.rounds > 0) {
        f.memory /= f.rounds;
        f.all /= f.rounds;
    }
    return f;
}

void cy_report_rounds(FILE *out, const struct cy_forward *f)
{
    if (f->varies)
        fputs(" at varying distances", out);
    else if (f->rounds == 0)
        fputs(" of the same iteration", out);
    else if (f->rounds == 1)
        fputs(" of the iteration before", out);
    else
        fprintf(out, " of %u iterations before", f->rounds);
}

const struct cy_link *cy_report_worst(const struct cy_cost_of_loop *c)
{
    return facts_of(cy_report_chain(c)).worst;
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

bool cy_report_is_by_data(const struct cy_cost_of_loop *c,
                          const struct cy_link *l)
{
    return l->forward.varies || cy_is_by_data(c->steps, c->n, l->to);
}

/* Is the place that a step loads the same in all iterations? */
static bool stays(const struct cy_cost_of_loop *c, uint32_t load)
{
    struct cy_strides *strides = cy_strides_new(c->steps, c->n);
    struct cy_stride stride = strides[load].loads[0].stride;

    free(strides);
    return stride.is_known && stride.bytes == 0;
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
    cy_report_rounds(out, &f->worst->forward);
    variable = cy_report_variable(report, c, &f->worst->forward, f->worst->to);
    if (variable != NULL)
        cy_report_through(out, variable);
    free(variable);
    fprintf(out, ", %.2f of %.2f cycles", f->memory, c->cycles.predicted);
    write_share(out, report, c, f);
    fputs("; ", out);
    if (!cy_code_assigned(report->code, c->loop->object,
                          c->insns[f->worst->forward.store].address, stored,
                          sizeof stored))
        snprintf(stored, sizeof stored, "there");
    if (f->worst->how == CY_FAILED)
        fputs("it needs bytes that no single store has: store and load values "
              "of the same width.",
              out);
    else if (cy_report_is_by_data(c, f->worst))
        fputs("data say which place it is: several copies of what is stored "
              "there, used by turns, would overlap.",
              out);
    else if (stays(c, f->worst->to))
        fprintf(out,
                "keep what is stored %s%s in a local variable, and store it "
                "after the loop.",
                strcmp(stored, "there") == 0 ? "" : "to ", stored);
    else
        fprintf(out, "keep what is stored %s%s in a register.",
                strcmp(stored, "there") == 0 ? "" : "to ", stored);
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

/* Does an instruction put values together whose order does not matter? */
static bool accumulates(const char *text)
{
    static const char *const names[] = {
        "add",  "mul",  "vadd",  "vmul",   "max", "vmax", "min",
        "vmin", "padd", "vpadd", "or",     "and", "xor",  "imul",
        "fadd", "fmul", "fmadd", "vfmadd", "eor"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(text, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Do all instructions of a chain, as an unrolled loop has them? */
static bool accumulate(const struct cy_cost_of_loop *c,
                       const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_code_insn *to = &c->insns[chain->links[i].to],
                                  *from = &c->insns[chain->links[i].from];

        if (!accumulates(to->text) || strcmp(from->name, to->name) != 0)
            return false;
    }
    return true;
}

/* Does a general register only get a constant added to what it or another one
   has? */
static bool counts(const struct cy_code_insn *insn)
{
    for (unsigned i = 0; i < insn->flow.n_puts; i++) {
        const struct flow_put *put = &insn->flow.puts[i];

        if (guest_dwarf_register(insn->arch, put->word) >= 0)
            return put->sum.is_known && put->sum.n == 1 &&
                   put->sum.factors[0] == 1;
    }
    return false;
}

/* Does a chain consist of counters, or pointers that move on? */
static bool is_counter(const struct cy_cost_of_loop *c,
                       const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].wait != CY_WAIT_REGISTER ||
            !counts(&c->insns[chain->links[i].to]))
            return false;
    return true;
}

/* Do two instructions put values together so that they could do it in another
   order, as additions and subtractions of one kind do? */
static bool could_swap(const struct cy_code_insn *a,
                       const struct cy_code_insn *b)
{
    static const char *const sums[] = {"add",  "sub",  "vadd",  "vsub",
                                       "padd", "psub", "vpadd", "vpsub"};
    size_t n_a = 0, n_b = 0;

    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        size_t n = strlen(sums[i]);

        n_a = strncmp(a->name, sums[i], n) == 0 ? n : n_a;
        n_b = strncmp(b->name, sums[i], n) == 0 ? n : n_b;
    }
    if (n_a > 0 && n_b > 0)
        return strcmp(a->name + n_a, b->name + n_b) == 0;
    return accumulates(a->name) && strcmp(a->name, b->name) == 0;
}

/* Two instructions of a chain, one after the other, that could swap; their
   other operands, put together before, would leave one on the chain. */
static const struct cy_link *swapped(const struct cy_cost_of_loop *c,
                                     const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n && !chain->is_recorded; i++) {
        const struct cy_link *l = &chain->links[i];

        if (l->wait == CY_WAIT_REGISTER && l->rounds == 0 &&
            could_swap(&c->insns[l->from], &c->insns[l->to]))
            return l;
    }
    return NULL;
}

static void write_swapped(FILE *out, const struct cy_report *report,
                          const struct cy_cost_of_loop *c,
                          const struct cy_chain *chain, const struct cy_link *l)
{
    char *from = cy_report_place_text(report, c, l->from),
         *to = cy_report_place_text(report, c, l->to);

    fprintf(out, "The %s at %s and the %s", c->insns[l->from].name, from,
            c->insns[l->to].name);
    if (strcmp(from, to) == 0)
        fputs(" after it", out);
    else
        fprintf(out, " at %s", to);
    free(to);
    free(from);
    fprintf(out,
            " follow each other on a chain from iteration to iteration, %.2f "
            "of %.2f cycles; their other operands, put together before, would "
            "leave one of the two on it.",
            chain->cycles, c->cycles.predicted);
}

static const char *last_operand(const char *text)
{
    const char *space = strrchr(text, ' ');

    return space != NULL ? space + 1 : text;
}

/* Does an instruction wait for another one only since it keeps a part of the
   register that it writes? */
static bool merges(const struct cy_code_insn *insn,
                   const struct cy_code_insn *from)
{
    const char *to = last_operand(insn->text);

    return cy_insn_upper(insn) < FLOW_WORDS && strstr(insn->text, to) == to &&
           strcmp(last_operand(from->text), to) == 0;
}

/* Does it wait since it writes a part of a general register, such as %al, and
   keeps the rest? */
static bool keeps_rest(const struct cy_code_insn *insn,
                       const struct cy_code_insn *from)
{
    for (unsigned i = 0; i < insn->flow.n_puts; i++)
        for (unsigned j = 0; j < from->flow.n_puts; j++)
            if (insn->flow.puts[i].keeps_rest &&
                insn->flow.puts[i].word == from->flow.puts[j].word)
                return true;
    return false;
}

/* The wait of a chain that a merge makes; NULL: there is none. */
static const struct cy_link *merge_of(const struct cy_cost_of_loop *c,
                                      const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        if (l->wait == CY_WAIT_REGISTER &&
            (merges(&c->insns[l->to], &c->insns[l->from]) ||
             keeps_rest(&c->insns[l->to], &c->insns[l->from])))
            return l;
    }
    return NULL;
}

static void write_merge(FILE *out, const struct cy_report *report,
                        const struct cy_cost_of_loop *c,
                        const struct cy_chain *chain, const struct cy_link *l)
{
    const char *text = c->insns[l->to].text, *to = last_operand(text);
    bool is_general = keeps_rest(&c->insns[l->to], &c->insns[l->from]);

    fprintf(out, "The %.*s at ", (int)strcspn(text, " "), text);
    cy_report_place(out, report, c, l->to);
    fprintf(out,
            is_general
                ? " writes %s and keeps the rest of its register, so it waits "
                  "for that, %.2f of %.2f cycles; "
                : " keeps a part of %s, so it waits for that, %.2f of %.2f "
                  "cycles; ",
            to, chain->cycles, c->cycles.predicted);
    if (is_general)
        fputs("a register that is set to 0 first (xorl), or a move that writes "
              "all of it (movzbl), would end that.",
              out);
    else
        fprintf(out, "xorps %s, %s before it would end that.", to, to);
}

static void write_jump(FILE *out)
{
    fputs("It takes about one cycle, the least for a jump; it would be faster "
          "if it were unrolled.",
          out);
}

static void write_registers(FILE *out, const struct cy_report *report,
                            const struct cy_cost_of_loop *c,
                            const struct facts *f)
{
    const struct cy_link *l = slowest(f->chain);
    const char *text = c->insns[l->to].shown;
    bool is_counted = is_counter(c, f->chain);

    if (is_counted && c->cycles.predicted < ABOUT_ONE) {
        write_jump(out);
        return;
    }
    if (merge_of(c, f->chain) != NULL) {
        write_merge(out, report, c, f->chain, merge_of(c, f->chain));
        return;
    }
    if (f->fence != NULL) {
        fprintf(out,
                "Nothing after a fence begins before everything before it is "
                "done, %.2f of %.2f cycles; fewer fences would help.",
                f->chain->cycles, c->cycles.predicted);
        return;
    }
    if (f->address != NULL) {
        fputs("The load at ", out);
        cy_report_place(out, report, c, f->address->to);
        fputs(" needs its address from the iteration before, ", out);
        fprintf(out, "%.2f of %.2f cycles; ", f->chain->cycles,
                c->cycles.predicted);
        fputs("addresses that do not come from memory would not wait.", out);
        return;
    }
    if (!accumulate(c, f->chain) && swapped(c, f->chain) != NULL) {
        write_swapped(out, report, c, f->chain, swapped(c, f->chain));
        return;
    }
    fprintf(out, "The %.*s at ", (int)strcspn(text, " "), text);
    cy_report_place(out, report, c, l->to);
    fputs(f->chain->n == 1 ? " waits for itself in the iteration before"
                           : " is on a chain from iteration to iteration",
          out);
    fprintf(out, ", %.2f of %.2f cycles; ", f->chain->cycles,
            c->cycles.predicted);
    if (accumulate(c, f->chain) && !is_counted)
        fputs("several accumulators, put together after the loop, would "
              "overlap.",
              out);
    else
        fprintf(out,
                "fewer or quicker instructions than its %zu would help, or "
                "several such chains at once, if there are others to compute.",
                f->chain->n);
}

/* The cycles in which the busiest unit works in an iteration, and which it is.
 */
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

/* What an instruction is called among those that share a unit. */
static const char *worker_name(const struct cy_code_insn *insn)
{
    if (strncmp(insn->name, "mov", 3) != 0 &&
        strncmp(insn->name, "vmov", 4) != 0)
        return insn->name;
    return insn->flow.n_stores > 0  ? "stores"
           : insn->flow.n_loads > 0 ? "loads"
                                    : insn->name;
}

/* Writes for what a unit works. */
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

/* Says which unit is busy all the time, if one nearly is; or else it is the
   width that limits the loop.  The machine file may know better than llvm-mca,
   so that no unit has so much to do. */
static void write_busy(FILE *out, const struct cy_cost_of_loop *c)
{
    unsigned unit;
    double busy = busiest(c, &unit);

    if (busy >= NEARLY * c->cycles.predicted &&
        busy <= c->cycles.predicted + ROUNDING) {
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
    return part > 0 && part >= EXPLAINED * c->cycles.predicted;
}

/* Says that atomics and fences, or divisions and roots, take most of an
   iteration; false: they do not. */
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

static void write_units(FILE *out, const struct cy_cost_of_loop *c)
{
    if (write_slow(out, c))
        return;
    if (c->cycles.throughput > 1)
        write_busy(out, c);
    else
        write_jump(out);
}

/* The branch of the loop that costs most by being mispredicted; UINT32_MAX:
   none. */
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
        if (hop->cycles > most) {
            most = hop->cycles;
            worst = hop->to;
        }
    }
    return worst;
}

/* The pair of store and load that costs most of those whose load is in the loop
   and whose store is in another function.  NULL: there is none. */
static const struct cy_windowed_pair *
pair_of_calls(const struct cy_report *r, const struct cy_cost_of_loop *c)
{
    const struct cy_windowed *w = r->windowed;

    for (size_t i = 0; w != NULL && i < w->n_pairs; i++) {
        const struct cy_windowed_pair *p = &w->pairs[i];

        if (p->cycles < w->pairs[0].cycles / 2)
            break; /* another one may be the reason */
        if (cy_loop_has(c->loop, w->blocks[p->load]) &&
            cy_report_is_behind_call(r, p))
            return p;
    }
    return NULL;
}

static void write_passed(FILE *out, const struct cy_report *r,
                         const struct cy_windowed_pair *p)
{
    char *store = cy_report_windowed_place(r->windowed, p->store),
         *load = cy_report_windowed_place(r->windowed, p->load),
         *variable = cy_report_windowed_variable(r, p);

    fprintf(out, "The load at %s waits for the store at %s", load, store);
    if (variable != NULL)
        cy_report_through(out, variable);
    fputs("; pass the value in a register, or inline the function.", out);
    free(variable);
    free(load);
    free(store);
}

static void write_mispredicted(FILE *out, const struct cy_report *report,
                               const struct cy_cost_of_loop *c)
{
    uint32_t branch = worst_branch(report, c);
    char *place;

    if (branch == UINT32_MAX)
        return;
    place = cy_report_windowed_place(report->windowed, branch);
    fprintf(out,
            "Mispredicted branches take %.2f of %.2f cycles, most at %s; a "
            "conditional move, or data in order, would help.",
            c->cycles.predicted - c->cycles.steered, c->cycles.predicted,
            place);
    free(place);
}

bool cy_report_is_spin(const struct cy_cost_of_loop *c)
{
    bool loads = false;

    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->insns[i].flow;

        loads |= flow->n_loads > 0;
        if (flow->n_stores > 0 || flow->leave != FLOW_GOES_ON)
            return false;
    }
    for (size_t i = 0; i < c->bound.waits.n; i++)
        if (c->bound.waits.links[i].rounds > 0)
            return false;
    return loads;
}

char *cy_report_advice_text(const struct cy_report *report,
                            const struct cy_cost_of_loop *c)
{
    enum cy_limit limit = cy_report_limit(c);
    struct facts f = facts_of(cy_report_chain(c));
    struct memory_stream advice;

    memory_stream_open(&advice);
    if (limit == CY_BY_MISPREDICTIONS)
        write_mispredicted(advice.out, report, c);
    else if (limit == CY_BY_UNITS) {
        /* What is not known may limit it, and no advice makes a spin loop
           faster. */
        if (c->cycles.called > CALLED * c->cycles.predicted)
            fprintf(advice.out,
                    "%.2f of %.2f cycles are in what it calls, besides what "
                    "the calls themselves take; inlining may help.",
                    c->cycles.called, c->cycles.predicted);
        else if (cy_report_mark(c)[0] == '\0' && !cy_report_is_spin(c))
            write_units(advice.out, c);
    } else if (limit == CY_BY_MEMORY && f.worst == NULL &&
               pair_of_calls(report, c) != NULL) {
        write_passed(advice.out, report, pair_of_calls(report, c));
    } else if (f.chain->n == 0 || f.all < EXPLAINED * c->cycles.predicted)
        write_slow(advice.out, c); /* no chain explains the prediction */
    else if (limit == CY_BY_MEMORY && f.worst != NULL)
        write_memory(advice.out, report, c, &f);
    else
        write_registers(advice.out, report, c, &f);
    return memory_stream_close(&advice);
}
