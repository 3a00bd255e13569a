/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/internal.h"

/* --- Runs --- */

/* Makes the table `other` of the runs of other programs than the one whose
   build-id is given, or of none if that is NULL. */
static int choose_runs(struct db *db, const char *program, struct diag *d)
{
    if (db_exec(db, "CREATE TEMP TABLE other(run_id INTEGER PRIMARY KEY)", d) !=
        0)
        return -1;
    return db_ask(
        db,
        "INSERT INTO other SELECT run_id FROM run WHERE ?1 IS NOT NULL AND"
        " coalesce(program, '') NOT IN"
        " (SELECT path FROM object WHERE build_id = ?1)",
        NULL, DB_VALUES(DB_TEXT(program)), d);
}

/* Chooses the runs of the first object of `data` that is a program. */
static int choose_program(struct cy_reader *r, struct diag *d)
{
    for (size_t i = 0; i < r->data->n_objects && r->data->runs_of == NULL;
         i++) {
        const char *id = r->data->objects[i].build_id;
        int64_t n = 0;

        if (db_ask(r->db,
                   "SELECT count(*) FROM run JOIN object ON path = program"
                   " WHERE build_id = ?1",
                   &n, DB_VALUES(DB_TEXT(id)), d) != 0)
            return -1;
        if (n > 0)
            r->data->runs_of = memory_text(id);
    }
    return choose_runs(r->db, r->data->runs_of, d);
}

static int take_observed_object(void *context, struct db_query *q,
                                struct diag *d)
{
    struct cy_reader *r = context;
    const char *id = db_text(q, 1);
    uint32_t object;

    if (id == NULL)
        return db_damaged(r->db, "an object without an identity", d);
    object = cy_data_object(r->data, id);
    if (object != CY_NO_OBJECT)
        ids_add(&r->objects, db_int(q, 0), object);
    return 0;
}

static int take_segment(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    uint64_t start = (uint64_t)db_int(q, 1), end = (uint64_t)db_int(q, 2);
    uint32_t object, block;

    if (end < start)
        return db_damaged(r->db, "a segment ends before it starts", d);
    if (!ids_find(&r->objects, db_int(q, 0), &object))
        return 0;
    block = cy_data_block(r->data, object, start);
    if (executions_add(
            &r->executions, object, start, end,
            cy_data_is_inside(r->data, block) ? r->data->blocks[block].end : 0,
            db_count(q, 3)))
        return 0;
    return db_damaged(r->db, "executions beyond 64 bits", d);
}

/* Sets each block's executions; false if the instructions exceed 64 bits. */
static bool weigh_blocks(struct cy_reader *r)
{
    struct cy_data *data = r->data;
    uint64_t executed;

    assert(data->known_instructions == 0); /* blocks are counted once */
    executions_sum(&r->executions);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cy_block *b = &data->blocks[i];

        b->executions = executions_of(&r->executions, b->object, b->start,
                                      b->end, cy_data_is_inside(data, i));
        if (__builtin_mul_overflow(b->executions, b->n_insns, &executed) ||
            __builtin_add_overflow(data->known_instructions, executed,
                                   &data->known_instructions))
            return false;
    }
    return true;
}

static int read_segments(struct cy_reader *r, struct diag *d)
{
    int rc = cy_reader_rows(r,
                            "SELECT object_id, start, \"end\", executions FROM "
                            "segment WHERE" CHOSEN,
                            take_segment, d);

    if (rc == 0 && !weigh_blocks(r))
        rc = db_damaged(r->db, "executions beyond 64 bits", d);
    executions_fini(&r->executions);
    return rc;
}

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;

    if (__builtin_add_overflow(r->data->instructions, db_count(q, 0),
                               &r->data->instructions) ||
        __builtin_add_overflow(r->data->recorded, db_count(q, 1),
                               &r->data->recorded))
        return db_damaged(r->db, "executed instructions beyond 64 bits", d);
    return 0;
}

static int read_objects(struct cy_reader *r, struct diag *d)
{
    int rc = cy_reader_rows(r, "SELECT object_id, build_id FROM object",
                            take_observed_object, d);

    ids_sort(&r->objects);
    return rc;
}

static int read_all(struct cy_reader *r, struct diag *d)
{
    if (read_objects(r, d) != 0)
        return -1;
    if (r->objects.n_entries == 0)
        return diag_set(d, "%s: none of its objects is in the static.db",
                        db_path(r->db));
    if (choose_program(r, d) != 0 || read_segments(r, d) != 0)
        return -1;
    return cy_reader_rows(
        r, "SELECT instructions, recorded FROM run WHERE" CHOSEN, take_run, d);
}

int cy_read_deps(struct cy_reader *r, const char *path, struct diag *d)
{
    int rc;

    assert(r->db == NULL && r->data->n_objects > 0);
    ids_fini(&r->objects);
    r->db = db_open(path, DB_DEPS, d);
    if (r->db == NULL)
        return -1;
    rc = read_all(r, d);
    db_close(r->db);
    r->db = NULL;
    r->data->has_executions = r->data->observed.is_present = true;
    return rc;
}

int cy_read_observed(struct cy_data *data, const char *deps,
                     const struct cy_spans *spans, struct diag *d)
{
    struct cy_reader r = {.data = data, .db = db_open(deps, DB_DEPS, d)};
    int rc = r.db == NULL || read_objects(&r, d) != 0 ||
                     choose_runs(r.db, data->runs_of, d) != 0 ||
                     cy_read_pairs(&r, spans, d) != 0
                 ? -1
                 : 0;

    db_close(r.db);
    ids_fini(&r.objects);
    cy_data_sort_observed(data);
    return rc;
}

/* --- Windows, and what passes between threads --- */

int cy_read_has_windows(const char *deps, bool *has, struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);
    int64_t n = 0;
    int rc = db == NULL ? -1
                        : db_ask(db, "SELECT EXISTS(SELECT 1 FROM window)", &n,
                                 DB_NO_VALUES, d);

    db_close(db);
    *has = n != 0;
    return rc;
}

/* The callbacks that get the rows: of `take` or, if that is NULL, `between`. */
struct handing {
    const struct cy_read_of_windows *take;
    const struct cy_read_of_between *between;
    void *context;
    struct db *db;
};

static int take_window_run(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;

    (void)d;
    r->take->run(r->context, db_int(q, 0), db_count(q, 1), db_int(q, 2) != 0);
    return 0;
}

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;
    const char *path = db_text(q, 1), *id = db_text(q, 2);

    if (path == NULL || id == NULL)
        return db_damaged(r->db, "an object without a name", d);
    (r->take != NULL ? r->take->object
                     : r->between->object)(r->context, db_int(q, 0), path, id);
    return 0;
}

static int take_piece(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;
    struct cy_piece_blob blob = {
        .run = db_int(q, 0),
        .number = db_count(q, 1),
        .object = db_int(q, 2),
        .address = (uint64_t)db_int(q, 3),
    };

    blob.insns = db_blob(q, 4, &blob.insns_size);
    return r->take->piece(r->context, &blob, d);
}

static int take_place(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;
    const struct cy_place_row row = {
        .run = db_int(q, 0),
        .number = db_count(q, 1),
        .object = db_int(q, 2),
        .address = (uint64_t)db_int(q, 3),
        .kind = (enum cy_place_kind)db_count(q, 4),
    };

    return r->take->place(r->context, &row, d);
}

static int take_window(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;
    struct cy_window_blobs blobs = {
        .run = db_int(q, 0),
        .thread = db_count(q, 1),
        .start = db_count(q, 2),
        .instructions = db_count(q, 3),
    };

    blobs.path = db_blob(q, 4, &blobs.path_size);
    blobs.accesses = db_blob(q, 5, &blobs.accesses_size);
    blobs.gaps = db_blob(q, 6, &blobs.gaps_size);
    blobs.reuse = db_blob(q, 7, &blobs.reuse_size);
    blobs.lead = db_blob(q, 8, &blobs.lead_size);
    return r->take->window(r->context, &blobs, d);
}

static int take_loads(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;

    (void)d;
    r->between->loads(r->context, db_count(q, 0));
    return 0;
}

static int take_between(void *context, struct db_query *q, struct diag *d)
{
    const struct handing *r = context;
    struct cy_between_row row = {
        .src_object = db_int(q, 0),
        .src = (uint64_t)db_int(q, 1),
        .dst_object = db_int(q, 2),
        .dst = (uint64_t)db_int(q, 3),
        .stores = db_int(q, 4) != 0,
        .accesses = db_count(q, 5),
        .turns = db_count(q, 6),
        .is_line = db_int(q, 7) != 0,
    };

    if (row.accesses == 0)
        return db_damaged(r->db, "a pair between threads without accesses", d);
    r->between->row(r->context, &row);
    return 0;
}

struct rows {
    const char *sql;
    int (*take)(void *, struct db_query *, struct diag *);
};

#define OBJECTS                                                            \
    {                                                                      \
        "SELECT object_id, path, build_id FROM object ORDER BY object_id", \
            take_object                                                    \
    }

static const struct rows window_rows[] = {
    {"SELECT run_id, recorded,"
     " run_id IN (SELECT run_id FROM dep WHERE cross_thread)"
     " FROM run WHERE" CHOSEN " ORDER BY run_id",
     take_window_run},
    OBJECTS,
    {"SELECT run_id, piece, object_id, address, instructions"
     " FROM window_piece WHERE" CHOSEN " ORDER BY run_id, piece",
     take_piece},
    {"SELECT run_id, place, object_id, address, kind"
     " FROM window_place WHERE" CHOSEN " ORDER BY run_id, place",
     take_place},
    {"SELECT run_id, thread, start_timestamp, instructions, path, accesses,"
     " gaps, reuse, lead FROM window WHERE" CHOSEN
     " ORDER BY run_id, start_timestamp, window_id",
     take_window},
};

static const struct rows between_rows[] = {
    OBJECTS,
    {"SELECT coalesce(sum(occurrences), 0) FROM dep WHERE" CHOSEN, take_loads},
    {"SELECT src_object, src, dst_object, dst, 0, sum(cross_thread), 0, 0"
     " FROM dep WHERE cross_thread > 0 AND" CHOSEN " GROUP BY 1, 2, 3, 4"
     " ORDER BY 6 DESC, 1, 2, 3, 4",
     take_between},
    {"SELECT src_object, src, dst_object, dst, stores, sum(accesses),"
     " sum(turns), 1 FROM shared_line WHERE" CHOSEN " GROUP BY 1, 2, 3, 4, 5"
     " ORDER BY 6 DESC, 1, 2, 3, 4, 5",
     take_between},
};

static int hand(struct handing *r, const char *deps, const char *program,
                const struct rows *rows, size_t n, struct diag *d)
{
    int rc;

    r->db = db_open(deps, DB_DEPS, d);
    rc = r->db == NULL ? -1 : choose_runs(r->db, program, d);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = db_rows(r->db, rows[i].sql, DB_NO_VALUES, rows[i].take, r, d);
    db_close(r->db);
    return rc;
}

int cy_read_windows(const char *deps, const char *program,
                    const struct cy_read_of_windows *take, void *context,
                    struct diag *d)
{
    return hand(&(struct handing){.take = take, .context = context}, deps,
                program, window_rows, sizeof window_rows / sizeof *window_rows,
                d);
}

int cy_read_between(const char *deps, const char *program,
                    const struct cy_read_of_between *take, void *context,
                    struct diag *d)
{
    return hand(&(struct handing){.between = take, .context = context}, deps,
                program, between_rows,
                sizeof between_rows / sizeof *between_rows, d);
}
