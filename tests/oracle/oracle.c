/*
 * oracle: the dependencies through memory of one execution, recomputed from
 * what Valgrind's lackey saw, as a second opinion on depsim.
 *
 *     valgrind -d --tool=lackey --trace-mem=yes --trace-syscalls=yes \
 *         --vex-iropt-level=1 --px-default=allregs-at-each-insn \
 *         --px-file-backed=allregs-at-each-insn --sim-hints=fallback-llsc \
 *         --log-file=TRACE PROGRAM 2>SEGMENTS
 *     oracle SEGMENTS <TRACE
 *
 * It prints, separated by tabs and in no order:
 *     dep    OBJECT SRC OBJECT DST OCCURRENCES MIN MAX BOUND:COUNTS,...
 * where the counts are, separated by slashes: all occurrences, those forwarded
 * as same, contained, partial, several, and those that cross a line; then
 *     exec   OBJECT ADDRESS EXECUTIONS
 *     total  INSTRUCTIONS
 *     unsure COMPARE-AND-SWAPS
 *
 * Limits.  One thread, no child processes, no signals, only the system calls
 * that oracle_calls.c knows: anything else is an error.  If oracle_cas.c is
 * unsure about a compare-and-swap, it is taken to succeed, and counted (on
 * AArch64 it is not counted).  Memory
 * that another process writes cannot be seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "oracle_calls.h"
#include "oracle_deps.h"

#define ACCESS_MAX 4096 /* bytes of an access; XSAVE's area is the largest */

struct access {
    uint64_t address, n;
    struct oracle_write write;
};

struct oracle {
    const char *segments; /* the file's path, until it is read */
    struct oracle_maps *maps;
    struct oracle_sites sites;
    struct oracle_shadow *shadow;
    struct oracle_deps deps;
    struct oracle_calls *calls;
    struct oracle_write now; /* the instruction that is being executed */
    enum oracle_kind kind;
    uint64_t n_instructions, n_stores;
    struct oracle_cas cas;
    struct access held; /* the store of the compare-and-swap */
    uint64_t n_unsure;
};

static void store(struct oracle *o, const struct access *a)
{
    oracle_shadow_store(o->shadow, a->address, a->n, a->write);
}

static void settle(struct oracle *o, enum oracle_verdict verdict)
{
    if (verdict == ORACLE_DONE || verdict == ORACLE_UNSURE)
        store(o, &o->held);
    if (verdict == ORACLE_UNSURE)
        o->n_unsure++;
}

/* Valgrind has written the segments when the first instruction executes. */
static int execute(struct oracle *o, uint64_t address, uint64_t length,
                   struct diag *d)
{
    if (o->segments != NULL && oracle_maps_read(o->maps, o->segments, d) != 0)
        return -1;
    o->segments = NULL;
    o->now.when = o->n_instructions++;
    o->now.site = oracle_sites_execute(&o->sites, address, d);
    if (o->now.site == 0)
        return -1;
    o->kind = o->sites.site[o->now.site - 1].kind;
    settle(o, oracle_cas_step(&o->cas, address, length, o->kind));
    return 0;
}

static bool is_near(const struct oracle *o, struct oracle_write w)
{
    return w.site != 0 && o->now.when - w.when <= ORACLE_NEAR;
}

/* How a store forwards a load of n bytes, from the writer of each byte. */
static enum oracle_forward forward_of(const struct oracle *o,
                                      struct oracle_write store,
                                      const struct oracle_write *byte,
                                      uint64_t n)
{
    uint64_t n_own = 0, n_near = 0;

    for (uint64_t i = 0; i < n; i++) {
        bool is_own = byte[i].site != 0 && byte[i].store == store.store;

        n_own += is_own;
        n_near += !is_own && is_near(o, byte[i]);
    }
    if (n_near > 0 && is_near(o, store))
        return ORACLE_SEVERAL;
    if (n_own < n)
        return ORACLE_PARTIAL;
    return store.size == n ? ORACLE_SAME : ORACLE_CONTAINED;
}

/* Counts one occurrence for each instruction that wrote any of the bytes, at
   the time of its latest write. */
static void load(struct oracle *o, uint64_t address, uint64_t n)
{
    struct oracle_write writer[ACCESS_MAX], byte[ACCESS_MAX];
    struct oracle_load how;
    unsigned n_writers =
        oracle_shadow_load(o->shadow, address, (unsigned)n, byte, writer);

    how.crosses = address / 64 != (address + n - 1) / 64;
    for (unsigned j = 0; j < n_writers; j++) {
        how.forward = forward_of(o, writer[j], byte, n);
        oracle_deps_count(&o->deps, writer[j].site, o->now.site,
                          o->now.when - writer[j].when, how);
    }
}

static void written(struct oracle *o, struct access a)
{
    a.write.size = (uint32_t)a.n;
    a.write.store = ++o->n_stores;
    if (o->kind != ORACLE_CAS) {
        store(o, &a);
        return;
    }
    o->held = a;
    oracle_cas_begin(&o->cas);
}

/* Parses "ADDRESS,SIZE", with the address in hexadecimal. */
static int parse_access(const char *text, uint64_t *address, uint64_t *n)
{
    char *end;

    *address = strtoull(text, &end, 16);
    if (end == text || *end != ',')
        return -1;
    text = end + 1;
    *n = strtoull(text, &end, 10);
    return end != text && (*end == '\n' || *end == '\0') ? 0 : -1;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static int take_line(struct oracle *o, const char *line, struct diag *d)
{
    uint64_t address, n;

    if (begins(line, "==") || begins(line, "--"))
        return 0;
    if (begins(line, " --> [pre-fail]")) /* of a call Valgrind does not know */
        return 0;
    if (begins(line, "SYSCALL["))
        return oracle_calls_line(o->calls, line, d);
    if (strlen(line) < 3 || parse_access(line + 3, &address, &n) != 0 ||
        n > ACCESS_MAX || address > ORACLE_ADDRESS_MAX - n)
        return diag_set(d, "%.60s: not a line of lackey", line);
    if (begins(line, "I  "))
        return execute(o, address, n, d);
    if (line[0] != ' ' || strchr("LSM", line[1]) == NULL || o->now.site == 0)
        return diag_set(d, "%.60s: not an access of an instruction", line);
    if (o->kind == ORACLE_BIT)
        return 0;
    if (line[1] != 'S' && o->kind != ORACLE_EXCLUSIVE)
        load(o, address, n);
    if (line[1] != 'L')
        written(o, (struct access){address, n, o->now});
    return 0;
}

static int take_trace(struct oracle *o, FILE *in, struct diag *d)
{
    char *line = NULL;
    size_t size = 0;
    int result = 0;

    while (result == 0 && getline(&line, &size, in) > 0)
        result = take_line(o, line, d);
    free(line);
    if (result == 0 && o->n_instructions == 0)
        return diag_set(d, "standard input: no trace");
    return result;
}

static void print_dep(const struct oracle *o, const struct oracle_dep *dep,
                      FILE *out)
{
    const struct oracle_place *src = &o->sites.site[dep->src - 1].place;
    const struct oracle_place *dst = &o->sites.site[dep->dst - 1].place;
    const char *separator = "";

    fprintf(out,
            "dep\t%s\t%" PRIx64 "\t%s\t%" PRIx64 "\t%" PRIu64 "\t%" PRIu64
            "\t%" PRIu64 "\t",
            src->object, src->address, dst->object, dst->address,
            dep->occurrences, dep->min, dep->max);
    for (int i = 0; i < ORACLE_BUCKETS; i++) {
        const struct oracle_bucket *b = &dep->bucket[i];

        if (b->all == 0)
            continue;
        if (i == ORACLE_BUCKETS - 1)
            fprintf(out, "%sinf:", separator);
        else
            fprintf(out, "%s%lu:", separator, 1ul << i);
        fprintf(out, "%" PRIu64, b->all);
        for (int j = 0; j < ORACLE_FORWARDS; j++)
            fprintf(out, "/%" PRIu64, b->forward[j]);
        fprintf(out, "/%" PRIu64, b->crossing);
        separator = ",";
    }
    fputc('\n', out);
}

static void print(const struct oracle *o, FILE *out)
{
    for (size_t i = 0; i < o->deps.pairs.n; i++)
        print_dep(o, &o->deps.dep[i], out);
    for (size_t i = 0; i < o->sites.n; i++) {
        const struct oracle_site *site = &o->sites.site[i];

        fprintf(out, "exec\t%s\t%" PRIx64 "\t%" PRIu64 "\n", site->place.object,
                site->place.address, site->executions);
    }
    fprintf(out, "total\t%" PRIu64 "\nunsure\t%" PRIu64 "\n", o->n_instructions,
            o->n_unsure);
}

int main(int argc, char **argv)
{
    struct oracle o = {.segments = argc == 2 ? argv[1] : NULL};
    struct diag d;

    if (argc != 2) {
        fputs("Usage: oracle SEGMENTS <TRACE\n", stderr);
        return 2;
    }
    o.maps = oracle_maps_new();
    o.sites.maps = o.maps;
    o.shadow = oracle_shadow_new();
    o.calls = oracle_calls_new(o.shadow, o.maps, &o.sites);

    int result = take_trace(&o, stdin, &d);

    if (result == 0)
        print(&o, stdout);
    else
        fprintf(stderr, "oracle: %s\n", d.text);
    oracle_calls_free(o.calls);
    oracle_deps_fini(&o.deps);
    oracle_shadow_free(o.shadow);
    oracle_sites_fini(&o.sites);
    oracle_maps_free(o.maps);
    return result == 0 ? 0 : 2;
}
