/*
 * cy_calibrate: a machine file for the processor that this runs on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_calibrate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "calibrate/cy_derive.h"
#include "json.h"

#define IDIOM_BELOW 4.0 /* cycles: half of what the chain would take */
#define FUSED_BELOW                                                     \
    0.92 /* of a round of single places: 40 of 48 if two are in one, or \
            48 of 48 */

/* A list that is being written. */
struct list {
    FILE *out;
    bool begun;
};

static struct list begin(FILE *out, const char *key)
{
    fprintf(out, ",\n  \"%s\": [", key);
    return (struct list){out, false};
}

static void next(struct list *list)
{
    fputs(list->begun ? ",\n" : "\n", list->out);
    list->begun = true;
}

static void end(struct list *list)
{
    fputs(list->begun ? "\n  ]" : "]", list->out);
}

static void write_size(struct list *list, const char *key, unsigned entries)
{
    if (entries == 0)
        return;
    next(list);
    fprintf(list->out, "    \"%s\": %u", key, entries);
}

static void write_window(FILE *out, const struct cy_core *core)
{
    struct list list = {out, false};

    fputs(",\n  \"window\": {", out);
    write_size(&list, "scheduler", core->window.scheduler);
    write_size(&list, "reorder_buffer", core->window.reorder_buffer);
    write_size(&list, "load_buffer", core->window.load_buffer);
    write_size(&list, "store_buffer", core->window.store_buffer);
    fputs(list.begun ? "\n  }" : "}", out);
}

static void write_head(FILE *out, const char *name, const struct cy_cpu *cpu)
{
    const struct cy_core *core = cy_core_of(cpu);
    char source[512];

    snprintf(source, sizeof source,
             "Measured by depbound --calibrate on %s (%s family %u model %u).",
             cpu->name[0] != '\0' ? cpu->name : "a processor", cpu->vendor,
             cpu->family, cpu->model);
    fputs("{\n  \"name\": ", out);
    json_text(out, name != NULL ? name : core->name);
    fputs(",\n  \"source\": ", out);
    json_text(out, source);
    fputs(",\n  \"match\": [\n    {\"vendor\": ", out);
    json_text(out, cpu->vendor);
    fprintf(out,
            ", \"family\": %u, \"models\": %u}\n  ],\n  \"llvm_mca_cpu\": ",
            cpu->family, cpu->model);
    json_text(out, core->llvm);
    write_window(out, core);
}

static void write_figure(struct list *list, const char *keys, double cycles)
{
    assert(!isnan(cycles));
    next(list);
    fprintf(list->out, "    {%s, \"cycles\": ", keys);
    json_number(list->out, cy_rounded(cycles));
}

static const struct cy_result *find_forward(const struct cy_results *r,
                                            const char *name, size_t *i)
{
    for (*i = 0; *i < cy_n_forward_cases; ++*i)
        if (strcmp(cy_forward_cases[*i].name, name) == 0)
            return r->forwards[*i];
    return NULL;
}

/* Additions of numbers with a point: where they are quicker after each other,
   as on Intel's processors since Golden Cove, the chain through memory shows
   what they take after a load.  NAN for other cases. */
static double after_load(const struct cy_results *r,
                         const struct cy_insn_case *c)
{
    const char *plain = strstr(c->name, "_ymm") != NULL   ? "ymm"
                        : strstr(c->name, "_zmm") != NULL ? "zmm"
                                                          : "xmm";
    const struct cy_result *chains;
    bool ignored;
    size_t i;

    if (strncmp(c->name, "adds", 4) != 0 && strncmp(c->name, "addp", 4) != 0 &&
        strncmp(c->name, "subs", 4) != 0 && strncmp(c->name, "subp", 4) != 0)
        return NAN;
    chains = find_forward(r, plain, &i);
    assert(chains != NULL); /* each class has a plain case of its name */
    return chains[CY_ADD].cycles - cy_result_forward(r, i, CY_MUL, &ignored);
}

/* What an instruction takes after one of another kind; NAN if that is the same
   or unknown. */
static double first_of(const struct cy_results *r, const struct cy_insn_case *c,
                       double cycles)
{
    char beside[64];
    double first = after_load(r, c);
    bool ignored;

    if (first > cycles + 0.5)
        return first;
    snprintf(beside, sizeof beside, "%s_beside", c->name);
    first = cy_result_named(r, beside, &ignored);
    return fabs(first - cycles) > 0.05 ? first : NAN;
}

static void write_insns(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_what what)
{
    struct list list = begin(out, key);

    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < r->tables[t]->n; i++) {
            const struct cy_insn_case *c = &r->tables[t]->cases[i];
            bool ignored;
            double cycles = cy_result_insn(r, t, i, &ignored);
            double first;

            if (c->what != what || isnan(cycles))
                continue;
            first = what == CY_LATENCY ? first_of(r, c, cycles) : NAN;
            if (isnan(first)) {
                write_figure(&list, c->keys, cycles);
            } else {
                write_figure(&list, c->keys, first);
                fputs(", \"chained\": ", out);
                json_number(out, cy_rounded(cycles));
            }
            fputc('}', out);
        }
    end(&list);
}

static void write_forwards(FILE *out, const struct cy_results *r, bool *agree)
{
    static const char *const classes[] = {"general", "xmm", "ymm", "zmm"};
    struct list list = begin(out, "forward");
    struct cy_derived rules[128];

    assert(cy_n_forward_cases <= sizeof rules / sizeof rules[0]);
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        size_t n = cy_derive(r, classes[c], rules, agree);

        for (size_t i = 0; i < n; i++) {
            next(&list);
            cy_derived_write(out, &rules[i]);
        }
    }
    end(&list);
}

static void write_accesses(FILE *out, const struct cy_results *r)
{
    struct list list = {out, false};

    fputs(",\n  \"access\": {", out);
    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < r->tables[t]->n; i++) {
            const struct cy_insn_case *c = &r->tables[t]->cases[i];
            bool ignored;
            double cycles = cy_result_insn(r, t, i, &ignored);

            if (c->what != CY_ACCESS || isnan(cycles))
                continue;
            next(&list);
            fprintf(out, "    \"%s\": ", c->keys);
            json_number(out, cy_rounded(cycles));
        }
    fputs(list.begun ? "\n  }" : "}", out);
}

/* Those of a kind whose rounds are short. */
static void write_short(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_what what, double below)
{
    struct list list = begin(out, key);

    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < r->tables[t]->n; i++) {
            const struct cy_insn_case *c = &r->tables[t]->cases[i];

            if (c->what != what || !(r->insns[t][i].cycles < below))
                continue;
            next(&list);
            fprintf(out, "    %s", c->keys);
        }
    end(&list);
}

static void write_name(struct list *list, const char *name, int *n)
{
    next(list);
    fputs("    ", list->out);
    json_text(list->out, name);
    ++*n;
}

/* Returns how many there are. */
static int write_uncertain(FILE *out, const struct cy_results *r,
                           const struct cy_cpu *cpu, bool agree)
{
    struct list list = begin(out, "uncertain");
    int n = 0;

    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < r->tables[t]->n; i++) {
            const struct cy_insn_case *c = &r->tables[t]->cases[i];

            if (!r->insns[t][i].steady &&
                (c->flag == NULL || cy_cpu_has(cpu, c->flag)))
                write_name(&list, c->name, &n);
        }
    for (size_t i = 0; i < cy_n_forward_cases; i++) {
        const struct cy_forward_case *c = &cy_forward_cases[i];
        bool steady = true;

        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            steady &= c->loops[op] == NULL || r->forwards[i][op].steady;
        if (!steady && (c->flag == NULL || cy_cpu_has(cpu, c->flag)))
            write_name(&list, c->name, &n);
    }
    if (!agree)
        write_name(&list, "moving pointers", &n);
    end(&list);
    return n;
}

int cy_calibrate_write(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results)
{
    bool agree = true, ignored;
    int n;

    write_head(out, name, cpu);
    write_insns(out, results, "load", CY_LOAD);
    write_forwards(out, results, &agree);
    write_insns(out, results, "latency", CY_LATENCY);
    write_insns(out, results, "occupancy", CY_OCCUPANCY);
    write_accesses(out, results);
    write_short(out, results, "zero_idioms", CY_IDIOM, IDIOM_BELOW);
    write_short(out, results, "fused", CY_FUSED,
                FUSED_BELOW * cy_result_named(results, "dispatch", &ignored));
    n = write_uncertain(out, results, cpu, agree);
    fputs("\n}\n", out);
    return n;
}

int cy_calibrate(FILE *out, const char *name, struct diag *d)
{
    struct cy_results *results;
    struct cy_cpu cpu;
    int uncertain;

    if (cy_cpu_read(&cpu, "/proc/cpuinfo", d) != 0)
        return -1;
    if (!cy_cpu_has(&cpu, "constant_tsc"))
        return diag_set(d,
                        "%s: its time stamp counter has no constant rate, by "
                        "which cycles are measured",
                        cpu.name);
    results = cy_results_new();
    cy_measure(results, &cpu);
    uncertain = cy_calibrate_write(out, name, &cpu, results);
    cy_results_free(results);
    return uncertain;
}
