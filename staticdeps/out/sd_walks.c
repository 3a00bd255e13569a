/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include "flow/sd_flows.h"

#define BATCH 8 /* functions: some milliseconds */
#define FEW   8

/* Visits and walked instructions that even the smallest object may have. */
#define VISITS ((uint64_t)1 << 22)
#define INSNS  ((uint64_t)200 << 20)

#define MADE_UP 16 /* divides the support of pairs that are made up */
#define STRIDE  64 /* the offset of every STRIDEth instruction is kept */

struct job {
    struct sd_walks *walks;
    const struct sd_program *program;
    const uint32_t *routines;
    size_t n;
    const struct sd_effort *effort;
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

    w->flows.n = 0;
    sd_explore(e, routine);
    if (job->effort->rules & SD_RULE_FLOW &&
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
    const struct sd_effort *effort = job->effort;
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
    struct sd_walked *walked = &walks->walked[job->routines[number]];
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
    walks->n_added++;
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
                      .seed = seed};

    sd_support_init(&walks->support, program->n_blocks);
    walks->walked = memory_new(program->n_routines + 1u, sizeof *walks->walked);
    walks->access_notes =
        memory_new(program->blocks->n_insns + 1, sizeof *walks->access_notes);
    return sd_pool_run(&(struct sd_job){.n = n,
                                        .batch = BATCH,
                                        .few = FEW,
                                        .progress = progress,
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

/* --- Which pairs are reported, and what about them --- */

struct locating {
    const struct sd_finding *of;
    const struct sd_program *program;
    const struct sd_walks *walks;
    uint64_t *offsets; /* of each STRIDEth instruction, from its block */
    uint32_t *headers; /* by loop: the block that is its header */
    struct sd_level *levels;
    size_t levels_room;
};

static unsigned length_of(const struct sd_program *p, size_t insn)
{
    return p->blocks->insns[insn] & (SD_NO_EFFECT - 1u);
}

static void find_offsets(struct locating *w)
{
    const struct sd_program *p = w->program;

    w->offsets =
        memory_new(p->blocks->n_insns / STRIDE + 1, sizeof *w->offsets);
    for (size_t i = 0; i < p->n_blocks; i++) {
        const struct sd_block *b = &p->blocks->blocks[i];
        uint64_t at = 0;

        for (size_t k = b->first; k < b->first + b->n_insns; k++) {
            if (k % STRIDE == 0)
                w->offsets[k / STRIDE] = at;
            at += length_of(p, k);
        }
    }
}

static uint64_t address_of(const struct locating *w, uint32_t block,
                           uint32_t index)
{
    const struct sd_program *p = w->program;
    const struct sd_block *b = &p->blocks->blocks[block];
    size_t insn = b->first + index, from = insn - insn % STRIDE;
    uint64_t at = b->address;

    assert(index < b->n_insns);
    if (from >= b->first)
        at += w->offsets[from / STRIDE];
    else
        from = b->first;
    for (; from < insn; from++)
        at += length_of(p, from);
    return at;
}

static const char *scope_of(const struct locating *w, uint32_t src,
                            uint32_t dst)
{
    uint32_t routine = sd_program_whole(w->program, src);

    if (src == dst)
        return "block";
    if (routine != SD_NO_ROUTINE &&
        routine == sd_program_whole(w->program, dst))
        return "function";
    return sd_link_object(w->of->link, src) == sd_link_object(w->of->link, dst)
               ? "object"
               : "program";
}

/* Is the pair shown only by a second call of a root, although real callers
   write the bytes anew?  A pair whose address was loaded is no such case: which
   call had the address does not matter. */
static bool is_made_up(const struct locating *w,
                       const struct sd_walk_pair *pair)
{
    uint32_t notes = w->walks->access_notes[pair->dst];

    return pair->is_again && (notes & SD_NOTE_FED) != 0 &&
           (notes & SD_NOTE_LOADED) == 0;
}

/* The support of a pair; 0 if the pair is not reported. */
static double support_of(struct locating *w, const struct sd_walk_pair *pair,
                         uint32_t src, uint32_t dst, bool is_flow)
{
    if (is_flow)
        return sd_support_after(&w->walks->support, src, dst,
                                pair->src >= pair->dst) > 0
                   ? 0
                   : SD_FLOW_SUPPORT;
    double support = sd_support_of(&w->walks->support, pair, src, dst);
    return is_made_up(w, pair) ? support / MADE_UP : support;
}

/* Sets the distance vector of a pair, if there is one. */
static void find_vector(struct locating *w, const struct sd_walk_pair *pair,
                        struct sd_predicted *f)
{
    const struct sd_agreed *a =
        pair->is_uneven
            ? NULL
            : sd_agreements_of(&w->walks->vectors, pair->src, pair->dst);

    f->n_levels = a != NULL ? a->n : 0;
    array_reserve(w, levels, f->n_levels);
    f->levels = w->levels;
    uint32_t loop = a != NULL ? a->loop : 0;
    for (uint32_t i = f->n_levels; i-- > 0;
         loop = w->program->cfg->loops.list[loop].parent) {
        uint32_t header = w->headers[loop];

        assert(loop != 0);
        w->levels[i] =
            (struct sd_level){w->program->blocks->blocks[header].address,
                              w->of->block_ids[header], a->rounds[i]};
    }
}

/* Sets *f to what is reported about a pair; false if nothing is. */
static bool locate(struct locating *w, const struct sd_walk_pair *pair,
                   bool is_flow, struct sd_predicted *f)
{
    const struct sd_program *p = w->program;
    uint32_t src = sd_program_block_of(p, pair->src),
             dst = sd_program_block_of(p, pair->dst);

    if (!w->of->link->wanted[src] || !w->of->link->wanted[dst])
        return false;
    f->scope = scope_of(w, src, dst);
    if (w->of->is_narrow && strcmp(f->scope, "object") == 0)
        return false;
    f->support = support_of(w, pair, src, dst, is_flow);
    if (f->support == 0)
        return false;
    f->evidence = is_flow ? "flow" : "walk";
    f->overlap = is_flow ? (struct sd_overlap){0} : pair->overlap;
    f->src_index = pair->src - 1 - (uint32_t)p->blocks->blocks[src].first;
    f->dst_index = pair->dst - 1 - (uint32_t)p->blocks->blocks[dst].first;
    f->src = address_of(w, src, f->src_index);
    f->dst = address_of(w, dst, f->dst_index);
    f->src_block = w->of->block_ids[src];
    f->dst_block = w->of->block_ids[dst];
    f->distance = pair->distance;
    f->delta_k = pair->delta_k == SD_ANY_DELTA ? -1 : (int64_t)pair->delta_k;
    f->has_loop = pair->header != 0;
    if (f->has_loop)
        f->header = p->blocks->blocks[pair->header - 1].address;
    f->header_block = f->has_loop ? w->of->block_ids[pair->header - 1] : 0;
    f->object = sd_link_object(w->of->link, dst);
    f->src_object = sd_link_object(w->of->link, src);
    f->src_path = f->src_object != f->object
                      ? w->of->link->objects[f->src_object].image.path
                      : NULL;
    f->src_routine = sd_program_whole(p, src);
    f->dst_routine = sd_program_whole(p, dst);
    return true;
}

static int take_pair(struct locating *w, const struct sd_walk_pair *pair,
                     bool is_flow, sd_found_take *take, void *context,
                     struct diag *d)
{
    struct sd_predicted f;

    if (!locate(w, pair, is_flow, &f))
        return 0;
    find_vector(w, pair, &f);
    return take(context, &f, d);
}

int sd_found_each(const struct sd_finding *finding, sd_found_take *take,
                  void *context, struct diag *d)
{
    struct locating w = {
        .of = finding, .program = finding->program, .walks = finding->walks};
    const struct sd_cfg *cfg = finding->program->cfg;
    const struct sd_walk_pair *shown =
        sd_pairs_list(&finding->walks->support.pairs);
    const struct sd_walk_pair *flows = sd_pairs_list(&finding->walks->flows);
    size_t n_shown = finding->walks->support.pairs.n;
    size_t n_flows = finding->walks->flows.n;
    int rc = 0;

    find_offsets(&w);
    w.headers = memory_new(cfg->loops.n + 1, sizeof *w.headers);
    for (size_t i = 0; i < w.program->n_blocks; i++)
        if (cfg->nodes[i].is_header)
            w.headers[cfg->nodes[i].loop] = (uint32_t)i;
    for (size_t i = 0, k = 0; rc == 0 && (i < n_shown || k < n_flows);) {
        int order = i == n_shown   ? 1
                    : k == n_flows ? -1
                                   : sd_pairs_compare(&shown[i], &flows[k]);

        rc = order > 0 ? take_pair(&w, &flows[k], true, take, context, d)
                       : take_pair(&w, &shown[i], false, take, context, d);
        i += order <= 0;
        k += order >= 0; /* a pair in both lists counts as shown by walks */
    }
    free(w.offsets);
    free(w.headers);
    free(w.levels);
    return rc;
}
