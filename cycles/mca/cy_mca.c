/*
 * cy_mca: what llvm-mca says of code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/cy_mca.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "mca/cy_cache.h"
#include "input/subprocess.h"
#include "memory.h"

#define OLDEST                                                     \
    19 /* llvm-mca goes on behind what it does not know from there \
        */
#define NEWEST 30

/* Written behind each instruction, so that one of which llvm-mc makes two
   lines, or none, does not shift the others: nopl 0x78563412(%rax,%rax). */
static const char marker_bytes[] =
    "[0x0f 0x1f 0x84 0x00 0x12 0x34 0x56 0x78]\n";
static const char marker[] = "\tnopl\t2018915346(%rax,%rax)\n";

struct cy_mca {
    char program[256], disassembler[256];
    char cpu_option[64];
    char name[128];
    struct cy_cache *cache;
};

/* The version that `program --version` prints; 0: none. */
static unsigned version_of(const char *program, char *text, size_t size)
{
    char *argv[] = {(char *)program, "--version", NULL};
    struct subprocess_output out;
    unsigned version = 0;
    struct diag ignored;
    const char *at;

    if (subprocess_run(argv, "", 0, &out, &ignored) != 0)
        return 0;
    at = strstr(out.text, "LLVM version ");
    if (at != NULL) {
        at += strlen("LLVM version ");
        snprintf(text, size, "%.*s", (int)strcspn(at, " \n"), at);
        version = (unsigned)strtoul(at, NULL, 10);
    }
    subprocess_fini(&out);
    return version;
}

/* Takes a program, if it is new enough, and the llvm-mc of the same name. */
static bool take_program(struct cy_mca *m, const char *program, char *version,
                         size_t size)
{
    const char *mca = strstr(program, "mca");

    if (mca == NULL || strlen(program) >= sizeof m->program ||
        version_of(program, version, size) < OLDEST)
        return false;
    snprintf(m->program, sizeof m->program, "%s", program);
    while (strstr(mca + 1, "mca") != NULL)
        mca = strstr(mca + 1, "mca");
    snprintf(m->disassembler, sizeof m->disassembler, "%.*smc%s",
             (int)(mca - program), program, mca + strlen("mca"));
    return true;
}

static bool find_program(struct cy_mca *m, char *version, size_t size)
{
    for (int i = NEWEST; i >= OLDEST; i--) {
        char name[32];

        snprintf(name, sizeof name, "llvm-mca-%d", i);
        if (take_program(m, name, version, size))
            return true;
    }
    return take_program(m, "llvm-mca", version, size);
}

struct cy_mca *cy_mca_new(const char *program, const char *cpu, struct diag *d)
{
    struct cy_mca m = {0};
    char version[32] = "";
    struct cy_mca *new;

    if (program != NULL ? !take_program(&m, program, version, sizeof version)
                        : !find_program(&m, version, sizeof version)) {
        diag_set(d,
                 "%s: not found, or older than version %d (the Debian package "
                 "llvm-%d has it)",
                 program != NULL ? program : "llvm-mca", OLDEST, OLDEST);
        return NULL;
    }
    snprintf(m.cpu_option, sizeof m.cpu_option, "-mcpu=%s", cpu);
    snprintf(m.name, sizeof m.name, "llvm-mca %s, %s", version, cpu);
    new = memory_new(1, sizeof *new);
    *new = m;
    new->cache = cy_cache_new();
    return new;
}

void cy_mca_free(struct cy_mca *mca)
{
    if (mca != NULL)
        cy_cache_free(mca->cache);
    free(mca);
}

const char *cy_mca_name(const struct cy_mca *mca)
{
    return mca->name;
}

/* Says why a program failed: by its own words, or how it ended. */
static int failed(const char *program, const struct subprocess_output *out,
                  struct diag *d)
{
    int n = (int)strcspn(out->errors, "\n");

    if (n > 0)
        return diag_set(d, "%s: %.*s", program, n, out->errors);
    if (out->status < 0)
        return diag_set(d, "%s: ended by a signal", program);
    return diag_set(d, "%s: ended with status %d", program, out->status);
}

/* All instructions of all regions as llvm-mc reads them. */
static char *hex_of(const struct cy_mca_region *regions, size_t n, size_t *size)
{
    char *text;
    FILE *out = open_memstream(&text, size);

    if (out == NULL)
        memory_exhausted();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < regions[i].n; j++) {
            const struct cy_mca_insn *insn = &regions[i].insns[j];

            fputc('[', out);
            for (unsigned k = 0; k < insn->length; k++)
                fprintf(out, "%s0x%02x", k > 0 ? " " : "", insn->bytes[k]);
            fprintf(out, "]\n%s", marker_bytes);
        }
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

/* Copies a text with each run of white space made one blank. */
static char *squeeze(const char *text, size_t n)
{
    char *copy = memory_new(n + 1, 1);
    size_t used = 0;

    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i]))
            copy[used++] = text[i];
        else if (used > 0 && copy[used - 1] != ' ')
            copy[used++] = ' ';
    while (used > 0 && copy[used - 1] == ' ')
        used--;
    copy[used] = '\0';
    return copy;
}

/* LLVM's texts of all instructions, "" for those that it does not know. */
static char **split(const char *text, size_t n, struct diag *d)
{
    char **texts = memory_new(n, sizeof *texts);
    const char *at = strchr(text, '\n'); /* behind ".text" */

    at = at != NULL ? at + 1 : text;
    for (size_t i = 0; i < n; i++) {
        const char *end = strstr(at, marker);

        if (end == NULL) {
            diag_set(d, "llvm-mc: an output that was not expected");
            for (size_t j = 0; j < i; j++)
                free(texts[j]);
            free(texts);
            return NULL;
        }
        texts[i] = squeeze(at, (size_t)(end - at));
        at = end + strlen(marker);
    }
    return texts;
}

static char **texts_of(const struct cy_mca *mca,
                       const struct cy_mca_region *regions, size_t n_regions,
                       size_t n, struct diag *d)
{
    char *argv[] = {(char *)mca->disassembler, "--disassemble",
                    "--triple=x86_64", (char *)mca->cpu_option, NULL};
    struct subprocess_output out;
    char **texts = NULL;
    size_t size;
    char *hex = hex_of(regions, n_regions, &size);

    if (subprocess_run(argv, hex, size, &out, d) == 0) {
        if (out.status > 1 || out.status < 0)
            failed(mca->disassembler, &out, d);
        else
            texts = split(out.text, n, d);
        subprocess_fini(&out);
    }
    free(hex);
    return texts;
}

static bool has_left_out(const struct cy_mca_region *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->insns[i].is_left_out)
            return true;
    return false;
}

/* A region must not be empty, hence the nop. */
static void write_region(FILE *out, const struct cy_mca_region *r, size_t i,
                         char **texts, bool is_whole)
{
    fprintf(out, "# LLVM-MCA-BEGIN %zu%s\nnop\n", i, is_whole ? "" : "p");
    for (size_t j = 0; j < r->n; j++)
        if (is_whole || !r->insns[j].is_left_out)
            fprintf(out, "%s\n", texts[j]);
    fprintf(out, "# LLVM-MCA-END %zu%s\n", i, is_whole ? "" : "p");
}

/* Loads and stores alone: the units that they take are those for memory. */
static const char plain_accesses[] = "# LLVM-MCA-BEGIN accesses\n"
                                     "movq (%rdi), %rax\n"
                                     "movups (%rdi), %xmm0\n"
                                     "movq %rax, (%rdi)\n"
                                     "movups %xmm0, (%rdi)\n"
                                     "# LLVM-MCA-END accesses\n";

/* The regions as llvm-mca reads them; those of which something is left out
   twice, the second time without it. */
static char *assembly_of(const struct cy_mca_region *regions, size_t n,
                         char **texts, size_t *size)
{
    char *text;
    FILE *out = open_memstream(&text, size);

    if (out == NULL)
        memory_exhausted();
    fputs(plain_accesses, out);
    for (size_t i = 0; i < n; i++) {
        write_region(out, &regions[i], i, texts, true);
        if (has_left_out(&regions[i]))
            write_region(out, &regions[i], i, texts, false);
        texts += regions[i].n;
    }
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Is it the same instruction?  llvm-mca prints a mnemonic with a suffix now and
   then where llvm-mc has none. */
static bool is_same(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] != '\0' && a[n] == b[n])
        n++;
    if (a[n] == '\0' && b[n] == '\0')
        return true;
    return strcmp(a + n + (a[n] != '\0' && a[n] != ' '),
                  b + n + (b[n] != '\0' && b[n] != ' ')) == 0;
}

/* Takes what is said of a region's instructions; llvm-mca leaves out those that
   it does not know. */
static void take_insns(struct cy_mca_region *r, char **texts,
                       const json_t *region)
{
    const json_t *list = json_object_get(region, "Instructions");
    const json_t *infos = json_object_get(
        json_object_get(region, "InstructionInfoView"), "InstructionList");
    size_t at = 1; /* behind our nop */
    bool is_whole = json_array_size(list) == r->n + 1;

    for (size_t i = 0; i < r->n; i++) {
        struct cy_mca_insn *insn = &r->insns[i];
        const char *text = json_string_value(json_array_get(list, at));
        const json_t *info = json_array_get(infos, at);
        char *squeezed = text != NULL ? squeeze(text, strlen(text)) : NULL;

        insn->is_known = squeezed != NULL && info != NULL &&
                         (is_whole || is_same(squeezed, texts[i]));
        free(squeezed);
        if (!insn->is_known) {
            r->n_unknown++;
            continue;
        }
        insn->latency = number(info, "Latency");
        insn->uops = (uint16_t)number(info, "NumMicroOpcodes");
        insn->may_load = json_is_true(json_object_get(info, "mayLoad"));
        at++;
    }
}

#define MOST_UNITS 256

/* Cycles for which each unit is taken in a round of a region. */
struct pressure {
    double cycles[MOST_UNITS];
};

/* llvm-mca lists them by instruction, and then for all. */
static void take_pressure(struct pressure *p, const json_t *region)
{
    const json_t *list =
        json_object_get(json_object_get(region, "ResourcePressureView"),
                        "ResourcePressureInfo");
    size_t all = json_array_size(json_object_get(region, "Instructions")), i;
    const json_t *value;

    *p = (struct pressure){0};
    json_array_foreach(list, i, value)
    {
        size_t unit = (size_t)number(value, "ResourceIndex");

        if ((size_t)number(value, "InstructionIndex") == all &&
            unit < MOST_UNITS)
            p->cycles[unit] += number(value, "ResourceUsage");
    }
}

/* Has the summary all figures that are taken from it? */
static bool is_summary(const json_t *summary)
{
    static const char *const keys[] = {"DispatchWidth", "TotaluOps",
                                       "BlockRThroughput", "TotalCycles"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!json_is_number(json_object_get(summary, keys[i])))
            return false;
    return number(summary, "Iterations") > 0;
}

/* The throughput without the nop, which takes a place in the dispatch. */
static bool take_throughput(struct cy_mca_region *r, const json_t *region,
                            const struct pressure *accesses)
{
    const json_t *summary = json_object_get(region, "SummaryView");
    struct pressure all;
    double width, uops;

    if (!is_summary(summary))
        return false;
    width = number(summary, "DispatchWidth");
    uops = number(summary, "TotaluOps") / number(summary, "Iterations");
    r->throughput = number(summary, "BlockRThroughput");
    if (width > 0 && r->throughput <= uops / width)
        r->throughput = (uops - 1) / width;
    take_pressure(&all, region);
    r->width = width;
    r->dispatch = width > 0 ? (uops - 1) / width : 0;
    r->memory = r->other = 0;
    for (size_t i = 0; i < MOST_UNITS; i++) {
        double *most = accesses->cycles[i] > 0 ? &r->memory : &r->other;

        *most = all.cycles[i] > *most ? all.cycles[i] : *most;
    }
    return true;
}

static bool take_region(struct cy_mca_region *r, char **texts,
                        const json_t *region, const struct pressure *accesses)
{
    const json_t *summary = json_object_get(region, "SummaryView");

    if (!take_throughput(r, region, accesses))
        return false;
    take_insns(r, texts, region);
    r->total = number(summary, "TotalCycles") / number(summary, "Iterations");
    return true;
}

static int take_report(struct cy_mca_region *regions, size_t n, char **texts,
                       const char *text, size_t size, struct diag *d)
{
    json_error_t error;
    /* Names of units may hold a zero. */
    json_t *report = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    const json_t *list = json_object_get(report, "CodeRegions");
    struct pressure accesses;
    size_t at = 1, n_asked = n + 1;
    bool is_good = report != NULL;

    for (size_t i = 0; i < n; i++)
        n_asked += has_left_out(&regions[i]);
    is_good = is_good && json_array_size(list) == n_asked;
    take_pressure(&accesses, json_array_get(list, 0));
    for (size_t i = 0; i < n && is_good; i++) {
        struct cy_mca_region *r = &regions[i];

        is_good = take_region(r, texts, json_array_get(list, at++), &accesses);
        if (has_left_out(r))
            is_good &=
                take_throughput(r, json_array_get(list, at++), &accesses);
        texts += r->n;
    }
    json_decref(report);
    return is_good ? 0
                   : diag_set(d, "llvm-mca: an output that was not expected");
}

static int ask(struct cy_mca *mca, struct cy_mca_region *regions, size_t n,
               struct diag *d)
{
    char *argv[] = {mca->program,
                    "--mtriple=x86_64",
                    mca->cpu_option,
                    "--json",
                    "--skip-unsupported-instructions=any",
                    "--iterations=100",
                    NULL};
    size_t n_insns = 0, size;
    struct subprocess_output out;
    char **texts, *assembly;
    int rc = -1;

    for (size_t i = 0; i < n; i++) {
        regions[i].n_unknown = 0;
        n_insns += regions[i].n;
    }
    texts = texts_of(mca, regions, n, n_insns, d);
    if (texts == NULL)
        return -1;
    assembly = assembly_of(regions, n, texts, &size);
    if (subprocess_run(argv, assembly, size, &out, d) == 0) {
        if (out.status != 0)
            failed(mca->program, &out, d);
        else
            rc = take_report(regions, n, texts, out.text, out.n, d);
        subprocess_fini(&out);
    }
    free(assembly);
    for (size_t i = 0; i < n_insns; i++)
        free(texts[i]);
    free(texts);
    return rc;
}

int cy_mca_run(struct cy_mca *mca, struct cy_mca_region *regions, size_t n,
               struct diag *d)
{
    struct cy_mca_region *asked = memory_new(n, sizeof *asked);
    size_t *place = memory_new(n, sizeof *place), n_asked = 0;
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        if (!cy_cache_get(mca->cache, mca->name, &regions[i])) {
            place[n_asked] = i;
            asked[n_asked++] = regions[i];
        }
    if (n_asked > 0)
        rc = ask(mca, asked, n_asked, d);
    if (rc == 0 && n_asked > 0) {
        cy_cache_begin(mca->cache);
        for (size_t i = 0; i < n_asked; i++) {
            regions[place[i]] = asked[i];
            cy_cache_put(mca->cache, mca->name, &asked[i]);
        }
        cy_cache_end(mca->cache);
    }
    free(asked);
    free(place);
    return rc;
}
