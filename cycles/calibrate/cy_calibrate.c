/*
 * cy_calibrate: a machine file for the processor that this runs on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_calibrate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "calibrate/internal.h"
#include "json.h"

#define IDIOM_BELOW 4.0 /* cycles: half of what the chain would take */
/* The share of an unfused round: fused pairs take 40 of its 48 places. */
#define FUSED_BELOW 0.92

/* A list or an object that is being written, one entry per line. */
struct list {
    FILE *out;
    const char *end;
    bool begun;
};

static struct list begin(FILE *out, const char *key, const char *brackets)
{
    fprintf(out, ",\n  \"%s\": %c", key, brackets[0]);
    return (struct list){.out = out, .end = brackets + 1};
}

static void next(struct list *list)
{
    fputs(list->begun ? ",\n    " : "\n    ", list->out);
    list->begun = true;
}

static void end(struct list *list)
{
    fprintf(list->out, "%s%s", list->begun ? "\n  " : "", list->end);
}

static void write_window(FILE *out, const struct cy_window *window)
{
    struct list list = begin(out, "window", "{}");

    for (const struct cy_member *m = cy_window_members; m->key != NULL; m++) {
        const unsigned *entries =
            (const void *)((const char *)window + m->offset);

        if (*entries == 0)
            continue;
        next(&list);
        fprintf(out, "\"%s\": %u", m->key, *entries);
    }
    end(&list);
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
    write_window(out, &core->window);
}

/* The number of a forward case, by its name. */
static size_t forward_case(const char *name)
{
    size_t i = 0;

    while (strcmp(cy_forward_cases[i].name, name) != 0) {
        i++;
        assert(i < cy_n_forward_cases);
    }
    return i;
}

/* What a floating-point addition takes after a load, from its chain through
   memory: Intel's processors since Golden Cove are quicker at additions after
   each other.  NAN for other cases. */
static double after_load(const struct cy_results *r,
                         const struct cy_insn_case *c)
{
    const char *plain = strstr(c->name, "_ymm") != NULL   ? "ymm"
                        : strstr(c->name, "_zmm") != NULL ? "zmm"
                                                          : "xmm";
    size_t i = forward_case(plain); /* each class has one of its name */

    if (strncmp(c->name, "adds", 4) != 0 && strncmp(c->name, "addp", 4) != 0 &&
        strncmp(c->name, "subs", 4) != 0 && strncmp(c->name, "subp", 4) != 0)
        return NAN;
    return r->forwards[i][CY_ADD].cycles - cy_result_forward(r, i, CY_MUL);
}

/* What an instruction takes after one of another kind; NAN if that is the same
   or unknown. */
static double first_of(const struct cy_results *r, const struct cy_insn_case *c,
                       double cycles)
{
    char beside[64];
    double first = after_load(r, c);

    if (first > cycles + 0.5)
        return first;
    snprintf(beside, sizeof beside, "%s_beside", c->name);
    first = cy_result_named(r, beside);
    return fabs(first - cycles) > 0.05 ? first : NAN;
}

static void write_insns(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_what what)
{
    struct list list = begin(out, key, "[]");

    for (size_t i = 0; i < r->n; i++) {
        const struct cy_insn_case *c = r->cases[i];
        double cycles = cy_result_insn(r, i), first;

        if (c->what != what || isnan(cycles))
            continue;
        first = what == CY_LATENCY ? first_of(r, c, cycles) : NAN;
        next(&list);
        fprintf(out, "{%s, \"cycles\": ", c->keys);
        if (!isnan(first)) {
            json_number(out, cy_rounded(first));
            fputs(", \"chained\": ", out);
        }
        json_number(out, cy_rounded(cycles));
        fputc('}', out);
    }
    end(&list);
}

static void write_forwards(FILE *out, const struct cy_results *r, bool *agree)
{
    static const char *const classes[] = {"general", "xmm", "ymm", "zmm"};
    struct list list = begin(out, "forward", "[]");
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
    struct list list = begin(out, "access", "{}");

    for (size_t i = 0; i < r->n; i++) {
        double cycles = cy_result_insn(r, i);

        if (r->cases[i]->what != CY_ACCESS || isnan(cycles))
            continue;
        next(&list);
        fprintf(out, "\"%s\": ", r->cases[i]->keys);
        json_number(out, cy_rounded(cycles));
    }
    end(&list);
}

/* Writes the cases of a kind whose rounds are shorter than `below` cycles. */
static void write_short(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_what what, double below)
{
    struct list list = begin(out, key, "[]");

    assert(what == CY_IDIOM || what == CY_FUSED);
    for (size_t i = 0; i < r->n; i++)
        if (r->cases[i]->what == what && r->insns[i].cycles < below) {
            next(&list);
            fputs(r->cases[i]->keys, out);
        }
    end(&list);
}

/* Writes the name of a case that is not steady, and counts it, unless the
   processor cannot run it. */
static void write_unsteady(struct list *list, int *n, const struct cy_cpu *cpu,
                           const char *name, const char *flag)
{
    if (flag != NULL && !cy_cpu_has(cpu, flag))
        return;
    next(list);
    json_text(list->out, name);
    ++*n;
}

/* Lists the cases that are not steady; returns how many there are. */
static int write_uncertain(FILE *out, const struct cy_results *r,
                           const struct cy_cpu *cpu, bool agree)
{
    struct list list = begin(out, "uncertain", "[]");
    int n = 0;

    for (size_t i = 0; i < r->n; i++)
        if (!r->insns[i].steady)
            write_unsteady(&list, &n, cpu, r->cases[i]->name,
                           r->cases[i]->flag);
    for (size_t i = 0; i < cy_n_forward_cases; i++) {
        const struct cy_forward_case *c = &cy_forward_cases[i];
        bool steady = true;

        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            steady &= c->loops[op] == NULL || r->forwards[i][op].steady;
        if (!steady)
            write_unsteady(&list, &n, cpu, c->name, c->flag);
    }
    if (!agree)
        write_unsteady(&list, &n, cpu, "moving pointers", NULL);
    end(&list);
    return n;
}

int cy_calibrate_write(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results)
{
    bool agree = true;
    int n;

    write_head(out, name, cpu);
    write_insns(out, results, "load", CY_LOAD);
    write_forwards(out, results, &agree);
    write_insns(out, results, "latency", CY_LATENCY);
    write_insns(out, results, "occupancy", CY_OCCUPANCY);
    write_accesses(out, results);
    write_short(out, results, "zero_idioms", CY_IDIOM, IDIOM_BELOW);
    write_short(out, results, "fused", CY_FUSED,
                FUSED_BELOW * cy_result_named(results, "dispatch"));
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
                        "%s: its time stamp counter has no constant rate, so "
                        "cycles cannot be measured",
                        cpu.name);
    results = cy_results_new();
    cy_measure(results, &cpu);
    uncertain = cy_calibrate_write(out, name, &cpu, results);
    cy_results_free(results);
    return uncertain;
}
