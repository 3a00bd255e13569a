/* From a spool file to the rows of a database: addresses keep their 64 bits,
   counts the 63 that SQLite has for them, and others are refused. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <unistd.h>

#include "import/di_import.h"
#include "tests/depsim/spool.h"

/* Counts that differ from each other, with bits set in both halves. */
#define COUNT(n)     (((uint64_t)1 << 40) + ((uint64_t)(n) << 32) + (n))
#define INSTRUCTIONS COUNT(1)
#define RECORDED     (INSTRUCTIONS - 1)
#define START        COUNT(2)
#define END          COUNT(3)
#define EXECUTIONS   COUNT(4)
#define SRC          COUNT(5)
#define DST          COUNT(6)
#define MIN_DISTANCE COUNT(7)
#define MAX_DISTANCE COUNT(8)
#define NEAR         COUNT(9)  /* occurrences */
#define FAR          COUNT(10) /* occurrences */
#define BOUND        COUNT(11)
#define STARTED      COUNT(12)
#define BEGIN        COUNT(13) /* of a window's first instruction */
#define LENGTH       COUNT(14) /* instructions of a window */
#define PIECE        COUNT(15) /* address of a piece */
#define PLACE        COUNT(17) /* address of a place */
#define ACCESSES     COUNT(16)
#define TURNS        (ACCESSES - 1)
#define CROSSED      (NEAR + FAR)

static const char spool_path[] = "spool", changed_path[] = "changed",
                  database_path[] = "deps.db";
static FILE *out;
static struct diag d;

static void put_run(void)
{
    fputs(SPOOL_MAGIC, out);
    PUT(out, "uulu", SPOOL_VERSION, 0 /* append */, STARTED, 7 /* pid */);
    PUT(out, "uullu", SPOOL_EXIT, 0, INSTRUCTIONS, RECORDED, 1 /* complete */);
    put_text(out, "session");
    put_text(out, "command");
    put_text(out, "/a/program");
    put_text(out, ""); /* successor */
    PUT(out, "ullu", 2 /* bounds */, BOUND, LIFETIME_INF, 1 /* object */);
    put_text(out, "program");
    put_text(out, "0123");
}

/* Each list has one row, and a 0 ends it. */
static void put_counts(void)
{
    PUT(out, "uulllu", 1, 0, START, END, EXECUTIONS, 0); /* segments */
    /* Dependencies, with two forwards. */
    PUT(out, "uululll", 1, 0, SRC, 0, DST, MIN_DISTANCE, MAX_DISTANCE);
    PUT(out, "luull", CROSSED, 2, FORWARD_SAME, NEAR, 0);
    PUT(out, "ullu", FORWARD_SEVERAL + SPOOL_CROSSES, 0, FAR, 0);
    /* Pairs that shared lines. */
    PUT(out, "uululullu", 1, 0, DST, 0, SRC, 1, ACCESSES, TURNS, 0);
    PUT(out, "uul", 1, 0, PIECE);
    put_text(out, "insns");
    PUT(out, "u", 0);
    PUT(out, "uuluu", 1, 0, PLACE, 2, 0);
    PUT(out, "uull", 1, 5 /* thread */, BEGIN, LENGTH); /* windows */
    put_text(out, "path");
    put_text(out, "access");
    put_text(out, "gap");
    put_text(out, "reuse");
    put_text(out, "lead");
    PUT(out, "u", 0);
    fputs(SPOOL_END, out);
}

BEFORE_ALL()
{
    unit_enter_directory();
    out = fopen(spool_path, "wb");
    assert_non_null(out);
    put_run();
    put_counts();
    assert_int_equal(ferror(out), 0);
    assert_int_equal(fclose(out), 0);
}

/* Imports a spool into a new database. */
static int import(const char *path)
{
    struct di_run run;
    struct diag note;
    struct di_spool *spool = di_spool_open(path, &run, &d);
    struct db *db;
    int rc = -1;

    unlink(database_path);
    db = db_open_rw(database_path, DB_DEPS, &d);
    assert_non_null(db);
    if (spool != NULL)
        rc = di_db(db, spool, &run, &note, &d);
    db_close(db);
    di_spool_close(spool);
    return rc;
}

/* Checks that the query gives one row of these numbers, which 0 ends. */
static void assert_row(struct db *db, const char *sql, const uint64_t *expected)
{
    struct db_query *q = db_prepare(db, sql, &d);

    assert_non_null(q);
    assert_int_equal(db_step(q, &d), 1);
    for (int i = 0; expected[i] != 0; i++)
        assert_true(db_count(q, i) == expected[i]);
    assert_int_equal(db_step(q, &d), 0);
    db_query_free(q);
}

TEST(the_database_holds_all_bits)
{
    static const struct {
        const char *sql;
        uint64_t row[7]; /* 0 ends the row */
    } cases[] = {
        {"SELECT instructions, recorded FROM run", {INSTRUCTIONS, RECORDED}},
        {"SELECT start, \"end\", executions FROM segment",
         {START, END, EXECUTIONS}},
        {"SELECT src, dst, occurrences, min_distance, max_distance,"
         " cross_thread FROM dep",
         {SRC, DST, NEAR + FAR, MIN_DISTANCE, MAX_DISTANCE, CROSSED}},
        {"SELECT src, dst, stores, accesses, turns FROM shared_line",
         {DST, SRC, 1, ACCESSES, TURNS}},
        {"SELECT occurrences FROM dep_lifetime WHERE lifetime ="
         " (SELECT min(lifetime) FROM lifetime)",
         {NEAR}},
        {"SELECT lifetime, occurrences, several, crossing"
         " FROM dep_lifetime ORDER BY lifetime DESC LIMIT 1",
         {LIFETIME_INF, FAR, FAR, FAR}},
        {"SELECT same, occurrences FROM dep_lifetime"
         " WHERE contained + partial + several + crossing = 0",
         {NEAR, NEAR}},
        {"SELECT thread, start_timestamp, instructions FROM window",
         {5, BEGIN, LENGTH}},
        {"SELECT address FROM window_piece WHERE piece = 0 AND"
         " instructions = CAST('insns' AS BLOB)",
         {PIECE}},
        {"SELECT address, kind FROM window_place WHERE place = 0", {PLACE, 2}},
        {"SELECT 1 FROM window WHERE path = CAST('path' AS"
         " BLOB) AND accesses = CAST('access' AS BLOB)"
         " AND gaps = CAST('gap' AS BLOB)"
         " AND reuse = CAST('reuse' AS BLOB) AND lead = CAST('lead' AS BLOB)",
         {1}},
    };
    struct db *db;

    assert_int_equal(import(spool_path), 0);
    db = db_open(database_path, DB_DEPS, &d);
    assert_non_null(db);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_row(db, cases[i].sql, cases[i].row);
    db_close(db);
}

/* Writes the spool to changed_path with `to` in place of the number `from`. */
static void change(uint64_t from, uint64_t to)
{
    char bytes[1024], *at;
    FILE *file = fopen(spool_path, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_true(n < sizeof bytes);
    at = memmem(bytes, n, &from, sizeof from);
    assert_non_null(at);
    memcpy(at, &to, sizeof to);
    file = fopen(changed_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void assert_accepted(uint64_t from, uint64_t to)
{
    change(from, to);
    assert_int_equal(import(changed_path), 0);
}

/* The schema refuses it. */
static void assert_refused(uint64_t from, uint64_t to)
{
    change(from, to);
    assert_int_equal(import(changed_path), -1);
    assert_non_null(strstr(d.text, "CHECK"));
}

static void assert_damaged(uint64_t from, uint64_t to)
{
    char expected[128];

    change(from, to);
    assert_int_equal(import(changed_path), -1);
    snprintf(expected, sizeof expected, "%s: damaged spool", changed_path);
    assert_string_equal(d.text, expected);
}

#define BEYOND ((uint64_t)INT64_MAX + 1)

TEST(a_part_larger_than_its_whole_is_refused)
{
    assert_accepted(TURNS, ACCESSES);
    assert_refused(TURNS, ACCESSES + 1);
    assert_accepted(CROSSED, 0);
    assert_refused(CROSSED, CROSSED + 1);
    assert_accepted(LENGTH, 1);
    assert_refused(LENGTH, 0);
}

TEST(a_count_that_sqlite_cannot_hold_is_damage)
{
    static const uint64_t counts[] = {STARTED,      INSTRUCTIONS, EXECUTIONS,
                                      MIN_DISTANCE, MAX_DISTANCE, NEAR,
                                      FAR,          BEGIN,        LENGTH};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_damaged(counts[i], BEYOND);
        assert_damaged(counts[i], UINT64_MAX);
    }
    for (size_t i = 0; i < 5; i++) /* their sums are no counts */
        assert_accepted(counts[i], INT64_MAX);
}

TEST(more_instructions_recorded_than_executed_are_damage)
{
    assert_accepted(RECORDED, INSTRUCTIONS);
    assert_damaged(RECORDED, INSTRUCTIONS + 1);
}

TEST(a_sum_that_sqlite_cannot_hold_is_damage)
{
    assert_accepted(NEAR, INT64_MAX - FAR);
    assert_damaged(NEAR, BEYOND - FAR);
    assert_accepted(FAR, INT64_MAX - NEAR);
    assert_damaged(FAR, BEYOND - NEAR);
}

TEST(an_address_may_have_any_value)
{
    static const uint64_t addresses[] = {START, END, SRC, DST, PIECE};

    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        assert_accepted(addresses[i], UINT64_MAX);
}
