/*
 * cy_report_remarks: the loops as LLVM's optimization remarks in YAML
 * ("Remarks" of LLVM's documentation), which llvm-remarkutil and
 * llvm-opt-report read.
 *
 * There is a remark for each loop, named after what limits the loop, for each
 * forward that fails, for each pair of store and load that costs much of the
 * program, in a loop or not, and for each load whose bytes were in none of the
 * stores before it, as far as windows show.  Cycles are those of an iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>

#include "output.h"
#include "report/internal.h"

/* A load has a remark if it has at least this share of the samples without a
   near store. */
#define LEAST_LOADS 0.01

/* Writes a text in single quotes; quotes within it are doubled. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    text_marked(out, text, "'", '\'');
    fputc('\'', out);
}

__attribute__((format(printf, 3, 4))) static void
argument(FILE *out, const char *key, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    AUTO_FREE char *value = memory_vprintf(format, values);
    va_end(values);
    fprintf(out, "  - %s: ", key);
    write_quoted(out, value);
    fputc('\n', out);
}

/* Writes the source line of an instruction, if it is known, indented. */
static void write_place(FILE *out, struct cy_code *code, uint32_t object,
                        uint64_t address, const char *indent)
{
    int line;
    AUTO_FREE char *file = cy_code_where(code, object, address, &line);

    if (file == NULL)
        return;
    fprintf(out, "%sDebugLoc: { File: ", indent);
    write_quoted(out, file);
    fprintf(out, ", Line: %d, Column: 0 }\n", line);
}

/* Begins a remark on an instruction of a function. */
static void begin_at(FILE *out, struct cy_code *code, uint32_t object,
                     uint64_t address, const char *function, const char *kind,
                     const char *name)
{
    fprintf(out, "--- !%s\nPass: depbound\nName: %s\n", kind, name);
    write_place(out, code, object, address, "");
    fputs("Function: ", out);
    write_quoted(out, function);
    fputs("\nArgs:\n", out);
}

static void begin(FILE *out, const struct cy_report *r,
                  const struct cy_cost_of_loop *c, const char *kind,
                  const char *name, uint32_t step)
{
    AUTO_FREE char *function = cy_report_name(r, c);

    assert(step < c->n);
    begin_at(out, r->code, c->loop->object, c->insns[step].address,
             c->function != NULL ? c->function : function, kind, name);
}

static void write_how_often(FILE *out, const struct cy_report *r,
                            const struct cy_cost_of_loop *c)
{
    if (r->data->has_executions)
        argument(out, "Iterations", "%" PRIu64, c->iterations);
    if (r->data->has_executions && !cy_unknown_is_all(&c->unknown))
        argument(out, "Share", "%.1f", cy_report_share(r, c));
}

static void write_failed(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c,
                         const struct cy_link *f)
{
    AUTO_FREE char *variable = cy_report_variable(r, c, &f->forward, f->to);

    begin(out, r, c, "Missed", "FailedForward", f->to);
    argument(out, "String",
             "the load needs bytes that no single store has, and waits until "
             "this store has left its buffer");
    argument(out, "Store", "%s", cy_report_place(r, c, f->from).text);
    write_place(out, r->code, c->loop->object, c->insns[f->from].address,
                "    ");
    argument(out, "Relation", "%s", cy_relation_name(f->forward.relation));
    argument(out, "Observed", "%s", f->forward.is_observed ? "yes" : "no");
    argument(out, "Cycles", "%.2f", f->cycles);
    if (variable != NULL)
        argument(out, "Variable", "%s", variable);
    write_how_often(out, r, c);
    fputs("...\n", out);
}

static void write_loop(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    static const char *const names[CY_N_LIMITS] = {
        [CY_BY_MEMORY] = "LimitedByMemory",
        [CY_BY_REGISTERS] = "LimitedByRegisters",
        [CY_BY_UNITS] = "LimitedByUnits",
        [CY_BY_MISPREDICTIONS] = "LimitedByMispredictions",
        [CY_BY_UNKNOWN] = "NotKnown",
    };
    enum cy_limit limit = cy_report_limit(c);
    AUTO_FREE char *round = cy_report_round_text(r, c),
                   *advice = cy_report_advice(r, c),
                   *unknown = cy_report_unknown(r, c);

    begin(out, r, c, limit == CY_BY_MEMORY ? "Missed" : "Analysis",
          names[limit], 0);
    argument(out, "String", "%s", round);
    if (!cy_unknown_is_all(&c->unknown)) {
        argument(out, "Cycles", "%.2f", c->cycles.predicted);
        argument(out, "Mended", "%.2f", c->cycles.mended);
    }
    write_how_often(out, r, c);
    if (advice != NULL)
        argument(out, "Advice", "%s", advice);
    if (unknown != NULL)
        argument(out, "NotKnown", "%s", unknown);
    fputs("...\n", out);
    for (unsigned i = 0; i < c->bound.n_failed; i++)
        write_failed(out, r, c, &c->bound.failed[i]);
}

static void begin_windowed(FILE *out, const struct cy_windowed *w,
                           const char *kind, const char *name, uint32_t insn)
{
    const struct cy_simulated_insn *load = &w->simulated[insn];

    assert(insn < w->n_insns && w->names[insn] != NULL);
    begin_at(out, w->code, load->object, load->address, w->names[insn], kind,
             name);
}

/* Writes a remark on a pair whose own fix gains enough for the verdict. */
static void write_pair(FILE *out, const struct cy_report *r,
                       const struct cy_windowed_pair *p)
{
    const struct cy_windowed *w = r->windowed;
    const struct cy_simulated_insn *store = &w->simulated[p->store];
    AUTO_FREE char *variable = cy_windowed_variable(r, p);

    begin_windowed(out, w, "Missed", "WaitsForStore", p->load);
    argument(out, "String", "the load waits for what this store passes to it");
    argument(out, "Store", "%s", cy_windowed_place(w, p->store).text);
    write_place(out, w->code, store->object, store->address, "    ");
    argument(out, "Share", "%.1f", cy_windowed_share(w, p->cycles));
    argument(out, "Gain", "%.1f", cy_windowed_share(w, p->gain));
    if (variable != NULL)
        argument(out, "Variable", "%s", variable);
    fputs("...\n", out);
}

/* Does an instruction, neither pop nor ret, never load from a recent store?
   Only functions that the user asked for count. */
static bool is_free(const struct cy_windowed *w, uint32_t insn)
{
    const struct cy_near_insn *near = &w->near.by_insn[insn];

    return near->n > 0 && near->stores == 0 && w->names[insn] != NULL &&
           !w->simulated[insn].step->operands.moves_stack &&
           cy_windowed_is_asked(w, insn);
}

void cy_report_remarks(FILE *out, const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, &r->prediction->loops[i]);
    if (r->windowed != NULL) {
        const struct cy_windowed *w = r->windowed;
        uint64_t all = 0;

        for (size_t i = 0; i < w->n_pairs && cy_windowed_is_known(w); i++)
            if (w->pairs[i].fix == i && w->names[w->pairs[i].load] != NULL &&
                cy_windowed_share(w, w->pairs[i].gain) >= CY_LEAST_GAIN)
                write_pair(out, r, &w->pairs[i]);
        /* Loads with a good part of the samples that no store is near. */
        for (uint32_t i = 0; i < w->n_insns; i++)
            all += is_free(w, i) ? w->near.by_insn[i].n : 0;
        for (uint32_t i = 0; i < w->n_insns; i++)
            if (is_free(w, i) &&
                (double)w->near.by_insn[i].n >= LEAST_LOADS * (double)all) {
                begin_windowed(out, w, "Analysis", "NoNearStore", i);
                argument(out, "String",
                         "whenever it was sampled, none of the %d stores "
                         "before the load wrote what it loads",
                         CY_FARTHEST);
                argument(out, "Address", "0x%" PRIx64, w->simulated[i].address);
                argument(out, "Loads", "%" PRIu64, w->near.by_insn[i].n);
                fputs("...\n", out);
            }
    }
}
