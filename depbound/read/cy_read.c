/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_read.h"

#include "binary/objfile.h"

int cy_reader_rows(struct cy_reader *r, const char *sql, db_take *take,
                   struct diag *d)
{
    return db_rows(r->db, sql, DB_NO_VALUES, take, r, d);
}

/* An error, unless an object of another architecture was left out: then a
   reference to something that was not read is no damage. */
static int left_out(const struct cy_reader *r, const char *what, struct diag *d)
{
    return r->is_other_arch ? 0 : db_damaged(r->db, what, d);
}

/* Finds the one architecture whose objects are read: x86-64 if it is there. */
static int take_arch(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    enum arch arch;

    if (db_text(q, 0) == NULL)
        return db_damaged(r->db, "an object without a name", d);
    if (arch_parse(db_text(q, 0), &arch) &&
        (!r->has_arch || arch < r->data->arch)) {
        r->data->arch = arch;
        r->has_arch = true;
    }
    return 0;
}

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    struct cy_data *data = r->data;
    const char *path = db_text(q, 1), *id = db_text(q, 2),
               *arch = db_text(q, 3);

    if (path == NULL || id == NULL || arch == NULL)
        return db_damaged(r->db, "an object without a name", d);
    if (strcmp(arch, arch_name(data->arch)) != 0) {
        r->is_other_arch = true;
        return 0;
    }
    assert(data->n_objects < UINT32_MAX);
    ids_add(&r->objects, db_int(q, 0), (uint32_t)data->n_objects);
    array_append(data, objects,
                 (struct cy_object){memory_text(path), memory_text(id)});
    return 0;
}

/* Is the function of the block before the same? */
static bool goes_on(const struct cy_data *data, const struct cy_block *b,
                    const char *text)
{
    const struct cy_block *last =
        data->n_blocks > 0 ? &data->blocks[data->n_blocks - 1] : NULL;

    return last != NULL && last->function != NULL &&
           last->object == b->object &&
           last->function_start == b->function_start &&
           (text == NULL || strcmp(last->function, text) == 0);
}

/* Keeps the name of a block's function, or makes one of its file and address if
   it has none.  Successive blocks of one function share the name. */
static const char *name(struct cy_data *data, const struct cy_block *b,
                        const char *text)
{
    const char *path = data->objects[b->object].path;

    if (text == NULL && !b->has_function_start)
        return NULL;
    if (!goes_on(data, b, text))
        array_append(data, names,
                     text != NULL
                         ? memory_text(text)
                         : cy_function_address(path, b->function_start));
    return data->names[data->n_names - 1];
}

static int take_block(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    struct cy_block b = {
        .start = (uint64_t)db_int(q, 2),
        .end = (uint64_t)db_int(q, 3),
    };
    uint64_t n_insns = db_count(q, 4);

    if (!ids_find(&r->objects, db_int(q, 1), &b.object))
        return left_out(r, "a block without an object", d);
    if (b.end <= b.start)
        return db_damaged(r->db, "a block ends before it starts", d);
    /* An instruction has at least one byte. */
    if (n_insns > b.end - b.start || n_insns > UINT32_MAX)
        return db_damaged(r->db, "a block has more instructions than bytes", d);
    b.n_insns = (uint32_t)n_insns;
    assert(b.object < r->data->n_objects);
    b.has_function_start = db_int(q, 6) >= 0;
    b.function_start = b.has_function_start ? (uint64_t)db_int(q, 6) : 0;
    b.function = name(r->data, &b, db_text(q, 5));
    ids_add(&r->blocks, db_int(q, 0), b.object);
    cy_data_add_block(r->data, b);
    return 0;
}

static int take_alias(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    struct cy_alias alias = {.start = (uint64_t)db_int(q, 1)};

    if (db_text(q, 2) == NULL)
        return db_damaged(r->db, "a function without a name", d);
    if (!ids_find(&r->objects, db_int(q, 0), &alias.object))
        return left_out(r, "a function without an object", d);
    alias.name = memory_text(db_text(q, 2));
    array_append(r->data, aliases, alias);
    return 0;
}

static int take_predicted(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    struct cy_pair p = {
        .store = (uint64_t)db_int(q, 2),
        .load = (uint64_t)db_int(q, 3),
        .delta_k = db_int(q, 4),
        .distance = UINT64_MAX,
    };
    uint32_t other;

    if (!ids_find(&r->blocks, db_int(q, 0), &p.object) ||
        !ids_find(&r->blocks, db_int(q, 1), &other))
        return left_out(r, "a pair without a block", d);
    if (db_int(q, 5) >= 0)
        p.distance = (uint64_t)db_int(q, 5);
    p.support = db_share(q, 6);
    p.has_loop = db_int(q, 7) >= 0;
    p.loop = p.has_loop ? (uint64_t)db_int(q, 7) : 0;
    p.has_vector = db_int(q, 8) >= -1;
    p.rounds = db_int(q, 8);
    p.innermost = (uint64_t)db_int(q, 9);
    p.has_relation = db_int(q, 10) >= 0;
    p.relation = p.has_relation ? (enum cy_relation)db_int(q, 10) : CY_SAME;
    p.has_offset = db_int(q, 11) != 0;
    p.offset = db_int(q, 12);
    assert(p.object < r->data->n_objects && other < r->data->n_objects);
    if (p.object == other)
        cy_pairs_add(&r->data->predicted, p);
    return 0;
}

#define ARCHES  "SELECT arch FROM object"
#define OBJECTS "SELECT object_id, path, build_id, arch FROM object"
#define ALIASES "SELECT object_id, start, name FROM alias"
#define BLOCKS                                                            \
    "SELECT block_id, object_id, start, \"end\", instructions, function," \
    " coalesce(function_start, -1) AS f FROM block"                       \
    " WHERE status = 'ok' AND \"end\" > start ORDER BY object_id, f, block_id"
#define WALKED_BLOCKS                                                       \
    "SELECT block_id, b.object_id, b.start, b.\"end\", instructions, name," \
    " coalesce(f.start, -1)"                                                \
    " FROM block AS b LEFT JOIN function AS f USING(function_id)"           \
    " WHERE status = 'ok' AND b.\"end\" > b.start ORDER BY b.function_id"
/* SQL for the relation, as an enum cy_relation; whether the offset is known;
   and the offset. */
#define OVERLAP                                                  \
    "CASE relation WHEN 'same' THEN 0 WHEN 'contained' THEN 1"   \
    " WHEN 'partial' THEN 2 WHEN 'several' THEN 3 ELSE -1 END, " \
    "offset IS NOT NULL, coalesce(offset, 0)"
#define PREDICTED                                       \
    "SELECT block_id, block_id, src, dst, delta_k, -1," \
    " support, -1, -2, 0, " OVERLAP " FROM dep"
/* The loop is the start of that which was re-entered; 0 if there was none. */
#define WALKED_PREDICTED                                                     \
    "SELECT src_block, dst_block, src, dst, coalesce(delta_k, -1),"          \
    " coalesce(distance, -1), support, iif(evidence <> 'walk', -1, "         \
    "coalesce((SELECT start FROM block WHERE block_id = loop), 0)), " VECTOR \
    ", " OVERLAP " FROM dep"

/* SQL for the rounds of a pair's innermost loop, and that loop's start. */
#define OF_VECTOR                                                             \
    " FROM vector AS v WHERE v.src_block = dep.src_block AND v.src = dep.src" \
    " AND v.dst_block = dep.dst_block AND v.dst = dep.dst"
#define VECTOR                                                               \
    "coalesce((SELECT iif(EXISTS(SELECT 1" OF_VECTOR " AND rounds <> 0 AND " \
    "v.level < i.level), -1, i.rounds)" INNERMOST "), -2),"                  \
    " coalesce((SELECT start FROM block WHERE block_id ="                    \
    " (SELECT i.loop" INNERMOST ")), 0)"
#define INNERMOST                                                             \
    " FROM vector AS i WHERE i.src_block = dep.src_block AND i.src = dep.src" \
    " AND i.dst_block = dep.dst_block AND i.dst = dep.dst"                    \
    " ORDER BY i.level DESC LIMIT 1"

static int read_all(struct cy_reader *r, struct diag *d)
{
    bool walked = db_kind(r->db) == DB_WALKS;

    if (cy_reader_rows(r, ARCHES, take_arch, d) != 0 ||
        cy_reader_rows(r, OBJECTS, take_object, d) != 0)
        return -1;
    ids_sort(&r->objects);
    if (cy_reader_rows(r, walked ? WALKED_BLOCKS : BLOCKS, take_block, d) !=
            0 ||
        cy_reader_rows(r, ALIASES, take_alias, d) != 0)
        return -1;
    ids_sort(&r->blocks);
    return cy_reader_rows(r, walked ? WALKED_PREDICTED : PREDICTED,
                          take_predicted, d);
}

static int read_static(struct cy_reader *r, const char *path, struct diag *d)
{
    r->db = db_open(path, DB_STATIC, d);
    if (r->db == NULL)
        return -1;
    int rc = read_all(r, d);
    if (rc == 0 && r->data->n_objects == 0)
        rc = diag_set(d, "%s: %s", path,
                      r->is_other_arch ? "neither x86-64 nor AArch64 code"
                                       : "no object was analysed");
    db_close(r->db);
    r->db = NULL;
    r->data->predicted.is_present = true;
    return rc;
}

int cy_read(struct cy_data *data, const char *statics, const char *deps,
            struct diag *d)
{
    struct cy_reader r = {.data = data};
    int rc = read_static(&r, statics, d);

    if (rc == 0) {
        assert(data->n_objects > 0);
        cy_data_sort(data);
        if (deps != NULL)
            rc = cy_read_deps(&r, deps, d);
    }
    ids_fini(&r.objects);
    ids_fini(&r.blocks);
    return rc;
}

int cy_read_blocks(struct cy_data *data, const char *statics, struct diag *d)
{
    AUTO_FINI(cy_data_fini) struct cy_data more = {0};
    int rc = cy_read(&more, statics, NULL, d);

    for (size_t i = 0; rc == 0 && i < more.predicted.n; i++) {
        struct cy_pair p = more.predicted.pairs[i];

        p.object = cy_data_object(data, more.objects[p.object].build_id);
        if (p.object != CY_NO_OBJECT)
            cy_pairs_add(&data->in_blocks, p);
    }
    data->in_blocks.is_present = rc == 0;
    cy_data_sort(data);
    return rc;
}

/* --- Programs that ran --- */

/* Rows of one program follow each other. */
static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct cy_runs *runs = context;
    const char *path = db_text(q, 1);
    size_t n = runs->n_programs;

    (void)d;
    if (n == 0 || strcmp(runs->programs[n - 1].path, path) != 0)
        array_append(
            runs, programs,
            (struct cy_ran_program){.path = memory_text(path),
                                    .build_id = memory_text(db_text(q, 4)),
                                    .cycles = NAN});
    struct cy_ran_program *program = &runs->programs[runs->n_programs - 1];
    program->n_runs++;
    program->instructions += db_count(q, 2);
    program->is_first |= db_int(q, 3) != 0;
    ids_add(&runs->ids, db_int(q, 0), (uint32_t)runs->n_programs - 1);
    return 0;
}

static int take_lost(void *context, struct db_query *q, struct diag *d)
{
    struct cy_runs *runs = context;
    struct cy_lost lost = {.path = memory_text(db_text(q, 0)),
                           .by = memory_text(db_text(q, 1)),
                           .n = db_count(q, 2)};

    (void)d;
    assert(runs->n_lost == 0 || runs->lost[runs->n_lost - 1].n >= lost.n);
    array_append(runs, lost, lost);
    runs->n_all_lost += lost.n;
    return 0;
}

#define RUNS                                                                 \
    "SELECT run_id, coalesce(program, ''), instructions,"                    \
    " run_id = (SELECT run_id FROM run ORDER BY started, run_id LIMIT 1),"   \
    " coalesce((SELECT build_id FROM object WHERE path = program), '')"      \
    " FROM run ORDER BY sum(instructions) OVER (PARTITION BY program) DESC," \
    " program, run_id"
/* A program that an execve started and depsim recorded has the next run of the
   process. */
#define HAS_RUN                                                          \
    "EXISTS (SELECT 1 FROM run AS next WHERE next.session = run.session" \
    " AND next.pid = run.pid AND next.started > run.started)"
#define LOST                                                          \
    "SELECT coalesce(successor, ''), coalesce(program, ''), count(*)" \
    " FROM run WHERE ended = 'exec' AND NOT " HAS_RUN                 \
    " GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
#define FOLLOWED "SELECT count(*) FROM run WHERE ended = 'exec' AND " HAS_RUN

static int read_runs(struct cy_runs *runs, struct db *db, struct diag *d)
{
    int64_t n_followed = 0;

    if (db_rows(db, RUNS, DB_NO_VALUES, take_run, runs, d) != 0 ||
        db_rows(db, LOST, DB_NO_VALUES, take_lost, runs, d) != 0 ||
        db_ask(db, FOLLOWED, &n_followed, DB_NO_VALUES, d) != 0)
        return -1;
    runs->follows = n_followed > 0;
    ids_sort(&runs->ids);
    return 0;
}

bool cy_ran_is_chosen(const struct cy_ran_program *program,
                      const struct cy_data *data)
{
    return data->runs_of == NULL ||
           strcmp(program->build_id, data->runs_of) == 0;
}

int cy_runs_read(struct cy_runs *runs, const char *deps, struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);

    *runs = (struct cy_runs){0};
    int rc = db != NULL ? read_runs(runs, db, d) : -1;
    db_close(db);
    return rc;
}

void cy_runs_fini(struct cy_runs *runs)
{
    for (size_t i = 0; i < runs->n_programs; i++) {
        free(runs->programs[i].path);
        free(runs->programs[i].build_id);
    }
    for (size_t i = 0; i < runs->n_lost; i++) {
        free(runs->lost[i].path);
        free(runs->lost[i].by);
    }
    free(runs->programs);
    free(runs->lost);
    ids_fini(&runs->ids);
    *runs = (struct cy_runs){0};
}

/* --- Files that ran --- */

#define FILES                                         \
    "SELECT object_id, path, build_id,"               \
    " EXISTS(SELECT 1 FROM run WHERE program = path)" \
    " FROM object ORDER BY object_id"
/* What the runs of the program whose build-id is given executed, or all runs if
   that is NULL. */
#define EXECUTED                                                              \
    "SELECT each(object_id, executions, start, \"end\") FROM segment"         \
    " WHERE ?1 IS NULL OR run_id IN (SELECT run_id FROM run WHERE program IN" \
    " (SELECT path FROM object WHERE build_id = ?1))"

struct weighing {
    struct cy_ran *ran;
    struct ids ids; /* object_id -> index in `ran->files` */
    double all;     /* bytes; reals cannot overflow */
};

static int take_file(void *context, struct db_query *q, struct diag *d)
{
    struct weighing *r = context;
    const char *path = db_text(q, 1), *id = db_text(q, 2);

    (void)d;
    if (path == NULL || id == NULL) /* damage is reported by other readers */
        return 0;
    ids_add(&r->ids, db_int(q, 0), (uint32_t)r->ran->n_files);
    array_append(r->ran, files,
                 (struct cy_ran_file){.path = memory_text(path),
                                      .build_id = memory_text(id),
                                      .number = (uint32_t)r->ran->n_files,
                                      .is_program = db_int(q, 3) != 0});
    return 0;
}

static int take_executed(void *context, struct db_query *q, struct diag *d)
{
    struct weighing *r = context;
    double bytes =
        (double)db_int(q, 1) * ((double)db_int(q, 3) - (double)db_int(q, 2));
    uint32_t number;

    (void)d;
    if (!ids_find(&r->ids, db_int(q, 0), &number))
        return 0;
    r->ran->files[number].share += bytes;
    r->all += bytes;
    return 0;
}

ARRAY_ORDER(by_share, struct cy_ran_file,
            array_order(b->share, a->share)
                ?: array_order(a->number, b->number))

static int read_files(struct cy_ran *ran, const char *deps,
                      const char *build_id, struct diag *d)
{
    struct weighing r = {.ran = ran};
    struct db *db = db_open(deps, DB_DEPS, d);
    int rc =
        db == NULL ? -1 : db_rows(db, FILES, DB_NO_VALUES, take_file, &r, d);

    ids_sort(&r.ids);
    if (rc == 0)
        rc = db_scan(db, EXECUTED, DB_VALUES(DB_TEXT(build_id)), take_executed,
                     &r, d);
    for (size_t i = 0; i < ran->n_files; i++)
        ran->files[i].share = 100 * (ran->files[i].share / fmax(r.all, 1));
    array_sort(ran->files, ran->n_files, by_share);
    ids_fini(&r.ids);
    db_close(db);
    return rc;
}

void cy_ran_fini(struct cy_ran *ran)
{
    for (size_t i = 0; i < ran->n_files; i++) {
        free(ran->files[i].path);
        free(ran->files[i].build_id);
    }
    free(ran->files);
    *ran = (struct cy_ran){0};
}

/* The file that is the same as `program`. */
static const struct cy_ran_file *find(const struct cy_ran *ran,
                                      const char *program, const char *deps,
                                      struct diag *d)
{
    diag_set(d, "%s: %s did not run in it", deps, program);
    for (size_t i = 0; i < ran->n_files; i++) {
        const struct cy_ran_file *f = &ran->files[i];
        struct diag why;
        struct objfile *file = objfile_open(program, f->build_id, &why);

        objfile_close(file);
        if (file != NULL)
            return f;
        if (strcmp(text_base_name(f->path), text_base_name(program)) == 0)
            *d = why;
    }
    return NULL;
}

int cy_ran_read(struct cy_ran *ran, const char *deps, const char *program,
                struct diag *d)
{
    const struct cy_ran_file *found;
    int rc = 0;

    *ran = (struct cy_ran){0};
    if (read_files(ran, deps, NULL, d) != 0 ||
        (found = find(ran, program, deps, d)) == NULL)
        return -1;
    AUTO_FREE char *id = memory_text(found->build_id);
    if (found->is_program) { /* other programs do not count */
        cy_ran_fini(ran);
        rc = read_files(ran, deps, id, d);
    }
    for (size_t i = 0; i < ran->n_files && ran->program == NULL; i++)
        if (strcmp(ran->files[i].build_id, id) == 0)
            ran->program = &ran->files[i];
    assert(rc != 0 || ran->program != NULL);
    return rc;
}
