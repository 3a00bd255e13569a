/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/cy_machine.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "machine/internal.h"

/* --- This processor --- */

/* Reads until the empty line after the first processor. */
static bool read_lines(struct cy_cpu *cpu, FILE *in)
{
    bool has_family = false, has_model = false;
    AUTO_FREE char *line = NULL;
    char flags[sizeof cpu->flags - 2];
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
    return cpu->vendor[0] != '\0' && has_family && has_model;
}

int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d)
{
    FILE *in = fopen(path, "re");

    *cpu = (struct cy_cpu){0};
    if (in == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    bool known = read_lines(cpu, in);
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
   published, not measured; 0: not known.  Then whether it is Golden Cove. */
#define SIZES(scheduler_, reorder, loads, stores)           \
    {                                                       \
        .scheduler = scheduler_, .reorder_buffer = reorder, \
        .load_buffer = loads, .store_buffer = stores        \
    }
#define UNKNOWN {0}, false
#define ZEN2    SIZES(92, 224, 44, 48), false
#define ZEN3    SIZES(96, 256, 72, 64), false
#define ZEN4    SIZES(96, 320, 88, 64), false
/* Zen 5 has three schedulers for vectors, of 38 entries each, of which the
   third takes only stores and moves to general registers: square roots do not
   overlap with more than 70 additions, products or shuffles in between, or with
   more than 35 stores. */
#define ZEN5                  \
    {.scheduler = 88,         \
     .reorder_buffer = 448,   \
     .address_scheduler = 56, \
     .vector_scheduler = 76,  \
     .vector_stores = 38,     \
     .vector_queue = 96},     \
        false
#define SKYLAKE SIZES(97, 224, 72, 56), false
#define SUNNY   SIZES(0, 352, 128, 72), false
/* Golden Cove's loads take three schedulers in turn, and 38 vector stores wait
   for their data: chains beside more and more of them stop overlapping there.
 */
#define GOLDEN                \
    {.scheduler = 97,         \
     .reorder_buffer = 512,   \
     .load_buffer = 192,      \
     .store_buffer = 112,     \
     .address_scheduler = 70, \
     .load_schedulers = 3,    \
     .load_scheduler = 24,    \
     .vector_stores = 38},    \
        true

/* The cores; the first row that matches a processor counts. */
static const struct cy_core cores[] = {
    {AMD, 23, 0x30, 0xff, BOTH("znver2"), ZEN2},
    {AMD, 23, 0x00, 0x2f, BOTH("znver1"), UNKNOWN},
    {AMD, 25, 0x10, 0x1f, BOTH("znver4"), ZEN4},
    {AMD, 25, 0x60, 0x7f, BOTH("znver4"), ZEN4},
    {AMD, 25, 0xa0, 0xaf, BOTH("znver4"), ZEN4},
    {AMD, 25, 0x00, 0xff, BOTH("znver3"), ZEN3},
    {AMD, 26, 0x00, 0xff, BOTH("znver5"), ZEN5},
    {INTEL, 6, 60, 60, BOTH("haswell"), UNKNOWN},
    {INTEL, 6, 63, 63, BOTH("haswell"), UNKNOWN},
    {INTEL, 6, 69, 70, BOTH("haswell"), UNKNOWN},
    {INTEL, 6, 61, 61, BOTH("broadwell"), UNKNOWN},
    {INTEL, 6, 71, 71, BOTH("broadwell"), UNKNOWN},
    {INTEL, 6, 79, 79, BOTH("broadwell"), UNKNOWN},
    {INTEL, 6, 86, 86, BOTH("broadwell"), UNKNOWN},
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
    {INTEL, 6, 173, 173, BOTH("graniterapids"), UNKNOWN},
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

/* --- Its machine file --- */

#ifndef CY_MACHINES
#define CY_MACHINES "/usr/local/share/depsim/machines"
#endif

uint64_t cy_machine_distance(const struct cy_machine *machine,
                             const struct cy_cpu *cpu)
{
    uint64_t least = CY_NO_RELATIVE;

    for (size_t i = 0; i < machine->n_matches; i++) {
        const struct cy_match *match = &machine->matches[i];

        if (strcmp(match->vendor, cpu->vendor) != 0)
            continue;
        for (size_t j = 0; j < match->n_models; j++) {
            int64_t families = (int64_t)match->family - cpu->family,
                    models = (int64_t)match->models[j] - cpu->model;
            uint64_t distance =
                (uint64_t)llabs(families) << 32 | (uint64_t)llabs(models);

            if (distance < least)
                least = distance;
        }
    }
    return least;
}

static int is_machine_file(const struct dirent *entry)
{
    return text_ends(entry->d_name, ".json") && entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static char *join(const char *directory, const char *name, const char *suffix)
{
    assert(directory != NULL && name != NULL);
    return memory_printf("%s/%s%s", directory, name, suffix);
}

/* Reads a machine file, and frees its path. */
static struct cy_machine *read_at(char *path, struct diag *d)
{
    struct cy_machine *machine = cy_machine_read(path, d);

    free(path);
    return machine;
}

/* All machine files of a directory, sorted by name. */
struct files {
    struct cy_machine **machines;
    size_t n;
};

static void free_files(struct files *files)
{
    for (size_t i = 0; i < files->n; i++)
        cy_machine_free(files->machines[i]);
    free(files->machines);
}

/* Reads all machine files; -1 if one is wrong, with nothing left to free. */
static int read_files(struct files *files, const char *directory,
                      struct diag *d)
{
    AUTO_FREE struct dirent **names = NULL;
    int n = scandir(directory, &names, is_machine_file, by_bytes), rc = 0;

    *files = (struct files){0};
    if (n < 0)
        return diag_set(d, "%s: %s", directory, strerror(errno));
    files->machines = memory_new((size_t)n, sizeof *files->machines);
    for (int i = 0; i < n; i++) {
        struct cy_machine *machine = NULL;

        if (rc == 0)
            machine = read_at(join(directory, names[i]->d_name, ""), d);
        if (machine != NULL)
            files->machines[files->n++] = machine;
        else
            rc = -1;
        free(names[i]);
    }
    if (rc != 0)
        free_files(files);
    return rc;
}

const char *cy_machine_of(enum arch arch)
{
    return arch == ARCH_X86_64 ? "typical" : "neoverse-v2";
}

/* Index of the file to use for code of an architecture on a processor;
   files->n: none. */
static size_t nearest(const struct files *files, enum arch arch,
                      const struct cy_cpu *cpu)
{
    uint64_t least = CY_NO_RELATIVE;
    size_t best = files->n;

    for (size_t i = 0; i < files->n; i++) {
        const struct cy_machine *machine = files->machines[i];
        uint64_t distance = cy_machine_distance(machine, cpu);

        if (machine->facts.arch == arch &&
            (distance < least ||
             (least == CY_NO_RELATIVE &&
              strcmp(machine->facts.name, cy_machine_of(arch)) == 0))) {
            best = i;
            least = distance;
        }
    }
    return best;
}

static struct cy_machine *find_for(const char *directory, enum arch arch,
                                   const struct cy_cpu *cpu, struct diag *d)
{
    char *processor = memory_printf("%s family %u model %u", cpu->vendor,
                                    cpu->family, cpu->model);
    struct cy_machine *machine = NULL;
    struct files files;
    size_t i;

    if (read_files(&files, directory, d) == 0) {
        i = nearest(&files, arch, cpu);
        if (i < files.n) {
            machine = files.machines[i];
            files.machines[i] = NULL;
        } else {
            diag_set(d,
                     "%s: no machine file in %s; make one with depbound "
                     "--calibrate=FILE, or name another processor with --cpu",
                     arch == arch_here() ? processor : arch_title(arch),
                     directory);
        }
        free_files(&files);
    }
    if (machine != NULL && cy_machine_distance(machine, cpu) > 0) {
        machine->facts.stands_for = machine->processor = processor;
        machine->facts.is_typical = strcmp(machine->facts.name, "typical") == 0;
        machine->facts.is_elsewhere = arch != arch_here();
    } else {
        free(processor);
    }
    return machine;
}

const char *cy_machine_directory(const char *directory)
{
    if (directory == NULL)
        directory = getenv("DEPBOUND_MACHINES");
    return directory != NULL ? directory : CY_MACHINES;
}

int cy_machine_list(FILE *out, const char *directory, struct diag *d)
{
    struct cy_cpu here;
    bool is_known = cy_cpu_read(&here, "/proc/cpuinfo", d) == 0;
    struct files files;

    if (read_files(&files, cy_machine_directory(directory), d) != 0)
        return -1;
    size_t own = is_known ? nearest(&files, arch_here(), &here) : files.n;
    for (size_t i = 0; i < files.n; i++) {
        const struct cy_machine *machine = files.machines[i];

        fprintf(out, "%-15s %s%s%s%s\n", machine->facts.name,
                machine->facts.arch == ARCH_AARCH64 ? "AArch64. " : "",
                i != own ? ""
                : cy_machine_distance(machine, &here) == 0
                    ? "This processor. "
                    : "The nearest to this processor. ",
                machine->facts.is_forced ? "Made on a busy machine, by force. "
                                         : "",
                machine->facts.source);
    }
    free_files(&files);
    return 0;
}

struct cy_machine *cy_machine_named(const char *directory, const char *cpu,
                                    struct diag *d)
{
    assert(cpu != NULL);
    if (strchr(cpu, '/') != NULL || text_ends(cpu, ".json"))
        return cy_machine_read(cpu, d);
    char *path = join(cy_machine_directory(directory), cpu, ".json");
    if (access(path, F_OK) == 0)
        return read_at(path, d);
    free(path);
    diag_set(d, "--cpu=%s: no such machine file; --cpu=help lists them", cpu);
    return NULL;
}

struct cy_machine *cy_machine_here(const char *directory, enum arch arch,
                                   struct diag *d)
{
    struct cy_cpu here;

    if (cy_cpu_read(&here, "/proc/cpuinfo", d) != 0)
        return NULL;
    return find_for(cy_machine_directory(directory), arch, &here, d);
}
