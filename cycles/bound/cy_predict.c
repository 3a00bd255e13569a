/*
 * cy_predict: the loops of a program with what each costs, and why.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/cy_predict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bound/cy_overlap.h"
#include "bound/cy_throughput.h"
#include "memory.h"

/* A loop is bound by memory if memory raises its prediction by this factor. */
#define MEMORY_BOUND 1.4

/* The least share of the load's executions in which a pair is an edge. */
#define OFTEN 0.5

/* Loops with a smaller share of the executed instructions, in percent, count as
   other code, unless the user wants to see them. */
#define LEAST_SHARE 0.01

/* Rounds: a dependency that goes further back costs nothing. */
#define MOST_ROUNDS 1e6

/* A taken branch a cycle. */
#define LEAST_ROUND 1.0

/* Instructions whose latency tells that of their load: a load alone, then with
   arithmetic, and that without the load; general registers, then vectors. */
static const struct {
    uint8_t length, bytes[4];
} probes[] = {
    {3, {0x48, 0x8b, 0x07}},       /* mov (%rdi), %rax */
    {3, {0x48, 0x03, 0x07}},       /* add (%rdi), %rax */
    {3, {0x48, 0x01, 0xf8}},       /* add %rdi, %rax */
    {4, {0xf2, 0x0f, 0x10, 0x07}}, /* movsd (%rdi), %xmm0 */
    {4, {0xf2, 0x0f, 0x58, 0x07}}, /* addsd (%rdi), %xmm0 */
    {4, {0xf2, 0x0f, 0x58, 0xc7}}, /* addsd %xmm7, %xmm0 */
    {3, {0x48, 0x01, 0x07}},       /* add %rax, (%rdi) */
};
#define N_PROBES (sizeof probes / sizeof probes[0])

static double share_of(const struct cy_data *data, const struct cy_loop *loop)
{
    double n = 0;

    assert(loop->n_blocks > 0);
    for (size_t i = 0; i < loop->n_blocks; i++)
        n += data->blocks[loop->blocks[i]].n_insns;
    return data->instructions > 0
               ? 100 * n * (double)loop->rounds / (double)data->instructions
               : 0;
}

static bool is_of_function(const struct cy_data *data,
                           const struct cy_loop *loop, const char *wanted)
{
    const char *function = data->blocks[loop->blocks[0]].function;

    return wanted == NULL ||
           (function != NULL && strcmp(function, wanted) == 0);
}

/* Does it count as a loop? */
static bool is_predicted(const struct cy_data *data, const struct cy_loop *loop,
                         const struct cy_choice *choice)
{
    return is_of_function(data, loop, choice->function) &&
           (!data->has_executions ||
            share_of(data, loop) >= fmin(LEAST_SHARE, choice->min_share));
}

static int take_code(struct cy_cost_of_loop *c, const struct cy_data *data,
                     struct cy_code *code, struct diag *d)
{
    size_t n = 0, room = 0;

    for (size_t i = 0; i < c->loop->n_blocks; i++)
        if (cy_code_block(code, &data->blocks[c->loop->blocks[i]], &c->insns,
                          &n, &room, d) != 0)
            return -1;
    assert(n > 0 && n < UINT32_MAX);
    c->n = (uint32_t)n;
    c->steps = memory_new(n, sizeof *c->steps);
    for (uint32_t i = 0; i < c->n; i++) {
        struct cy_step *s = &c->steps[i];

        s->insn = &c->insns[i];
        cy_operands_of(&s->operands, s->insn);
        s->mca = (struct cy_mca_insn){.bytes = s->insn->bytes,
                                      .length = s->insn->length};
    }
    return 0;
}

/* The step at an address; CY_NO_BLOCK: none. */
static uint32_t step_at(const struct cy_cost_of_loop *c, uint64_t address)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->insns[i].address == address)
            return i;
    return CY_NO_BLOCK;
}

/* How many rounds lie between the ends of a pair, as far as their distance
   tells; false: that is not fixed. */
static bool rounds_by_distance(const struct cy_cost_of_loop *c,
                               const struct cy_pair *p, uint32_t store,
                               uint32_t load, double *rounds)
{
    double k =
        ((double)p->distance - ((double)load - (double)store)) / (double)c->n;

    *rounds = floor(k + 0.5);
    /* Another way through the loop may have more or fewer instructions. */
    if (p->distance == UINT64_MAX || fabs(k - *rounds) > 0.25)
        return false;
    /* Another loop may carry it, after as many instructions by chance. */
    return !p->has_loop || p->loop == (*rounds > 0 ? c->address : 0);
}

/* How many rounds lie between the ends of a pair; false: that is not fixed. */
static bool rounds_of(const struct cy_cost_of_loop *c, const struct cy_pair *p,
                      uint32_t store, uint32_t load, uint32_t *rounds)
{
    double k;

    if (p->delta_k >= 0)
        k = (double)p->delta_k;
    else if (p->has_vector && p->innermost == c->address)
        k = (double)p->rounds;
    else if (!rounds_by_distance(c, p, store, load, &k))
        return false;
    if (k < 0 || k >= MOST_ROUNDS)
        return false;
    *rounds = (uint32_t)k;
    return *rounds > 0 || store < load;
}

/* Does the innermost loop carry the pair, by its distance vector?  Then what
   the first rounds of a run read comes from elsewhere. */
static bool is_in_run(const struct cy_cost_of_loop *c,
                      const struct cy_pair *predicted)
{
    return predicted != NULL && predicted->has_vector &&
           predicted->innermost == c->address && predicted->rounds >= 0;
}

/* `observed` is what was observed of the pair, `predicted` what walks show of
   it; both may be NULL. */
static void add_pair(struct cy_cost_of_loop *c, size_t *room,
                     const struct cy_pair *p, const struct cy_pair *observed,
                     const struct cy_pair *predicted, uint32_t load)
{
    bool is_observed = observed != NULL && observed->has_relation;
    uint32_t store = step_at(c, p->store), rounds;

    assert(load < c->n && c->steps[load].insn->flow.n_loads > 0);
    if (store == CY_NO_BLOCK)
        return;
    if (!rounds_of(c, p, store, load, &rounds)) {
        c->n_unfixed++;
        return;
    }
    c->edges = memory_grow(c->edges, room, c->n_edges, sizeof *c->edges);
    c->edges[c->n_edges++] =
        (struct cy_memory_edge){store,
                                load,
                                rounds,
                                p->support,
                                is_in_run(c, predicted),
                                is_observed,
                                is_observed ? observed->relation : CY_SAME};
}

/* The pairs whose edges a loop has.  For a loop of one block, the analysis of
   the block alone finds more, since it runs the block often enough. */
static const struct cy_pairs *pairs_of(const struct cy_cost_of_loop *c,
                                       const struct cy_data *data,
                                       const struct cy_choice *choice)
{
    if (choice->edges == CY_EDGES_OBSERVED)
        return &data->observed;
    return c->loop->n_blocks == 1 && data->in_blocks.is_present
               ? &data->in_blocks
               : &data->predicted;
}

/* Executions of the loop's block that has the address.  Other blocks may have
   it, too, if the blocks of a database overlap. */
static double executions_at(const struct cy_cost_of_loop *c,
                            const struct cy_data *data, uint64_t address)
{
    const struct cy_block *block;
    size_t i = 0;

    do {
        assert(i < c->loop->n_blocks);
        block = &data->blocks[c->loop->blocks[i++]];
    } while (address < block->start || address >= block->end);
    return (double)block->executions;
}

static void take_edges(struct cy_cost_of_loop *c, const struct cy_data *data,
                       const struct cy_choice *choice)
{
    const struct cy_pairs *pairs = pairs_of(c, data, choice);
    size_t room = 0;

    if (choice->edges == CY_EDGES_NONE)
        return;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cy_pair *p;
        double executions;
        size_t n;

        if (c->steps[i].insn->flow.n_loads == 0)
            continue;
        executions = executions_at(c, data, c->insns[i].address);
        p = cy_pairs_of_load(pairs, c->loop->object, c->insns[i].address, &n);
        for (; n > 0; n--, p++)
            if (choice->edges == CY_EDGES_STATIC
                    ? p->support >= choice->min_support
                    : (double)p->near >= OFTEN * executions)
                add_pair(c, &room, p, cy_pairs_find(&data->observed, p),
                         cy_pairs_find(&data->predicted, p), i);
    }
}

/* Guesses. */
static struct cy_load_latency no_mca(void)
{
    return (struct cy_load_latency){5, 7, 4, 6, 10};
}

static struct cy_load_latency latencies(const struct cy_mca_region *probe)
{
    const struct cy_mca_insn *i = probe->insns;

    assert(probe->n == N_PROBES);
    for (size_t p = 0; p < N_PROBES; p++)
        if (!i[p].is_known)
            return no_mca();
    return (struct cy_load_latency){
        i[0].latency, i[3].latency, i[1].latency - i[2].latency,
        i[4].latency - i[5].latency, i[6].latency - i[2].latency};
}

/* Takes from the machine file how long units are occupied; llvm-mca then leaves
   these instructions out. */
static void take_occupancy(struct cy_cost_of_loop *c,
                           const struct cy_machine *machine)
{
    for (uint32_t i = 0; i < c->n && machine != NULL; i++) {
        double cycles;

        if (!cy_machine_occupancy(machine, &c->steps[i].operands.insn, &cycles))
            continue;
        c->occupancy += cycles;
        c->region.insns[i].is_left_out = true;
    }
}

/* What llvm-mca says of all loops, and of the probes. */
static int ask_mca(struct cy_prediction *p, struct cy_mca *mca,
                   const struct cy_machine *machine,
                   struct cy_load_latency *loads, struct diag *d)
{
    struct cy_mca_region *regions = memory_new(p->n + 1, sizeof *regions);
    struct cy_mca_insn probe[N_PROBES] = {0};
    int rc;

    for (size_t i = 0; i < N_PROBES; i++)
        probe[i] = (struct cy_mca_insn){.bytes = probes[i].bytes,
                                        .length = probes[i].length};
    regions[0] = (struct cy_mca_region){.insns = probe, .n = N_PROBES};
    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        c->region = (struct cy_mca_region){
            .insns = memory_new(c->n, sizeof *c->region.insns), .n = c->n};
        for (uint32_t j = 0; j < c->n; j++)
            c->region.insns[j] = c->steps[j].mca;
        take_occupancy(c, machine);
        regions[i + 1] = c->region;
    }
    rc = cy_mca_run(mca, regions, p->n + 1, d);
    for (size_t i = 0; i < p->n && rc == 0; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        assert(regions[i + 1].n == c->n);
        c->region = regions[i + 1];
        c->has_throughput = true;
        for (uint32_t j = 0; j < c->n; j++)
            c->steps[j].mca = c->region.insns[j];
    }
    *loads = rc == 0 ? latencies(&regions[0]) : no_mca();
    free(regions);
    return rc;
}

/* What share of a chain's latency remains if it ends with each run of the
   loop. */
static double overlap(const struct cy_cost_of_loop *c,
                      const struct cy_chain *chain,
                      const struct cy_machine *machine)
{
    struct cy_window window = {0};
    struct cy_round round = {.instructions = c->n};

    assert(c->loop->entries <= c->loop->rounds);
    if (c->loop->entries == 0)
        return 1;
    if (machine != NULL)
        window = cy_machine_window(machine);
    for (uint32_t i = 0; i < c->n; i++) {
        round.loads += c->steps[i].insn->flow.n_loads;
        round.stores += c->steps[i].insn->flow.n_stores;
    }
    for (size_t i = 0; i < chain->n; i++)
        round.chained += chain->links[i].to != chain->links[i].from;
    return cy_overlap((double)c->loop->rounds / (double)c->loop->entries,
                      &round, &window);
}

/* A chain through memory goes on in the next run, unless what it waits for is
   always of the same run. */
static bool ends_with_run(const struct cy_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->links[i].wait == CY_WAIT_MEMORY &&
            !chain->links[i].forward.is_in_run)
            return false;
    return true;
}

static void conclude(struct cy_cost_of_loop *c,
                     const struct cy_machine *machine,
                     const struct cy_load_latency *loads)
{
    const struct cy_chain *memory = &c->bound.memory;

    cy_bound_of(&c->bound, c->steps, c->n, c->edges, c->n_edges, machine,
                loads);
    c->throughput = fmax(
        LEAST_ROUND,
        fmax(c->occupancy, cy_throughput(&c->region, c->steps, c->n, machine)));
    c->without = fmax(c->throughput, c->bound.registers.cycles);
    c->predicted = fmax(c->without, c->bound.memory.cycles);
    c->is_memory_bound = c->predicted >= MEMORY_BOUND * c->without;
    c->short_runs_without =
        fmax(c->throughput, c->bound.registers.cycles *
                                overlap(c, &c->bound.registers, machine));
    c->short_runs = c->short_runs_without;
    if (c->predicted > c->without)
        c->short_runs =
            fmax(c->short_runs,
                 memory->cycles *
                     (ends_with_run(memory) ? overlap(c, memory, machine) : 1));
    assert(LEAST_ROUND <= c->throughput && c->throughput <= c->without);
    assert(c->without <= c->predicted && c->short_runs <= c->predicted);
    assert(c->short_runs_without <= c->short_runs);
}

static int cost_order(const void *pa, const void *pb)
{
    const struct cy_cost_of_loop *a = pa, *b = pb;
    double x = a->short_runs * (double)a->loop->rounds,
           y = b->short_runs * (double)b->loop->rounds;

    if (a->is_shown != b->is_shown)
        return a->is_shown ? -1 : 1;
    if (a->name != NULL && b->name != NULL) /* as they were written */
        return (a->address > b->address) - (a->address < b->address);
    if (x != y)
        return x > y ? -1 : 1;
    /* Without executions: what memory costs most. */
    x = a->predicted - a->without;
    y = b->predicted - b->without;
    if (x != y)
        return x > y ? -1 : 1;
    if (a->predicted != b->predicted)
        return a->predicted > b->predicted ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

int cy_predict(struct cy_prediction *p, const struct cy_data *data,
               const struct cy_loops *loops, struct cy_code *code,
               struct cy_mca *mca, const struct cy_machine *machine,
               const struct cy_choice *choice, struct diag *d)
{
    struct cy_load_latency latency = no_mca();
    size_t room = 0;

    assert(choice->min_support >= 0 && choice->min_support <= 1);
    *p = (struct cy_prediction){0};
    for (size_t i = 0; i < loops->n; i++) {
        const struct cy_loop *loop = &loops->loops[i];
        const struct cy_block *block = &data->blocks[loop->blocks[0]];
        struct cy_cost_of_loop c = {.loop = loop,
                                    .function = block->function,
                                    .name = block->region,
                                    .address = block->start,
                                    .share = share_of(data, loop)};

        c.is_shown = !data->has_executions || c.share >= choice->min_share;

        if (!is_predicted(data, loop, choice))
            continue;
        p->loops = memory_grow(p->loops, &room, p->n, sizeof c);
        p->loops[p->n++] = c;
        if (take_code(&p->loops[p->n - 1], data, code, d) != 0)
            return -1;
        take_edges(&p->loops[p->n - 1], data, choice);
        p->n_shown += c.is_shown;
        p->share += c.is_shown ? c.share : 0;
    }
    if (mca != NULL && p->n > 0 && ask_mca(p, mca, machine, &latency, d) != 0)
        return -1;
    for (size_t i = 0; i < p->n; i++)
        conclude(&p->loops[i], machine, &latency);
    if (p->n > 1)
        qsort(p->loops, p->n, sizeof *p->loops, cost_order);
    assert(p->n_shown <= p->n);
    return 0;
}

void cy_prediction_fini(struct cy_prediction *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct cy_cost_of_loop *c = &p->loops[i];

        cy_bound_fini(&c->bound);
        free(c->insns);
        free(c->steps);
        free(c->edges);
        free(c->region.insns);
    }
    free(p->loops);
    *p = (struct cy_prediction){0};
}
