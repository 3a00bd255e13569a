/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mca/cy_mca.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "db.h"
#include "file.h"

/* Since version 19, llvm-mca skips unknown instructions. */
#define OLDEST 19
#define NEWEST 30

#define LARGEST (64 << 20) /* the most bytes of the cache */
#define FORMAT  "6"        /* version of the cached answers */

static const struct subprocess_limits limits = {
    .seconds = 300 /* for MOST_INSNS instructions */
};

struct cy_mca {
    enum arch arch;
    char program[256], disassembler[256];
    char triple[32], disassembler_triple[32], cpu_option[64]; /* arguments */
    char name[128];
    struct db *cache; /* NULL: no cache */
    struct db_query *get, *put;
};

/* --- The cache --- */

/* The path of the cache, whose directories are made; NULL: no place for it. */
static char *path_of(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path;

    if (base != NULL && base[0] == '/')
        path = memory_printf("%s/depbound/llvm-mca.db", base);
    else if (home != NULL && home[0] == '/')
        path = memory_printf("%s/.cache/depbound/llvm-mca.db", home);
    else
        return NULL;
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            free(path);
            return NULL;
        }
        *slash = '/';
    }
    return path;
}

/* Is the file the user's?  What others could have written may be anything. */
static bool is_own(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
           (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static void open_cache(struct cy_mca *m)
{
    AUTO_FREE char *path = path_of();
    struct stat st;

    if (path == NULL)
        return;
    if (lstat(path, &st) == 0 && st.st_size > LARGEST && is_own(&st))
        unlink(path);
    if (lstat(path, &st) != 0 || is_own(&st))
        m->cache = db_open_rw(path, DB_CACHE, NULL);
}

/* Closes the cache, and does without it from now on. */
static void leave_cache(struct cy_mca *m)
{
    db_query_free(m->get);
    db_query_free(m->put);
    db_close(m->cache);
    m->get = m->put = NULL;
    m->cache = NULL;
}

/* The cache's key for an answer of this kind about `n` bytes. */
static void key_of(char key[OBJID_SIZE], const struct cy_mca *m,
                   const char *kind, const void *bytes, size_t n)
{
    AUTO_FREE char *head = memory_printf("%s " FORMAT " %s\n", kind, m->name);
    size_t n_head = strlen(head);
    AUTO_FREE uint8_t *text = memory_new(n_head + n, 1);

    memcpy(text, head, n_head);
    memcpy(text + n_head, bytes, n);
    objid_hash_bytes(key, text, n_head + n);
}

/* The cached answer about n bytes, which the caller frees; NULL: none. */
static char *find(struct cy_mca *m, const char *kind, const void *bytes,
                  size_t n)
{
    char key[OBJID_SIZE], *found = NULL;

    if (m->cache != NULL && m->get == NULL)
        m->get = db_prepare(m->cache, "SELECT value FROM answer WHERE key = ?",
                            NULL);
    if (m->get == NULL)
        return NULL;
    key_of(key, m, kind, bytes, n);
    db_bind_text(m->get, 1, key);
    while (db_step(m->get, NULL) == 1) {
        const char *value = db_text(m->get, 0);

        if (value != NULL && found == NULL)
            found = memory_text(value);
    }
    return found;
}

/* Begins to write answers to the cache; false: there is no cache. */
static bool begin(struct cy_mca *m)
{
    if (m->cache == NULL)
        return false;
    if (db_begin(m->cache, NULL) != 0) {
        leave_cache(m);
        return false;
    }
    if (m->put == NULL)
        m->put = db_prepare(m->cache,
                            "INSERT OR REPLACE INTO answer VALUES(?, ?)", NULL);
    return true;
}

static void commit(struct cy_mca *m)
{
    if (db_commit(m->cache, NULL) != 0)
        leave_cache(m);
}

/* Writes the answer about n bytes to the cache, and frees it. */
static void keep(struct cy_mca *m, const char *kind, const void *bytes,
                 size_t n, char *value)
{
    char key[OBJID_SIZE];

    key_of(key, m, kind, bytes, n);
    if (m->put != NULL)
        db_run_with(m->put, DB_VALUES(DB_TEXT(key), DB_TEXT(value)), NULL);
    free(value);
}

char *cy_mca_recall(struct cy_mca *m, const char *kind, const char *key)
{
    return m != NULL ? find(m, kind, key, strlen(key)) : NULL;
}

void cy_mca_remember(struct cy_mca *m, const char *kind, const char *key,
                     const char *text)
{
    if (m == NULL || !begin(m))
        return;
    keep(m, kind, key, strlen(key), memory_text(text));
    commit(m);
}

/* Reads what write_uses() wrote. */
static bool parse_uses(struct cy_mca_insn *insn, struct cy_mca_uses *u,
                       const char *text)
{
    unsigned known, loads, uops, n;
    int used;

    if (sscanf(text, "%u %u %u %lf %u%n", &known, &loads, &uops, &insn->latency,
               &n, &used) != 5 ||
        uops > UINT16_MAX || n > CY_MOST_USES ||
        !(insn->latency >= 0 && insn->latency < 1e6))
        return false;
    insn->is_known = known != 0;
    insn->may_load = loads != 0;
    insn->uops = (uint16_t)uops;
    u->n = (uint8_t)n;
    for (unsigned i = 0; i < n; i++) {
        unsigned long long units;
        unsigned for_memory;

        text += used;
        if (sscanf(text, " %llx %u %lf%n", &units, &for_memory,
                   &u->uses[i].cycles, &used) != 3 ||
            units == 0 || !(u->uses[i].cycles > 0 && u->uses[i].cycles < 1e6))
            return false;
        u->uses[i].units = units;
        u->uses[i].for_memory = for_memory != 0;
    }
    return true;
}

static char *write_uses(const struct cy_mca_insn *insn,
                        const struct cy_mca_uses *u)
{
    assert(u->n <= CY_MOST_USES);
    struct memory_stream s = memory_stream_open(&s);
    fprintf(s.out, "%u %u %u %.17g %u", insn->is_known, insn->may_load,
            insn->uops, insn->latency, u->n);
    for (unsigned i = 0; i < u->n; i++)
        fprintf(s.out, " %llx %u %.17g", (unsigned long long)u->uses[i].units,
                u->uses[i].for_memory, u->uses[i].cycles);
    return memory_stream_close(&s);
}

/* --- The programs --- */

/* The major version that `program --version` prints, also as text; 0: none. */
static unsigned version_of(const char *program, char *text, size_t size)
{
    char *argv[] = {(char *)program, "--version", NULL};
    struct subprocess_output out;
    unsigned version = 0;

    if (subprocess_run(argv, "", 0, &limits, &out, NULL) != 0)
        return 0;
    const char *at = strstr(out.text, "LLVM version ");
    if (at != NULL) {
        at += strlen("LLVM version ");
        snprintf(text, size, "%.*s", (int)strcspn(at, " \n"), at);
        version = (unsigned)strtoul(at, NULL, 10);
    }
    subprocess_fini(&out);
    return version;
}

/* Uses a llvm-mca if it is new enough, and the llvm-mc of the same name. */
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
    struct cy_mca *new = memory_new(1, sizeof *new);
    *new = m;
    open_cache(new);
    return new;
}

void cy_mca_free(struct cy_mca *mca)
{
    if (mca != NULL)
        leave_cache(mca);
    free(mca);
}

const char *cy_mca_name(const struct cy_mca *mca)
{
    return mca->name;
}

/* Runs a program; a status above `most` is a failure.  Reports a failure in the
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
    AUTO_FREE char *hex = cy_dialogue_code(mca->arch, insns, n, &size);

    if (run(argv, hex, size, 1, &out, d) == 0) {
        texts = cy_dialogue_texts(mca->arch, out.text, n, d);
        subprocess_fini(&out);
    }
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
    AUTO_FREE char *assembly = cy_dialogue_question(mca->arch, texts, n, &size);

    return run(argv, assembly, size, 0, out, d);
}

int cy_mca_width(struct cy_mca *mca, double *width, struct diag *d)
{
    AUTO_FREE char *kept = find(mca, "width", "", 0);
    bool is_known = kept != NULL && sscanf(kept, "%lf", width) == 1 &&
                    cy_mca_is_width(*width);
    struct subprocess_output out;

    if (is_known)
        return 0;
    if (ask(mca, NULL, 0, "--iterations=1", &out, d) != 0)
        return -1;
    int rc = cy_dialogue_width(width, out.text, out.n, d);
    subprocess_fini(&out);
    assert(rc != 0 || cy_mca_is_width(*width));
    if (rc == 0 && begin(mca)) {
        keep(mca, "width", "", 0, memory_printf("%.17g", *width));
        commit(mca);
    }
    return rc;
}

/* Asks about n instructions, each alone. */
static int ask_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                     struct cy_mca_uses *uses, size_t n, struct diag *d)
{
    struct subprocess_output out;
    AUTO_FREE char **texts = texts_of(mca, insns, n, d);
    int rc = -1;

    if (texts == NULL)
        return -1;
    if (ask(mca, texts, n, "--instruction-tables", &out, d) == 0) {
        rc = cy_dialogue_units(insns, uses, n, texts, out.text, out.n, d);
        subprocess_fini(&out);
    }
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    return rc;
}

/* The most instructions of a question: llvm-mca takes some 50 KB of memory for
   each. */
#define MOST_INSNS 5000

/* Asks about the instructions with the numbers `missing`, and caches the
   answers. */
static int ask_missing(struct cy_mca *mca, const size_t *missing, size_t n,
                       struct cy_mca_insn *insns, struct cy_mca_uses *uses,
                       struct diag *d)
{
    AUTO_FREE struct cy_mca_insn *asked = memory_new(n, sizeof *asked);
    AUTO_FREE struct cy_mca_uses *found = memory_new(n, sizeof *found);

    for (size_t i = 0; i < n; i++)
        asked[i] = insns[missing[i]];
    assert(n > 0 && n <= MOST_INSNS);
    int rc = ask_units(mca, asked, found, n, d);
    bool is_kept = rc == 0 && begin(mca);
    for (size_t i = 0; i < n && rc == 0; i++) {
        insns[missing[i]] = asked[i];
        uses[missing[i]] = found[i];
        if (is_kept)
            keep(mca, "units", asked[i].bytes, asked[i].length,
                 write_uses(&asked[i], &found[i]));
    }
    if (is_kept)
        commit(mca);
    return rc;
}

ARRAY_ORDER(by_bytes, struct cy_mca_insn *const,
            array_order((*a)->length, (*b)->length)
                ?: memcmp((*a)->bytes, (*b)->bytes, (*a)->length)
                ?: array_order(*a, *b))

static bool are_equal(const struct cy_mca_insn *x, const struct cy_mca_insn *y)
{
    return x->length == y->length && memcmp(x->bytes, y->bytes, x->length) == 0;
}

/* Finds the answers about the sorted instructions that differ from the one
   before, and asks for those that are missing. */
static int ask_distinct(struct cy_mca *mca, struct cy_mca_insn **sorted,
                        size_t n, struct cy_mca_insn *insns,
                        struct cy_mca_uses *uses, struct diag *d)
{
    AUTO_FREE size_t *missing = memory_new(n, sizeof *missing);
    size_t n_missing = 0;
    int rc = 0;

    /* In one transaction, SQLite looks at the file only once. */
    if (mca->cache != NULL && db_exec(mca->cache, "BEGIN", d) != 0)
        leave_cache(mca);
    for (size_t i = 0; i < n; i++) {
        size_t number = (size_t)(sorted[i] - insns);

        assert(sorted[i]->length > 0 && sorted[i]->bytes != NULL);
        if (i > 0 && are_equal(sorted[i], sorted[i - 1]))
            continue;
        AUTO_FREE char *value =
            find(mca, "units", sorted[i]->bytes, sorted[i]->length);
        if (value == NULL || !parse_uses(sorted[i], &uses[number], value))
            missing[n_missing++] = number;
    }
    if (mca->cache != NULL)
        commit(mca);
    for (size_t i = 0; i < n_missing && rc == 0; i += MOST_INSNS)
        rc =
            ask_missing(mca, missing + i,
                        n_missing - i < MOST_INSNS ? n_missing - i : MOST_INSNS,
                        insns, uses, d);
    return rc;
}

int cy_mca_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                 struct cy_mca_uses *uses, size_t n, struct diag *d)
{
    AUTO_FREE struct cy_mca_insn **sorted = memory_new(n, sizeof(*sorted));

    for (size_t i = 0; i < n; i++)
        sorted[i] = &insns[i];
    array_sort(sorted, n, by_bytes);
    int rc = ask_distinct(mca, sorted, n, insns, uses, d);
    for (size_t i = 1; i < n && rc == 0; i++)
        if (are_equal(sorted[i], sorted[i - 1])) {
            const uint8_t *bytes = sorted[i]->bytes;

            *sorted[i] = *sorted[i - 1];
            sorted[i]->bytes = bytes;
            uses[sorted[i] - insns] = uses[sorted[i - 1] - insns];
        }
    return rc;
}
