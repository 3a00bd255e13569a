/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

#include "demangle.h"

/* --- What limits a loop --- */

/* Smaller gains do not count: less than 0.005 cycles may be a rounding error,
   and less than 5 % of an iteration an error of the model. */
#define LEAST_GAIN  0.005
#define LEAST_SHARE 0.05

/* Units limit a loop if they are needed for at least this share of its time. */
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

/* The cycles that an iteration waits for mispredicted branches, for caches, and
   for values in registers. */
static double missed(const struct cy_cycles *cy)
{
    return cy->predicted - cy->steered;
}

static double away(const struct cy_cycles *cy)
{
    return cy->predicted - cy->cached;
}

static double chained(const struct cy_cycles *cy)
{
    return cy->mended - cy->throughput - away(cy);
}

/* Do mispredictions, or else caches, take more of an iteration than any other
   limit? */
static bool is_most(const struct cy_cycles *cy, double cycles)
{
    return is_gain(cy, cycles) && cycles > cy->predicted - cy->mended &&
           cycles > chained(cy) && cycles > cy->throughput - missed(cy);
}

static bool is_missed(const struct cy_cycles *cy)
{
    return is_most(cy, missed(cy)) && missed(cy) > away(cy);
}

static bool is_away(const struct cy_cycles *cy)
{
    return is_most(cy, away(cy)) && away(cy) >= missed(cy);
}

enum cy_limit cy_report_limit(const struct cy_cost_of_loop *c)
{
    if (cy_unknown_is_all(&c->unknown))
        return CY_BY_UNKNOWN;
    if (is_missed(&c->cycles))
        return CY_BY_MISPREDICTIONS;
    if (is_away(&c->cycles))
        return CY_BY_CACHES;
    if (cy_report_gains(c))
        return CY_BY_MEMORY;
    return is_gain(&c->cycles, chained(&c->cycles)) &&
                   c->cycles.throughput < CHAINED * c->cycles.predicted
               ? CY_BY_REGISTERS
               : CY_BY_UNITS;
}

bool cy_report_is_chained(const struct cy_cost_of_loop *c)
{
    return cy_report_limit(c) == CY_BY_MEMORY ||
           cy_report_limit(c) == CY_BY_REGISTERS;
}

/* "waits for another thread, which stores head at ring.c:32", as far as known.
 */
static char *spin_text(const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    const struct cy_spin *spin = &c->unknown.spin;
    const struct cy_pair *passed = spin->passed;
    struct cy_line place;
    char *variable;

    assert(c->unknown.is_spin && spin->load < c->n);
    struct memory_stream text = memory_stream_open(&text);
    fputs("waits for another thread", text.out);
    if (passed != NULL) {
        place = cy_code_line(r->code, passed->object, passed->store);
        variable = cy_code_variable(r->code, passed->object, passed->store,
                                    passed->object, passed->load);
        fprintf(text.out, ", which stores %s at ",
                variable != NULL ? variable : "a value");
        if (place.text[0] != '\0')
            fputs(place.text, text.out);
        else
            fprintf(text.out, "%#" PRIx64, passed->store);
    } else {
        variable = cy_code_accessed(r->code, c->loop->object,
                                    c->insns[spin->load].address, false);
        cy_report_through(text.out, variable);
        variable = NULL;
    }
    free(variable);
    return memory_stream_close(&text);
}

const double *cy_report_without(const struct cy_cost_of_loop *c)
{
    return cy_report_limit(c) == CY_BY_MEMORY           ? &c->cycles.mended
           : cy_report_limit(c) == CY_BY_MISPREDICTIONS ? &c->cycles.steered
           : cy_report_limit(c) == CY_BY_CACHES         ? &c->cycles.cached
                                                        : NULL;
}

const char *cy_report_mark(const struct cy_cost_of_loop *c)
{
    return cy_unknown_is_case(&c->unknown)    ? "~"
           : cy_unknown_is_least(&c->unknown) ? ">="
                                              : "";
}

char *cy_report_round_text(const struct cy_report *r,
                           const struct cy_cost_of_loop *c)
{
    if (c->unknown.is_spin)
        return spin_text(r, c);
    if (cy_unknown_is_all(&c->unknown))
        return memory_text(CY_NOT_KNOWN " how many cycles an iteration takes");
    /* Does the loop start so often that long runs would take another time per
       iteration, and neither calls nor mispredictions explain it? */
    if (c->cycles.n_recorded > 0 && cy_figure_is_apart(&c->cycles) &&
        c->cycles.called <= 0 && !is_missed(&c->cycles) &&
        !is_gain(&c->cycles, away(&c->cycles)) && c->loop->entries > 0 &&
        c->iterations / c->loop->entries < SHORT_RUN)
        return memory_printf(
            "%s%.2f cycles an iteration (%.2f in long runs of the loop), "
            "limited by %s",
            cy_report_mark(c), c->cycles.predicted, c->cycles.steady,
            cy_limit_name(cy_report_limit(c)));
    return memory_printf("%s%.2f cycles an iteration, limited by %s",
                         cy_report_mark(c), c->cycles.predicted,
                         cy_limit_name(cy_report_limit(c)));
}

/* --- Chains --- */

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

TEXT_NAMES(cy_wait_name, cy_wait, "register", "address", "memory", "data",
           "fence", "units")
TEXT_NAMES(cy_limit_name, cy_limit, "memory", "registers", "units",
           "mispredictions", "caches", CY_NOT_KNOWN)
TEXT_NAMES(cy_how_name, cy_how, "forwarded", "renamed", "failed")
TEXT_NAMES(cy_relation_name, cy_relation, "same", "contained", "partial",
           "several", "crossing", "crossing_page")
TEXT_NAMES(cy_edges_name, cy_edges, "none", "static", "observed")

bool cy_report_is_forward(const struct cy_link *l)
{
    return !l->forward.varies && l->wait == CY_WAIT_MEMORY &&
           l->from == l->forward.store && l->rounds == l->forward.rounds;
}

bool cy_report_is_by_data(const struct cy_cost_of_loop *c,
                          const struct cy_link *l)
{
    return l->forward.varies || cy_is_by_data(c->steps, c->n, l->to);
}

uint64_t cy_report_distance(const struct cy_cost_of_loop *c,
                            const struct cy_forward *f, uint32_t load)
{
    assert(f->store < c->n && load < c->n);
    assert(f->rounds > 0 || f->store < load);
    return (uint64_t)f->rounds * c->n + load - f->store;
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

char *cy_report_variable(const struct cy_report *report,
                         const struct cy_cost_of_loop *c,
                         const struct cy_forward *f, uint32_t load)
{
    assert(f->store < c->n && load < c->n);
    return cy_code_variable(report->code, c->loop->object,
                            c->insns[f->store].address, c->loop->object,
                            c->insns[load].address);
}

void cy_report_through(FILE *out, char *variable)
{
    const char *name = variable != NULL ? strstr(variable, "(): ") : NULL;

    if (name != NULL)
        fprintf(out, ", through %s of %.*s()", name + strlen("(): "),
                (int)(name - variable), variable);
    else if (variable != NULL)
        fprintf(out, ", through %s", variable);
    free(variable);
}

/* --- Names and places --- */

const char *cy_known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

const char *cy_report_object(const struct cy_report *r,
                             const struct cy_cost_of_loop *c)
{
    assert(c->loop->object < r->data->n_objects);
    return r->data->objects[c->loop->object].path;
}

struct cy_line cy_report_place(const struct cy_report *r,
                               const struct cy_cost_of_loop *c, uint32_t step)
{
    bool is_one = c->loop->object == r->data->program;

    assert(step < c->n);
    uint64_t address = c->insns[step].address;
    struct cy_line place = cy_code_line(r->code, c->loop->object, address);
    if (place.text[0] == '\0')
        snprintf(place.text, sizeof place.text, "%s%s%#" PRIx64,
                 is_one ? "" : text_base_name(cy_report_object(r, c)),
                 is_one ? "" : "+", address);
    return place;
}

bool cy_report_begins_line(const struct cy_report *r,
                           const struct cy_cost_of_loop *c, uint32_t step,
                           char **last, struct cy_line *line, char **inlined)
{
    uint64_t address = c->insns[step].address;
    bool begins;

    assert(step < c->n);
    *line = cy_code_line(r->code, c->loop->object, address);
    *inlined = r->has_inlines
                   ? cy_code_inlined(r->code, c->loop->object, address)
                   : NULL;
    char *both =
        memory_printf("%s %s", line->text, *inlined != NULL ? *inlined : "");
    begins =
        line->text[0] != '\0' && (*last == NULL || strcmp(both, *last) != 0);
    if (begins) {
        free(*last);
        *last = both;
        return true;
    }
    free(both);
    return false;
}

char *cy_report_other_names(const struct cy_report *r, const char *function)
{
    size_t n;
    const struct cy_alias *aliases = cy_data_aliases(r->data, function, &n);

    if (n == 0)
        return NULL;
    struct memory_stream text = memory_stream_open(&text);
    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%s", i > 0 ? "," : "", aliases[i].name);
    return memory_stream_close(&text);
}

char *cy_report_name(const struct cy_report *r, const struct cy_cost_of_loop *c)
{
    if (c->name == NULL && c->function == NULL)
        return memory_printf("%#" PRIx64, c->address);
    if (c->name != NULL)
        return text_make_safe(memory_text(c->name));
    AUTO_FREE char *others = cy_report_other_names(r, c->function);
    return demangle_names(c->function, others);
}

/* --- Rows --- */

void cy_put_real(struct report_row *row, struct report_column column,
                 bool is_known, double number)
{
    if (is_known)
        report_real(row, column, number);
    else if (column.heading != NULL && column.key == NULL)
        report_text(row, column, "-");
    else
        report_none(row, column);
}

void cy_put_code(struct report_row *row, struct report_column column,
                 const struct cy_report *r, const struct cy_cost_of_loop *c,
                 const char *code, uint32_t step)
{
    AUTO_FREE char *after =
        memory_printf(" %s", cy_report_place(r, c, step).text);

    report_code(row, column, code, after);
}

void cy_put_line(struct report_row *row, struct report_column column,
                 struct cy_code *code, uint32_t object, uint64_t address)
{
    report_text(row, column,
                cy_known(cy_code_line(code, object, address).text));
}
