/*
 * qemu_pairs: the dependencies through memory of one execution, recomputed from
 * what qemu-user saw (qemu_trace), as a second opinion on depsim, and as the
 * first on programs for a processor that is not there.
 *
 *     qemu_pairs x86-64|aarch64 START <TRACE
 *
 * It prints, separated by tabs and in no order, of the program's own code,
 * which begins at address START of its file, and with addresses of the file:
 *     dep    SRC DST OCCURRENCES MIN MAX BOUND:COUNT,... OUTSIDE
 *     exec   ADDRESS EXECUTIONS
 *     total  INSTRUCTIONS       of all code
 * where OUTSIDE counts the occurrences with other code executed in between.
 *
 * QEMU shows an access of more than 8 bytes as several consecutive accesses of
 * 8, which are joined: those of AArch64's pairs of registers for each register.
 *
 * Limits.  One thread, no signals.  Of the kernel's writes, only those of the
 * calls in the table are known; other bytes keep their writers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "oracle_deps.h"
#include "oracle_shadow.h"
#include "qemu_trace.h"

#define LONGEST 64         /* the longest access, in bytes */
#define NONE    UINT32_MAX /* of a call that an architecture lacks */

/* A system call that writes memory or maps it anew, from argument number
   `where` on: as many bytes as `size`, argument number `n` or the result. */
struct call {
    uint32_t number[2]; /* call number on x86-64 and on AArch64 */
    int where;          /* index of the argument; -1: at the result */
    int n;              /* index of the argument; -1: the result; -2: `size` */
    uint32_t size;
};

static const struct call calls[] = {
    {{0, 63}, 1, -1, 0},       /* read */
    {{17, 67}, 1, -1, 0},      /* pread64 */
    {{5, NONE}, 1, -2, 144},   /* fstat of x86-64 */
    {{NONE, 80}, 1, -2, 128},  /* fstat of AArch64 */
    {{262, NONE}, 2, -2, 144}, /* newfstatat of x86-64 */
    {{NONE, 79}, 2, -2, 128},  /* newfstatat of AArch64 */
    {{63, 160}, 0, -2, 390},   /* uname */
    {{318, 278}, 0, -1, 0},    /* getrandom */
    {{302, 261}, 3, -2, 16},   /* prlimit64 */
    {{267, 78}, 2, -1, 0},     /* readlinkat */
    {{89, NONE}, 1, -1, 0},    /* readlink */
    {{228, 113}, 1, -2, 16},   /* clock_gettime */
    {{9, 222}, -1, 1, 0},      /* mmap */
};

struct state {
    struct oracle_shadow *shadow;
    struct oracle_deps deps;
    struct keys addresses; /* of sites, whose numbers are 1 more */
    uint64_t *executions;  /* of each address */
    size_t room;
    uint64_t n_insns;
    uint64_t code[2]; /* where the program's code begins and ends */
    uint64_t outside; /* time of the last instruction of other code */
    struct oracle_write now;
    uint64_t load, load_size; /* a load that is not counted yet */
    uint64_t longest;         /* longest load that the instruction may make */
    unsigned arch;
};

/* Counts an execution; returns the number of the site. */
static uint32_t execute(struct state *s, uint64_t address)
{
    size_t n = s->addresses.n;
    uint32_t at = keys_add(&s->addresses, address);

    s->executions =
        memory_grow(s->executions, &s->room, at, sizeof *s->executions);
    s->executions[at] = at == n ? 1 : s->executions[at] + 1;
    return at + 1;
}

/* Counts the pending load: an occurrence for each instruction that wrote any of
   its bytes, at the distance of its latest store.  Forwards are not told apart:
   the plugin shows a wide store only in parts.  The counter of loads that cross
   a line counts occurrences with other code in between instead. */
static void count(struct state *s)
{
    struct oracle_write bytes[LONGEST], writers[LONGEST];
    unsigned n = oracle_shadow_load(s->shadow, s->load, (unsigned)s->load_size,
                                    bytes, writers);

    for (unsigned j = 0; j < n; j++)
        oracle_deps_count(
            &s->deps, writers[j].site, s->now.site,
            s->now.when - writers[j].when,
            (struct oracle_load){ORACLE_SAME, writers[j].when < s->outside});
    s->load_size = 0;
}

static void take_load(struct state *s, uint64_t address, uint64_t size)
{
    if (s->load_size > 0 && s->load_size % 8 == 0 && size == 8 &&
        s->load + s->load_size == address &&
        s->load_size + size <= s->longest) {
        s->load_size += size;
        return;
    }
    count(s);
    s->load = address;
    s->load_size = size;
}

static void take_call(struct state *s, const uint64_t *words)
{
    int64_t result = (int64_t)words[5];

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct call *c = &calls[i];
        uint64_t start, n = c->size;

        if (c->number[s->arch] != words[0] || (result < 0 && result > -4096))
            continue;
        start = c->where < 0 ? (uint64_t)result : words[1 + c->where];
        if (c->n >= 0)
            n = words[1 + c->n];
        else if (c->n == -1)
            n = (uint64_t)result;
        if (start != 0 && start < ORACLE_ADDRESS_MAX &&
            n < ORACLE_ADDRESS_MAX - start)
            oracle_shadow_clear(s->shadow, start, n);
    }
}

static bool is_own(const struct state *s, uint64_t address)
{
    return s->code[0] <= address && address < s->code[1];
}

/* Takes a word of the trace that does not belong to a system call. */
static bool take(struct state *s, uint64_t word)
{
    uint64_t address = word & ((UINT64_C(1) << 56) - 1);
    uint64_t size = UINT64_C(1) << (word >> 56 & 0x3f);

    switch (word >> 62) {
    case QEMU_TRACE_INSN:
        count(s);
        s->now.site = execute(s, address);
        s->now.when = s->n_insns++;
        if (!is_own(s, address))
            s->outside = s->now.when;
        s->longest = size > 1 ? size : LONGEST;
        return true;
    case QEMU_TRACE_LOAD:
    case QEMU_TRACE_STORE:
        if (size > LONGEST || address > ORACLE_ADDRESS_MAX - size ||
            s->now.site == 0)
            return false;
        if (word >> 62 == QEMU_TRACE_LOAD) {
            take_load(s, address, size);
        } else {
            count(s);
            oracle_shadow_store(s->shadow, address, size, s->now);
        }
        return true;
    default:
        return false;
    }
}

static bool take_all(struct state *s, FILE *in)
{
    uint64_t word, words[QEMU_TRACE_CALL_WORDS];

    if (fread(s->code, sizeof s->code, 1, in) != 1)
        return false;
    while (fread(&word, sizeof word, 1, in) == 1) {
        if (word >> 62 != QEMU_TRACE_CALL) {
            if (!take(s, word))
                return false;
            continue;
        }
        if (fread(words, sizeof words, 1, in) != 1)
            return false;
        count(s);
        take_call(s, words);
    }
    count(s);
    return s->n_insns > 0 && !ferror(in);
}

static void print_dep(const struct oracle_dep *dep, uint64_t src, uint64_t dst)
{
    const char *separator = "";
    uint64_t outside = 0;

    printf("dep\t%" PRIx64 "\t%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
           "\t",
           src, dst, dep->occurrences, dep->min, dep->max);
    for (int i = 0; i < ORACLE_BUCKETS; i++) {
        outside += dep->bucket[i].crossing;
        if (dep->bucket[i].all == 0)
            continue;
        if (i == ORACLE_BUCKETS - 1)
            printf("%sinf:%" PRIu64, separator, dep->bucket[i].all);
        else
            printf("%s%lu:%" PRIu64, separator, 1ul << i, dep->bucket[i].all);
        separator = ",";
    }
    printf("\t%" PRIu64 "\n", outside);
}

/* Prints the results; `bias` is what was added to the file's addresses. */
static void print(const struct state *s, uint64_t bias)
{
    const uint64_t *address = s->addresses.list;

    for (size_t i = 0; i < s->deps.pairs.n; i++) {
        const struct oracle_dep *dep = &s->deps.dep[i];
        uint64_t src = address[dep->src - 1], dst = address[dep->dst - 1];

        if (is_own(s, src) && is_own(s, dst))
            print_dep(dep, src - bias, dst - bias);
    }
    for (size_t i = 0; i < s->addresses.n; i++)
        if (is_own(s, address[i]))
            printf("exec\t%" PRIx64 "\t%" PRIu64 "\n", address[i] - bias,
                   s->executions[i]);
    printf("total\t%" PRIu64 "\n", s->n_insns);
}

int main(int argc, char **argv)
{
    struct state s = {0};
    bool is_read;

    if (argc != 3) {
        fputs("Usage: qemu_pairs x86-64|aarch64 START <TRACE\n", stderr);
        return 2;
    }
    s.arch = strcmp(argv[1], "aarch64") == 0;
    s.shadow = oracle_shadow_new();
    is_read = take_all(&s, stdin);
    if (is_read)
        print(&s, s.code[0] - strtoull(argv[2], NULL, 0));
    else
        fputs("qemu_pairs: standard input: not a trace\n", stderr);
    free(s.executions);
    keys_fini(&s.addresses);
    oracle_deps_fini(&s.deps);
    oracle_shadow_free(s.shadow);
    return is_read ? 0 : 2;
}
