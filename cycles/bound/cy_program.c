/*
 * cy_program: cycles of functions and of the program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/cy_program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"

/* llvm-mca is asked about the heaviest blocks, until those that are left have
   no more than this share of all instructions, or until they are this many. */
#define LEFT_OUT    0.005
#define MOST_BLOCKS 20000

/* A block with executions outside the rounds of loops. */
struct rest {
    uint32_t block;
    uint64_t executions; /* outside loops */
    uint64_t executed;   /* instructions in these */
    size_t first, n;     /* its instructions, among those of all blocks */
};

struct summing {
    const struct cy_data *data;
    struct cy_program *program;
    struct rest *rest;
    size_t n_rest;
};

static int weight_order(const void *pa, const void *pb)
{
    const struct rest *a = pa, *b = pb;

    return array_order(b->executed, a->executed)
               ?: array_order(a->block, b->block);
}

/* Finds the executions of each block outside loops; the heaviest come first. */
static void take_rest(struct summing *s, const struct cy_prediction *p)
{
    const struct cy_data *data = s->data;
    uint64_t all = 0, left = 0;
    size_t n = 0;

    s->rest = memory_new(data->n_blocks, sizeof *s->rest);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        s->rest[i] =
            (struct rest){.block = i, .executions = data->blocks[i].executions};
        all += data->blocks[i].executions * data->blocks[i].n_insns;
    }
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->loops[i].loop->n_blocks; j++) {
            struct rest *r = &s->rest[p->loops[i].loop->blocks[j]];

            /* A block is on the way of one loop at most. */
            assert(r->executions >= p->loops[i].loop->rounds);
            r->executions -= p->loops[i].loop->rounds;
        }
    for (size_t i = 0; i < data->n_blocks; i++) {
        struct rest *r = &s->rest[i];

        if (r->executions == 0)
            continue;
        r->executed = r->executions * data->blocks[i].n_insns;
        left += r->executed;
        s->rest[n++] = *r;
    }
    array_sort(s->rest, n, weight_order);
    while (s->n_rest < n && s->n_rest < MOST_BLOCKS &&
           (double)left > LEFT_OUT * (double)all)
        left -= s->rest[s->n_rest++].executed;
}

/* The sums of a function. */
static struct cy_total *total_of(struct summing *s, const char *function)
{
    struct cy_program *p = s->program;

    for (size_t i = 0; i < p->n; i++)
        if (p->functions[i].function == function)
            return &p->functions[i];
    assert(p->n <= s->data->n_names); /* and one without a name */
    p->functions[p->n] = (struct cy_total){.function = function};
    return &p->functions[p->n++];
}

static void add(struct summing *s, const char *function,
                const struct cy_total *part)
{
    struct cy_total *sums[] = {total_of(s, function), &s->program->total};

    assert(part->low_mended <= part->low && part->low <= part->high);
    for (int i = 0; i < 2; i++) {
        sums[i]->instructions += part->instructions;
        sums[i]->unmodelled += part->unmodelled;
        sums[i]->mca += part->mca;
        sums[i]->low_mended += part->low_mended;
        sums[i]->low += part->low;
        sums[i]->high_without += part->high_without;
        sums[i]->high += part->high;
    }
}

static void add_loops(struct summing *s, const struct cy_prediction *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct cy_cost_of_loop *c = &p->loops[i];
        const struct cy_cycles *cy = &c->cycles;
        double rounds = (double)c->loop->rounds;
        struct cy_total part = {
            .instructions = c->loop->rounds * c->n,
            .unmodelled = c->loop->rounds * c->n,
        };

        if (cy_unknown_is_all(&c->unknown)) {
            add(s, c->function, &part);
            continue;
        }
        part = (struct cy_total){
            .instructions = c->loop->rounds * c->n,
            .unmodelled = c->loop->rounds *
                          (c->bound.n_unknown_flow + c->region.n_unknown),
            .mca = rounds * c->region.total,
            .low_mended = rounds * cy->short_runs_mended,
            .low = rounds * cy->short_runs,
            .high_without = rounds * (cy->is_recorded ? cy->short_runs_mended
                                                      : cy->without),
            .high = rounds * (cy->is_recorded ? cy->short_runs : cy->predicted),
        };

        add(s, c->function, &part);
    }
}

static int ask(struct summing *s, struct cy_code *code, struct cy_mca *mca,
               struct cy_mca_region *regions, struct diag *d)
{
    struct cy_code_bytes *insns = NULL;
    struct cy_mca_insn *asked;
    size_t n = 0, room = 0;
    int rc = 0;

    for (size_t i = 0; i < s->n_rest && rc == 0; i++) {
        s->rest[i].first = n;
        rc = cy_code_bytes(code, &s->data->blocks[s->rest[i].block], &insns, &n,
                           &room, d);
        s->rest[i].n = n - s->rest[i].first;
    }
    asked = memory_new(n + 1, sizeof *asked);
    for (size_t i = 0; i < n; i++)
        asked[i] = (struct cy_mca_insn){.bytes = insns[i].bytes,
                                        .length = insns[i].length};
    for (size_t i = 0; i < s->n_rest; i++)
        regions[i] = (struct cy_mca_region){.insns = asked + s->rest[i].first,
                                            .n = s->rest[i].n};
    if (rc == 0 && s->n_rest > 0)
        rc = cy_mca_run(mca, regions, s->n_rest, d);
    free(asked);
    free(insns);
    return rc;
}

static void add_rest(struct summing *s, const struct cy_mca_region *regions)
{
    struct cy_program *p = s->program;

    p->rest = memory_new(s->n_rest, sizeof *p->rest);
    for (size_t i = 0; i < s->n_rest; i++) {
        const struct rest *r = &s->rest[i];
        double cycles = (double)r->executions * regions[i].throughput;
        struct cy_total part = {
            .instructions = r->executions * r->n,
            .unmodelled = r->executions * regions[i].n_unknown,
            .mca = (double)r->executions * regions[i].total,
            .low_mended = cycles,
            .low = cycles,
            .high_without = cycles,
            .high = cycles,
        };

        add(s, s->data->blocks[r->block].function, &part);
        p->rest[p->n_rest++] = (struct cy_rest){r->block, cycles};
    }
}

static int total_order(const void *pa, const void *pb)
{
    const struct cy_total *a = pa, *b = pb;

    if (a->low != b->low)
        return a->low > b->low ? -1 : 1;
    if (a->function == NULL || b->function == NULL)
        return (b->function != NULL) - (a->function != NULL);
    return strcmp(a->function, b->function);
}

/* Adds what ran outside the blocks, or in blocks that were left out.  A block
   that was not executed to its end counts as a whole, so the blocks may have
   more than all that was executed. */
static void add_outside(struct cy_total *total, uint64_t executed)
{
    if (executed <= total->instructions)
        return;
    total->unmodelled += executed - total->instructions;
    total->instructions = executed;
}

int cy_program_of(struct cy_program *program, const struct cy_data *data,
                  const struct cy_prediction *prediction, struct cy_code *code,
                  struct cy_mca *mca, struct diag *d)
{
    struct summing s = {.data = data, .program = program};
    struct cy_mca_region *regions;
    int rc;

    *program = (struct cy_program){0};
    if (!data->has_executions || mca == NULL)
        return 0;
    take_rest(&s, prediction);
    program->functions =
        memory_new(data->n_names + 1, sizeof *program->functions);
    regions = memory_new(s.n_rest, sizeof *regions);
    rc = ask(&s, code, mca, regions, d);
    if (rc == 0) {
        add_loops(&s, prediction);
        add_rest(&s, regions);
        array_sort(program->functions, program->n, total_order);
        add_outside(&program->total, data->recorded);
    }
    free(regions);
    free(s.rest);
    return rc;
}

void cy_program_fini(struct cy_program *program)
{
    free(program->functions);
    free(program->rest);
    *program = (struct cy_program){0};
}
