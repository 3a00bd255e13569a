/*
 * di_replace: makes room in a database for the first run of a session.
 *
 * The runs of other sessions are removed.  If one of those sessions began with
 * another program, the user may have meant another file, so the database is
 * kept as FILE.old first, as perf does with its own.  A program is the path of
 * its executable: built again it is the same program, and all scripts of an
 * interpreter are one.
 *
 * FILE.old is a copy, made while the database is locked.  A rename would take
 * the file away from other processes of the session, which may have it open
 * and wait for the lock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "import/di_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "memory.h"
#include "replace.h"

/* Gives the copy the permissions of the database, so that the same users can
   read it. */
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
    struct db *db;
    int rc = -1;

    if (r == NULL)
        return -1;
    copy_permissions(path, r);
    db = db_open(path, DB_DEPS, d);
    if (db != NULL && db_ask(db, "VACUUM INTO ?1", NULL,
                             DB_VALUES(DB_TEXT(replace_path(r))), d) == 0)
        rc = replace_commit(r, d);
    db_close(db);
    replace_free(r);
    return rc;
}

/* Keeps the database for the sake of a session that began with `program`, or
   NULL. */
static int keep_and_say(const char *path, const char *program,
                        struct diag *note, struct diag *d)
{
    char *old = memory_printf("%s.old", path);
    int rc = keep(path, old, d);

    if (rc == 0)
        diag_set(note, "%s: it held a run of %s, and is kept as %s", path,
                 program != NULL ? program : "an unknown program", old);
    free(old);
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
    int rc;

    if (q == NULL)
        return -1;
    db_bind_text(q, 1, run->program);
    rc = db_step(q, d);
    if (rc == 1)
        rc = keep_and_say(db_path(db), db_text(q, 0), note, d);
    db_query_free(q);
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
    return db_exec(db,
                   "DELETE FROM dep_lifetime; DELETE FROM dep;"
                   "DELETE FROM segment; DELETE FROM lifetime;"
                   "DELETE FROM window; DELETE FROM window_piece;"
                   "DELETE FROM object; DELETE FROM run",
                   d);
}
