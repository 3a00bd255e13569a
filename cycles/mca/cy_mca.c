/*
 * cy_mca: runs llvm-mc and llvm-mca.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/cy_mca.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mca/internal.h"
#include "array.h"
#include "input/subprocess.h"
#include "memory.h"

/* Since version 19, llvm-mca skips unknown instructions. */
#define OLDEST 19
#define NEWEST 30

static const struct subprocess_limits limits = {
    .seconds = 300 /* for MOST_ASKED regions */
};

struct cy_mca {
    enum cy_arch arch;
    char program[256], disassembler[256];
    char triple[32], disassembler_triple[32], cpu_option[64]; /* options */
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

    if (subprocess_run(argv, "", 0, &limits, &out, &ignored) != 0)
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

/* Uses a program if it is new enough, and the llvm-mc of the same name. */
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

struct cy_mca *cy_mca_new(const char *program, enum cy_arch arch,
                          const char *cpu, struct diag *d)
{
    const char *triple = cy_assembly_of(arch)->triple;
    struct cy_mca m = {.arch = arch};
    char version[32] = "";
    struct cy_mca *new;

    assert(cpu != NULL);
    if (program != NULL ? !take_program(&m, program, version, sizeof version)
                        : !find_program(&m, version, sizeof version)) {
        diag_set(d,
                 "%s: not found, or older than version %d (the Debian package "
                 "llvm-%d has it)",
                 program != NULL ? program : "llvm-mca", OLDEST, OLDEST);
        return NULL;
    }
    snprintf(m.triple, sizeof m.triple, "--mtriple=%s", triple);
    snprintf(m.disassembler_triple, sizeof m.disassembler_triple, "--triple=%s",
             triple);
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

/* Runs a program, whose status may be `most` at most.  Reports a failure in the
   program's own words, or how it ended. */
static int run(char **argv, const char *in, size_t size, int most,
               struct subprocess_output *out, struct diag *d)
{
    int n;

    if (subprocess_run(argv, in, size, &limits, out, d) != 0)
        return -1;
    if (out->status >= 0 && out->status <= most)
        return 0;
    n = (int)strcspn(out->errors, "\n");
    if (n > 0)
        diag_set(d, "%s: %.*s", argv[0], n, out->errors);
    else if (out->status < 0)
        diag_set(d, "%s: %s", argv[0], out->end);
    else
        diag_set(d, "%s: ended with status %d", argv[0], out->status);
    subprocess_fini(out);
    return -1;
}

static char **texts_of(const struct cy_mca *mca,
                       const struct cy_mca_region *regions, size_t n_regions,
                       size_t n, struct diag *d)
{
    char *argv[] = {(char *)mca->disassembler, "--disassemble",
                    (char *)mca->disassembler_triple, (char *)mca->cpu_option,
                    NULL};
    struct subprocess_output out;
    char **texts = NULL;
    size_t size;
    char *hex = cy_dialogue_code(mca->arch, regions, n_regions, &size);

    if (run(argv, hex, size, 1, &out, d) == 0) {
        texts = cy_dialogue_texts(mca->arch, out.text, n, d);
        subprocess_fini(&out);
    }
    free(hex);
    return texts;
}

static int ask(struct cy_mca *mca, struct cy_mca_region *regions, size_t n,
               struct diag *d)
{
    char *argv[] = {mca->program,
                    mca->triple,
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
    assembly = cy_dialogue_question(mca->arch, regions, n, texts, &size);
    if (run(argv, assembly, size, 0, &out, d) == 0) {
        rc = cy_dialogue_answer(regions, n, texts, out.text, out.n, d);
        subprocess_fini(&out);
    }
    free(assembly);
    for (size_t i = 0; i < n_insns; i++)
        free(texts[i]);
    free(texts);
    return rc;
}

/* The most regions of one question: the answer about ten times as many takes
   gigabytes. */
#define MOST_ASKED 1000

static int ask_all(struct cy_mca *mca, struct cy_mca_region *regions, size_t n,
                   struct diag *d)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i += MOST_ASKED)
        rc = ask(mca, regions + i, n - i < MOST_ASKED ? n - i : MOST_ASKED, d);
    return rc;
}

int cy_mca_run(struct cy_mca *mca, struct cy_mca_region *regions, size_t n,
               struct diag *d)
{
    struct cy_mca_region *asked = memory_new(n, sizeof *asked);
    size_t *place = memory_new(n, sizeof *place), n_asked = 0;
    int rc = 0;

    for (size_t i = 0; i < n; i++) {
        assert(regions[i].n > 0 && regions[i].insns != NULL);
        if (!cy_cache_get(mca->cache, mca->name, &regions[i])) {
            place[n_asked] = i;
            asked[n_asked++] = regions[i];
        }
    }
    if (n_asked > 0)
        rc = ask_all(mca, asked, n_asked, d);
    if (rc == 0 && n_asked > 0) {
        for (size_t i = 0; i < n_asked; i++)
            regions[place[i]] = asked[i];
        cy_cache_put(mca->cache, mca->name, asked, n_asked);
    }
    for (size_t i = 0; i < n && rc == 0; i++)
        assert(cy_mca_region_is_possible(&regions[i]));
    free(asked);
    free(place);
    return rc;
}

/* Asks about the instructions of one region, each alone. */
static int ask_units(struct cy_mca *mca, struct cy_mca_region *region,
                     struct cy_mca_uses *uses, struct diag *d)
{
    char *argv[] = {mca->program,
                    mca->triple,
                    mca->cpu_option,
                    "--json",
                    "--skip-unsupported-instructions=any",
                    "--instruction-tables",
                    NULL};
    struct subprocess_output out;
    char **texts = texts_of(mca, region, 1, region->n, d), *assembly;
    size_t size;
    int rc = -1;

    if (texts == NULL)
        return -1;
    assembly = cy_dialogue_question(mca->arch, region, 1, texts, &size);
    if (run(argv, assembly, size, 0, &out, d) == 0) {
        rc = cy_dialogue_units(region, uses, texts, out.text, out.n, d);
        subprocess_fini(&out);
    }
    free(assembly);
    for (size_t i = 0; i < region->n; i++)
        free(texts[i]);
    free(texts);
    return rc;
}

/* Reading a report takes time by the square of the region's size. */
#define MOST_INSNS 200

/* Asks about instructions that are not in the cache. */
static int ask_missing(struct cy_mca *mca, struct cy_mca_insn **missing,
                       struct cy_mca_uses **uses, size_t n, struct diag *d)
{
    struct cy_mca_insn insns[MOST_INSNS];
    struct cy_mca_uses found[MOST_INSNS];
    struct cy_mca_region region = {.insns = insns, .n = n};

    assert(n <= MOST_INSNS);
    for (size_t i = 0; i < n; i++)
        insns[i] = *missing[i];
    if (ask_units(mca, &region, found, d) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        *missing[i] = insns[i];
        *uses[i] = found[i];
    }
    cy_cache_put_uses(mca->cache, mca->name,
                      (const struct cy_mca_insn *const *)missing,
                      (const struct cy_mca_uses *const *)uses, n);
    return 0;
}

static int by_bytes(const void *px, const void *py)
{
    const struct cy_mca_insn *x = *(struct cy_mca_insn *const *)px,
                             *y = *(struct cy_mca_insn *const *)py;

    return array_order(x->length, y->length)
               ?: memcmp(x->bytes, y->bytes, x->length)
               ?: array_order(x, y);
}

static bool are_equal(const struct cy_mca_insn *x, const struct cy_mca_insn *y)
{
    return x->length == y->length && memcmp(x->bytes, y->bytes, x->length) == 0;
}

/* Asks about each of the instructions that differ from the one before. */
static int ask_distinct(struct cy_mca *mca, struct cy_mca_insn **sorted,
                        size_t n, const struct cy_mca_insn *insns,
                        struct cy_mca_uses *uses, struct diag *d)
{
    struct cy_mca_insn *missing[MOST_INSNS];
    struct cy_mca_uses *wanted[MOST_INSNS];
    size_t n_missing = 0;

    for (size_t i = 0; i < n; i++) {
        struct cy_mca_uses *use = &uses[sorted[i] - insns];

        assert(sorted[i]->length > 0 && sorted[i]->bytes != NULL);
        if ((i == 0 || !are_equal(sorted[i], sorted[i - 1])) &&
            !cy_cache_get_uses(mca->cache, mca->name, sorted[i], use)) {
            missing[n_missing] = sorted[i];
            wanted[n_missing++] = use;
        }
        if (n_missing == MOST_INSNS || (i + 1 == n && n_missing > 0)) {
            if (ask_missing(mca, missing, wanted, n_missing, d) != 0)
                return -1;
            n_missing = 0;
        }
    }
    return 0;
}

int cy_mca_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                 struct cy_mca_uses *uses, size_t n, struct diag *d)
{
    struct cy_mca_insn **sorted = memory_new(n, sizeof(*sorted));
    int rc;

    for (size_t i = 0; i < n; i++)
        sorted[i] = &insns[i];
    array_sort(sorted, n, by_bytes);
    rc = ask_distinct(mca, sorted, n, insns, uses, d);
    for (size_t i = 1; i < n && rc == 0; i++)
        if (are_equal(sorted[i], sorted[i - 1])) {
            const uint8_t *bytes = sorted[i]->bytes;

            *sorted[i] = *sorted[i - 1];
            sorted[i]->bytes = bytes;
            uses[sorted[i] - insns] = uses[sorted[i - 1] - insns];
        }
    free(sorted);
    return rc;
}
