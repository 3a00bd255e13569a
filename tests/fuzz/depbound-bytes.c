/*
 * depbound-bytes: depbound on files, code and texts that are anything.
 *
 * The first byte of the input chooses what the rest is.  A deps.db, a static.db
 * of either kind or a machine file goes through all of depbound, with good
 * files for the others.  Machine code becomes the body of a loop, with
 * dependencies between any two of its instructions; an ELF file is asked for
 * its code, symbols and lines; an earlier report is compared with itself, in
 * which nothing may have changed; a text is taken for assembly source with
 * marks, for hexadecimal digits, and for a line with an assignment.  No other
 * process is started.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <unistd.h>

#include "compare/cy_compare.h"
#include "harness.h"
#include "binary/input.h"
#include "binary/objfile.h"
#include "core/cy_figure.h"

static const char *const names[] = {"deps.db", "static.db", "walks.db",
                                    "machine.json", "bench"};

#define N_NAMES (sizeof names / sizeof names[0])

enum kind { DEPS, STATIC, WALKS, MACHINE, CODE, OBJECT, TEXT, REPORT, N_KINDS };

static const char *const options[] = {
    "--format=text",  "--format=json", "--format=markdown",
    "--format=html",  "--annotate",    "--edges=none",
    "--edges=static", "--dot",         "-ocost.db",
};

#define N_OPTIONS (sizeof options / sizeof options[0])

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness_init("depbound", names, N_NAMES);
    return 0;
}

static void run_program(enum kind kind, size_t option)
{
    char *argv[] = {(char[]){"--cpu=./machine.json"},
                    (char[]){"--llvm-mca=none"},
                    (char *)options[option],
                    (char[]){"bench"},
                    (char[]){"deps.db"},
                    kind == WALKS ? (char[]){"walks.db"}
                                  : (char[]){"static.db"}};

    harness_run(argv, sizeof argv / sizeof argv[0]);
    unlink("cost.db");
}

/* Makes at most 16 dependencies of the bytes, two bytes for each. */
static void add_pairs(struct cy_data *data, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i + 1 < n && i < 32; i += 2)
        cy_pairs_add(&data->predicted,
                     (struct cy_pair){.store = bytes[i] & 0x1f,
                                      .load = bytes[i + 1] & 0x1f,
                                      .delta_k = bytes[i] >> 5,
                                      .distance = UINT64_MAX,
                                      .support = 1});
    data->predicted.is_present = true;
    cy_data_sort(data);
}

static void predict(struct cy_data *data)
{
    struct cy_choice choice = {.edges = CY_EDGES_STATIC};
    struct cy_code *code = cy_code_new(data, DISASM_ATT);
    struct cy_prediction p;
    struct cy_loops loops;
    struct diag d;
    struct cy_machine *machine = cy_machine_named(NULL, "./machine.json", &d);

    if (machine == NULL || cy_loops_of_regions(&loops, data, code, &d) != 0 ||
        cy_predict(&p, data, NULL, &loops, code, machine, NULL, &choice, &d) !=
            0 ||
        p.n != 1)
        abort();
    cy_figures_of(&p, data, code, &choice, NULL);
    if (!(p.loops[0].cycles.predicted > 0))
        abort();
    cy_prediction_fini(&p);
    cy_loops_fini(&loops);
    cy_machine_free(machine);
    cy_code_free(code);
}

/* Analyses at most 64 bytes as code; the rest are its pairs. */
static void run_code(const uint8_t *bytes, size_t n)
{
    size_t size = n < 64 ? n : 64;
    struct cy_data data = {0};
    struct diag d;

    if (size == 0)
        return;
    if (hexcode_write("code", "x86-64", bytes, size, &d) != 0)
        abort();
    data.objects = memory_new(1, sizeof *data.objects);
    data.n_objects = 1;
    data.objects[0] = (struct cy_object){memory_text("code"), NULL};
    cy_data_add_block(&data, (struct cy_block){.end = size});
    add_pairs(&data, bytes + size, n - size);
    predict(&data);
    cy_data_fini(&data);
    unlink("code");
}

static void take_symbol(void *argument, const char *name, uint64_t address)
{
    struct source_frame frame = objfile_line(argument, address);

    if (strlen(name) == SIZE_MAX || frame.line < 0)
        abort();
}

static void run_object(const uint8_t *bytes, size_t n)
{
    struct regions regions = {0};
    FILE *out = fopen("object", "wb");
    struct objfile *file;
    const uint8_t *code;
    uint64_t address;
    struct diag d;
    size_t size;

    if (out == NULL || fwrite(bytes, 1, n, out) != n || fclose(out) != 0)
        abort();
    file = objfile_open("object", NULL, &d);
    for (size_t i = 0;
         file != NULL &&
         (code = objfile_section(file, i, &address, &size)) != NULL;
         i++) {
        uint64_t sum = 0;
        size_t left;

        for (size_t j = 0; j < size; j++)
            sum += code[j];
        marks_iaca(code, size, address, "object", &regions, &d);
        if (objfile_code(file, address + sum % (size + 1), &left) != NULL &&
            left == 0)
            abort();
    }
    if (file != NULL)
        objfile_symbols(file, take_symbol, file);
    objfile_close(file);
    regions_fini(&regions);
    unlink("object");
}

static void run_text(const uint8_t *bytes, size_t n)
{
    char *text = memory_new(n + 1, 1), *copy;
    struct regions regions = {0};
    struct marks marks;
    uint64_t *addresses;
    struct diag d;
    char said[32];
    size_t size;

    memcpy(text, bytes, n);
    free(hexcode_parse(text, &size, &d));
    for (size_t i = 0; i < n && i < 200; i++)
        cy_assigned(text, (int)i, said, sizeof said);
    copy = marks_find(&marks, text, n, &size);
    if (size < n)
        abort();
    addresses = memory_new(marks.n + 1, sizeof *addresses);
    for (size_t i = 0; i < marks.n; i++)
        addresses[i] = i * 16;
    marks_pair(&marks, addresses, "text", &regions, &d);
    for (size_t i = 0; i < regions.n; i++)
        if (regions.regions[i].start >= regions.regions[i].end)
            abort();
    regions_fini(&regions);
    marks_fini(&marks);
    free(addresses);
    free(copy);
    free(text);
}

static void run_report(const uint8_t *bytes, size_t n)
{
    struct cy_saved saved;
    struct diag d;

    if (cy_saved_parse(&saved, (const char *)bytes, n, "report", &d) == 0) {
        struct cy_comparison c = cy_compare(&saved, &saved, saved.n_loops, 0);

        if (cy_saved_check(&saved, &saved, "report", &d) != 0 ||
            c.loops_by_kind[CY_UNCHANGED] != c.n_loops || c.program_fails ||
            c.n_unmatched_before != c.n_unmatched_now ||
            c.n_loops + c.n_unmatched_now != saved.n_loops)
            abort();
        cy_comparison_fini(&c);
    }
    cy_saved_fini(&saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    enum kind kind;

    if (n == 0)
        return 0;
    kind = bytes[0] % N_KINDS;
    if (kind == CODE) {
        run_code(bytes + 1, n - 1);
    } else if (kind == OBJECT) {
        run_object(bytes + 1, n - 1);
    } else if (kind == TEXT) {
        run_text(bytes + 1, n - 1);
    } else if (kind == REPORT) {
        run_report(bytes + 1, n - 1);
    } else {
        harness_replace(names[kind], bytes + 1, n - 1);
        run_program(kind, bytes[0] / N_KINDS % N_OPTIONS);
    }
    return 0;
}
