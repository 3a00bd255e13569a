/* Opening a database that another program makes at the same moment, and what
   queries refuse.  Each case has an empty directory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db.h"
#include "schema.h"

#define FILE_NAME        "deps.db"
#define N_STATEMENTS_MAX 12 /* more statements than an opening runs */

/* The other program runs after this number of statements of the test. */
static int comes_after;
static bool is_at_work, has_made;

/* The other program does not wait for the test: it skips what it cannot do at
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

BEFORE_ALL()
{
    sqlite3_auto_extension((void (*)(void))watch);
    unit_enter_directory();
}

AFTER_ALL()
{
    sqlite3_cancel_auto_extension((void (*)(void))watch);
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

/* Runs a query of one row and one column. */
static void with_row(const char *sql, void (*use)(struct db_query *q))
{
    struct diag d = {.text = ""};
    struct db *db = db_open_rw(FILE_NAME, DB_DEPS, &d);
    struct db_query *q;

    assert_non_null(db);
    q = db_prepare(db, sql, &d);
    assert_non_null(q);
    assert_int_equal(db_step(q, &d), 1);
    use(q);
    db_query_free(q);
    db_close(db);
    unlink(FILE_NAME);
}

static void take_share(struct db_query *q)
{
    struct diag d;

    assert_float_equal(db_share(q, 0), 0.25, 0);
    assert_int_equal(db_step(q, &d), 0);
}

static void refuse_share(struct db_query *q)
{
    struct diag d;

    db_share(q, 0);
    assert_int_equal(db_step(q, &d), -1);
    assert_non_null(strstr(d.text, "damaged database"));
}

TEST(a_share_is_a_number_from_0_to_1)
{
    static const char *const others[] = {
        "SELECT -0.1", "SELECT 1.1",   "SELECT 2",       "SELECT 9e999",
        "SELECT NULL", "SELECT '0.5'", "SELECT x'3030'",
    };

    with_row("SELECT 0.25", take_share);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        with_row(others[i], refuse_share);
}

#ifndef NDEBUG

/* Does `use` end the process by an assertion? */
static void assert_aborts(void (*use)(struct db_query *q), struct db_query *q)
{
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr) != NULL)
            use(q);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void text_before(struct db_query *q)
{
    db_text(q, -1);
}

static void int_after(struct db_query *q)
{
    db_int(q, 1);
}

static void share_after(struct db_query *q)
{
    db_share(q, 1);
}

static void blob_after(struct db_query *q)
{
    size_t size;

    db_blob(q, 1, &size);
}

static void text_parameter(struct db_query *q)
{
    db_bind_text(q, 2, "");
}

static void refuse_numbers(struct db_query *q)
{
    static void (*const uses[])(struct db_query *) = {
        text_before, int_after, share_after, blob_after, text_parameter};

    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        assert_aborts(uses[i], q);
}

TEST(a_number_of_no_column_and_no_parameter_fails_an_assertion)
{
    with_row("SELECT 1 WHERE ?1 IS NULL", refuse_numbers);
}

#endif
