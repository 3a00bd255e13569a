/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "db.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "schema.h"

struct db_kind_info {
    const char *program; /* the program that writes such databases */
    const char *schema;
    int application_id, version;
};

struct db {
    sqlite3 *handle;
    char *path;
    const struct db_kind_info *kind;
    bool is_new;       /* the file has no schema yet */
    struct scan *scan; /* the scan that is running, or NULL */
};

/* --- Queries --- */

/* Who takes the rows of a scan, and whether the taker ended the scan. */
struct scan {
    db_take *take;
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

/* Says why SQLite's last call failed.  Returns -1. */
static int fail(const struct db *db, struct diag *d)
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
        return fail(db, d);
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
        fail(db, d);
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

const struct db *db_of(const struct db_query *q)
{
    return q->db;
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
    if (q->damage != NULL)
        return db_damaged(q->db, q->damage, d);
    int rc = sqlite3_step(q->stmt);
    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE) {
        fail(q->db, d);
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
            size_t n, db_take *take, void *context, struct diag *d)
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
    assert(has_column(q, column));
    int type = sqlite3_column_type(q->stmt, column);
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
static int define_each(struct db *db, struct diag *d)
{
    int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;

    if (sqlite3_create_function(db->handle, "each", -1, flags, db, NULL,
                                take_row, end_rows) != SQLITE_OK)
        return fail(db, d);
    return 0;
}

int db_scan(struct db *db, const char *sql, const struct db_value *values,
            size_t n, db_take *take, void *context, struct diag *d)
{
    struct scan scan = {.take = take, .context = context, .d = d};
    struct db_query *q = db_prepare(db, sql, d);

    if (q == NULL)
        return -1;
    bind_all(q, values, n);
    assert(db->scan == NULL);
    db->scan = &scan;
    int rc = sqlite3_step(q->stmt); /* one row, of all that were taken */
    db->scan = NULL;
    if (rc != SQLITE_ROW && !scan.failed)
        fail(db, d);
    db_query_free(q);
    return rc == SQLITE_ROW ? 0 : -1;
}

int64_t db_last_rowid(const struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}

/* --- Opening: whose a database is, and its schema --- */

#define BUSY_TIMEOUT_MS 60000

static const struct db_kind_info kinds[] = {
    [DB_DEPS] = {"depsim", SCHEMA_DEPS, SCHEMA_DEPS_ID, SCHEMA_VERSION},
    [DB_STATIC] = {"staticdeps", SCHEMA_STATIC, SCHEMA_STATIC_ID,
                   SCHEMA_STATIC_VERSION},
    [DB_WALKS] = {"staticdeps", SCHEMA_WALKS, SCHEMA_STATIC_ID,
                  SCHEMA_STATIC_VERSION},
    [DB_COST] = {"depbound", SCHEMA_COST, SCHEMA_COST_ID, SCHEMA_COST_VERSION},
    [DB_CACHE] = {"depbound cache", SCHEMA_CACHE, SCHEMA_CACHE_ID,
                  SCHEMA_CACHE_VERSION},
};

static int read_number(struct db *db, const char *sql, int64_t *value,
                       struct diag *d)
{
    return db_ask(db, sql, value, DB_NO_VALUES, d);
}

int db_change_counter(struct db *db, uint32_t *counter, struct diag *d)
{
    int64_t n_tables;
    sqlite3_file *file;
    uint8_t b[4];

    /* The transaction begins with the first table that is read. */
    if (read_number(db, "SELECT count(*) FROM sqlite_schema", &n_tables, d) !=
        0)
        return -1;
    if (sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER,
                             &file) != SQLITE_OK ||
        file->pMethods->xRead(file, b, sizeof b, 24) != SQLITE_OK)
        return diag_set(d, "%s: damaged database", db->path);
    *counter = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
               (uint32_t)b[2] << 8 | b[3];
    return 0;
}

/* Is the database ours, or still empty?  To be called in a transaction: another
   program may make the schema between two of its queries. */
static int identify(struct db *db, bool is_reader, struct diag *d)
{
    int64_t id = 0, version = 0, n_tables = 0, walked = 0;

    assert(!db->is_new && !sqlite3_get_autocommit(db->handle));
    if (read_number(db, "PRAGMA application_id", &id, d) != 0 ||
        read_number(db, "PRAGMA user_version", &version, d) != 0 ||
        read_number(db, "SELECT count(*) FROM sqlite_schema", &n_tables, d) !=
            0)
        return -1;
    if (n_tables == 0 && id == 0 && version == 0) {
        db->is_new = true;
        return 0;
    }
    for (enum db_kind kind = DB_DEPS; kind <= DB_CACHE; kind++)
        if (id == kinds[kind].application_id && id != db->kind->application_id)
            return diag_set(d, "%s: a %s database, not a %s database", db->path,
                            kinds[kind].program, db->kind->program);
    if (id != db->kind->application_id)
        return diag_set(d, "%s: not a %s database", db->path,
                        db->kind->program);
    if (version != db->kind->version)
        return diag_set(d, "%s: schema version %lld, this program knows %d",
                        db->path, (long long)version, db->kind->version);
    if (is_reader && db->kind == &kinds[DB_STATIC]) {
        if (read_number(db,
                        "SELECT count(*) FROM sqlite_schema"
                        " WHERE type = 'table' AND name = 'function'",
                        &walked, d) != 0)
            return -1;
        db->kind = &kinds[walked != 0 ? DB_WALKS : DB_STATIC];
    }
    return 0;
}

/* A writer makes a journal beside the file.  SQLite's own words for what does
   not allow it are "attempt to write a readonly database" and "No such file or
   directory". */
static int check_writable(const char *path, struct diag *d)
{
    AUTO_FREE char *copy = memory_text(path);
    bool is_writable = (access(path, W_OK) == 0 || errno == ENOENT) &&
                       access(dirname(copy), W_OK | X_OK) == 0;
    int error = errno;

    return is_writable ? 0 : diag_set(d, "%s: %s", path, strerror(error));
}

/* Of any such path, SQLite says only "unable to open database file". */
static int check_path(const char *path, bool must_exist, struct diag *d)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        if (errno == ENOENT && !must_exist)
            return 0;
        return diag_set(d, "%s: %s", path, strerror(errno));
    }
    return file_check(&st, path, d);
}

/* May the word stand before a parenthesis, except the first, in our schemas? */
static bool is_plain_word(const char *word, size_t n)
{
    static const char *const words[] = {"CHECK", "IN", "KEY", "UNIQUE"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
            return true;
    return false;
}

/* Does a table or an index compute nothing?  Functions and patterns in checks
   and generated columns of others need not end. */
static bool is_plain(const char *sql)
{
    bool is_first = true;

    if (strcasestr(sql, "CREATE VIRTUAL") != NULL || strstr(sql, "--") ||
        strstr(sql, "/*") || strcasestr(sql, "LIKE") != NULL ||
        strcasestr(sql, "GLOB") != NULL || strcasestr(sql, "REGEXP") != NULL ||
        strcasestr(sql, "MATCH") != NULL)
        return false;
    for (const char *at = sql; (at = strchr(at, '(')) != NULL; at++) {
        const char *end = at, *word;

        while (end > sql && isspace((unsigned char)end[-1]))
            end--;
        word = end;
        while (word > sql && strchr(" \t\r\n,()", word[-1]) == NULL)
            word--;
        if (!is_first && !is_plain_word(word, (size_t)(end - word)))
            return false;
        is_first = false;
    }
    return true;
}

static int take_definition(void *context, struct db_query *q, struct diag *d)
{
    const struct db *db = context;
    const char *sql = db_text(q, 0);

    return sql == NULL || is_plain(sql)
               ? 0
               : db_damaged(db, "its tables compute", d);
}

/* A program that only reads computes nothing for an index. */
static int check_schema(struct db *db, bool is_writer, struct diag *d)
{
    return db_rows(db,
                   "SELECT sql FROM sqlite_schema WHERE type IN ('table', ?1)",
                   DB_VALUES(DB_TEXT(is_writer ? "index" : "table")),
                   take_definition, db, d);
}

/* SQLite asks before it reads or writes.  A view that has the name of a table,
   and a trigger, may be any computation, and need not end. */
static int refuse_views(void *unused, int action, const char *a, const char *b,
                        const char *database, const char *view)
{
    (void)unused, (void)action, (void)a, (void)b, (void)database;
    return view != NULL ? SQLITE_DENY : SQLITE_OK;
}

static int open_handle(struct db *db, int flags, struct diag *d)
{
    bool is_writer = (flags & SQLITE_OPEN_READWRITE) != 0;

    if (check_path(db->path, !is_writer, d) != 0 ||
        (is_writer && check_writable(db->path, d) != 0))
        return -1;
    /* Without SQLite's locks, which a scan would take at each column. */
    flags |= SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(db->path, &db->handle, flags, NULL) != SQLITE_OK)
        return fail(db, d);
    /* A cache is not worth waiting for. */
    sqlite3_busy_timeout(db->handle,
                         db->kind == &kinds[DB_CACHE] ? 0 : BUSY_TIMEOUT_MS);
    return 0;
}

static int open_checked(struct db *db, int flags, struct diag *d)
{
    bool is_writer = (flags & SQLITE_OPEN_READWRITE) != 0;

    if (open_handle(db, flags, d) != 0)
        return -1;
    sqlite3_set_authorizer(db->handle, refuse_views, NULL);
    if (define_each(db, d) != 0 || db_exec(db, "BEGIN", d) != 0 ||
        identify(db, !is_writer, d) != 0 || db_exec(db, "COMMIT", d) != 0 ||
        check_schema(db, is_writer, d) != 0)
        return -1;
    if (db->is_new && !is_writer)
        return diag_set(d, "%s: not a %s database", db->path,
                        db->kind->program);
    return 0;
}

static struct db *open_flags(const char *path, enum db_kind kind, int flags,
                             struct diag *d)
{
    struct db *db = memory_new(1, sizeof *db);

    assert(kind >= DB_DEPS && kind <= DB_CACHE);
    db->path = memory_text(path);
    db->kind = &kinds[kind];
    if (open_checked(db, flags, d) == 0)
        return db;
    db_close(db);
    return NULL;
}

struct db *db_open(const char *path, enum db_kind kind, struct diag *d)
{
    return open_flags(path, kind, SQLITE_OPEN_READONLY, d);
}

int db_identify(const char *path, enum db_kind *kind, struct diag *d)
{
    struct db *db = memory_new(1, sizeof *db);
    int64_t id = 0;

    db->path = memory_text(path);
    db->kind = &kinds[DB_DEPS]; /* until the kind is known */
    int rc = open_handle(db, SQLITE_OPEN_READONLY, d);
    if (rc == 0)
        rc = read_number(db, "PRAGMA application_id", &id, d);
    /* Files that are not databases are reported below. */
    if (rc != 0 && db->handle != NULL &&
        sqlite3_errcode(db->handle) == SQLITE_NOTADB)
        rc = 0;
    db_close(db);
    if (rc != 0)
        return -1;
    for (*kind = DB_DEPS; *kind <= DB_STATIC; ++*kind)
        if (id == kinds[*kind].application_id)
            return 0;
    return diag_set(d, "%s: neither a depsim nor a staticdeps database", path);
}

struct db *db_open_rw(const char *path, enum db_kind kind, struct diag *d)
{
    return open_flags(path, kind, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      d);
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    int rc = sqlite3_close(db->handle);
    assert(rc == SQLITE_OK); /* no query is left open */
    (void)rc;
    free(db->path);
    free(db);
}

enum db_kind db_kind(const struct db *db)
{
    assert(db->kind >= kinds && db->kind <= &kinds[DB_CACHE]);
    return (enum db_kind)(db->kind - kinds);
}

const char *db_path(const struct db *db)
{
    return db->path;
}

int db_begin(struct db *db, struct diag *d)
{
    char pragmas[100];

    assert(sqlite3_get_autocommit(db->handle)); /* transactions do not nest */
    if (db_exec(db, "BEGIN IMMEDIATE", d) != 0)
        return -1;
    /* Another writer may have created the schema while we waited. */
    if (db->is_new) {
        db->is_new = false;
        if (identify(db, false, d) != 0)
            return -1;
    }
    if (!db->is_new)
        return 0;
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             db->kind->application_id, db->kind->version);
    if (db_exec(db, pragmas, d) != 0 || db_exec(db, db->kind->schema, d) != 0)
        return -1;
    db->is_new = false;
    return 0;
}

int db_commit(struct db *db, struct diag *d)
{
    assert(!sqlite3_get_autocommit(db->handle));
    return db_exec(db, "COMMIT", d);
}

int db_may_replace(const char *path, enum db_kind kind, struct diag *d)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return errno == ENOENT ? 0
                               : diag_set(d, "%s: %s", path, strerror(errno));
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return 0;
    struct db *db = db_open(path, kind, d);
    db_close(db);
    return db != NULL ? 0 : -1;
}
