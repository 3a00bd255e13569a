/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_db.h"

#include <errno.h>

/* The tables that sd_db_add() does not write. */
enum { OBJECT = SD_N_TABLES, ANALYSIS, BLOCK, DEP, FUNCTION, N_TABLES };

/* The columns that are written of each table; NULL: the kind of database does
   not have the table. */
static const char *const static_columns[N_TABLES] = {
    [OBJECT] = "object(path, build_id, arch)",
    [ANALYSIS] = "analysis(key, value)",
    [BLOCK] = "block(object_id, function, function_start, start, \"end\","
              " instructions, status, follows_itself)",
    [SD_TABLE_ALIAS] = "alias(object_id, start, name)",
    [DEP] = "dep(block_id, src, dst, src_index, dst_index, delta_k, support,"
            " relation, offset)",
    [SD_TABLE_ACCESS] = "access(block_id, address, stores, base, loaded)",
    [SD_TABLE_UNKNOWN] = "unknown_address(block_id, address, loads, stores)",
};
static const char *const walks_columns[N_TABLES] = {
    [OBJECT] = "object(path, build_id, arch)",
    [ANALYSIS] = "analysis(key, value)",
    [BLOCK] = "block(object_id, function_id, start, \"end\", instructions,"
              " status, follows_itself, walks)",
    [DEP] = "dep(src_block, dst_block, src, dst, src_index, dst_index, scope,"
            " delta_k, distance, support, loop, evidence, relation, offset)",
    [SD_TABLE_MADE] = "access(block_id, address, stores, made)",
    [SD_TABLE_ALIAS] = "alias(object_id, start, name)",
    [FUNCTION] = "function(object_id, name, start, \"end\")",
    [SD_TABLE_WALKED] = "walked(function_id, walks, instructions, blocks)",
    [SD_TABLE_VECTOR] =
        "vector(src_block, src, dst_block, dst, level, loop, rounds)",
    [SD_TABLE_WEAK] = "weak(src_block, dst_block, src, dst, support)",
    [SD_TABLE_VISITS] = "coming(block_id, walks)",
    [SD_TABLE_CALL] = "call(block_id, fate)",
};

struct sd_db {
    char *path;      /* the final place of the database */
    struct stat old; /* the file that was at `path` when it was checked */
    struct replace *file;
    struct db *handle;
    enum db_kind kind;
    struct db_query *inserts[N_TABLES]; /* NULL: not in this kind */
    int64_t object_id, block_id;        /* of the rows added last */
};

/* Checks the old file: it must be a database of staticdeps, or empty. */
static int check_old(struct sd_db *db, struct diag *d)
{
    struct stat st;
    bool exists = stat(db->path, &st) == 0;

    if (exists && file_is_same(&db->old, &st))
        return 0;
    if (exists)
        db->old = st;
    return db_may_replace(db->path, DB_STATIC, d);
}

static struct db_query *prepare_insert(struct db *db, const char *columns,
                                       struct diag *d)
{
    char sql[320];
    size_t n =
        (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?", columns);

    for (; *columns != '\0'; columns++)
        if (*columns == ',')
            n += (size_t)snprintf(sql + n, sizeof sql - n, ", ?");
    n += (size_t)snprintf(sql + n, sizeof sql - n, ")");
    assert(n < sizeof sql);
    return db_prepare(db, sql, d);
}

static int prepare(struct sd_db *db, struct diag *d)
{
    const char *const *columns;

    /* A journal is not needed: the file is removed if it is incomplete. */
    if (db_exec(db->handle, "PRAGMA journal_mode = OFF", d) != 0 ||
        db_exec(db->handle, "PRAGMA synchronous = OFF", d) != 0 ||
        /* SQLite builds a table for each list of names in a CHECK, row by row.
         */
        db_exec(db->handle, "PRAGMA ignore_check_constraints = ON", d) != 0 ||
        db_begin(db->handle, d) != 0)
        return -1;
    columns = db->kind == DB_WALKS ? walks_columns : static_columns;
    for (int i = 0; i < N_TABLES; i++)
        if (columns[i] != NULL && (db->inserts[i] = prepare_insert(
                                       db->handle, columns[i], d)) == NULL)
            return -1;
    return 0;
}

static int open_db(struct sd_db *db, const char *path, struct diag *d)
{
    /* A link's target is replaced. */
    db->path = realpath(path, NULL) ?: memory_text(path);
    if (check_old(db, d) != 0)
        return -1;
    db->file = replace_new(db->path, REPLACE_ALWAYS, d);
    if (db->file == NULL)
        return -1;
    db->handle = db_open_rw(replace_path(db->file), db->kind, d);
    return db->handle != NULL ? prepare(db, d) : -1;
}

struct sd_db *sd_db_open(const char *path, enum db_kind kind, struct diag *d)
{
    struct sd_db *db = memory_new(1, sizeof *db);

    db->kind = kind;
    if (open_db(db, path, d) == 0)
        return db;
    sd_db_close(db);
    return NULL;
}

const char *sd_db_temporary(const struct sd_db *db)
{
    return replace_temporary(db->file);
}

#define INSERT(db, table, d, ...) \
    db_run_with((db)->inserts[table], DB_VALUES(__VA_ARGS__), d)

/* Two values of a row: the relation, and the offset or NULL. */
#define OVERLAP(o)                \
    DB_TEXT(sd_relation_name(o)), \
        DB_INT_UNLESS(!sd_overlap_has_offset(o), (o).offset)

int sd_db_object(struct sd_db *db, const char *path, const char *build_id,
                 const char *arch, int64_t *id, struct diag *d)
{
    if (INSERT(db, OBJECT, d, DB_TEXT(path), DB_TEXT(build_id),
               DB_TEXT(arch)) != 0)
        return -1;
    *id = db->object_id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_block(struct sd_db *db, const struct sd_block *block,
                enum sd_status status, int64_t *id, struct diag *d)
{
    assert(db->object_id != 0);
    if (INSERT(db, BLOCK, d, DB_INT(db->object_id), DB_TEXT(block->function),
               DB_INT_UNLESS(block->function == NULL, block->function_start),
               DB_INT(block->address), DB_INT(block->address + block->size),
               DB_INT(block->n_insns), DB_TEXT(sd_status_name(status)),
               DB_INT(sd_block_follows_itself(block))) != 0)
        return -1;
    *id = db->block_id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_function(struct sd_db *db, const char *name, uint64_t start,
                   uint64_t end, int64_t *id, struct diag *d)
{
    assert(db->object_id != 0);
    if (INSERT(db, FUNCTION, d, DB_INT(db->object_id), DB_TEXT(name),
               DB_INT(start), DB_INT(end)) != 0)
        return -1;
    *id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_code(struct sd_db *db, const struct sd_block *block, int64_t function,
               uint64_t walks, int64_t *id, struct diag *d)
{
    if (INSERT(db, BLOCK, d, DB_INT(db->object_id),
               DB_INT_UNLESS(function == 0, function), DB_INT(block->address),
               DB_INT(block->address + block->size), DB_INT(block->n_insns),
               DB_TEXT(sd_status_name(block->status)),
               DB_INT(sd_block_follows_itself(block)), DB_INT(walks)) != 0)
        return -1;
    *id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_pair(struct sd_db *db, const struct sd_predicted *p, struct diag *d)
{
    assert(p->support > 0 && p->support <= 1);
    if (db->kind == DB_STATIC) {
        assert(db->block_id != 0 && p->delta_k >= 0);
        return INSERT(db, DEP, d, DB_INT(db->block_id), DB_INT(p->src),
                      DB_INT(p->dst), DB_INT(p->src_index),
                      DB_INT(p->dst_index), DB_INT(p->delta_k),
                      DB_REAL(p->support), OVERLAP(p->overlap));
    }
    assert(p->src_block != 0 && p->dst_block != 0);
    return INSERT(db, DEP, d, DB_INT(p->src_block), DB_INT(p->dst_block),
                  DB_INT(p->src), DB_INT(p->dst), DB_INT(p->src_index),
                  DB_INT(p->dst_index), DB_TEXT(p->scope),
                  DB_INT_UNLESS(p->delta_k < 0, p->delta_k),
                  DB_INT(p->distance), DB_REAL(p->support),
                  DB_INT_UNLESS(p->header_block == 0, p->header_block),
                  DB_TEXT(p->evidence), OVERLAP(p->overlap));
}

int sd_db_fact(struct sd_db *db, const char *key, struct db_value value,
               struct diag *d)
{
    return INSERT(db, ANALYSIS, d, DB_TEXT(key), value);
}

int sd_db_add(struct sd_db *db, enum sd_table table,
              const struct db_value *values, size_t n, struct diag *d)
{
    return db_run_with(db->inserts[table], values, n, d);
}

static void close_handle(struct sd_db *db)
{
    for (int i = 0; i < N_TABLES; i++) {
        db_query_free(db->inserts[i]);
        db->inserts[i] = NULL;
    }
    db_close(db->handle);
    db->handle = NULL;
}

int sd_db_commit(struct sd_db *db, struct diag *d)
{
    assert(db->handle != NULL);
    if (db_commit(db->handle, d) != 0)
        return -1;
    close_handle(db);
    /* Another file may have been put at the final place in the meantime. */
    if (check_old(db, d) != 0)
        return -1;
    return replace_commit(db->file, d);
}

void sd_db_close(struct sd_db *db)
{
    if (db == NULL)
        return;
    close_handle(db);
    replace_free(db->file);
    free(db->path);
    free(db);
}
