/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include <sys/mman.h>

#include "config.h"

#define BATCH 128 /* blocks: a millisecond or so */

/* Up to this number of blocks, starting workers takes longer than the work. */
#define FEW 256

/* Keeps the sum over all objects that fit into memory below 2^63. */
#define MOST_TIMES ((int64_t)1 << 16)

/* --- Room for the work of an object --- */

void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings)
{
    /* The work needed, as a multiple of that of one seed by default. */
    int64_t n = (int64_t)settings->n_seeds *
                (((int64_t)settings->rob + 511) / 512) *
                (settings->scope == SD_SCOPE_LOOP ? 2 : 1);
    struct sd_added added = {0, 0};

    if (n > MOST_TIMES)
        n = MOST_TIMES;
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
    struct sd_results *results;
    const struct sd_blocks *blocks;
    const struct sd_settings *settings;
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
    AUTO_FREE struct worker *w = state;

    sd_output_add(out, w->analyser.counts, sizeof *w->analyser.counts);
    sd_analyser_fini(&w->analyser);
}

/* --- The parent's side --- */

/* What a worker found out about a block. */
struct result {
    enum sd_status status;
    size_t n_deps, n_unknowns, n_accesses;
    const struct sd_dep *deps;
    const struct sd_unknown *unknowns;
    const struct sd_access *accesses;
};

/* Drops a result that the worker would not have computed, if it had known how
   much work the blocks before took. */
static void drop(struct sd_counts *counts, struct result *result)
{
    counts->n_run -= result->status == SD_OK;
    for (size_t i = 0; i < result->n_unknowns; i++) {
        counts->n_unknown_loads -= result->unknowns[i].loads;
        counts->n_unknown_stores -= result->unknowns[i].stores;
    }
    *result = (struct result){.status = SD_TOO_COSTLY};
}

/* --- The results of an object --- */

#define ENOUGH (1u << 20) /* bytes of code: half a second */

bool sd_batch_has_room(const struct sd_batch *batch, enum arch arch)
{
    return batch->n_objects == 0 ||
           (batch->objects[0].image.arch == arch && batch->n_bytes < ENOUGH);
}

static uint64_t code_size(const struct sd_image *image)
{
    uint64_t size = 0;

    for (size_t i = 0; i < image->n_sections; i++)
        size += image->sections[i].size;
    return size;
}

void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg)
{
    assert(sd_batch_has_room(batch, image->arch));
    array_append(batch, objects,
                 (struct sd_object){*image, cfg, batch->blocks.n_blocks});
    batch->n_bytes += code_size(image);
    *image = (struct sd_image){0};
    if (blocks->n_blocks > 0)
        blocks->blocks[0].is_first = true;
    sd_blocks_join(&batch->blocks, blocks);
}

void sd_batch_continue(struct sd_batch *batch, struct sd_blocks *more)
{
    assert(batch->n_objects == 1 && batch->objects[0].cfg == NULL);
    batch->n_begun = 1;
    sd_blocks_fini(&batch->blocks);
    sd_blocks_join(&batch->blocks, more);
}

void sd_batch_fini(struct sd_batch *batch)
{
    for (size_t i = 0; i < batch->n_objects; i++) {
        sd_image_close(&batch->objects[i].image);
        sd_cfg_free(batch->objects[i].cfg);
    }
    free(batch->objects);
    sd_blocks_fini(&batch->blocks);
    *batch = (struct sd_batch){0};
}

/* Sets r->pairs to a block's dependencies, with addresses. */
static void locate(struct sd_results *r, const struct sd_block *block,
                   const struct result *result)
{
    uint64_t at = block->address;

    array_reserve(r, addresses, block->n_insns);
    for (uint32_t i = 0; i < block->n_insns; i++) {
        r->addresses[i] = at;
        at += r->batch->blocks.insns[block->first + i] & (SD_NO_EFFECT - 1u);
    }
    array_reserve(r, pairs, result->n_deps);
    for (size_t i = 0; i < result->n_deps; i++) {
        const struct sd_dep *dep = &result->deps[i];

        assert(dep->src < block->n_insns && dep->dst < block->n_insns);
        r->pairs[i] = (struct sd_predicted){.src = r->addresses[dep->src],
                                            .dst = r->addresses[dep->dst],
                                            .src_index = dep->src,
                                            .dst_index = dep->dst,
                                            .delta_k = dep->delta_k,
                                            .support = dep->support,
                                            .overlap = dep->overlap};
    }
}

/* Writes a block and its result to the database; r->pairs are its pairs. */
static int write_block(struct sd_results *r, const struct sd_block *block,
                       const struct result *result, struct diag *d)
{
    int64_t id;
    int rc = sd_db_block(r->db, block, result->status, &id, d);

    for (size_t i = 0; rc == 0 && i < result->n_deps; i++)
        rc = sd_db_pair(r->db, &r->pairs[i], d);
    for (size_t i = 0; rc == 0 && i < result->n_unknowns; i++) {
        const struct sd_unknown *u = &result->unknowns[i];

        rc = sd_db_add(r->db, SD_TABLE_UNKNOWN,
                       DB_VALUES(DB_INT(id), DB_INT(r->addresses[u->insn]),
                                 DB_INT(u->loads), DB_INT(u->stores)),
                       d);
    }
    for (size_t i = 0; rc == 0 && i < result->n_accesses; i++) {
        const struct sd_access *a = &result->accesses[i];

        rc = sd_db_add(r->db, SD_TABLE_ACCESS,
                       DB_VALUES(DB_INT(id), DB_INT(r->addresses[a->insn]),
                                 DB_INT(a->is_store), DB_INT(a->base),
                                 DB_INT(a->is_loaded)),
                       d);
    }
    return rc;
}

void sd_results_names(struct sd_results *r, const struct sd_image *image)
{
    r->name_room = SD_NAMES_FREE + SD_NAMES_PER_BYTE * code_size(image);
}

const char *sd_results_name(struct sd_results *r, const char *name)
{
    const size_t most = SD_SHORT_NAME - 1;

    if (name == NULL)
        return NULL;
    size_t n = strnlen(name, r->name_room > most ? r->name_room + 1 : most + 1);
    if (n <= r->name_room) {
        r->name_room -= n;
        return name;
    }
    if (n <= most)
        return name;
    r->name_room = 0;
    memcpy(r->short_name, name, most - 3);
    memcpy(r->short_name + most - 3, "...", 4);
    return r->short_name;
}

/* The symbols of an address are sorted: the first names the function, the
   others are aliases, and equal names are neighbours. */
int sd_results_object(struct sd_results *r, const struct sd_image *image,
                      struct diag *d)
{
    int64_t id;

    if (r->db == NULL)
        return 0;
    if (sd_db_object(r->db, image->path, image->build_id,
                     arch_name(image->arch), &id, d) != 0)
        return -1;
    sd_results_names(r, image);
    for (size_t i = 1; i < image->n_symbols; i++) {
        const struct sd_symbol *s = &image->symbols[i], *before = s - 1;

        if (s->is_function && before->is_function &&
            s->address == before->address && s->section == before->section &&
            strcmp(s->name, before->name) != 0 &&
            sd_db_add(r->db, SD_TABLE_ALIAS,
                      DB_VALUES(DB_INT(id), DB_INT(s->address),
                                DB_TEXT(sd_results_name(r, s->name))),
                      d) != 0)
            return -1;
    }
    return 0;
}

/* Begins all objects whose first block has this number or a lower one. */
static int begin_objects(struct sd_results *r, size_t number, struct diag *d)
{
    for (; r->n_begun < r->batch->n_objects; r->n_begun++) {
        const struct sd_object *object = &r->batch->objects[r->n_begun];
        const struct sd_image *image = &object->image;

        assert(object->first <= r->batch->blocks.n_blocks);
        if (object->first > number)
            return 0;
        if (sd_results_object(r, image, d) != 0)
            return -1;
        sd_results_names(r, image);
        sd_report_object(&r->report, image->path, image->build_id,
                         arch_name(image->arch));
    }
    return 0;
}

static int take_result(struct sd_results *r, size_t number,
                       const struct result *result, struct diag *d)
{
    const struct sd_block *its = &r->batch->blocks.blocks[number];
    struct sd_block shown = *its;
    const struct sd_block *block = &shown;

    if (begin_objects(r, number, d) != 0)
        return -1;
    shown.function = sd_results_name(r, its->function);
    if (result->n_deps + result->n_unknowns + result->n_accesses > 0)
        locate(r, block, result);
    assert(number == r->n_taken);
    r->n_taken++;
    r->n_blocks++;
    r->n_insns += block->n_insns;
    r->n_deps += result->n_deps;
    r->n_by_status[result->status]++;
    sd_report_block(&r->report, block,
                    array_from(r->batch->blocks.insns, block->first),
                    result->status, r->pairs, result->n_deps);
    return r->db != NULL ? write_block(r, block, result, d) : 0;
}

static int take_results(void *argument, size_t first, size_t n,
                        const uint8_t *bytes, size_t size, struct diag *d)
{
    struct analyses *all = argument;
    const uint8_t *at = bytes;
    int rc = 0;

    for (size_t i = first; rc == 0 && i < first + n; i++) {
        struct result result;
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
            drop(&all->results->counts, &result);
        rc = take_result(all->results, i, &result, d);
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
    struct sd_counts *counts = &all->results->counts;

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

static int write_unsupported(struct sd_results *r, struct diag *d)
{
    for (size_t i = 0; i < SD_N_OPERATIONS; i++) {
        char key[80] = "unsupported:";

        if (r->counts.n_unsupported[i] == 0)
            continue;
        sd_lift_operation_name((uint16_t)i, key + strlen(key),
                               sizeof key - strlen(key));
        if (sd_db_fact(r->db, key, DB_INT(r->counts.n_unsupported[i]), d) != 0)
            return -1;
    }
    return 0;
}

int sd_results_add(struct sd_results *results, const struct sd_batch *batch,
                   const struct sd_settings *settings, unsigned jobs,
                   struct diag *d)
{
    struct analyses all = {
        .results = results, .blocks = &batch->blocks, .settings = settings};

    results->batch = batch;
    results->n_begun = batch->n_begun;
    results->n_taken = 0;
    sd_room_init(&all.room, all.blocks, settings);
    int rc = sd_pool_run(&(struct sd_job){.n = all.blocks->n_blocks,
                                          .batch = BATCH,
                                          .few = FEW,
                                          .progress = &results->progress,
                                          .context = &all,
                                          .begin = begin,
                                          .work = work,
                                          .end = end,
                                          .take = take_results,
                                          .take_end = take_end},
                         jobs, d);
    sd_room_fini(&all.room);
    if (rc != 0)
        return -1;
    assert(results->n_taken == batch->blocks.n_blocks);
    return begin_objects(results, batch->blocks.n_blocks, d);
}

int sd_results_end(struct sd_results *r, const struct sd_settings *s,
                   struct diag *d)
{
    const struct sd_counts *c = &r->counts;
    const struct {
        const char *key;
        struct db_value value;
    } facts[] = {
        {"rob", DB_INT(s->rob)},
        {"seeds", DB_INT(s->n_seeds)},
        {"seed", DB_INT(s->seed)},
        {"blocks", DB_INT(r->n_blocks)},
        {"blocks_run", DB_INT(c->n_run)},
        {"instructions", DB_INT(r->n_insns)},
        {"dependencies", DB_INT(r->n_deps)},
        {"unknown_address_loads", DB_INT(c->n_unknown_loads)},
        {"unknown_address_stores", DB_INT(c->n_unknown_stores)},
        {"lengths_differ", DB_INT(c->n_lengths_differ)},
        {"known_by_operands", DB_INT(c->n_by_operands)},
        {"duplicate_objects", DB_INT(r->n_duplicates)},
        {"foreign_members", DB_INT(r->n_foreign_members)},
        {"unknown_relocations", DB_INT(r->n_unknown_relocations)},
        {"large_debugdata", DB_INT(r->n_large_debugdata)},
        {"objects_without_loops", DB_INT(r->n_without_loops)},
        {"version", DB_TEXT(PACKAGE_VERSION)},
        {"scope", DB_TEXT(sd_scope_names[s->scope])},
        {"threshold", DB_REAL(100 * s->threshold)},
        {"initial", DB_TEXT(s->is_same ? "same" : "different")},
        /* Only walks have the others, and few have the last. */
        {"effort", DB_INT(s->effort)},
        {"support", DB_REAL(100 * s->support)},
        {"walks", DB_INT(r->n_walks)},
        {"walked_instructions", DB_INT(r->n_walked)},
        {"functions_left_out", DB_INT(r->n_not_walked)},
        {"flows_cut", DB_INT(r->n_flows_cut)},
        {"without", DB_INT(s->without)},
    };
    size_t n = sizeof facts / sizeof facts[0];

    if (!sd_scope_walks(s->scope))
        n -= 7;
    else if (s->without == 0)
        n--;
    for (size_t i = 0; i < n; i++)
        if (sd_db_fact(r->db, facts[i].key, facts[i].value, d) != 0)
            return -1;
    for (int i = 0; i < SD_N_STATUSES; i++) {
        char key[40];

        snprintf(key, sizeof key, "status:%s",
                 sd_status_name((enum sd_status)i));
        if (sd_db_fact(r->db, key, DB_INT(r->n_by_status[i]), d) != 0)
            return -1;
    }
    return write_unsupported(r, d);
}

void sd_results_fini(struct sd_results *results)
{
    free(results->pairs);
    free(results->addresses);
    *results = (struct sd_results){0};
}
