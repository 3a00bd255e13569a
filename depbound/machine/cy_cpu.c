/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/cy_machine.h"

#include <errno.h>

/* Reads until the empty line after the first processor. */
static bool read_lines(struct cy_cpu *cpu, FILE *in)
{
    bool has_family = false, has_model = false;
    char *line = NULL, flags[sizeof cpu->flags - 2];
    size_t room = 0;

    while (getline(&line, &room, in) > 1) {
        sscanf(line, "vendor_id : %31[^\n]", cpu->vendor);
        sscanf(line, "model name : %127[^\n]", cpu->name);
        if (sscanf(line, "flags : %4093[^\n]", flags) == 1)
            snprintf(cpu->flags, sizeof cpu->flags, " %s ", flags);
        has_family |= sscanf(line, "cpu family : %u", &cpu->family) == 1;
        has_model |= sscanf(line, "model : %u", &cpu->model) == 1;
        /* AArch64 has an implementer and a part instead of vendor and model. */
        sscanf(line, "CPU implementer : %31[^\n]", cpu->vendor);
        has_family |= sscanf(line, "CPU architecture : %u", &cpu->family) == 1;
        has_model |= sscanf(line, "CPU part : %x", &cpu->model) == 1;
    }
    free(line);
    return cpu->vendor[0] != '\0' && has_family && has_model;
}

int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d)
{
    FILE *in = fopen(path, "re");
    bool known;

    *cpu = (struct cy_cpu){0};
    if (in == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    known = read_lines(cpu, in);
    fclose(in);
    return known ? 0
                 : diag_set(d, "%s: no vendor, family and model of a processor",
                            path);
}

bool cy_cpu_has(const struct cy_cpu *cpu, const char *flag)
{
    char word[64];

    assert(strlen(flag) < sizeof word - 2);
    snprintf(word, sizeof word, " %s ", flag);
    return strstr(cpu->flags, word) != NULL;
}

#define AMD        "AuthenticAMD"
#define INTEL      "GenuineIntel"
#define BOTH(name) name, name

/* Entries of the scheduler, and of the reorder, load and store buffers, as
   published, not measured.  0: not known. */
#define WINDOW(scheduler_, reorder, loads, stores)          \
    {                                                       \
        .scheduler = scheduler_, .reorder_buffer = reorder, \
        .load_buffer = loads, .store_buffer = stores        \
    }
#define ZEN2 WINDOW(92, 224, 44, 48)
#define ZEN3 WINDOW(96, 256, 72, 64)
#define ZEN4 WINDOW(96, 320, 88, 64)
/* Zen 5 has three schedulers for vectors, of 38 entries each, of which the
   third takes only stores and moves to general registers: square roots do not
   overlap with more than 70 additions, products or shuffles in between, or with
   more than 35 stores. */
#define ZEN5                                                             \
    {                                                                    \
        .scheduler = 88, .reorder_buffer = 448, .address_scheduler = 56, \
        .vector_scheduler = 76, .vector_stores = 38, .vector_queue = 96  \
    }
#define SKYLAKE WINDOW(97, 224, 72, 56)
#define SUNNY   WINDOW(0, 352, 128, 72)
#define GOLDEN  WINDOW(97, 512, 192, 112)

/* The cores; the first row that matches a processor counts. */
static const struct cy_core cores[] = {
    {AMD, 23, 0x30, 0xff, BOTH("znver2"), ZEN2},
    {AMD, 23, 0x00, 0x2f, BOTH("znver1"), {0}},
    {AMD, 25, 0x10, 0x1f, BOTH("znver4"), ZEN4},
    {AMD, 25, 0x60, 0x7f, BOTH("znver4"), ZEN4},
    {AMD, 25, 0xa0, 0xaf, BOTH("znver4"), ZEN4},
    {AMD, 25, 0x00, 0xff, BOTH("znver3"), ZEN3},
    {AMD, 26, 0x00, 0xff, BOTH("znver5"), ZEN5},
    {INTEL, 6, 60, 60, BOTH("haswell"), {0}},
    {INTEL, 6, 63, 63, BOTH("haswell"), {0}},
    {INTEL, 6, 69, 70, BOTH("haswell"), {0}},
    {INTEL, 6, 61, 61, BOTH("broadwell"), {0}},
    {INTEL, 6, 71, 71, BOTH("broadwell"), {0}},
    {INTEL, 6, 79, 79, BOTH("broadwell"), {0}},
    {INTEL, 6, 86, 86, BOTH("broadwell"), {0}},
    {INTEL, 6, 78, 78, BOTH("skylake"), SKYLAKE},
    {INTEL, 6, 94, 94, BOTH("skylake"), SKYLAKE},
    {INTEL, 6, 142, 142, BOTH("skylake"), SKYLAKE},
    {INTEL, 6, 158, 158, BOTH("skylake"), SKYLAKE},
    {INTEL, 6, 85, 85, BOTH("skylake-avx512"), SKYLAKE},
    {INTEL, 6, 106, 106, BOTH("icelake-server"), SUNNY},
    {INTEL, 6, 108, 108, BOTH("icelake-server"), SUNNY},
    {INTEL, 6, 125, 126, BOTH("icelake-client"), SUNNY},
    {INTEL, 6, 140, 141, BOTH("tigerlake"), SUNNY},
    {INTEL, 6, 143, 143, BOTH("sapphirerapids"), GOLDEN},
    {INTEL, 6, 207, 207, "emeraldrapids", "sapphirerapids", GOLDEN},
    {INTEL, 6, 173, 173, BOTH("graniterapids"), {0}},
    {INTEL, 6, 151, 151, BOTH("alderlake"), GOLDEN},
    {INTEL, 6, 154, 154, BOTH("alderlake"), GOLDEN},
    {INTEL, 6, 183, 183, "raptorlake", "alderlake", GOLDEN},
    {INTEL, 6, 186, 186, "raptorlake", "alderlake", GOLDEN},
};

static const struct cy_core unknown = {.name = "unknown", .llvm = "native"};

const struct cy_core *cy_core_of(const struct cy_cpu *cpu)
{
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        const struct cy_core *core = &cores[i];

        assert(core->first <= core->last);
        if (core->family == cpu->family && core->first <= cpu->model &&
            cpu->model <= core->last && strcmp(core->vendor, cpu->vendor) == 0)
            return core;
    }
    return &unknown;
}
