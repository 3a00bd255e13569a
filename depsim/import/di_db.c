/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/di_import.h"

#include <sys/stat.h>

#include "file.h"
#include "schema.h"

/* Makes room in a database for the first run of a session.

   The runs of other sessions are removed.  If one of those sessions began with
   another program, the user may have meant another file, so the database is
   kept as FILE.old first, as perf does with its own.  A program is the path of
   its executable: built again it is the same program, and all scripts of an
   interpreter are one.

   FILE.old is a copy, made while the database is locked.  A rename would take
   the file away from other processes of the session, which may have it open
   and wait for the lock. */

/* Gives the copy the database's permissions, so that the same users read it. */
static void copy_permissions(const char *from, struct replace *to)
{
    struct stat st;

    if (stat(from, &st) == 0)
        fchmod(fileno(replace_stream(to)), st.st_mode & 0777);
}

/* Copies the committed contents of a database to `old`. */
static int keep(const char *path, const char *old, struct diag *d)
{
    struct replace *r = replace_new(old, REPLACE_ALWAYS, d);
    int rc = -1;

    if (r == NULL)
        return -1;
    copy_permissions(path, r);
    struct db *db = db_open(path, DB_DEPS, d);
    if (db != NULL && db_ask(db, "VACUUM INTO ?1", NULL,
                             DB_VALUES(DB_TEXT(replace_path(r))), d) == 0)
        rc = replace_commit(r, d);
    db_close(db);
    replace_free(r);
    return rc;
}

/* Keeps the database for the sake of a session that began with `program`, which
   is NULL if it is unknown. */
static int keep_and_say(const char *path, const char *program,
                        struct diag *note, struct diag *d)
{
    AUTO_FREE char *old = memory_printf("%s.old", path);
    int rc = keep(path, old, d);

    if (rc == 0)
        diag_set(note, "%s: it held a run of %s, and is kept as %s", path,
                 program != NULL ? program : "an unknown program", old);
    return rc;
}

/* Keeps the database if a session in it began with another program. */
static int keep_others(struct db *db, const struct di_run *run,
                       struct diag *note, struct diag *d)
{
    struct db_query *q =
        db_prepare(db,
                   /* The program is that of the row with the least start. */
                   "SELECT program, min(started) FROM run GROUP BY session"
                   " HAVING program IS NOT ?1 ORDER BY 2 LIMIT 1",
                   d);

    if (q == NULL)
        return -1;
    db_bind_text(q, 1, run->program);
    int rc = db_step(q, d);
    if (rc == 1)
        rc = keep_and_say(db_path(db), db_text(q, 0), note, d);
    db_query_free(q);
    return rc;
}

/* Removes what belongs to runs, all or some. */
static int remove_rows(struct db *db, const char *which, struct diag *d)
{
    static const char *const tables[] = {
        "dep",          "shared_line",  "segment",  "window",
        "window_piece", "window_place", "lifetime", "run"};
    char *sql = memory_printf("DELETE FROM dep_lifetime WHERE dep_id IN"
                              " (SELECT dep_id FROM dep%s)",
                              which);
    int rc = db_exec(db, *which == '\0' ? "DELETE FROM dep_lifetime" : sql, d);

    free(sql);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == 0; i++) {
        sql = memory_printf("DELETE FROM %s%s", tables[i], which);
        rc = db_exec(db, sql, d);
        free(sql);
    }
    return rc;
}

int di_replace(struct db *db, const struct di_run *run, struct diag *note,
               struct diag *d)
{
    int64_t n_runs = 0;

    if (db_ask(db, "SELECT count(*) FROM run WHERE session = ?1", &n_runs,
               DB_VALUES(DB_TEXT(run->session)), d) != 0)
        return -1;
    if (n_runs > 0)
        return 0;
    if (keep_others(db, run, note, d) != 0)
        return -1;
    return remove_rows(db, "", d) != 0 ? -1
                                       : db_exec(db, "DELETE FROM object", d);
}

/* The queries that insert most rows, each for the rows of a section or
   DEP_LIFETIME. */
enum { DEP_LIFETIME = DI_SECTIONS, N_QUERIES };

static const char *const inserts[N_QUERIES] = {
    [DI_SEGMENTS] = "INSERT INTO segment VALUES(?1, ?2, ?3, ?4, ?5)",
    [DI_DEPS] = "INSERT INTO dep(run_id, src_object, src, dst_object, dst,"
                " min_distance, max_distance, cross_thread, occurrences)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [DI_SHARED_LINES] =
        "INSERT INTO shared_line VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [DI_PIECES] = "INSERT INTO window_piece VALUES(?1, ?2, ?3, ?4, ?5)",
    [DI_PLACES] = "INSERT INTO window_place VALUES(?1, ?2, ?3, ?4, ?5)",
    [DI_WINDOWS] = "INSERT INTO window(run_id, thread, start_timestamp,"
                   " instructions, path, accesses, gaps, reuse, lead)"
                   " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [DEP_LIFETIME] =
        "INSERT INTO dep_lifetime(dep_id, lifetime, occurrences, same,"
        " contained, partial, several, crossing)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
};

/* The state of writing a run: the queries, and the number of the run. */
struct output {
    struct db *db;
    struct di_run *run;
    int64_t run_id;
    struct db_query *queries[N_QUERIES];
};

/* Removes an earlier state of the run: from before an execve that failed, or
   from an import of this very spool. */
static int remove_former(struct output *out, struct diag *d)
{
    int64_t run_id = -1;
    int rc = db_ask(out->db,
                    "SELECT run_id FROM run WHERE session = ?1 AND pid = ?2"
                    " AND started = ?3",
                    &run_id,
                    DB_VALUES(DB_TEXT(out->run->session), DB_INT(out->run->pid),
                              DB_INT(out->run->started)),
                    d);

    if (rc != 0 || run_id < 0)
        return rc;
    AUTO_FREE char *which = memory_printf(" WHERE run_id = %" PRId64, run_id);
    rc = remove_rows(out->db, which, d);
    return rc;
}

static const char *const ends[SPOOL_N_ENDS] = {
    [SPOOL_EXIT] = "exit", [SPOOL_SIGNAL] = "signal", [SPOOL_EXEC] = "exec"};

static int insert_run(struct output *out, struct diag *d)
{
    const struct di_run *run = out->run;

    assert(run->end < SPOOL_N_ENDS);
    int rc = db_ask(
        out->db,
        "INSERT INTO run(pid, command, exit_status, instructions, recorded,"
        " complete, session, started, ended, program, successor)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        NULL,
        DB_VALUES(DB_INT(run->pid), DB_TEXT(run->command),
                  DB_INT_UNLESS(run->end != SPOOL_EXIT, run->exit_status),
                  DB_INT(run->instructions), DB_INT(run->recorded),
                  DB_INT(run->complete), DB_TEXT(run->session),
                  DB_INT(run->started), DB_TEXT(ends[run->end]),
                  DB_TEXT(run->program[0] != '\0' ? run->program : NULL),
                  DB_TEXT(run->end == SPOOL_EXEC && run->successor[0] != '\0'
                              ? run->successor
                              : NULL)),
        d);
    out->run_id = db_last_rowid(out->db);
    return rc;
}

static int insert_bounds(struct output *out, struct diag *d)
{
    int rc = 0;

    assert(out->run->bounds.n >= 1 && out->run->bounds.n <= LIFETIMES_MAX);
    for (unsigned i = 0; i < out->run->bounds.n && rc == 0; i++)
        rc = db_ask(
            out->db, "INSERT INTO lifetime(run_id, lifetime) VALUES(?1, ?2)",
            NULL,
            DB_VALUES(DB_INT(out->run_id), DB_INT(out->run->bounds.bound[i])),
            d);
    return rc;
}

/* An update that changes nothing, unlike DO NOTHING, returns the row. */
static int insert_objects(struct output *out, struct diag *d)
{
    int rc = 0;

    for (uint32_t i = 0; i < out->run->n_objects && rc == 0; i++)
        rc = db_ask(out->db,
                    "INSERT INTO object(path, build_id) VALUES(?1, ?2)"
                    " ON CONFLICT(build_id, path) DO UPDATE SET path = path"
                    " RETURNING object_id",
                    &out->run->object[i].id,
                    DB_VALUES(DB_TEXT(out->run->object[i].path),
                              DB_TEXT(out->run->object[i].build_id)),
                    d);
    return rc;
}

static int insert_counts(struct output *out, const struct di_count *counts,
                         struct diag *d)
{
    int64_t dep_id = db_last_rowid(out->db);
    int rc = 0;

    for (unsigned i = 0; i < out->run->bounds.n && rc == 0; i++)
        if (counts[i].all > 0)
            rc = db_run_with(
                out->queries[DEP_LIFETIME],
                DB_VALUES(DB_INT(dep_id), DB_INT(out->run->bounds.bound[i]),
                          DB_INT(counts[i].all),
                          DB_INT(counts[i].forward[FORWARD_SAME]),
                          DB_INT(counts[i].forward[FORWARD_CONTAINED]),
                          DB_INT(counts[i].forward[FORWARD_PARTIAL]),
                          DB_INT(counts[i].forward[FORWARD_SEVERAL]),
                          DB_INT(counts[i].crossing)),
                d);
    return rc;
}

static int insert_rows(struct output *out, struct di_spool *spool,
                       enum di_section section, struct diag *d)
{
    struct db_value row[1 + DI_COLUMNS] = {DB_INT(out->run_id)};
    size_t n;
    int rc;

    while ((rc = di_spool_row(spool, section, row + 1, &n, d)) == 1)
        if (db_run_with(out->queries[section], row, 1 + n, d) != 0 ||
            (section == DI_DEPS &&
             insert_counts(out, di_spool_counts(spool), d) != 0))
            return -1;
    return rc;
}

static int prepare(struct output *out, struct diag *d)
{
    for (int i = 0; i < N_QUERIES; i++) {
        out->queries[i] = db_prepare(out->db, inserts[i], d);
        if (out->queries[i] == NULL)
            return -1;
    }
    return 0;
}

static int write_rows(struct output *out, struct di_spool *spool,
                      struct diag *note, struct diag *d)
{
    if (db_begin(out->db, d) != 0 ||
        (!out->run->append && di_replace(out->db, out->run, note, d) != 0) ||
        remove_former(out, d) != 0 || prepare(out, d) != 0 ||
        insert_run(out, d) != 0 || insert_bounds(out, d) != 0 ||
        insert_objects(out, d) != 0)
        return -1;
    for (int section = 0; section < DI_SECTIONS; section++)
        if (insert_rows(out, spool, section, d) != 0)
            return -1;
    return db_commit(out->db, d);
}

int di_db(struct db *db, struct di_spool *spool, struct di_run *run,
          struct diag *note, struct diag *d)
{
    struct output out = {.db = db, .run = run};

    note->text[0] = '\0';
    int rc = write_rows(&out, spool, note, d);
    for (int i = 0; i < N_QUERIES; i++)
        db_query_free(out.queries[i]);
    return rc;
}
