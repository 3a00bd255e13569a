/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include "flow/sd_flows.h"

#define BATCH 8 /* functions: some milliseconds */
#define FEW   8

/* Visits and walked instructions that even the smallest object may have. */
#define VISITS ((uint64_t)1 << 22)
#define INSNS  ((uint64_t)200 << 20)

struct job {
    struct sd_walks *walks;
    const struct sd_program *program;
    uint32_t *roots; /* routines */
    size_t n;
    size_t n_added; /* roots that were not left out */
    struct sd_effort effort;
    uint64_t seed;
};

/* The results that a worker sends for each function: this head, its visits of
   blocks, its pairs, the pairs of its flow, its vectors, its access notes. */
struct head {
    uint64_t n_insns;
    uint32_t n_walks, n_cut;
};

struct worker {
    struct sd_explorer explorer;
    struct sd_flows flows;
};

static void *begin(const void *context)
{
    const struct job *job = context;
    struct worker *w = memory_new(1, sizeof *w);

    sd_explorer_init(&w->explorer, job->program, &job->effort, job->seed);
    sd_flows_init(&w->flows, &w->explorer);
    return w;
}

static void work(void *state, const void *context, size_t number,
                 struct sd_output *out)
{
    const struct job *job = context;
    struct worker *w = state;
    struct sd_explorer *e = &w->explorer;
    uint32_t routine = job->roots[number];
    struct head head = {0};

    w->flows.n = 0;
    sd_explore(e, routine);
    if (job->effort.rules & SD_RULE_FLOW &&
        job->program->routines[routine].whole == routine) {
        sd_flows_of(&w->flows, routine, e);
        head.n_cut = !w->flows.is_complete;
    }
    head.n_insns = e->n_insns;
    head.n_walks = e->n_walks;
    sd_output_add(out, &head, sizeof head);
    sd_output_list(out, e->walks, e->walks_size, sizeof *e->walks);
    sd_output_list(out, e->pairs, e->n_pairs, sizeof *e->pairs);
    sd_output_list(out, w->flows.list, w->flows.n, sizeof *w->flows.list);
    sd_output_list(out, e->vectors, e->n_vectors, sizeof *e->vectors);
    sd_output_list(out, e->notes, e->n_notes, sizeof *e->notes);
}

static void end(void *state, struct sd_output *out)
{
    AUTO_FREE struct worker *w = state;

    (void)out;
    sd_flows_fini(&w->flows);
    sd_explorer_fini(&w->explorer);
}

static bool is_enough(const struct job *job)
{
    const struct sd_walks *walks = job->walks;
    const struct sd_effort *effort = &job->effort;
    uint64_t n_blocks = job->program->n_blocks;

    return walks->support.n_numbers >=
               VISITS + effort->most_visits * n_blocks ||
           walks->n_insns >= INSNS + effort->most_insns * n_blocks;
}

/* Adds the results of a function, which begin at `at`, unless the limit is
   reached.  Returns the end of the results. */
static const uint8_t *add(struct job *job, size_t number, const uint8_t *at)
{
    struct sd_walks *walks = job->walks;
    struct sd_walked *walked = &walks->walked[job->roots[number]];
    size_t n_visits, n_pairs, n_flows, n_agreed, n_noted;
    struct head head;

    memcpy(&head, at, sizeof head);
    at += sizeof head;
    const struct sd_visit *visits =
        sd_output_take(&at, sizeof *visits, &n_visits);
    const struct sd_walk_pair *pairs =
        sd_output_take(&at, sizeof *pairs, &n_pairs);
    const struct sd_walk_pair *flows =
        sd_output_take(&at, sizeof *flows, &n_flows);
    const struct sd_agreed *agreed =
        sd_output_take(&at, sizeof *agreed, &n_agreed);
    const struct sd_site_notes *noted =
        sd_output_take(&at, sizeof *noted, &n_noted);
    if (is_enough(job))
        return at;
    assert(walked->n_walks == 0 && head.n_walks <= n_visits);
    sd_support_add(&walks->support, visits, n_visits, pairs, n_pairs);
    for (size_t i = 0; i < n_flows; i++)
        sd_pairs_add(&walks->flows, &flows[i]);
    for (size_t i = 0; i < n_agreed; i++)
        sd_agreements_add(&walks->vectors, &agreed[i]);
    for (size_t i = 0; i < n_noted; i++)
        walks->access_notes[noted[i].site] |= (uint16_t)noted[i].notes;
    walked->n_walks = head.n_walks;
    walked->n_insns = head.n_insns;
    walks->n_cut += head.n_cut;
    walks->n_insns += head.n_insns;
    job->n_added++;
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
    return is_enough(job) ? SD_ENOUGH : 0;
}

/* By routine, the instructions that it executed; NULL: all are walked. */
static double *executed_of(const struct sd_program *p,
                           const struct sd_link *link)
{
    if (link->executed == NULL)
        return NULL;
    assert(link->n_objects == 1);
    double *executed = memory_new(p->n_routines + 1u, sizeof *executed);
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (sd_program_whole(p, i) != SD_NO_ROUTINE)
            executed[sd_program_whole(p, i)] += link->executed[i];
    return executed;
}

/* Sets the n routines to walk from. */
static void choose_roots(struct job *job, const struct sd_link *link,
                         enum sd_scope scope)
{
    const struct sd_program *p = job->program;
    AUTO_FREE bool *is_wanted =
        memory_new(p->n_routines + 1u, sizeof *is_wanted);
    AUTO_FREE double *executed = executed_of(p, link);

    job->roots = memory_new(p->n_routines + 1u, sizeof *job->roots);
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (link->wanted[i] && sd_program_whole(p, i) != SD_NO_ROUTINE)
            is_wanted[sd_program_whole(p, i)] = true;
    for (uint32_t i = 0; i < p->n_routines; i++) {
        uint32_t whole = p->routines[i].whole;

        if (p->routines[i].n > 0 &&
            (scope == SD_SCOPE_PROGRAM || is_wanted[whole]) &&
            (executed == NULL || executed[whole] >= link->least_executed))
            job->roots[job->n++] = i;
    }
}

int sd_walks_run(struct sd_walks *walks, const struct sd_program *program,
                 const struct sd_link *link, const struct sd_settings *s,
                 unsigned jobs, struct sd_progress *progress, struct diag *d)
{
    struct job job = {.walks = walks,
                      .program = program,
                      .effort = sd_effort_of(s->effort),
                      .seed = s->seed};

    job.effort.rules &= ~s->without;
    job.effort.is_narrow = s->scope == SD_SCOPE_FUNCTION;
    choose_roots(&job, link, s->scope);
    sd_support_init(&walks->support, program->n_blocks);
    walks->walked = memory_new(program->n_routines + 1u, sizeof *walks->walked);
    walks->access_notes =
        memory_new(program->blocks->n_insns + 1, sizeof *walks->access_notes);
    int rc = sd_pool_run(&(struct sd_job){.n = job.n,
                                          .batch = BATCH,
                                          .few = FEW,
                                          .progress = progress,
                                          .context = &job,
                                          .begin = begin,
                                          .work = work,
                                          .end = end,
                                          .take = take_functions},
                         jobs, d);
    assert(rc != 0 || job.n_added <= job.n);
    walks->n_left_out = job.n - job.n_added;
    free(job.roots);
    return rc;
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
