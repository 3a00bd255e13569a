/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "demangle.h"
#include "terminal.h"
#include "core/cy_figure.h"

size_t cy_report_n(const struct cy_report *report)
{
    size_t n = report->prediction->n_shown;

    return n < report->n_shown ? n : report->n_shown;
}

/* Cycles, and a share of an iteration, that are no gain: the first is a
   rounding error, and the second may be one of the model. */
#define LEAST_GAIN  0.005
#define LEAST_SHARE 0.05

/* Units limit a loop that they need for more of its time. */
#define CHAINED 0.9

#define SHORT_RUN 100 /* iterations */

static bool is_gain(const struct cy_cycles *cy, double cycles)
{
    return cycles > LEAST_GAIN && cycles > LEAST_SHARE * cy->predicted;
}

bool cy_report_gains(const struct cy_cost_of_loop *c)
{
    return !cy_unknown_is_all(&c->unknown) &&
           is_gain(&c->cycles, c->cycles.predicted - c->cycles.mended);
}

/* Are mispredictions more of an iteration than each other part of it? */
static bool is_missed(const struct cy_cycles *cy)
{
    double missed = cy->predicted - cy->steered;

    return is_gain(cy, missed) && missed > cy->predicted - cy->mended &&
           missed > cy->mended - cy->throughput &&
           missed > cy->throughput - missed;
}

enum cy_limit cy_report_limit(const struct cy_cost_of_loop *c)
{
    if (cy_unknown_is_all(&c->unknown))
        return CY_BY_UNKNOWN;
    if (is_missed(&c->cycles))
        return CY_BY_MISPREDICTIONS;
    if (cy_report_gains(c))
        return CY_BY_MEMORY;
    return is_gain(&c->cycles, c->cycles.mended - c->cycles.throughput) &&
                   c->cycles.throughput < CHAINED * c->cycles.predicted
               ? CY_BY_REGISTERS
               : CY_BY_UNITS;
}

bool cy_report_is_chained(const struct cy_cost_of_loop *c)
{
    return cy_report_limit(c) == CY_BY_MEMORY ||
           cy_report_limit(c) == CY_BY_REGISTERS;
}

const double *cy_report_without(const struct cy_cost_of_loop *c)
{
    return cy_report_limit(c) == CY_BY_MEMORY           ? &c->cycles.mended
           : cy_report_limit(c) == CY_BY_MISPREDICTIONS ? &c->cycles.steered
                                                        : NULL;
}

/* Does the loop begin so often that iterations of long runs would take
   something else, for no other reason, such as mispredictions? */
static bool has_short_runs(const struct cy_cost_of_loop *c)
{
    return c->cycles.called <= 0 && !is_missed(&c->cycles) &&
           c->loop->entries > 0 && c->iterations / c->loop->entries < SHORT_RUN;
}

char *cy_report_round_text(const struct cy_cost_of_loop *c)
{
    if (cy_unknown_is_all(&c->unknown))
        return memory_text(CY_NOT_KNOWN " how many cycles an iteration takes");
    if (c->cycles.n_recorded > 0 && cy_figure_is_apart(&c->cycles) &&
        has_short_runs(c))
        return memory_printf(
            "%s%.2f cycles an iteration (%.2f in long runs of the loop), "
            "limited by %s",
            cy_report_mark(c), c->cycles.predicted, c->cycles.steady,
            cy_limit_name(cy_report_limit(c)));
    return memory_printf("%s%.2f cycles an iteration, limited by %s",
                         cy_report_mark(c), c->cycles.predicted,
                         cy_limit_name(cy_report_limit(c)));
}

void cy_report_through(FILE *out, const char *variable)
{
    const char *name = strstr(variable, "(): ");

    if (name != NULL)
        fprintf(out, ", through %s of %.*s()", name + strlen("(): "),
                (int)(name - variable), variable);
    else
        fprintf(out, ", through %s", variable);
}

void cy_report_time(FILE *out, const struct cy_report *r, double cycles,
                    bool tells_clock)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double time = r->clock > 0 ? cycles / r->clock : 0;
    unsigned unit = 0;

    if (r->clock <= 0)
        return;
    for (; time >= 999.5 && unit < 3; unit++)
        time /= 1000;
    fprintf(out, " (%.3g %s", time, units[unit]);
    if (tells_clock)
        fprintf(out, " at %.3g GHz", r->clock);
    fputc(')', out);
}

const struct cy_chain *cy_report_chain(const struct cy_cost_of_loop *c)
{
    static const struct cy_chain none;

    if (cy_unknown_is_all(&c->unknown))
        return &none;
    return c->bound.memory.cycles > c->bound.registers.cycles
               ? &c->bound.memory
               : &c->bound.registers;
}

bool cy_report_waits(const struct cy_chain *chain, uint32_t step,
                     double *cycles)
{
    bool is_on = false;

    *cycles = 0;
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].to == step) {
            is_on = true;
            *cycles += chain->links[i].cycles;
        }
    return is_on;
}

/* A function that names the values of an enumeration, in their order. */
#define NAMES(function, type, ...)                        \
    const char *function(enum type value)                 \
    {                                                     \
        static const char *const names[] = {__VA_ARGS__}; \
                                                          \
        assert(value < sizeof names / sizeof names[0]);   \
        return names[value];                              \
    }
NAMES(cy_wait_name, cy_wait, "register", "address", "memory", "data", "fence",
      "units")
NAMES(cy_limit_name, cy_limit, "memory", "registers", "units", "mispredictions",
      CY_NOT_KNOWN)
NAMES(cy_how_name, cy_how, "forwarded", "renamed", "failed")
NAMES(cy_relation_name, cy_relation, "same", "contained", "partial", "several",
      "crossing", "crossing_page")
NAMES(cy_edges_name, cy_edges, "none", "static", "observed")

bool cy_report_is_forward(const struct cy_link *l)
{
    return !l->forward.varies && l->wait == CY_WAIT_MEMORY &&
           l->from == l->forward.store && l->rounds == l->forward.rounds;
}

uint64_t cy_report_distance(const struct cy_cost_of_loop *c,
                            const struct cy_forward *f, uint32_t load)
{
    assert(f->store < c->n && load < c->n);
    assert(f->rounds > 0 || f->store < load);
    return (uint64_t)f->rounds * c->n + load - f->store;
}

void cy_report_place(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *c, uint32_t step)
{
    uint64_t address;
    char line[128];

    assert(step < c->n);
    address = c->insns[step].address;
    cy_code_line(report->code, c->loop->object, address, line, sizeof line);
    if (line[0] != '\0')
        fputs(line, out);
    else
        fprintf(out, "%#" PRIx64, address);
}

/* Of instructions: "executed", or "recorded" if not all of them were. */
static const char *executed(const struct cy_report *report)
{
    return report->data->recorded < report->data->instructions ? "recorded"
                                                               : "executed";
}

void cy_report_scope(FILE *out, const struct cy_report *report)
{
    const struct cy_prediction *p = report->prediction;
    const struct cy_data *data = report->data;

    assert(p->n_shown <= p->n);
    fprintf(out, "%zu %s%s", p->n_shown,
            p->n > 0 && p->loops[0].name != NULL ? "region" : "loop",
            p->n_shown == 1 ? "" : "s");
    if (data->has_executions)
        fprintf(out, " with %.1f %% of %" PRIu64 " %s instructions", p->share,
                data->recorded, executed(report));
    if (data->recorded < data->instructions)
        fprintf(out, ", %.3g %% of those executed",
                100 * (double)data->recorded / (double)data->instructions);
    if (p->n_shown > cy_report_n(report))
        fprintf(out, "; %zu of them listed", cy_report_n(report));
    if (p->n > p->n_shown)
        fprintf(out, "; %zu other%s left out", p->n - p->n_shown,
                p->n - p->n_shown == 1 ? "" : "s");
}

/* Of figures that were not measured for the machine file. */
#define UNCHECKED                                                          \
    "; they are published ones or guesses, and no prediction by them was " \
    "compared with measured cycles"

char *cy_report_strange(const struct cy_report *report)
{
    const struct cy_facts *machine = report->machine;

    if (machine == NULL)
        return memory_text("No machine file: what goes through memory has "
                           "latencies of llvm-mca, or guessed ones, and no "
                           "forward fails.");
    if (machine->is_forced)
        return memory_printf(
            "The machine file (%s) was made on a busy machine, "
            "by force: its figures may be wrong.",
            machine->name);
    if (machine->is_elsewhere)
        return memory_printf("The code is of %s, and this processor (%s) is "
                             "not: the figures are those of %s, unless --cpu "
                             "names another%s.",
                             arch_title(machine->arch), machine->stands_for,
                             machine->name,
                             machine->is_published ? UNCHECKED : "");
    if (machine->stands_for == NULL)
        return machine->is_published
                   ? memory_printf("The figures are those of %s" UNCHECKED ".",
                                   machine->name)
                   : NULL;
    return memory_printf("No machine file for this processor (%s): the figures "
                         "are %s%s%s.",
                         machine->stands_for,
                         machine->is_typical
                             ? "typical ones, of no processor"
                             : "those of its nearest relative, ",
                         machine->is_typical ? "" : machine->name,
                         machine->is_published ? UNCHECKED : "");
}

double cy_report_part(const struct cy_report *r, double cycles)
{
    double all = r->program->total.cycles;

    return all > 0 ? 100 * cycles / all : 0;
}

double cy_report_share(const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    return r->program == NULL ? c->share : cy_report_part(r, c->cycles.all);
}

bool cy_report_has_called(const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (r->program != NULL && r->prediction->loops[i].cycles.called > 0)
            return true;
    return false;
}

double cy_report_whole_share(const struct cy_report *r,
                             const struct cy_cost_of_loop *c)
{
    double own = c->cycles.predicted - c->cycles.called,
           share = cy_report_share(r, c);

    return own > 0 ? fmin(100, share * c->cycles.predicted / own) : share;
}

double cy_report_unmodelled(const struct cy_total *t)
{
    return t->instructions > 0 ? 100 * t->unmodelled / t->instructions : 0;
}

void cy_report_share_of(FILE *out, const struct cy_report *r)
{
    if (r->program == NULL)
        fprintf(out, "of the %s instructions", executed(r));
    else if (r->program->is_recorded)
        fprintf(out,
                "of the program's cycles%s; the loader, start and end have "
                "%.1f %%",
                cy_report_has_called(r)
                    ? ", of a loop with what it calls (self: without)"
                    : "",
                cy_report_part(r, cy_report_start(r).cycles));
    else
        fprintf(out,
                "of at least %.4g predicted cycles, without %.1f %% of the "
                "instructions, which are not modelled",
                r->program->total.cycles,
                cy_report_unmodelled(&r->program->total));
}

char *cy_report_place_text(const struct cy_report *report,
                           const struct cy_cost_of_loop *c, uint32_t step)
{
    struct memory_stream place;

    memory_stream_open(&place);
    cy_report_place(place.out, report, c, step);
    return memory_stream_close(&place);
}

char *cy_report_variable(const struct cy_report *report,
                         const struct cy_cost_of_loop *c,
                         const struct cy_forward *f, uint32_t load)
{
    assert(f->store < c->n && load < c->n);
    return cy_code_variable(report->code, c->loop->object,
                            c->insns[f->store].address, c->loop->object,
                            c->insns[load].address);
}

char *cy_report_inlined(const struct cy_report *report,
                        const struct cy_cost_of_loop *c, uint32_t step)
{
    assert(step < c->n);
    return report->has_inlines ? cy_code_inlined(report->code, c->loop->object,
                                                 c->insns[step].address)
                               : NULL;
}

/* --- Names --- */

/* Code has several names where the linker folded equal functions into one, or
   where the source gave it several.  Two functions have one name where each is
   known in its own file only. */

/* The other symbols of a function's code, separated by commas, which the
   caller frees; NULL if there are none. */
static char *others_of(const struct cy_report *r, const char *function)
{
    struct memory_stream text;
    size_t n;
    const struct cy_alias *aliases = cy_data_aliases(r->data, function, &n);

    if (n == 0)
        return NULL;
    memory_stream_open(&text);
    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? "," : "", aliases[i].name);
    return memory_stream_close(&text);
}

/* Writes a function's name and others that it has. */
static void write_function(FILE *out, const struct cy_report *r,
                           const char *function)
{
    char *others = others_of(r, function);
    char *text = demangle_names(function, others);

    fputs(text, out);
    free(text);
    free(others);
}

void cy_report_name(FILE *out, const struct cy_report *r,
                    const struct cy_cost_of_loop *c)
{
    if (c->name != NULL)
        terminal_write(out, c->name);
    else if (c->function != NULL)
        write_function(out, r, c->function);
    else
        fprintf(out, "%#" PRIx64, c->address);
}

char *cy_report_name_text(const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    struct memory_stream name;

    memory_stream_open(&name);
    cy_report_name(name.out, r, c);
    return memory_stream_close(&name);
}

void cy_put_other_names(struct report_row *row, const struct cy_report *r,
                        const char *function)
{
    char *others = others_of(r, function);

    report_text(row, R_KEY("other_names"), others);
    free(others);
}

/* Where a function begins, if that is known: its line, or its address. */
static void write_start(FILE *out, const struct cy_report *r,
                        const struct cy_block *block)
{
    char line[512];

    if (block == NULL || !block->has_function_start)
        return;
    fputs(" at ", out);
    cy_code_line(r->code, block->object, block->function_start, line,
                 sizeof line);
    if (line[0] != '\0')
        terminal_write(out, line);
    else
        fprintf(out, "%#" PRIx64, block->function_start);
}

void cy_put_function(struct report_row *row, struct report_column column,
                     const struct cy_report *r, const char *function)
{
    struct memory_stream text;
    char *whole;

    memory_stream_open(&text);
    write_function(text.out, r, function);
    if (cy_data_has_namesake(r->data, function))
        write_start(text.out, r, cy_data_of_function(r->data, function));
    whole = memory_stream_close(&text);
    report_code(row, column, whole, NULL);
    free(whole);
}
