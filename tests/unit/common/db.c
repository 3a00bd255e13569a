/*
 * Opening a database that another program makes at the same moment.  Each case
 * has an empty directory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db.h"
#include "schema.h"

#define FILE_NAME        "deps.db"
#define N_STATEMENTS_MAX 12 /* more than an opening runs */

static char directory[] = "/tmp/db.XXXXXX";

/* The other program runs after this number of our statements. */
static int comes_after;
static bool is_at_work, has_made;

/* The other program does not wait for us: it skips what it cannot do at
   once. */
static void make_elsewhere(void)
{
    char sql[200];
    sqlite3 *db;

    is_at_work = true;
    assert_int_equal(sqlite3_open(FILE_NAME, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "BEGIN IMMEDIATE; PRAGMA application_id = %d;"
             "PRAGMA user_version = %d",
             SCHEMA_DEPS_ID, SCHEMA_VERSION);
    has_made =
        sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(db, SCHEMA_DEPS "; COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(db);
    is_at_work = false;
}

static int statement_ended(unsigned event, void *unused, void *statement,
                           void *time)
{
    (void)event, (void)unused, (void)statement, (void)time;
    if (!is_at_work && --comes_after == 0)
        make_elsewhere();
    return 0;
}

static int watch(sqlite3 *db, char **error, const void *api)
{
    (void)error, (void)api;
    sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, statement_ended, NULL);
    return SQLITE_OK;
}

static int enter(void **state)
{
    (void)state;
    sqlite3_auto_extension((void (*)(void))watch);
    return mkdtemp(directory) != NULL ? chdir(directory) : -1;
}

static int leave(void **state)
{
    (void)state;
    sqlite3_cancel_auto_extension((void (*)(void))watch);
    return chdir("/") != 0 || rmdir(directory) != 0;
}

/* Opens the database n times at once, as n programs that end together do. */
static void open_beside(int n)
{
    struct diag d = {.text = ""};
    struct db *db;

    comes_after = n;
    has_made = false;
    db = db_open_rw(FILE_NAME, DB_DEPS, &d);
    assert_string_equal(d.text, "");
    assert_non_null(db);
    assert_int_equal(db_begin(db, &d), 0);
    assert_int_equal(db_exec(db,
                             "INSERT INTO object(path, build_id)"
                             " VALUES ('a', 'b')",
                             &d),
                     0);
    assert_int_equal(db_commit(db, &d), 0);
    db_close(db);
    unlink(FILE_NAME);
}

TEST(another_program_may_make_the_database_between_any_two_statements)
{
    int n_made = 0;

    for (int n = 1; n <= N_STATEMENTS_MAX; n++) {
        open_beside(n);
        n_made += has_made;
    }
    assert_in_range(n_made, 2, N_STATEMENTS_MAX);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            another_program_may_make_the_database_between_any_two_statements),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
