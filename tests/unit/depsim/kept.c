/* Which databases are kept before a run replaces their content. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "import/di_import.h"

static const char path[] = "deps.db", old[] = "deps.db.old";

BEFORE_EACH()
{
    unit_enter_directory();
}

/* SQL that adds a run of a session and a program. */
#define RUN(session, program, started)                                   \
    "INSERT INTO run(pid, command, instructions, recorded, complete,"    \
    " session, started, program) VALUES(1, 'c', 1, 1, 1, '" session "'," \
    " " started ", " program ");"

static int64_t number(const char *file, const char *sql)
{
    struct diag d;
    struct db *db = db_open(file, DB_DEPS, &d);
    struct db_query *q;
    int64_t value;

    assert_non_null(db);
    q = db_prepare(db, sql, &d);
    assert_non_null(q);
    assert_int_equal(db_step(q, &d), 1);
    value = db_int(q, 0);
    db_query_free(q);
    db_close(db);
    return value;
}

/* Makes room for session "new" of /bin/a in a database with these runs.
   Returns whether the old database is kept. */
static bool kept(const char *runs)
{
    struct di_run run = {.session = (char[]){"new"},
                         .program = (char[]){"/bin/a"}};
    struct diag d, note = {.text = ""};
    struct db *db = db_open_rw(path, DB_DEPS, &d);
    bool is_there;

    assert_non_null(db);
    assert_int_equal(db_begin(db, &d), 0);
    assert_int_equal(db_exec(db, runs, &d), 0);
    assert_int_equal(db_commit(db, &d), 0);
    assert_int_equal(db_begin(db, &d), 0);
    assert_int_equal(di_replace(db, &run, &note, &d), 0);
    assert_int_equal(db_commit(db, &d), 0);
    db_close(db);
    is_there = access(old, F_OK) == 0;
    assert_true(is_there == (note.text[0] != '\0'));
    return is_there;
}

TEST(the_database_of_another_program_is_kept)
{
    assert_true(kept(RUN("s", "'/bin/b'", "1")));
    assert_int_equal(number(path, "SELECT count(*) FROM run"), 0);
    assert_int_equal(
        number(old, "SELECT count(*) FROM run WHERE program = '/bin/b'"), 1);
}

TEST(the_database_of_the_same_program_is_not_kept)
{
    assert_false(kept(RUN("s", "'/bin/a'", "1")));
    assert_int_equal(number(path, "SELECT count(*) FROM run"), 0);
}

TEST(an_empty_database_is_not_kept)
{
    assert_false(kept(""));
}

TEST(a_session_is_of_the_program_that_began_it)
{
    assert_false(kept(RUN("s", "'/bin/b'", "2") RUN("s", "'/bin/a'", "1")));
    unit_enter_directory();
    assert_true(kept(RUN("s", "'/bin/b'", "1") RUN("s", "'/bin/a'", "2")));
}

TEST(one_session_among_others_is_enough)
{
    assert_true(kept(RUN("s", "'/bin/a'", "1") RUN("t", "'/bin/b'", "2")
                         RUN("u", "'/bin/a'", "3")));
    assert_int_equal(number(old, "SELECT count(*) FROM run"), 3);
}

TEST(an_unknown_program_is_another_program)
{
    assert_true(kept(RUN("s", "NULL", "1")));
}

TEST(the_session_itself_makes_room_once)
{
    assert_false(kept(RUN("new", "'/bin/a'", "1") RUN("new", "'/bin/b'", "2")));
    assert_int_equal(number(path, "SELECT count(*) FROM run"), 2);
}

TEST(a_private_database_stays_private)
{
    struct diag d;
    struct db *db = db_open_rw(path, DB_DEPS, &d);
    struct stat st;

    assert_int_equal(db_begin(db, &d), 0);
    assert_int_equal(db_commit(db, &d), 0);
    db_close(db);
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(kept(RUN("s", "'/bin/b'", "1")));
    assert_int_equal(stat(old, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}
