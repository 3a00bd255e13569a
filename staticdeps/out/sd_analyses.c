/*
 * sd_analyses: analyses blocks in worker processes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_analyses.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "out/sd_pool.h"

#define CHUNK 128 /* blocks: a millisecond or so */

/* So few blocks take less time than starting workers for them. */
#define FEW 256

struct analyses {
    const struct sd_blocks *blocks;
    const struct sd_settings *settings;
    sd_sink *sink;
    void *argument;
    struct sd_counts *counts;
};

/* Results on their way: for each block a header, then its dependencies, then
   its instructions with unknown addresses and its accesses at known ones; all
   aligned to 8 bytes. */
struct head {
    uint32_t status, n_deps, n_unknowns, n_accesses;
};

/* The worker's side. */

static enum sd_status analyse_block(struct sd_analyser *a,
                                    const struct sd_blocks *blocks,
                                    const struct sd_block *b)
{
    if (b->status != SD_OK || b->n_insns == 0) {
        sd_analyser_clear(a);
        return b->status;
    }
    return sd_analyse(a,
                      &(struct sd_code_block){.bytes = b->bytes,
                                              .insns = blocks->insns + b->first,
                                              .n_insns = b->n_insns,
                                              .address = b->address,
                                              .salt = b->salt,
                                              .node = b->node});
}

static void *begin(const void *context)
{
    const struct analyses *all = context;
    struct sd_analyser *a = memory_new(1, sizeof *a);

    sd_analyser_init(a, all->settings);
    return a;
}

static void work(void *state, const void *context, size_t number,
                 struct sd_output *out)
{
    const struct analyses *all = context;
    struct sd_analyser *a = state;
    struct head head = {
        .status = analyse_block(a, all->blocks, &all->blocks->blocks[number])};

    head.n_deps = (uint32_t)a->reroll.n_deps;
    head.n_unknowns = (uint32_t)a->n_unknowns;
    head.n_accesses = (uint32_t)a->origin.n;
    sd_output_add(out, &head, sizeof head);
    sd_output_add(out, a->reroll.deps, head.n_deps * sizeof *a->reroll.deps);
    sd_output_add(out, a->unknowns, head.n_unknowns * sizeof *a->unknowns);
    sd_output_add(out, a->origin.accesses,
                  head.n_accesses * sizeof *a->origin.accesses);
}

static void end(void *state, struct sd_output *out)
{
    struct sd_analyser *a = state;

    sd_output_add(out, a->counts, sizeof *a->counts);
    sd_analyser_fini(a);
    free(a);
}

/* The parent's side. */

static int take(void *argument, size_t first, size_t n, const uint8_t *bytes,
                size_t size, struct diag *d)
{
    const struct analyses *all = argument;
    const uint8_t *at = bytes;
    int rc = 0;

    for (size_t i = first; rc == 0 && i < first + n; i++) {
        struct sd_result result;
        struct head head;

        assert((size_t)(at - bytes) + sizeof head <= size);
        memcpy(&head, at, sizeof head);
        assert(head.status < SD_N_STATUSES);
        at += sizeof head;
        result.status = (enum sd_status)head.status;
        result.n_deps = head.n_deps;
        result.deps = (const struct sd_dep *)(const void *)at;
        at += head.n_deps * sizeof *result.deps;
        result.n_unknowns = head.n_unknowns;
        result.unknowns = (const struct sd_unknown *)(const void *)at;
        at += head.n_unknowns * sizeof *result.unknowns;
        result.n_accesses = head.n_accesses;
        result.accesses = (const struct sd_access *)(const void *)at;
        at += head.n_accesses * sizeof *result.accesses;
        rc = all->sink(all->argument, i, &result, d);
    }
    assert(rc != 0 || at == bytes + size);
    return rc;
}

static void take_end(void *argument, const uint8_t *bytes, size_t size)
{
    const struct analyses *all = argument;
    const struct sd_counts *c = (const struct sd_counts *)(const void *)bytes;
    struct sd_counts *counts = all->counts;

    assert(size == sizeof *counts);
    (void)size;
    counts->n_run += c->n_run;
    counts->n_lengths_differ += c->n_lengths_differ;
    counts->n_by_operands += c->n_by_operands;
    counts->n_unknown_loads += c->n_unknown_loads;
    counts->n_unknown_stores += c->n_unknown_stores;
    for (size_t i = 0; i < SD_N_OPERATIONS; i++)
        counts->n_unsupported[i] += c->n_unsupported[i];
}

int sd_analyses_run(const struct sd_blocks *blocks, const struct sd_settings *s,
                    unsigned jobs, sd_sink *sink, void *argument,
                    struct sd_counts *counts, struct diag *d)
{
    struct analyses all = {blocks, s, sink, argument, counts};
    struct sd_job job = {.n = blocks->n_blocks,
                         .chunk = CHUNK,
                         .few = FEW,
                         .context = &all,
                         .begin = begin,
                         .work = work,
                         .end = end,
                         .take = take,
                         .take_end = take_end,
                         .argument = &all};

    return sd_pool_run(&job, jobs, d);
}
