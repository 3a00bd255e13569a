/* db: the one door to SQLite.  It opens and checks our databases, and turns
   every failure into one line of text.  A database belongs to one thread. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"

/* DB_WALKS is a static.db of functions, whose schema is another; DB_COST holds
   what depbound predicts, and DB_CACHE what it keeps between runs. */
enum db_kind { DB_DEPS, DB_STATIC, DB_WALKS, DB_COST, DB_CACHE };

struct db;
struct db_query;

/* Opens an existing database for reading only.  NULL if there is none, or it is
   damaged, not of this kind, or of another schema version.  A database that is
   opened as DB_STATIC may be a DB_WALKS: db_kind tells.  The database keeps no
   pointer to `path`. */
struct db *db_open(const char *path, enum db_kind kind, struct diag *d);

/* Which of DB_DEPS and DB_STATIC an existing database is; version and
   contents are not looked at.  -1 if it is neither. */
int db_identify(const char *path, enum db_kind *kind, struct diag *d);

/* Opens a database for writing.  A missing or empty file gets the schema when
   the first transaction commits; a file that is not a database of this kind
   and version is refused and left as it is.  Waits up to a minute for other
   writers. */
struct db *db_open_rw(const char *path, enum db_kind kind, struct diag *d);

/* Accepts NULL.  An open transaction is rolled back. */
void db_close(struct db *db);

enum db_kind db_kind(const struct db *db);

/* Fails unless there is no file, an empty one, or a database of this kind,
   which may be replaced. */
int db_may_replace(const char *path, enum db_kind kind, struct diag *d);

/* The path by which the database was opened. */
const char *db_path(const struct db *db);

/* Sets the diag to what is wrong with a database's contents.  Returns -1. */
int db_damaged(const struct db *db, const char *what, struct diag *d);

/* Begins a transaction that may write, and creates the schema if it is not
   there yet. */
int db_begin(struct db *db, struct diag *d);
int db_commit(struct db *db, struct diag *d);

/* The counter that each commit of a writer raises, in a transaction that reads.
   A write-ahead log does not raise it. */
int db_change_counter(struct db *db, uint32_t *counter, struct diag *d);

/* Runs statements that return no rows. */
int db_exec(struct db *db, const char *sql, struct diag *d);

/* A prepared query, or NULL after an error.  db_query_free accepts NULL. */
struct db_query *db_prepare(struct db *db, const char *sql, struct diag *d);
void db_query_free(struct db_query *q);
const struct db *db_of(const struct db_query *q);

/* Parameters count from 1, columns from 0, as in SQLite.  A text must live
   until the query is run or freed; NULL binds SQL's NULL. */
void db_bind_text(struct db_query *q, int parameter, const char *value);

/* 1: a row; 0: no more rows, and the query can be run again; -1: an error.
   It is an error, too, if the row before was damaged: a column that was read
   has another type, or is a negative count, or no share. */
int db_step(struct db_query *q, struct diag *d);

/* A value for a parameter. */
struct db_value {
    enum { DB_INTEGER, DB_REAL, DB_TEXT, DB_BLOB, DB_NULL } type;
    int64_t integer; /* the number, or the size of a BLOB */
    double real;
    const void *bytes;
};

#define DB_INT(n) ((struct db_value){DB_INTEGER, (int64_t)(n), 0, NULL})
#define DB_INT_UNLESS(is_null, n) \
    ((struct db_value){(is_null) ? DB_NULL : DB_INTEGER, (int64_t)(n), 0, NULL})
#define DB_REAL(x) ((struct db_value){DB_REAL, 0, (x), NULL})
#define DB_REAL_UNLESS(is_null, x) \
    ((struct db_value){(is_null) ? DB_NULL : DB_REAL, 0, (x), NULL})
#define DB_TEXT(t) ((struct db_value){DB_TEXT, 0, 0, (t)})
#define DB_BYTES(bytes, n) \
    ((struct db_value){DB_BLOB, (int64_t)(n), 0, (bytes)})

#define DB_NO_VALUES NULL, 0
/* Two arguments: the values of all parameters in their order, and how many. */
#define DB_VALUES(...)                                   \
    (const struct db_value[]){__VA_ARGS__},              \
        sizeof((const struct db_value[]){__VA_ARGS__}) / \
            sizeof(struct db_value)

/* Runs a query that returns no row, with these values, and makes it ready to be
   run again. */
int db_run_with(struct db_query *q, const struct db_value *values, size_t n,
                struct diag *d);

/* Prepares a query and runs it once, with these values.  *number becomes the
   first column of its last row, if it has one; `number` may be NULL for a query
   that returns no rows. */
int db_ask(struct db *db, const char *sql, int64_t *number,
           const struct db_value *values, size_t n, struct diag *d);

typedef int db_take(void *context, struct db_query *row, struct diag *d);

/* Prepares a query, runs it with these values, and gives `take` its rows, with
   a `context` of the caller's.  If `take` returns -1, no more rows follow. */
int db_rows(struct db *db, const char *sql, const struct db_value *values,
            size_t n, db_take *take, void *context, struct diag *d);

int64_t db_int(struct db_query *q, int column);
/* A number that must not be negative: if it is, the next db_step fails. */
uint64_t db_count(struct db_query *q, int column);
/* A share, from 0 to 1: if it is anything else, the next db_step fails. */
double db_share(struct db_query *q, int column);
/* A text, valid until the next db_step; NULL for SQL's NULL. */
const char *db_text(struct db_query *q, int column);

/* The bytes of a BLOB, valid until the next db_step. */
const void *db_blob(struct db_query *q, int column, size_t *size);

/* db_rows for a large table, in half the time.  The query is
   "SELECT each(COLUMN, ...) FROM ...", and `take` gets its rows as they come,
   in any order, for db_int, db_count and db_share.  A damaged column (db_step)
   ends the scan, too.  A row is valid until take returns. */
int db_scan(struct db *db, const char *sql, const struct db_value *values,
            size_t n, db_take *take, void *context, struct diag *d);

int64_t db_last_rowid(const struct db *db);
