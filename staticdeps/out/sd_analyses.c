/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include <sys/mman.h>

#define BATCH 128 /* blocks: a millisecond or so */

/* Up to this number of blocks, starting workers takes longer than the work. */
#define FEW 256

/* Keeps the sum over all objects that fit into memory below 2^63. */
#define MOST_TIMES ((int64_t)1 << 16)

/* --- Room for the work of an object --- */

/* The work needed, as a multiple of that of one seed with default options. */
static int64_t times(const struct sd_settings *s)
{
    int64_t n = (int64_t)s->n_seeds * (((int64_t)s->rob + 511) / 512) *
                (s->scope == SD_SCOPE_LOOP ? 2 : 1);

    return n < MOST_TIMES ? n : MOST_TIMES;
}

void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings)
{
    int64_t n = times(settings);
    struct sd_added added = {0, 0};

    room->added = memory_new(blocks->n_blocks, sizeof *room->added);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const struct sd_block *block = &blocks->blocks[i];

        if (i == 0 || block->is_first) {
            added.before = added.all;
            added.all += n * SD_ROOM_FREE;
        }
        added.all += n * SD_ROOM_PER_BYTE * (int64_t)block->size;
        room->added[i] = added;
    }
    room->told = mmap(NULL, sizeof *room->told, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room->told == MAP_FAILED)
        memory_exhausted();
}

void sd_room_fini(struct sd_room *room)
{
    munmap(room->told, sizeof *room->told);
    free(room->added);
}

uint64_t sd_room_of(const struct sd_room *room, size_t block, int64_t *taken)
{
    struct sd_added added = room->added[block];

    /* Room that an object does not use is lost. */
    if (*taken < added.before)
        *taken = added.before;
    assert(*taken <= added.all);
    return (uint64_t)(added.all - *taken);
}

bool sd_room_take(const struct sd_room *room, size_t block, uint64_t work,
                  int64_t *taken)
{
    uint64_t most = sd_room_of(room, block, taken);

    *taken += (int64_t)(work < most ? work : most);
    return work <= most;
}

struct analyses {
    const struct sd_blocks *blocks;
    const struct sd_settings *settings;
    sd_sink *sink;
    void *argument;
    struct sd_counts *counts;
    struct sd_room room;
    int64_t taken; /* work of the blocks with results */
};

/* What a worker sends for each block: this head, its dependencies, its
   instructions with unknown addresses, and its accesses at known addresses. */
struct head {
    uint64_t work;
    uint64_t status;
};

struct worker {
    struct sd_analyser analyser;
    int64_t taken; /* lower bound of the work of the blocks before */
};

/* --- The worker's side --- */

static void *begin(const void *context)
{
    const struct analyses *all = context;
    struct worker *w = memory_new(1, sizeof *w);

    sd_analyser_init(&w->analyser, all->settings);
    return w;
}

static void work(void *state, const void *context, size_t number,
                 struct sd_output *out)
{
    const struct analyses *all = context;
    struct worker *w = state;
    struct sd_analyser *a = &w->analyser;
    struct head head;

    if (number % BATCH == 0)
        w->taken = __atomic_load_n(all->room.told, __ATOMIC_RELAXED);
    a->exec.most_work = sd_room_of(&all->room, number, &w->taken);
    head.status = sd_analyse(a, all->blocks, &all->blocks->blocks[number]);
    head.work = a->exec.work;
    sd_room_take(&all->room, number, head.work, &w->taken);
    sd_output_add(out, &head, sizeof head);
    sd_output_list(out, a->reroll.deps, a->reroll.n_deps,
                   sizeof *a->reroll.deps);
    sd_output_list(out, a->unknowns, a->n_unknowns, sizeof *a->unknowns);
    sd_output_list(out, a->origin.accesses, a->origin.n,
                   sizeof *a->origin.accesses);
}

static void end(void *state, struct sd_output *out)
{
    struct worker *w = state;

    sd_output_add(out, w->analyser.counts, sizeof *w->analyser.counts);
    sd_analyser_fini(&w->analyser);
    free(w);
}

/* --- The parent's side --- */

/* Drops a result that the worker would not have computed, if it had known how
   much work the blocks before took. */
static void drop(struct sd_counts *counts, struct sd_result *result)
{
    counts->n_run -= result->status == SD_OK;
    for (size_t i = 0; i < result->n_unknowns; i++) {
        counts->n_unknown_loads -= result->unknowns[i].loads;
        counts->n_unknown_stores -= result->unknowns[i].stores;
    }
    *result = (struct sd_result){.status = SD_TOO_COSTLY};
}

static int take_results(void *argument, size_t first, size_t n,
                        const uint8_t *bytes, size_t size, struct diag *d)
{
    struct analyses *all = argument;
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
        result.deps = sd_output_take(&at, sizeof *result.deps, &result.n_deps);
        result.unknowns =
            sd_output_take(&at, sizeof *result.unknowns, &result.n_unknowns);
        result.accesses =
            sd_output_take(&at, sizeof *result.accesses, &result.n_accesses);
        assert((size_t)(at - bytes) <= size);
        if (!sd_room_take(&all->room, i, head.work, &all->taken))
            drop(all->counts, &result);
        rc = all->sink(all->argument, i, &result, d);
    }
    assert(all->taken >= *all->room.told);
    __atomic_store_n(all->room.told, all->taken, __ATOMIC_RELAXED);
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
                    struct sd_counts *counts, struct sd_progress *progress,
                    struct diag *d)
{
    struct analyses all = {.blocks = blocks,
                           .settings = s,
                           .sink = sink,
                           .argument = argument,
                           .counts = counts};
    struct sd_job job = {.n = blocks->n_blocks,
                         .batch = BATCH,
                         .few = FEW,
                         .progress = progress,
                         .context = &all,
                         .begin = begin,
                         .work = work,
                         .end = end,
                         .take = take_results,
                         .take_end = take_end,
                         .argument = &all};
    int rc;

    sd_room_init(&all.room, blocks, s);
    rc = sd_pool_run(&job, jobs, d);
    sd_room_fini(&all.room);
    return rc;
}
