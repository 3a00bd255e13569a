/* What the fuzz targets share: the analysis of a block within its limits. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"

#include <time.h>

/* Seconds for a block, with sanitizers: some four times as many as the slowest
   known block takes, forty rep instructions of 1,024 elements. */
#define LIMIT 4.0

void fuzz_claim(bool holds, const char *claim)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", claim);
    abort();
}

struct sd_decoder *fuzz_decoder(enum arch arch)
{
    static struct sd_decoder *decoders[N_ARCHES];

    if (decoders[arch] == NULL)
        decoders[arch] = sd_decoder_new(arch);
    return decoders[arch];
}

static struct sd_analyser *analyser(enum arch arch)
{
    static struct sd_analyser analysers[N_ARCHES];
    static bool is_ready[N_ARCHES];

    if (!is_ready[arch])
        sd_analyser_init(&analysers[arch],
                         &(struct sd_settings){.arch = arch,
                                               .rob = 512,
                                               .threshold = 0.8,
                                               .n_seeds = 2,
                                               .seed = 1});
    is_ready[arch] = true;
    return &analysers[arch];
}

double fuzz_processor_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_deps(const struct sd_reroll *found, uint32_t n_insns)
{
    for (size_t i = 0; i < found->n_deps; i++) {
        const struct sd_dep *dep = &found->deps[i];

        fuzz_claim(dep->src < n_insns && dep->dst < n_insns,
                   "both ends lie in the block");
        fuzz_claim(dep->support >= 0.8 && dep->support <= 1,
                   "the support lies between the threshold and 1");
    }
}

static enum sd_status run(struct sd_analyser *a, const struct sd_blocks *blocks,
                          const struct sd_block *b, struct sd_node *node)
{
    struct sd_block block = *b;

    block.node = node;
    return sd_analyse(a, blocks, &block);
}

void fuzz_run(enum arch arch, const struct sd_blocks *blocks, size_t i)
{
    const struct sd_block *b = &blocks->blocks[i];

    if (b->status == SD_OK && b->n_insns > 0)
        run(analyser(arch), blocks, b, NULL);
}

static enum sd_status analyse(struct sd_analyser *a,
                              const struct sd_blocks *blocks,
                              const struct sd_block *b, struct sd_node *node)
{
    double start = fuzz_processor_time();
    enum sd_status status = run(a, blocks, b, node);

    fuzz_claim(fuzz_processor_time() - start < LIMIT,
               "a block takes seconds at most");
    check_deps(&a->reroll, b->n_insns);
    return status;
}

static struct sd_dep *copy(const struct sd_reroll *found)
{
    struct sd_dep *deps = memory_new(found->n_deps, sizeof *deps);

    if (found->n_deps > 0)
        memcpy(deps, found->deps, found->n_deps * sizeof *deps);
    return deps;
}

static void check_same(const struct sd_dep *before, size_t n_before,
                       const struct sd_reroll *found, const char *claim)
{
    fuzz_claim(found->n_deps == n_before, claim);
    for (size_t i = 0; i < n_before; i++)
        fuzz_claim(before[i].src == found->deps[i].src &&
                       before[i].dst == found->deps[i].dst &&
                       before[i].delta_k == found->deps[i].delta_k &&
                       before[i].support == found->deps[i].support,
                   claim);
}

/* Analyses a block, and again with all its iterations; both must agree. */
static enum sd_status analyse_twice(struct sd_analyser *a,
                                    const struct sd_blocks *blocks,
                                    const struct sd_block *b,
                                    struct sd_node *node)
{
    enum sd_status status = analyse(a, blocks, b, node);
    size_t n = a->reroll.n_deps;
    struct sd_dep *deps = copy(&a->reroll);

    a->exec.never_settles = true;
    analyse(a, blocks, b, node);
    a->exec.never_settles = false;
    check_same(deps, n, &a->reroll,
               "a block that settles shows what all its iterations do");
    free(deps);
    return status;
}

void fuzz_analyse(enum arch arch, const struct sd_blocks *blocks, size_t i)
{
    struct sd_analyser *a = analyser(arch);
    const struct sd_block *b = &blocks->blocks[i];
    enum sd_status status;
    struct sd_dep *before;
    size_t n_before;

    if (b->status != SD_OK || b->n_insns == 0)
        return;
    status = analyse_twice(a, blocks, b, NULL);
    if (b->node == NULL)
        return;
    n_before = a->reroll.n_deps;
    before = copy(&a->reroll);
    fuzz_claim(analyse_twice(a, blocks, b, b->node) == status,
               "a block's loop does not change what it is");
    /* A block that follows itself finds its values as it left them: its loop
       has no other blocks that could change them. */
    if (sd_node_follows_itself(b->node))
        check_same(before, n_before, &a->reroll,
                   "a block that follows itself is its own loop");
    free(before);
}
