/* Windows of a database: the example of doc/schema.md is read as it says, and
   damage is one line that names the database. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <unistd.h>

#include "db.h"
#include "core/cy_simulate.h"

static const char path[] = "deps.db";

/* A blob, written as a C string. */
struct blob {
    const char *bytes;
    size_t n;
};
#define BLOB(text) ((struct blob){text, sizeof text - 1})

/* Piece 4, at 0x40 of object 7: an instruction of 3 bytes with a load of 8, and
   one of 2 bytes.  The piece is executed three times in full, then in half. */
#define PIECES "\1\x8"
#define EXECUTIONS \
    "\1\0"         \
    "\1\1\1"
#define PATH PIECES EXECUTIONS

/* The load's addresses: 0x1000, 0x1008, 0x1010, and none. */
#define ACCESSES \
    "\0\x80\x40" \
    "\0\x10"     \
    "\1\0"
#define N 7

static void write_db(int64_t instructions, struct blob of_path,
                     struct blob accesses)
{
    struct diag d;
    struct db *db;

    unlink(path);
    db = db_open_rw(path, DB_DEPS, &d);
    assert_non_null(db);
    assert_int_equal(db_begin(db, &d), 0);
    assert_int_equal(
        db_exec(db,
                "INSERT INTO object VALUES(7, '/a/file', 'abcd');"
                "INSERT INTO window_piece VALUES(3, 4, 7, 0x40, x'131002');"
                "INSERT INTO run(run_id, pid, command, instructions, recorded,"
                " complete, session, started)"
                " VALUES(3, 1, 'a', 100, 90, 1, 's', 1)",
                &d),
        0);
    assert_int_equal(
        db_ask(db,
               "INSERT INTO window(run_id, thread, start_timestamp,"
               " instructions, path, accesses, gaps, reuse)"
               " VALUES(3, 2, 50, ?1, ?2, ?3, x'0204', x'09040003')",
               NULL,
               DB_VALUES(DB_INT(instructions),
                         DB_BYTES(of_path.bytes, of_path.n),
                         DB_BYTES(accesses.bytes, accesses.n)),
               &d),
        0);
    assert_int_equal(db_commit(db, &d), 0);
    db_close(db);
}

static void change(const char *sql)
{
    struct diag d;
    struct db *db = db_open_rw(path, DB_DEPS, &d);

    assert_non_null(db);
    if (db_exec(db, sql, &d) != 0)
        fail_msg("%s", d.text);
    db_close(db);
}

static void assert_damaged(const char *what)
{
    struct cy_windows w;
    struct diag d = {.text = ""};
    char expected[256];

    assert_int_equal(cy_windows_read(&w, path, NULL, &d), -1);
    cy_windows_fini(&w);
    snprintf(expected, sizeof expected, "%s: damaged database: %s", path, what);
    assert_string_equal(d.text, expected);
}

BEFORE_ALL()
{
    unit_enter_directory();
}

TEST(a_window_is_read_as_the_schema_says)
{
    static const uint64_t addresses[] = {0x1000, 0x1008, 0x1010, CY_NOT_DONE};
    static const uint64_t reuse[] = {9, 4, 0, 3}; /* code, its page, data */
    struct cy_windows w;
    struct cy_recorded r = {0};
    struct diag d;

    write_db(N, BLOB(PATH), BLOB(ACCESSES));
    assert_int_equal(cy_windows_read(&w, path, NULL, &d), 0);
    assert_int_equal(w.n_objects, 1);
    assert_string_equal(w.objects[0].path, "/a/file");
    assert_string_equal(w.objects[0].build_id, "abcd");
    assert_int_equal(w.n_insns, 2);
    assert_true(w.insns[0].address == 0x40 && w.insns[0].length == 3);
    assert_true(w.insns[1].address == 0x43 && w.insns[1].length == 2);
    assert_int_equal(w.insns[0].n_accesses, 1);
    assert_int_equal(w.insns[1].n_accesses, 0);
    assert_int_equal(w.accesses[0].size, 8);
    assert_false(w.accesses[0].is_store);
    assert_true(w.instructions == N);
    assert_int_equal(w.n_rows, 1);
    cy_windows_expand(&w, 0, &r);
    assert_int_equal(r.run, 3);
    assert_int_equal(r.thread, 2);
    assert_true(r.start == 50);
    assert_int_equal(r.n, N);
    for (unsigned i = 0; i < N; i++) {
        assert_int_equal(r.executed[i].insn, i % 2);
        assert_int_equal(r.executed[i].is_apart, i == 2 || i == 6);
        assert_int_equal(r.executed[i].first_access, (i + 1) / 2);
    }
    assert_int_equal(r.executed[N].first_access, 4);
    assert_memory_equal(r.addresses, addresses, sizeof addresses);
    assert_int_equal(r.n_reuse, 4);
    assert_memory_equal(r.reuse, reuse, sizeof reuse);
    cy_recorded_fini(&r);
    cy_windows_fini(&w);
}

TEST(a_window_stays_expanded_if_there_is_room)
{
    const struct cy_recorded *kept, *last;
    const char *wrong;
    struct cy_windows w;
    struct diag d;

    write_db(N, BLOB(PATH), BLOB(ACCESSES));
    assert_int_equal(cy_windows_read(&w, path, NULL, &d), 0);
    kept = cy_windows_take(&w, 0, &wrong);
    assert_null(wrong);
    assert_ptr_equal(kept, &w.rows[0].kept);
    assert_true(w.n_kept > 0);
    cy_recorded_fini(&w.rows[0].kept);
    w.n_kept = SIZE_MAX;
    last = cy_windows_take(&w, 0, &wrong);
    assert_null(wrong);
    assert_ptr_equal(last, &w.last);
    assert_int_equal(last->n, N);
    assert_float_equal(last->weight, w.rows[0].weight, 1e-9);
    assert_ptr_equal(cy_windows_take(&w, 0, &wrong), last);
    cy_windows_fini(&w);
}

/* Run 4 has two windows like the first, and one of 4 insns; run 5 has none. */
TEST(windows_weigh_what_their_run_recorded)
{
    static const double weights[] = {21. / 12, 7. / 12, 7. / 12, 7. / 6};
    struct cy_windows w;
    struct diag d;

    write_db(N, BLOB(PATH), BLOB(ACCESSES));
    change("INSERT INTO run SELECT 4, 1, 'a', NULL, 1000, 90, 1, 's', 2, NULL,"
           " NULL, NULL FROM run;"
           "INSERT INTO run SELECT 5, 1, 'a', NULL, 1000, 50, 1, 's', 3, NULL,"
           " NULL, NULL FROM run WHERE run_id = 3;"
           "INSERT INTO window_piece SELECT 4, piece, object_id, address,"
           " instructions FROM window_piece;"
           "INSERT INTO window SELECT NULL, 4, 0, value, 7, w.path, accesses,"
           " gaps, reuse, lead FROM window AS w, json_each('[1, 2]');"
           "INSERT INTO window SELECT NULL, 4, 0, 9, 4, x'01080100',"
           " x'0080400010', x'', x'00000000', x'' FROM run WHERE run_id = 3;");
    assert_int_equal(cy_windows_read(&w, path, NULL, &d), 0);
    assert_int_equal(w.n_runs, 3);
    assert_int_equal(w.n_without, 1);
    assert_true(w.recorded == 180);
    assert_int_equal(w.n_rows, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_float_equal(w.rows[i].weight, weights[i], 1e-9);
    cy_windows_fini(&w);
}

TEST(a_damaged_path_is_refused)
{
    static const struct {
        struct blob path;
        const char *what; /* is reported to be wrong with it */
    } rows[] = {
#define ROW(bytes, what) {{bytes, sizeof bytes - 1}, "a window with a " what}
        ROW("", "path that goes nowhere"),
        ROW("\xff\xff\3\7", "path without its pieces"),
        ROW("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1",
            "path without its pieces"),
        ROW("\1\x6" EXECUTIONS, "piece that is not there"),
        ROW("\2\x8\0" EXECUTIONS, "piece that is not there"),
        ROW("\1\xff\xff\xff", "piece that is not there"),
        ROW(PIECES, "path that goes nowhere"),
        ROW(PIECES "\2", "path that goes nowhere"),
        ROW(PIECES "\1\2\1", "path that goes nowhere"),
        ROW(PIECES "\1\0\1\1\0", "path that goes nowhere"),
        ROW(PIECES "\1\0\1\1\2", "path that goes nowhere"),
        ROW(PIECES "\1\0\2", "path that is too long"),
        ROW(PATH "\0", "path that goes on behind its end"),
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_db(N, rows[i].path, BLOB(ACCESSES));
        assert_damaged(rows[i].what);
    }
}

static void assert_accesses(struct blob accesses, const char *what)
{
    write_db(N, BLOB(PATH), accesses);
    assert_damaged(what);
}

TEST(damaged_accesses_are_refused)
{
#define EARLY "a window with accesses that end too early"
#define EXTRA "a window with accesses that no instruction makes"
    assert_accesses(BLOB(""), EARLY);
    assert_accesses(BLOB("\0\x80\x40\0\x10\1"), EARLY);
    assert_accesses(BLOB("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\2\0\x10\1\0"),
                    EARLY);
    assert_accesses(BLOB(ACCESSES "\0"), EXTRA);
    assert_accesses(BLOB("\5"), EXTRA);
}

TEST(what_else_is_damaged_is_refused)
{
#define SET    "UPDATE window_piece SET instructions = "
#define CANNOT "a piece with an instruction that cannot be"
#define NO_RUN "a window with no run that recorded anything"
#define GAPS   "UPDATE window SET gaps = "
#define GONE   "a window with gaps that are nowhere"
#define REUSE  "UPDATE window SET reuse = "
#define UNFIT  "a window with reuse times that do not fit its accesses"
#define NONE   "a window with reuse times that are no numbers"
    static const struct {
        const char *sql, *what;
    } rows[] = {
        {"UPDATE window_piece SET object_id = 6", "a piece with no object"},
        {SET "x''", "a piece with no instructions"},
        {SET "x'1001'", CANNOT},
        {SET "x'1301'", CANNOT},
        {SET "x'138210'", CANNOT},
        {SET "x'13'", CANNOT},
        {SET "x'82'", CANNOT},
        {"UPDATE window SET run_id = 2", NO_RUN},
        {"UPDATE run SET recorded = 0", NO_RUN},
        {"UPDATE window_piece SET run_id = 2",
         "a window with a piece that is not there"},
        {GAPS "x'00'", GONE},
        {GAPS "x'07'", GONE},
        {GAPS "x'0205'", GONE},
        {GAPS "x'82'", GONE},
        {GAPS "x'02feffffffffffffffff01'", GONE},
        {REUSE "x''", UNFIT},
        {REUSE "x'090400'", UNFIT},
        {REUSE "x'0904000300'", UNFIT},
        {REUSE "x'09040083'", NONE},
        {REUSE "x'090400ffffffffffffffffff02'", NONE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_db(N, BLOB(PATH), BLOB(ACCESSES));
        change(rows[i].sql);
        assert_damaged(rows[i].what);
    }
}

/* A few bytes can stand for any number of instructions. */
TEST(a_window_that_would_fill_memory_is_refused)
{
    write_db(1000001, BLOB(PATH), BLOB(ACCESSES));
    assert_damaged("a window of 1000001 instructions of thread 2");
    write_db(INT64_MAX, BLOB(PIECES "\1\0\xff\xff\xff\xff\xff\xff\xff\x7f"),
             BLOB("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));
    assert_damaged("a window of 9223372036854775807 instructions of thread 2");
}

/* The interval of runs with these numbers of windows; each instruction takes as
   many cycles as the number of its run, from 1. */
static bool interval_of(const size_t *n_windows, int64_t n_runs,
                        struct cy_interval *interval)
{
    struct cy_weighed windows[100];
    struct cy_outcome o = {.windows = windows};

    for (int64_t run = 1; run <= n_runs; run++)
        for (size_t i = 0; i < n_windows[run - 1]; i++) {
            windows[o.n_windows++] = (struct cy_weighed){run, (double)run, 1};
            o.instructions++;
            o.cycles += (double)run;
        }
    return cy_outcome_interval(&o, interval);
}

/* The lower bound of the threads of the runs of a program. */
static uint64_t threads_of(const char *program)
{
    struct cy_windows w;
    struct diag d;
    uint64_t n;

    assert_int_equal(cy_windows_read(&w, path, program, &d), 0);
    n = w.n_threads;
    cy_windows_fini(&w);
    return n;
}

TEST(a_run_has_threads_only_if_its_own_loads_say_so)
{
    write_db(7, BLOB(PATH), BLOB(ACCESSES));
    change("UPDATE window SET thread = 0;"
           "UPDATE run SET program = '/a/file';"
           "INSERT INTO object VALUES(8, '/a/other', 'ef');"
           "INSERT INTO run(run_id, pid, command, program, instructions,"
           " recorded, complete, session, started)"
           " VALUES(4, 1, 'a', '/a/other', 100, 90, 1, 's', 2);"
           "INSERT INTO dep VALUES(1, 3, 7, 0x40, 7, 0x43, 5, 1, 2, 0),"
           " (2, 4, 7, 0x40, 7, 0x43, 5, 1, 2, 1);");
    assert_int_equal(threads_of("abcd"), 1);
    assert_int_equal(threads_of("ef"), 2);
    assert_int_equal(threads_of(NULL), 2);
}

TEST(each_run_has_an_interval_of_its_own)
{
    struct cy_interval i;

    assert_true(interval_of((const size_t[]){40, 5, 15}, 3, &i));
    assert_float_equal((float)i.mean, 95 / 60.F, 1e-6);
    assert_float_equal(i.low, i.mean, 1e-9);
    assert_float_equal(i.high, i.mean, 1e-9);
}

TEST(runs_with_few_windows_have_an_interval_together)
{
    struct cy_interval i;

    assert_true(interval_of((const size_t[]){2, 3}, 2, &i));
    assert_float_equal(i.mean, 1.6, 1e-9);
    assert_true(i.low >= 1 && i.low < 1.3);
    assert_true(i.high > 1.9 && i.high <= 2);
    assert_true(interval_of((const size_t[]){50, 4}, 2, &i));
    assert_float_equal((float)i.mean, 58 / 54.F, 1e-6);
    assert_true(i.low < i.mean - 0.01 && i.high > i.mean + 0.01);
    assert_true(interval_of((const size_t[]){4, 4, 4}, 3, &i));
    assert_float_equal(i.mean, 2, 1e-9);
    assert_true(i.low < 1.8 && i.high > 2.2);
    assert_false(interval_of((const size_t[]){4}, 1, &i));
    assert_false(interval_of((const size_t[]){2, 1, 1}, 3, &i));
}
