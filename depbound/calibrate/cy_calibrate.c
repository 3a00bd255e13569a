/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"

#include "output.h"

#define IDIOM_BELOW      4.0 /* cycles: half of a round whose chain is unbroken */
#define RENAMED_SAVES    2.0 /* cycles that renaming a counter saves, at least */
#define LEAST_COMPLETION 1.5 /* cycles that stores complete later, at least */
#define TOGETHER         0.7 /* share of a store's cycles, if two leave together */
#define VECTORS_DELAY    4 /* cycles that a misprediction takes longer by them */
#define AT_ONCE          0.7 /* share of a root's latency, if roots do not wait */

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

/* The size of a buffer: the published one if the measured one is near it or
   unclear (0), else the measured one. */
static unsigned size_of(unsigned measured, unsigned published)
{
    double difference = fabs((double)measured - published);

    return measured == 0 || difference <= 0.05 * published ? published
                                                           : measured;
}

/* Cycles of a mispredicted comparison and branch after its operands are known,
   by the case `missed` and the same without mispredictions, `predicted`.  About
   half of the random branches of `missed` are mispredicted.  0: not known. */
static unsigned misprediction(const struct cy_results *r, const char *missed,
                              const char *predicted)
{
    double half = cy_result_named(r, missed) - cy_result_named(r, predicted);

    return half > 0 ? 2 * (unsigned)lround(half) : 0;
}

/* How many times a counter in memory is forwarded before it is renamed, from a
   loop in which every 128th round adds to another counter.  0: not known, or
   counters are never renamed. */
static unsigned renamed_after(const struct cy_results *r)
{
    double renamed = cy_result_named(r, "counts_one");
    double forwarded = 2 * cy_result_named(r, "counts_by_turns");
    double more = 128 * (cy_result_named(r, "counts_other") - renamed);

    return forwarded > renamed + RENAMED_SAVES && more > 0
               ? (unsigned)lround(more / (forwarded - renamed))
               : 0;
}

/* How much later a store is complete than a load whose value it has.  0: about
   as late. */
static unsigned store_completion(const struct cy_results *r)
{
    double more = cy_result_named(r, "failed_after") -
                  cy_result_named(r, "failed_beside");

    return more > LEAST_COMPLETION ? (unsigned)lround(more) : 0;
}

/* Registers for results; 0 if the reorder buffer may have been full before. The
   row with which rounds get longer differs by some ten of them. */
static unsigned results_of(unsigned measured, unsigned reorder_buffer)
{
    return measured * 10 < reorder_buffer * 9 ? measured / 16 * 16 : 0;
}

static struct cy_window window_of(const struct cy_results *r,
                                  const struct cy_core *core)
{
    struct cy_window window = core->window;
    unsigned beside_vectors;

    window.reorder_buffer =
        size_of(r->window.reorder_buffer, window.reorder_buffer);
    window.store_buffer = size_of(r->window.store_buffer, window.store_buffer);
    window.general_results =
        results_of(r->window.general_results, window.reorder_buffer);
    window.vector_results =
        results_of(r->window.vector_results, window.reorder_buffer);
    window.misprediction = misprediction(r, "mispredicted", "predicted");
    beside_vectors =
        misprediction(r, "mispredicted_vector", "predicted_vector");
    if (beside_vectors >= window.misprediction + VECTORS_DELAY)
        window.vector_misprediction = beside_vectors - window.misprediction;
    window.renamed_after = renamed_after(r);
    window.store_completion = store_completion(r);
    assert(window.general_results <= r->window.general_results);
    assert(window.vector_results <= r->window.vector_results);
    return window;
}

static void write_window(FILE *out, const struct cy_window *window)
{
    struct list list = begin(out, "window", "{}");

    for (const struct cy_json_row *m = cy_window_members; m->key != NULL; m++) {
        const unsigned *entries =
            (const void *)((const char *)window + m->offset);

        assert(m->offset + sizeof *entries <= sizeof *window);
        if (*entries == 0)
            continue;
        next(&list);
        fprintf(out, "\"%s\": %u", m->key, *entries);
    }
    end(&list);
}

static void write_head(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results)
{
    const struct cy_core *core = cy_core_of(cpu);
    const struct cy_window window = window_of(results, core);
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
    write_window(out, &window);
    cy_levels_write(out, &results->memory);
}

/* Cycles of a floating-point addition after a load, from its chain through
   memory: since Golden Cove, Intel's processors are quicker if additions follow
   each other.  NAN for other cases. */
static double after_load(const struct cy_results *r, const struct cy_case *c)
{
    const char *plain = strstr(c->name, "_ymm") != NULL   ? "ymm"
                        : strstr(c->name, "_zmm") != NULL ? "zmm"
                                                          : "xmm";
    size_t i = cy_case_named(plain); /* each class has a case of its name */

    if (strncmp(c->name, "adds", 4) != 0 && strncmp(c->name, "addp", 4) != 0)
        return NAN;
    assert(i < cy_n_cases && cy_cases[i].kind == CY_FORWARD);
    return r->cases[i][CY_ADD].cycles - cy_result_of(r, i, CY_MUL);
}

/* What a case's instruction takes by the case of the same name and a suffix. */
static double part_of(const struct cy_results *r, const struct cy_case *c,
                      const char *suffix)
{
    char name[64];

    snprintf(name, sizeof name, "%s%s", c->name, suffix);
    return cy_result_named(r, name);
}

/* Cycles of an instruction after one of another kind; NAN if that is the same
   as after its own kind, or unknown. */
static double first_of(const struct cy_results *r, const struct cy_case *c,
                       double cycles)
{
    double first = after_load(r, c);

    if (first > cycles + 0.5)
        return first;
    first = part_of(r, c, "_beside");
    return fabs(first - cycles) > 0.05 ? first : NAN;
}

static void write_insns(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_kind kind)
{
    struct list list = begin(out, key, "[]");

    for (size_t i = 0; i < cy_n_cases; i++) {
        const struct cy_case *c = &cy_cases[i];
        double cycles = cy_result_of(r, i, CY_COPY), first, high, kept;

        if (c->kind != kind || isnan(cycles))
            continue;
        first = kind == CY_LATENCY ? first_of(r, c, cycles) : NAN;
        high = kind == CY_LATENCY ? part_of(r, c, "_high") : NAN;
        kept = kind == CY_LATENCY ? part_of(r, c, "_kept") : NAN;
        if (c->is_whole)
            cycles = round(cycles);
        next(&list);
        fprintf(out, "{%s", c->keys);
        if (!isnan(first))
            cy_write_number(out, "cycles", cy_rounded(first));
        cy_write_number(out, isnan(first) ? "cycles" : "chained",
                        cy_rounded(cycles));
        if (high > cycles + 0.5)
            cy_write_number(out, "high", cy_rounded(high));
        if (kept < cycles - 0.5)
            cy_write_number(out, "kept", cy_rounded(kept));
        fputc('}', out);
    }
    end(&list);
}

static void write_forwards(FILE *out, const struct cy_results *r, bool *agree)
{
    static const char *const classes[] = {"general", "xmm", "ymm", "zmm"};
    struct list list = begin(out, "forward", "[]");
    AUTO_FREE struct cy_derived *rules = memory_new(cy_n_cases, sizeof *rules);

    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        size_t n = cy_derive(r, classes[c], rules, agree);

        for (size_t i = 0; i < n; i++) {
            next(&list);
            cy_derived_write(out, &rules[i]);
        }
    }
    end(&list);
}

/* Is it a figure of stores that leave the store buffer together, though none
   does, or any two to one line do? */
static bool is_no_pair(const struct cy_results *r, const char *name)
{
    double one = TOGETHER * cy_result_named(r, "store_xmm");

    if (strcmp(name, "store_line") == 0)
        return !(cy_result_named(r, name) < one);
    return strcmp(name, "store_pair") == 0 &&
           (cy_result_named(r, "store_line") < one ||
            !(cy_result_named(r, name) <
              TOGETHER * cy_result_named(r, "store_general")));
}

static void write_accesses(FILE *out, const struct cy_results *r)
{
    struct list list = begin(out, "access", "{}");

    for (size_t i = 0; i < cy_n_cases; i++) {
        double cycles = cy_result_of(r, i, CY_COPY);

        if (cy_cases[i].kind != CY_ACCESS || isnan(cycles) ||
            is_no_pair(r, cy_cases[i].name))
            continue;
        next(&list);
        fprintf(out, "\"%s\": ", cy_cases[i].name);
        json_number(out, cy_rounded(cycles));
    }
    end(&list);
}

/* Writes the cases of a kind whose rounds take fewer cycles than `below`. */
static void write_short(FILE *out, const struct cy_results *r, const char *key,
                        enum cy_kind kind, double below)
{
    struct list list = begin(out, key, "[]");

    assert(kind == CY_IDIOM || kind == CY_FUSED);
    for (size_t i = 0; i < cy_n_cases; i++)
        if (cy_cases[i].kind == kind && r->cases[i][CY_COPY].cycles < below) {
            next(&list);
            fputs(cy_cases[i].keys, out);
        }
    end(&list);
}

/* Names of figures that did not repeat. */
struct uncertain {
    const char **names;
    size_t n, room;
    size_t n_figures; /* figures of cases that the processor can run */
};

static bool is_steady(const struct cy_results *r, size_t i)
{
    bool is = true;

    for (enum cy_op op = 0; op < CY_N_OPS; op++)
        is &= cy_cases[i].loops[op] == NULL || r->cases[i][op].steady;
    return is;
}

/* The figures that did not repeat.  `agree`: rules tell all that was
   measured. */
static struct uncertain find_uncertain(const struct cy_results *r,
                                       const struct cy_cpu *cpu, bool agree)
{
    struct uncertain u = {0};

    for (size_t i = 0; i < cy_n_cases; i++) {
        if (!cy_case_runs(&cy_cases[i], cpu))
            continue;
        u.n_figures++;
        if (!is_steady(r, i))
            array_push(u.names, u.n, u.room, cy_cases[i].name);
    }
    if (!agree)
        array_push(u.names, u.n, u.room, "moving_pointer");
    if (r->window.reorder_buffer == 0)
        array_push(u.names, u.n, u.room, "reorder_buffer");
    if (r->window.store_buffer == 0)
        array_push(u.names, u.n, u.room, "store_buffer");
    if (r->memory.misses == 0)
        array_push(u.names, u.n, u.room, "memory");
    if (isnan(r->memory.l3_lifetime))
        array_push(u.names, u.n, u.room, "l3_lifetime");
    return u;
}

static void write_uncertain(FILE *out, const struct uncertain *u)
{
    struct list list = begin(out, "uncertain", "[]");

    for (size_t i = 0; i < u->n; i++) {
        next(&list);
        json_text(out, u->names[i]);
    }
    end(&list);
}

/* Names the figures in a sentence, which the caller frees; NULL: no figures. */
static char *tell_uncertain(const struct uncertain *u)
{
    if (u->n == 0)
        return NULL;
    struct memory_stream text = memory_stream_open(&text);
    fprintf(text.out, "%zu figure%s did not repeat: ", u->n,
            u->n == 1 ? "" : "s");
    for (size_t i = 0; i < u->n; i++)
        fprintf(text.out, "%s%s%s", i > 0 ? ", " : "", u->names[i],
                strcmp(u->names[i], "memory") == 0
                    ? " (others use the caches, or Linux does not tell their "
                      "sizes)"
                    : "");
    return memory_stream_close(&text);
}

/* Fails with *d set if the machine was too busy to measure: fewer samples than
   the least share ran undisturbed, or more than the largest share of the
   figures did not repeat. */
#define UNDISTURBED 0.4
#define UNCERTAIN   0.05
static int refuse(const struct uncertain *u, const struct cy_results *r,
                  struct diag *d)
{
    const char *advice = "stop what else runs on it, or try --wait=600, which "
                         "waits for quiet moments; --force writes the file "
                         "all the same";

    if (r->undisturbed < UNDISTURBED)
        return diag_set(d,
                        "the machine is too busy to measure: %.0f %% of the "
                        "samples were disturbed; %s",
                        100 * (1 - r->undisturbed), advice);
    if ((double)u->n > UNCERTAIN * (double)u->n_figures)
        return diag_set(d,
                        "the machine is too busy to measure: %zu of %zu "
                        "figures did not repeat; %s",
                        u->n, u->n_figures, advice);
    return 0;
}

/* Writes everything but the end of the file. */
static struct uncertain write_all(FILE *out, const char *name,
                                  const struct cy_cpu *cpu,
                                  const struct cy_results *results)
{
    bool agree = true;

    write_head(out, name, cpu, results);
    write_insns(out, results, "load", CY_LOAD);
    write_forwards(out, results, &agree);
    write_insns(out, results, "latency", CY_LATENCY);
    write_insns(out, results, "occupancy", CY_OCCUPANCY);
    write_insns(out, results, "throughput", CY_UNITS);
    write_accesses(out, results);
    cy_dispatch_write(out, results);
    write_short(out, results, "zero_idioms", CY_IDIOM, IDIOM_BELOW);
    write_short(out, results, "fused", CY_FUSED, cy_fused_below(results));
    if (cy_result_named(results, "sqrtsd_zero") <
        AT_ONCE * cy_result_named(results, "sqrtsd"))
        fputs(",\n  \"zero_upper\": true", out);
    if (cy_core_of(cpu)->is_golden)
        fputs(",\n  \"unsteady\": true,\n  \"loops_by_history\": true", out);
    struct uncertain uncertain = find_uncertain(results, cpu, agree);
    write_uncertain(out, &uncertain);
    return uncertain;
}

int cy_calibrate_write(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results, bool is_forced,
                       char **uncertain, struct diag *d)
{
    struct memory_stream memory = memory_stream_open(&memory);
    struct uncertain names = write_all(memory.out, name, cpu, results);
    bool is_refused = refuse(&names, results, d) != 0;
    fputs(is_refused ? ",\n  \"forced\": true\n}\n" : "\n}\n", memory.out);
    AUTO_FREE char *text = memory_stream_close(&memory);
    is_refused &= !is_forced;
    *uncertain = is_refused ? NULL : tell_uncertain(&names);
    if (!is_refused)
        fputs(text, out);
    free(names.names);
    return is_refused ? -1 : 0;
}

int cy_calibrate(FILE *out, const char *name, double wait, bool is_forced,
                 char **uncertain, struct diag *d)
{
    struct cy_clock clock;
    struct cy_cpu cpu;

    *uncertain = NULL;
    if (cy_cpu_read(&cpu, "/proc/cpuinfo", d) != 0)
        return -1;
    if (!cy_cpu_has(&cpu, "constant_tsc"))
        return diag_set(d,
                        "%s: its time stamp counter has no constant rate, so "
                        "cycles cannot be measured",
                        cpu.name);
    struct cy_results *results = cy_results_new();
    cy_clock_init(&clock, wait);
    cy_measure(results, &cpu, &clock);
    cy_levels_measure(&results->memory, &clock);
    int rc =
        cy_calibrate_write(out, name, &cpu, results, is_forced, uncertain, d);
    cy_results_free(results);
    return rc;
}
