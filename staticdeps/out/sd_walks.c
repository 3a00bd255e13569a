/*
 * sd_walks: walks functions in worker processes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_walks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "out/sd_pool.h"
#include "reach/sd_flows.h"

#define BATCH 8 /* functions: some milliseconds */
#define FEW   8

/* What any object may have, in visits of blocks and in walked instructions. */
#define VISITS ((uint64_t)1 << 22)
#define INSNS  ((uint64_t)200 << 20)

struct job {
    struct sd_walks *walks;
    const struct sd_program *program;
    const uint32_t *routines;
    size_t n;
    const struct sd_effort *effort;
    uint64_t seed;
    struct sd_progress *progress;
};

/* A worker's results: for each function this header, its visits of blocks, its
   pairs, the pairs of its flow, its vectors, its access notes; all are aligned
   to 8 bytes. */
struct head {
    uint64_t n_insns;
    uint32_t n_walks, n_visits, n_pairs, n_flows, n_noted, n_cut, n_agreed,
        padding;
};

/* The state of a worker. */
struct worker {
    struct sd_explorer explorer;
    struct sd_flows flows;
};

_Static_assert(sizeof(struct sd_visit) % 8 == 0, "results are aligned");
_Static_assert(sizeof(struct sd_site_notes) % 8 == 0, "results are aligned");
_Static_assert(sizeof(struct sd_walk_pair) % 8 == 0, "results are aligned");
_Static_assert(sizeof(struct sd_agreed) % 8 == 0, "results are aligned");

static void *begin(const void *context)
{
    const struct job *job = context;
    struct worker *w = memory_new(1, sizeof *w);

    sd_explorer_init(&w->explorer, job->program, job->effort, job->seed);
    sd_flows_init(&w->flows, &w->explorer);
    return w;
}

static void work(void *state, const void *context, size_t number,
                 struct sd_output *out)
{
    const struct job *job = context;
    struct worker *w = state;
    struct sd_explorer *e = &w->explorer;
    uint32_t routine = job->routines[number];
    struct head head = {0};

    sd_explore(e, routine);
    if (job->effort->rules & SD_RULE_FLOW &&
        job->program->routines[routine].whole == routine) {
        sd_flows_of(&w->flows, routine, e);
        head.n_flows = (uint32_t)w->flows.n;
        head.n_cut = !w->flows.is_complete;
    }
    head.n_insns = e->n_insns;
    head.n_walks = e->n_walks;
    head.n_visits = (uint32_t)e->walks_size;
    head.n_pairs = (uint32_t)e->n_pairs;
    head.n_noted = (uint32_t)e->n_notes;
    head.n_agreed = (uint32_t)e->n_vectors;
    sd_output_add(out, &head, sizeof head);
    sd_output_add(out, e->walks, head.n_visits * sizeof *e->walks);
    sd_output_add(out, e->pairs, head.n_pairs * sizeof *e->pairs);
    sd_output_add(out, w->flows.list, head.n_flows * sizeof *e->pairs);
    sd_output_add(out, e->vectors, head.n_agreed * sizeof *e->vectors);
    sd_output_add(out, e->notes, head.n_noted * sizeof *e->notes);
}

static void end(void *state, struct sd_output *out)
{
    struct worker *w = state;

    (void)out;
    sd_flows_fini(&w->flows);
    sd_explorer_fini(&w->explorer);
    free(w);
}

static bool is_enough(const struct job *job)
{
    const struct sd_walks *walks = job->walks;
    const struct sd_effort *effort = job->effort;
    uint64_t n_blocks = job->program->n_blocks;

    return walks->support.n_numbers >=
               VISITS + effort->most_visits * n_blocks ||
           walks->n_insns >= INSNS + effort->most_insns * n_blocks;
}

/* Adds the results of a function, which are at `at`, if there is room for more.
   Returns where they end. */
static const uint8_t *add(struct job *job, size_t number, const uint8_t *at)
{
    const struct head *head = sd_output_take(at, struct head, 1);
    const struct sd_visit *visits =
        sd_output_take(at, struct sd_visit, head->n_visits);
    const struct sd_walk_pair *pairs =
        sd_output_take(at, struct sd_walk_pair, head->n_pairs);
    const struct sd_walk_pair *flows =
        sd_output_take(at, struct sd_walk_pair, head->n_flows);
    const struct sd_agreed *agreed =
        sd_output_take(at, struct sd_agreed, head->n_agreed);
    const struct sd_site_notes *noted =
        sd_output_take(at, struct sd_site_notes, head->n_noted);
    struct sd_walked *walked = &job->walks->walked[job->routines[number]];

    if (is_enough(job))
        return at;
    sd_support_add(&job->walks->support, visits, head->n_visits, pairs,
                   head->n_pairs);
    for (uint32_t i = 0; i < head->n_flows; i++)
        sd_pairs_add(&job->walks->flows, &flows[i]);
    for (uint32_t i = 0; i < head->n_agreed; i++)
        sd_agreements_add(&job->walks->vectors, &agreed[i]);
    job->walks->n_cut += head->n_cut;
    for (uint32_t i = 0; i < head->n_noted; i++)
        job->walks->access_notes[noted[i].site] |= (uint16_t)noted[i].notes;
    walked->n_walks = head->n_walks;
    walked->n_insns = head->n_insns;
    job->walks->n_insns += head->n_insns;
    job->walks->n_added++;
    return at;
}

static int take_functions(void *argument, size_t first, size_t n,
                          const uint8_t *bytes, size_t size, struct diag *d)
{
    struct job *job = argument;
    const uint8_t *at = bytes;

    (void)size, (void)d;
    for (size_t i = first; i < first + n; i++) {
        assert((size_t)(at - bytes) + sizeof(struct head) <= size);
        at = add(job, i, at);
    }
    assert(at == bytes + size);
    sd_progress_done(job->progress, first + n, job->n);
    return is_enough(job) ? SD_ENOUGH : 0;
}

int sd_walks_run(struct sd_walks *walks, const struct sd_program *program,
                 const uint32_t *routines, size_t n,
                 const struct sd_effort *effort, uint64_t seed, unsigned jobs,
                 struct sd_progress *progress, struct diag *d)
{
    struct job job = {.walks = walks,
                      .program = program,
                      .routines = routines,
                      .n = n,
                      .effort = effort,
                      .seed = seed,
                      .progress = progress};

    sd_support_init(&walks->support, program->n_blocks);
    walks->walked = memory_new(program->n_routines + 1u, sizeof *walks->walked);
    walks->access_notes =
        memory_new(program->blocks->n_insns + 1, sizeof *walks->access_notes);
    return sd_pool_run(&(struct sd_job){.n = n,
                                        .batch = BATCH,
                                        .few = FEW,
                                        .context = &job,
                                        .begin = begin,
                                        .work = work,
                                        .end = end,
                                        .argument = &job,
                                        .take = take_functions},
                       jobs, d);
}

void sd_walks_fini(struct sd_walks *walks)
{
    sd_support_fini(&walks->support);
    sd_pairs_fini(&walks->flows);
    sd_agreements_fini(&walks->vectors);
    free(walks->walked);
    free(walks->access_notes);
    *walks = (struct sd_walks){.walked = NULL};
}
