/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mca/cy_mca.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "binary/subprocess.h"
#include "mca/internal.h"
#include "memory.h"

/* Since version 19, llvm-mca skips unknown instructions. */
#define OLDEST 19
#define NEWEST 30

static const struct subprocess_limits limits = {
    .seconds = 300 /* for MOST_INSNS instructions */
};

struct cy_mca {
    enum arch arch;
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

struct cy_mca *cy_mca_new(const char *program, enum arch arch, const char *cpu,
                          struct diag *d)
{
    const char *triple = cy_assembly_of(arch)->triple;
    struct cy_mca m = {.arch = arch};
    char version[32] = "";
    struct cy_mca *new;

    assert(cpu != NULL);
    if (program != NULL ? !take_program(&m, program, version, sizeof version)
                        : !find_program(&m, version, sizeof version)) {
        diag_set(d,
                 "%s %d or newer: not found (Debian's package llvm-%d has "
                 "it)",
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
                       const struct cy_mca_insn *insns, size_t n,
                       struct diag *d)
{
    char *argv[] = {(char *)mca->disassembler, "--disassemble",
                    (char *)mca->disassembler_triple, (char *)mca->cpu_option,
                    NULL};
    struct subprocess_output out;
    char **texts = NULL;
    size_t size;
    char *hex = cy_dialogue_code(mca->arch, insns, n, &size);

    if (run(argv, hex, size, 1, &out, d) == 0) {
        texts = cy_dialogue_texts(mca->arch, out.text, n, d);
        subprocess_fini(&out);
    }
    free(hex);
    return texts;
}

/* Asks llvm-mca about n texts of instructions, with one more option. */
static int ask(struct cy_mca *mca, char **texts, size_t n, const char *option,
               struct subprocess_output *out, struct diag *d)
{
    char *argv[] = {mca->program,
                    mca->triple,
                    mca->cpu_option,
                    "--json",
                    "--skip-unsupported-instructions=any",
                    (char *)option,
                    NULL};
    size_t size;
    char *assembly = cy_dialogue_question(mca->arch, texts, n, &size);
    int rc = run(argv, assembly, size, 0, out, d);

    free(assembly);
    return rc;
}

int cy_mca_width(struct cy_mca *mca, double *width, struct diag *d)
{
    struct subprocess_output out;
    int rc;

    if (cy_cache_get_width(mca->cache, mca->name, width))
        return 0;
    if (ask(mca, NULL, 0, "--iterations=1", &out, d) != 0)
        return -1;
    rc = cy_dialogue_width(width, out.text, out.n, d);
    subprocess_fini(&out);
    if (rc == 0)
        cy_cache_put_width(mca->cache, mca->name, *width);
    return rc;
}

/* Asks about n instructions, each alone. */
static int ask_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                     struct cy_mca_uses *uses, size_t n, struct diag *d)
{
    struct subprocess_output out;
    char **texts = texts_of(mca, insns, n, d);
    int rc = -1;

    if (texts == NULL)
        return -1;
    if (ask(mca, texts, n, "--instruction-tables", &out, d) == 0) {
        rc = cy_dialogue_units(insns, uses, n, texts, out.text, out.n, d);
        subprocess_fini(&out);
    }
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
    return rc;
}

/* A question has at most as many: llvm-mca takes some 50 KB of memory for each
   instruction. */
#define MOST_INSNS 5000

/* Asks about instructions that are not in the cache. */
static int ask_missing(struct cy_mca *mca, struct cy_mca_insn **missing,
                       struct cy_mca_uses **uses, size_t n, struct diag *d)
{
    struct cy_mca_insn *insns = memory_new(n, sizeof *insns);
    struct cy_mca_uses *found = memory_new(n, sizeof *found);
    int rc;

    for (size_t i = 0; i < n; i++)
        insns[i] = *missing[i];
    rc = ask_units(mca, insns, found, n, d);
    for (size_t i = 0; i < n && rc == 0; i++) {
        *missing[i] = insns[i];
        *uses[i] = found[i];
    }
    if (rc == 0)
        cy_cache_put_uses(mca->cache, mca->name,
                          (const struct cy_mca_insn *const *)missing,
                          (const struct cy_mca_uses *const *)uses, n);
    free(insns);
    free(found);
    return rc;
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
    struct cy_mca_insn **missing = memory_new(n, sizeof(*missing));
    struct cy_mca_uses **wanted = memory_new(n, sizeof(*wanted));
    size_t n_missing = 0;
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct cy_mca_uses *use = &uses[sorted[i] - insns];

        assert(sorted[i]->length > 0 && sorted[i]->bytes != NULL);
        if ((i == 0 || !are_equal(sorted[i], sorted[i - 1])) &&
            !cy_cache_get_uses(mca->cache, mca->name, sorted[i], use)) {
            missing[n_missing] = sorted[i];
            wanted[n_missing++] = use;
        }
        if (n_missing == MOST_INSNS || (i + 1 == n && n_missing > 0)) {
            rc = ask_missing(mca, missing, wanted, n_missing, d);
            n_missing = 0;
        }
    }
    free(missing);
    free(wanted);
    return rc;
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
