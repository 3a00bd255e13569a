/* Figures that a processor could have, and the machine file made of them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "unit.h"

#include <unistd.h>

#include "calibrate/cy_calibrate.h"
#include "machine/cy_machine.h"

/* The measurements of a test, and the machine file made of them. */
static struct cy_results *r;
static struct cy_machine *m;

static const struct cy_cpu cpu = {"GenuineIntel", 6, 207, "A \"Xeon\"", " "};

/* Sets buffers with a clear jump; no sample was disturbed. */
static void set_quiet(void)
{
    r->undisturbed = 1;
    r->memory =
        (struct cy_memory){.misses = 1,
                           .data = {1, 1, 0, 0, 0},
                           .code = {1, 1, 0, 0, 0},
                           .beyond = {{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {0}},
                           .l3_least_kib = 1,
                           .l3_most_kib = 1,
                           .pages = {1, 1}};
    r->window = (struct cy_window){.reorder_buffer = 505,
                                   .store_buffer = 60,
                                   .general_results = 200,
                                   .vector_results = 500};
    for (size_t i = 0; i < cy_n_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            r->cases[i][op].steady = true;
}

static void set(struct cy_result *result, double cycles)
{
    result->cycles = result->least = result->most = cycles;
    result->steady = true;
}

static size_t case_of(const char *name, bool is_forward)
{
    for (size_t i = 0; i < cy_n_cases; i++)
        if ((cy_cases[i].kind == CY_FORWARD) == is_forward &&
            strcmp(cy_cases[i].name, name) == 0)
            return i;
    fail_msg("%s is no case", name);
    return 0;
}

static struct cy_result *insn_result(const char *name)
{
    return &r->cases[case_of(name, false)][CY_COPY];
}

/* Sets a forward case as if the processor took `copy` and `other` cycles, and
   at least `least` with additions. */
static void set_forward(size_t i, double copy, double other, double least)
{
    const struct cy_case *c = &cy_cases[i];
    const double cycles[] = {copy, fmax(other + 1, least), other + 3};

    for (enum cy_op op = 0; op < CY_N_OPS; op++)
        if (c->loops[op] != NULL)
            set(&r->cases[i][op], c->links * cycles[op]);
}

/* Sets figures of general registers only: additions take a cycle,
   multiplications three, and all values through memory are renamed. */
BEFORE_EACH()
{
    r = cy_results_new();
    m = NULL;
    set_quiet();
    set(insn_result("add"), 4);
    set(insn_result("imul"), 12);
    set(insn_result("mov"), 2.8);
    for (size_t i = 0; i < cy_n_cases; i++)
        if (cy_cases[i].kind == CY_FORWARD &&
            strcmp(cy_cases[i].class, "general") == 0)
            set_forward(i, 1, 0, 0);
}

AFTER_EACH()
{
    cy_machine_free(m);
    cy_results_free(r);
}

/* Writes the machine file and reads it again. */
static void write_machine(const char *uncertain, bool is_forced)
{
    char path[] = "/tmp/calibrate.XXXXXX";
    int fd = mkstemp(path);
    FILE *out = fdopen(fd, "w");
    struct diag d = {""};
    char *told;

    assert_non_null(out);
    assert_int_equal(
        cy_calibrate_write(out, NULL, &cpu, r, is_forced, &told, &d), 0);
    if (uncertain == NULL)
        assert_null(told);
    else
        assert_string_equal(told, uncertain);
    free(told);
    assert_int_equal(fclose(out), 0);
    d.text[0] = '\0';
    cy_machine_free(m);
    m = cy_machine_read(path, &d);
    unlink(path);
    assert_string_equal(d.text, "");
}

/* The facts of the file that is written, in which all is certain. */
static const struct cy_facts *written(void)
{
    write_machine(NULL, false);
    return cy_machine_facts(m);
}
