/*
 * What the fuzz targets share: the analysis of a block within its limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LIMIT 1.0 /* second a block, sanitizers and all */

void fuzz_claim(bool holds, const char *claim)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", claim);
    abort();
}

struct sd_decoder *fuzz_decoder(enum sd_arch arch)
{
    static struct sd_decoder *decoders[SD_N_ARCHES];

    if (decoders[arch] == NULL)
        decoders[arch] = sd_decoder_new(arch);
    return decoders[arch];
}

static struct sd_analyser *analyser(enum sd_arch arch)
{
    static struct sd_analyser analysers[SD_N_ARCHES];
    static bool is_ready[SD_N_ARCHES];

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

static double seconds(void)
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

void fuzz_analyse(enum sd_arch arch, const struct sd_blocks *blocks, size_t i)
{
    struct sd_analyser *a = analyser(arch);
    const struct sd_block *b = &blocks->blocks[i];
    double start = seconds();

    if (b->status != SD_OK || b->n_insns == 0)
        return;
    sd_analyse(a, &(struct sd_code_block){.bytes = b->bytes,
                                          .insns = blocks->insns + b->first,
                                          .n_insns = b->n_insns,
                                          .address = b->address,
                                          .salt = b->salt,
                                          .node = b->node});
    fuzz_claim(seconds() - start < LIMIT, "a block takes less than a second");
    check_deps(&a->reroll, b->n_insns);
}
