/*
 * di_db: a spool -> rows of a depsim database.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "import/di_db.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

/* The state of writing a run: the statements, the number of the run, and the
   row of each object. */
struct output {
    struct db *db;
    const struct di_run *run;
    int64_t run_id;
    int64_t *object_id;
    struct db_query *segment, *dep, *dep_lifetime;
};

/* Runs a query for a number, `otherwise` if it has no row. */
static int ask(struct db_query *q, int64_t *value, int64_t otherwise,
               struct diag *d)
{
    int rc;

    *value = otherwise;
    while ((rc = db_step(q, d)) == 1)
        *value = db_int(q, 0);
    return rc;
}

static const struct column {
    const char *table, *name, *addition;
} columns[] = {
    {"run", "program", "ALTER TABLE run ADD COLUMN program TEXT"},
    {"dep_lifetime", "same",
     "ALTER TABLE dep_lifetime ADD COLUMN same INTEGER"},
    {"dep_lifetime", "contained",
     "ALTER TABLE dep_lifetime ADD COLUMN contained INTEGER"},
    {"dep_lifetime", "partial",
     "ALTER TABLE dep_lifetime ADD COLUMN partial INTEGER"},
    {"dep_lifetime", "several",
     "ALTER TABLE dep_lifetime ADD COLUMN several INTEGER"},
    {"dep_lifetime", "crossing",
     "ALTER TABLE dep_lifetime ADD COLUMN crossing INTEGER"},
};

static int add_column(struct db *db, const struct column *c, struct diag *d)
{
    bool is_there;

    if (db_has_column(db, c->table, c->name, &is_there, d) != 0)
        return -1;
    if (is_there)
        return 0;
    return db_exec(db, c->addition, d);
}

/* A database of an older depsim gets the columns that were added since, which
   its readers do not miss. */
static int add_columns(struct db *db, struct diag *d)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (add_column(db, &columns[i], d) != 0)
            return -1;
    return 0;
}

/* The row of an earlier state of the run, or -1. */
static int find_former(struct output *out, int64_t *run_id, struct diag *d)
{
    struct db_query *q = db_prepare(out->db,
                                    "SELECT run_id FROM run WHERE session = ?1"
                                    " AND pid = ?2 AND started = ?3",
                                    d);
    int rc;

    if (q == NULL)
        return -1;
    db_bind_text(q, 1, out->run->session);
    db_bind_int(q, 2, out->run->pid);
    db_bind_int(q, 3, (int64_t)out->run->started);
    rc = ask(q, run_id, -1, d);
    db_query_free(q);
    return rc;
}

/* Removes an earlier state of the run: from before an execve that failed, or
   from an import of this very spool. */
static int remove_former(struct output *out, struct diag *d)
{
    static const char *const statements[] = {
        "DELETE FROM dep_lifetime WHERE dep_id IN"
        " (SELECT dep_id FROM dep WHERE run_id = ?1)",
        "DELETE FROM dep WHERE run_id = ?1",
        "DELETE FROM segment WHERE run_id = ?1",
        "DELETE FROM lifetime WHERE run_id = ?1",
        "DELETE FROM run WHERE run_id = ?1"};
    int64_t run_id;
    int rc = find_former(out, &run_id, d);

    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        struct db_query *q;

        if (rc != 0 || run_id < 0)
            return rc;
        q = db_prepare(out->db, statements[i], d);
        if (q == NULL)
            return -1;
        db_bind_int(q, 1, run_id);
        rc = db_run(q, d);
        db_query_free(q);
    }
    return rc;
}

static const char *const ends[SPOOL_N_ENDS] = {
    [SPOOL_EXIT] = "exit", [SPOOL_SIGNAL] = "signal", [SPOOL_EXEC] = "exec"};

static int insert_run(struct output *out, struct diag *d)
{
    struct db_query *q = db_prepare(
        out->db,
        "INSERT INTO run(pid, command, exit_status, instructions, complete,"
        " session, started, ended, program)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        d);
    int rc;

    if (q == NULL)
        return -1;
    db_bind_int(q, 1, out->run->pid);
    db_bind_text(q, 2, out->run->command);
    assert(out->run->end < SPOOL_N_ENDS);
    if (out->run->end == SPOOL_EXIT)
        db_bind_int(q, 3, out->run->exit_status);
    else
        db_bind_null(q, 3);
    db_bind_int(q, 4, (int64_t)out->run->instructions);
    db_bind_int(q, 5, out->run->complete);
    db_bind_text(q, 6, out->run->session);
    db_bind_int(q, 7, (int64_t)out->run->started);
    if (ends[out->run->end] != NULL)
        db_bind_text(q, 8, ends[out->run->end]);
    else
        db_bind_null(q, 8);
    if (out->run->program[0] != '\0')
        db_bind_text(q, 9, out->run->program);
    else
        db_bind_null(q, 9);
    rc = db_run(q, d);
    out->run_id = db_last_rowid(out->db);
    db_query_free(q);
    return rc;
}

static int insert_bounds(struct output *out, struct diag *d)
{
    struct db_query *q = db_prepare(
        out->db, "INSERT INTO lifetime(run_id, lifetime) VALUES(?1, ?2)", d);
    int rc = q == NULL ? -1 : 0;

    assert(out->run->bounds.n >= 1 && out->run->bounds.n <= LIFETIMES_MAX);
    for (unsigned i = 0; i < out->run->bounds.n && rc == 0; i++) {
        db_bind_int(q, 1, out->run_id);
        db_bind_int(q, 2, (int64_t)out->run->bounds.bound[i]);
        rc = db_run(q, d);
    }
    db_query_free(q);
    return rc;
}

static int obtain_object(const struct di_object *o, struct db_query *insert,
                         struct db_query *find, int64_t *object_id,
                         struct diag *d)
{
    db_bind_text(insert, 1, o->path);
    db_bind_text(insert, 2, o->build_id);
    db_bind_text(find, 1, o->path);
    db_bind_text(find, 2, o->build_id);
    if (db_run(insert, d) != 0)
        return -1;
    return ask(find, object_id, 0, d);
}

static int insert_objects(struct output *out, struct diag *d)
{
    struct db_query *insert =
        db_prepare(out->db,
                   "INSERT INTO object(path, build_id) VALUES(?1, ?2)"
                   " ON CONFLICT DO NOTHING",
                   d);
    struct db_query *find = db_prepare(
        out->db,
        "SELECT object_id FROM object WHERE path = ?1 AND build_id = ?2", d);
    int rc = insert == NULL || find == NULL ? -1 : 0;

    for (uint32_t i = 0; i < out->run->n_objects && rc == 0; i++)
        rc = obtain_object(&out->run->object[i], insert, find,
                           &out->object_id[i], d);
    db_query_free(insert);
    db_query_free(find);
    return rc;
}

static int insert_segments(struct output *out, struct di_spool *spool,
                           struct diag *d)
{
    struct di_segment segment;
    int rc;

    while ((rc = di_spool_segment(spool, &segment, d)) == 1) {
        assert(segment.object < out->run->n_objects);
        db_bind_int(out->segment, 1, out->run_id);
        db_bind_int(out->segment, 2, out->object_id[segment.object]);
        db_bind_int(out->segment, 3, (int64_t)segment.start);
        db_bind_int(out->segment, 4, (int64_t)segment.end);
        db_bind_int(out->segment, 5, (int64_t)segment.executions);
        if (db_run(out->segment, d) != 0)
            return -1;
    }
    return rc;
}

static int insert_count(struct output *out, int64_t dep_id, uint64_t lifetime,
                        const struct di_count *count, struct diag *d)
{
    db_bind_int(out->dep_lifetime, 1, dep_id);
    db_bind_int(out->dep_lifetime, 2, (int64_t)lifetime);
    db_bind_int(out->dep_lifetime, 3, (int64_t)count->all);
    for (int i = 0; i < FORWARD_N; i++)
        db_bind_int(out->dep_lifetime, 4 + i, (int64_t)count->forward[i]);
    db_bind_int(out->dep_lifetime, 4 + FORWARD_N, (int64_t)count->crossing);
    return db_run(out->dep_lifetime, d);
}

static int insert_dep(struct output *out, const struct di_dep *dep,
                      struct diag *d)
{
    int64_t dep_id;

    assert(dep->src_object < out->run->n_objects);
    assert(dep->dst_object < out->run->n_objects);
    db_bind_int(out->dep, 1, out->run_id);
    db_bind_int(out->dep, 2, out->object_id[dep->src_object]);
    db_bind_int(out->dep, 3, (int64_t)dep->src);
    db_bind_int(out->dep, 4, out->object_id[dep->dst_object]);
    db_bind_int(out->dep, 5, (int64_t)dep->dst);
    db_bind_int(out->dep, 6, (int64_t)dep->total);
    db_bind_int(out->dep, 7, (int64_t)dep->min_distance);
    db_bind_int(out->dep, 8, (int64_t)dep->max_distance);
    db_bind_int(out->dep, 9, dep->cross_thread);
    if (db_run(out->dep, d) != 0)
        return -1;
    dep_id = db_last_rowid(out->db);
    for (unsigned i = 0; i < out->run->bounds.n; i++)
        if (dep->occurrences[i].all > 0 &&
            insert_count(out, dep_id, out->run->bounds.bound[i],
                         &dep->occurrences[i], d) != 0)
            return -1;
    return 0;
}

static int insert_deps(struct output *out, struct di_spool *spool,
                       struct diag *d)
{
    struct di_dep dep;
    int rc;

    while ((rc = di_spool_dep(spool, &dep, d)) == 1)
        if (insert_dep(out, &dep, d) != 0)
            return -1;
    return rc;
}

static int prepare(struct output *out, struct diag *d)
{
    out->segment = db_prepare(
        out->db, "INSERT INTO segment VALUES(?1, ?2, ?3, ?4, ?5)", d);
    if (out->segment == NULL)
        return -1;
    out->dep = db_prepare(out->db,
                          "INSERT INTO dep(run_id, src_object, src, dst_object,"
                          " dst, occurrences, min_distance, max_distance,"
                          " cross_thread)"
                          " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                          d);
    if (out->dep == NULL)
        return -1;
    out->dep_lifetime =
        db_prepare(out->db,
                   "INSERT INTO dep_lifetime(dep_id, lifetime, occurrences,"
                   " same, contained, partial, several, crossing)"
                   " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                   d);
    return out->dep_lifetime == NULL ? -1 : 0;
}

static int write_rows(struct output *out, struct di_spool *spool,
                      struct diag *note, struct diag *d)
{
    if (db_begin(out->db, d) != 0 || add_columns(out->db, d) != 0 ||
        (!out->run->append && di_replace(out->db, out->run, note, d) != 0) ||
        remove_former(out, d) != 0 || prepare(out, d) != 0 ||
        insert_run(out, d) != 0 || insert_bounds(out, d) != 0 ||
        insert_objects(out, d) != 0 || insert_segments(out, spool, d) != 0 ||
        insert_deps(out, spool, d) != 0)
        return -1;
    return db_commit(out->db, d);
}

int di_db(struct db *db, struct di_spool *spool, const struct di_run *run,
          struct diag *note, struct diag *d)
{
    struct output out = {.db = db, .run = run};
    int rc;

    note->text[0] = '\0';
    out.object_id = memory_new(run->n_objects, sizeof *out.object_id);
    rc = write_rows(&out, spool, note, d);
    db_query_free(out.segment);
    db_query_free(out.dep);
    db_query_free(out.dep_lifetime);
    free(out.object_id);
    return rc;
}
