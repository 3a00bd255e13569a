/*
 * db: queries, and what SQLite says of a failure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "db.h"

#include <sqlite3.h>

#include "db_handle.h"

/* Who takes the rows of a scan, and whether the taker ended the scan. */
struct scan {
    int (*take)(void *context, struct db_query *row, struct diag *d);
    void *context;
    struct diag *d;
    bool failed;
};

static const char wrong_type[] = "a column has a wrong type";
static const char negative[] = "a count is negative";
static const char no_share[] = "a share is not from 0 to 1";

struct db_query {
    const struct db *db;
    sqlite3_stmt *stmt;
    int n;                  /* the number of columns of a row of a scan */
    sqlite3_value **values; /* those columns; NULL: it is no scan */
    const char *damage; /* of a column that was read: what is wrong; or NULL */
};

int db_fail(const struct db *db, struct diag *d)
{
    if (sqlite3_extended_errcode(db->handle) == SQLITE_READONLY_ROLLBACK)
        return diag_set(d,
                        "%s: a write to it was interrupted; open it with "
                        "sqlite3 once to undo that",
                        db->path);
    switch (sqlite3_errcode(db->handle)) {
    case SQLITE_NOTADB:
        return diag_set(d, "%s: not a %s database", db->path,
                        db->kind->program);
    case SQLITE_CORRUPT:
        return diag_set(d, "%s: damaged database", db->path);
    case SQLITE_AUTH:
        return diag_set(
            d, "%s: damaged database: a view instead of a table, or a trigger",
            db->path);
    case SQLITE_CANTOPEN: /* SQLite's words do not say why */
        if (sqlite3_system_errno(db->handle) != 0)
            return diag_set(d, "%s: %s", db->path,
                            strerror(sqlite3_system_errno(db->handle)));
        __attribute__((fallthrough));
    default:
        return diag_set(d, "%s: %s", db->path, sqlite3_errmsg(db->handle));
    }
}

int db_damaged(const struct db *db, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", db->path, what);
}

int db_exec(struct db *db, const char *sql, struct diag *d)
{
    if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return db_fail(db, d);
    return 0;
}

struct db_query *db_prepare(struct db *db, const char *sql, struct diag *d)
{
    struct db_query *q = memory_new(1, sizeof *q);

    q->db = db;
    if (sqlite3_prepare_v2(db->handle, sql, -1, &q->stmt, NULL) == SQLITE_OK)
        return q;
    /* The version was right, so a missing table or column is damage. */
    if (sqlite3_errcode(db->handle) == SQLITE_ERROR)
        db_damaged(db, sqlite3_errmsg(db->handle), d);
    else
        db_fail(db, d);
    db_query_free(q);
    return NULL;
}

void db_query_free(struct db_query *q)
{
    if (q == NULL)
        return;
    sqlite3_finalize(q->stmt);
    free(q);
}

__attribute__((unused)) static bool has_parameter(const struct db_query *q,
                                                  int parameter)
{
    return parameter >= 1 && parameter <= sqlite3_bind_parameter_count(q->stmt);
}

/* Binding fails only for a parameter that the query does not have, our own
   bug, or if there is no memory, which the next step reports as well. */
void db_bind_text(struct db_query *q, int parameter, const char *value)
{
    assert(has_parameter(q, parameter));
    sqlite3_bind_text(q->stmt, parameter, value, -1, SQLITE_STATIC);
}

int db_step(struct db_query *q, struct diag *d)
{
    int rc;

    if (q->damage != NULL)
        return db_damaged(q->db, q->damage, d);
    rc = sqlite3_step(q->stmt);
    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE) {
        db_fail(q->db, d);
        sqlite3_reset(q->stmt);
        return -1;
    }
    sqlite3_reset(q->stmt);
    return 0;
}

static void bind(struct db_query *q, int parameter, const struct db_value *v)
{
    switch (v->type) {
    case DB_INTEGER:
        sqlite3_bind_int64(q->stmt, parameter, v->integer);
        break;
    case DB_REAL:
        sqlite3_bind_double(q->stmt, parameter, v->real);
        break;
    case DB_TEXT:
        db_bind_text(q, parameter, v->bytes);
        break;
    case DB_BLOB:
        sqlite3_bind_blob64(q->stmt, parameter, v->bytes, (size_t)v->integer,
                            SQLITE_STATIC);
        break;
    case DB_NULL:
        sqlite3_bind_null(q->stmt, parameter);
        break;
    }
}

static void bind_all(struct db_query *q, const struct db_value *values,
                     size_t n)
{
    assert((int)n == sqlite3_bind_parameter_count(q->stmt));
    for (size_t i = 0; i < n; i++)
        bind(q, (int)i + 1, &values[i]);
}

int db_run_with(struct db_query *q, const struct db_value *values, size_t n,
                struct diag *d)
{
    bind_all(q, values, n);
    return db_step(q, d) < 0 ? -1 : 0;
}

int db_rows(struct db *db, const char *sql, const struct db_value *values,
            size_t n,
            int (*take)(void *context, struct db_query *q, struct diag *d),
            void *context, struct diag *d)
{
    struct db_query *q = db_prepare(db, sql, d);
    int rc;

    if (q == NULL)
        return -1;
    bind_all(q, values, n);
    while ((rc = db_step(q, d)) == 1)
        if (take(context, q, d) != 0) {
            rc = -1;
            break;
        }
    db_query_free(q);
    return rc;
}

static int take_number(void *number, struct db_query *q, struct diag *d)
{
    (void)d;
    *(int64_t *)number = db_int(q, 0);
    return 0;
}

int db_ask(struct db *db, const char *sql, int64_t *number,
           const struct db_value *values, size_t n, struct diag *d)
{
    return db_rows(db, sql, values, n, take_number, number, d);
}

__attribute__((unused)) static bool has_column(const struct db_query *q,
                                               int column)
{
    return column >= 0 && column < sqlite3_data_count(q->stmt);
}

static sqlite3_value *column_value(struct db_query *q, int column)
{
    if (q->values != NULL) {
        assert(column >= 0 && column < q->n);
        return q->values[column];
    }
    assert(has_column(q, column));
    return sqlite3_column_value(q->stmt, column);
}

int64_t db_int(struct db_query *q, int column)
{
    sqlite3_value *value = column_value(q, column);

    if (sqlite3_value_type(value) != SQLITE_INTEGER)
        q->damage = wrong_type;
    return sqlite3_value_int64(value);
}

uint64_t db_count(struct db_query *q, int column)
{
    int64_t count = db_int(q, column);

    if (count < 0)
        q->damage = negative;
    return (uint64_t)count;
}

const char *db_text(struct db_query *q, int column)
{
    int type;

    assert(has_column(q, column));
    type = sqlite3_column_type(q->stmt, column);
    if (type == SQLITE_NULL)
        return NULL;
    if (type != SQLITE_TEXT)
        q->damage = wrong_type;
    return (const char *)sqlite3_column_text(q->stmt, column);
}

double db_share(struct db_query *q, int column)
{
    sqlite3_value *value = column_value(q, column);
    int type = sqlite3_value_type(value);
    double share = sqlite3_value_double(value);

    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
        q->damage = wrong_type;
    else if (share < 0 || share > 1)
        q->damage = no_share;
    return share;
}

const void *db_blob(struct db_query *q, int column, size_t *size)
{
    assert(has_column(q, column));
    if (sqlite3_column_type(q->stmt, column) != SQLITE_BLOB)
        q->damage = wrong_type;
    *size = (size_t)sqlite3_column_bytes(q->stmt, column);
    return sqlite3_column_blob(q->stmt, column);
}

/* The step of the aggregate function each().  If it fails, the scan's diag says
   why. */
static void take_row(sqlite3_context *context, int n, sqlite3_value **values)
{
    const struct db *db = sqlite3_user_data(context);
    struct db_query row = {.db = db, .n = n, .values = values};
    struct scan *scan = db->scan;

    assert(scan != NULL);
    scan->failed = scan->take(scan->context, &row, scan->d) != 0;
    if (!scan->failed && row.damage != NULL) {
        db_damaged(db, row.damage, scan->d);
        scan->failed = true;
    }
    if (scan->failed)
        sqlite3_result_error_code(context, SQLITE_ABORT);
}

static void end_rows(sqlite3_context *context)
{
    (void)context;
}

/* Each step of a query, and each column of its row, is a call into SQLite and
   back that costs more than the row itself; the arguments of a function cost
   little.  A schema from elsewhere cannot call the function. */
int db_define_each(struct db *db, struct diag *d)
{
    int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;

    if (sqlite3_create_function(db->handle, "each", -1, flags, db, NULL,
                                take_row, end_rows) != SQLITE_OK)
        return db_fail(db, d);
    return 0;
}

int db_scan(struct db *db, const char *sql, const struct db_value *values,
            size_t n,
            int (*take)(void *context, struct db_query *row, struct diag *d),
            void *context, struct diag *d)
{
    struct scan scan = {.take = take, .context = context, .d = d};
    struct db_query *q = db_prepare(db, sql, d);
    int rc;

    if (q == NULL)
        return -1;
    bind_all(q, values, n);
    assert(db->scan == NULL);
    db->scan = &scan;
    rc = sqlite3_step(q->stmt); /* one row, of all that were taken */
    db->scan = NULL;
    if (rc != SQLITE_ROW && !scan.failed)
        db_fail(db, d);
    db_query_free(q);
    return rc == SQLITE_ROW ? 0 : -1;
}

int64_t db_last_rowid(const struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}
