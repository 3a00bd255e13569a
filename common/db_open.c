/*
 * db_open: opens databases, finds out whose they are, and makes their schema.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "db.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db_handle.h"
#include "file.h"
#include "schema.h"

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

static int other_kind(const struct db *db, int64_t id, struct diag *d)
{
    for (enum db_kind kind = DB_DEPS; kind <= DB_CACHE; kind++)
        if (id == kinds[kind].application_id)
            return diag_set(d, "%s: a %s database, not a %s database", db->path,
                            kinds[kind].program, db->kind->program);
    return diag_set(d, "%s: not a %s database", db->path, db->kind->program);
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
    if (id != db->kind->application_id)
        return other_kind(db, id, d);
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

static int identify_at_once(struct db *db, bool is_reader, struct diag *d)
{
    if (db_exec(db, "BEGIN", d) != 0 || identify(db, is_reader, d) != 0)
        return -1;
    return db_exec(db, "COMMIT", d);
}

/* A writer makes a journal beside the file.  SQLite's own words for what does
   not allow it are "attempt to write a readonly database" and "No such file or
   directory". */
static int check_writable(const char *path, struct diag *d)
{
    char *copy = memory_text(path);
    bool is_writable = (access(path, W_OK) == 0 || errno == ENOENT) &&
                       access(dirname(copy), W_OK | X_OK) == 0;
    int error = errno;

    free(copy);
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
        return db_fail(db, d);
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
    if (db_define_each(db, d) != 0 ||
        identify_at_once(db, !is_writer, d) != 0 ||
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
    int rc;

    db->path = memory_text(path);
    db->kind = &kinds[DB_DEPS]; /* until the kind is known */
    rc = open_handle(db, SQLITE_OPEN_READONLY, d);
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
    int rc;

    if (db == NULL)
        return;
    rc = sqlite3_close(db->handle);
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
    struct db *db;

    if (stat(path, &st) != 0)
        return errno == ENOENT ? 0
                               : diag_set(d, "%s: %s", path, strerror(errno));
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return 0;
    db = db_open(path, kind, d);
    db_close(db);
    return db != NULL ? 0 : -1;
}
