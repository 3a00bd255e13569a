/* cy_advice: advice to the author of a loop, depending on what limits the
   loop. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

/* --- A loop that a chain limits --- */

/* A chain explains an iteration if the chain's waits take this share of it. */
#define EXPLAINED 0.75

/* A loop with fewer cycles can only gain from more iterations per jump. */
#define ABOUT_ONE 1.5

/* A recorded chain waits for addresses if these waits take this share of it. */
#define ADDRESSES 0.5

/* What a chain waits for, with cycles per round. */
struct facts {
    const struct cy_chain *chain;
    const struct cy_link *worst; /* longest wait for memory; NULL if none */
    uint32_t rounds;
    double memory;                 /* cycles of all waits for memory */
    double all;                    /* cycles of all waits, except for units */
    const struct cy_link *address; /* longest for an address; NULL if none
                                      matters */
    const struct cy_link *fence;   /* last wait for a fence; NULL if none */
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
    /* Recorded runs also begin, with addresses that come from no round. */
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

const struct cy_link *cy_report_worst(const struct cy_cost_of_loop *c)
{
    return facts_of(cy_report_chain(c)).worst;
}

/* Does a step load from the same address in all iterations? */
static bool stays(const struct cy_cost_of_loop *c, uint32_t load)
{
    AUTO_FREE struct cy_strides *strides = cy_strides_new(c->steps, c->n);
    struct cy_stride stride = strides[load].loads[0].stride;

    assert(load < c->n);
    return stride.is_known && stride.bytes == 0;
}

static void write_memory(FILE *out, const struct cy_report *report,
                         const struct cy_cost_of_loop *c, const struct facts *f)
{
    const struct cy_forward *forward = &f->worst->forward;
    char stored[64];
    double share = c->cycles.predicted > 0 ? cy_report_share(report, c) *
                                                 f->memory / c->cycles.predicted
                                           : 0;

    assert(forward->store < c->n);
    bool is_told = cy_code_assigned(report->code, c->loop->object,
                                    c->insns[forward->store].address, stored,
                                    sizeof stored);
    fprintf(out, "The load at %s waits for the store at %s",
            cy_report_place(report, c, f->worst->to).text,
            cy_report_place(report, c, forward->store).text);
    cy_report_rounds(out, forward);
    cy_report_through(out,
                      cy_report_variable(report, c, forward, f->worst->to));
    fprintf(out, ", %.2f of %.2f cycles", f->memory, c->cycles.predicted);
    /* Write the share of the chain's waits for memory in the program's
       predicted cycles, if both are known. */
    if (report->program != NULL && share >= 0.5)
        fprintf(out, ", %.0f %% of all cycles", share);
    fputs("; ", out);
    if (f->worst->how == CY_FAILED)
        fputs("it needs bytes that no single store has: store and load values "
              "of the same width.",
              out);
    else if (cy_report_is_by_data(c, f->worst))
        fputs("data say which place it is: several copies of what is stored "
              "there, used by turns, would overlap.",
              out);
    else
        fprintf(out, "keep what is stored %s%s in a %s.", is_told ? "to " : "",
                is_told ? stored : "there",
                stays(c, f->worst->to)
                    ? "local variable, and store it after the loop"
                    : "register");
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

/* Does an instruction combine values whose order does not matter? */
static bool accumulates(const char *text)
{
    static const char *const names[] = {
        "add",  "mul",  "vadd",  "vmul",   "max", "vmax", "min",
        "vmin", "padd", "vpadd", "or",     "and", "xor",  "imul",
        "fadd", "fmul", "fmadd", "vfmadd", "eor", NULL};

    return text_begins_any(text, names) > 0;
}

/* Do all of a chain's instructions combine values whose order does not
   matter? */
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

/* Does a general register only get the sum of one register and a constant? */
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

/* Does a chain consist of counters, or of pointers that are incremented? */
static bool is_counter(const struct cy_cost_of_loop *c,
                       const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].wait != CY_WAIT_REGISTER ||
            !counts(&c->insns[chain->links[i].to]))
            return false;
    return true;
}

/* Could two instructions change places, as additions and subtractions of one
   kind can? */
static bool could_swap(const struct cy_code_insn *a,
                       const struct cy_code_insn *b)
{
    static const char *const sums[] = {"add",  "sub",   "vadd",  "vsub", "padd",
                                       "psub", "vpadd", "vpsub", NULL};
    size_t n_a = text_begins_any(a->name, sums),
           n_b = text_begins_any(b->name, sums);

    if (n_a > 0 && n_b > 0)
        return strcmp(a->name + n_a, b->name + n_b) == 0;
    return accumulates(a->name) && strcmp(a->name, b->name) == 0;
}

/* Finds two successive instructions of a chain that could swap.  If their other
   operands were combined first, one instruction would be left on the chain. */
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
    struct cy_line from = cy_report_place(report, c, l->from),
                   to = cy_report_place(report, c, l->to);

    assert(!chain->is_recorded && l->rounds == 0);
    fprintf(out, "The %s at %s and the %s", c->insns[l->from].name, from.text,
            c->insns[l->to].name);
    if (strcmp(from.text, to.text) == 0)
        fputs(" after it", out);
    else
        fprintf(out, " at %s", to.text);
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

/* Does an instruction wait for another one only because it keeps a part of the
   register that it writes? */
static bool merges(const struct cy_code_insn *insn,
                   const struct cy_code_insn *from)
{
    const char *to = last_operand(insn->text);

    return cy_insn_upper(insn) < FLOW_WORDS && strstr(insn->text, to) == to &&
           strcmp(last_operand(from->text), to) == 0;
}

/* Does an instruction wait because it writes a part of a general register, such
   as %al, and keeps the rest? */
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

/* The wait of a chain that is due to a merge of registers; or NULL. */
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

    assert(l->wait == CY_WAIT_REGISTER && chain->n > 0);
    fprintf(out, "The %.*s at %s", (int)strcspn(text, " "), text,
            cy_report_place(report, c, l->to).text);
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

/* Writes what an instruction of the chain does, where, and how many cycles of
   an iteration it takes. */
static void write_wait(FILE *out, const struct cy_report *report,
                       const struct cy_cost_of_loop *c, const struct facts *f,
                       const struct cy_link *l, const char *does)
{
    const char *text = l == f->address ? "load" : c->insns[l->to].shown;

    assert(l->to < c->n);
    fprintf(out, "The %.*s at %s %s, %.2f of %.2f cycles; ",
            (int)strcspn(text, " "), text,
            cy_report_place(report, c, l->to).text, does, f->chain->cycles,
            c->cycles.predicted);
}

static void advise_jump(FILE *out)
{
    fputs("It takes about one cycle, the least for a jump; it would be faster "
          "if it were unrolled.",
          out);
}

static void write_registers(FILE *out, const struct cy_report *report,
                            const struct cy_cost_of_loop *c,
                            const struct facts *f)
{
    const struct cy_link *merge = merge_of(c, f->chain);
    bool is_counted = is_counter(c, f->chain), is_sum = accumulate(c, f->chain);

    if (is_counted && c->cycles.predicted < ABOUT_ONE) {
        advise_jump(out);
    } else if (merge != NULL) {
        write_merge(out, report, c, f->chain, merge);
    } else if (f->fence != NULL) {
        fprintf(out,
                "Nothing after a fence begins before everything before it is "
                "done, %.2f of %.2f cycles; fewer fences would help.",
                f->chain->cycles, c->cycles.predicted);
    } else if (f->address != NULL) {
        write_wait(out, report, c, f, f->address,
                   "needs its address from the iteration before");
        fputs("addresses that do not come from memory would not wait.", out);
    } else if (!is_sum && swapped(c, f->chain) != NULL) {
        write_swapped(out, report, c, f->chain, swapped(c, f->chain));
    } else {
        write_wait(out, report, c, f, slowest(f->chain),
                   f->chain->n == 1
                       ? "waits for itself in the iteration before"
                       : "is on a chain from iteration to iteration");
        if (is_sum && !is_counted)
            fputs("several accumulators, put together after the loop, would "
                  "overlap.",
                  out);
        else
            fprintf(out,
                    "fewer or quicker instructions than its %zu would help, "
                    "or several such chains at once, if there are others to "
                    "compute.",
                    f->chain->n);
    }
}

/* Writes advice on a loop if a chain explains the prediction; else returns
   false. */
static bool advise_chain(FILE *out, const struct cy_report *report,
                         const struct cy_cost_of_loop *c)
{
    struct facts f = facts_of(cy_report_chain(c));

    if (f.chain->n == 0 || f.all < EXPLAINED * c->cycles.predicted)
        return false;
    if (cy_report_limit(c) == CY_BY_MEMORY && f.worst != NULL)
        write_memory(out, report, c, &f);
    else
        write_registers(out, report, c, &f);
    return true;
}

/* --- Any loop --- */

/* A loop is limited by a unit that is busy for this share of the time.  Advice
   names at most 4 kinds of instructions that keep the unit busy. */
#define NEARLY     0.9
#define ROUNDING   0.005 /* cycles */
#define MOST_NAMES 4

/* "Most of an iteration" is at least this share of its cycles. */
#define MOST 0.75

/* Calls are the reason if the called code takes this share of an iteration. */
#define CALLED 0.25

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
        advise_jump(out);
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
    struct memory_stream stream = memory_stream_open(&stream);
    FILE *out = stream.out;
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
    } else if (!advise_chain(out, report, c)) {
        write_slow(out, c);
    }
    char *advice = memory_stream_close(&stream);
    if (advice[0] != '\0')
        return advice;
    free(advice);
    return NULL;
}
