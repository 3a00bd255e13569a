/*
 * sd_db: writes results to static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_db.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db.h"
#include "memory.h"
#include "replace.h"

struct sd_db {
    char *path;      /* its final place */
    struct stat old; /* the old file there, when it was checked */
    struct replace *file;
    struct db *handle;
    enum db_kind kind;
    struct db_query *object, *block, *dep, *unknown, *access, *analysis;
    /* Only for DB_WALKS, which also has another `access`. */
    struct db_query *function, *walked, *vector, *weak, *coming, *call;
    int64_t object_id, block_id; /* of the last rows */
};

/* Follows a symbolic link, so that its target is replaced. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real != NULL ? real : memory_text(path);
}

/* Are the two states of a file equal? */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_nlink > 0;
}

/* Checks the old file: only our own database, or an empty file, is replaced. */
static int check_old(struct sd_db *db, struct diag *d)
{
    const char *path = db->path;
    struct stat st;
    struct db *handle;

    if (stat(path, &st) != 0) {
        if (errno == ENOENT)
            return 0;
        return diag_set(d, "%s: %s", path, strerror(errno));
    }
    if ((S_ISREG(st.st_mode) && st.st_size == 0) || is_same(&db->old, &st))
        return 0;
    db->old = st;
    handle = db_open(path, DB_STATIC, d);
    if (handle == NULL)
        return -1;
    db_close(handle);
    return 0;
}

static int prepare_blocks(struct sd_db *db, struct diag *d)
{
    db->block = db_prepare(
        db->handle,
        "INSERT INTO block(object_id, function, start, \"end\", instructions,"
        " status, follows_itself) VALUES(?, ?, ?, ?, ?, ?, ?)",
        d);
    db->dep = db_prepare(
        db->handle,
        "INSERT INTO dep(block_id, src, dst, src_index, dst_index, delta_k,"
        " support) VALUES(?, ?, ?, ?, ?, ?, ?)",
        d);
    db->unknown = db_prepare(
        db->handle,
        "INSERT INTO unknown_address(block_id, address, loads, stores)"
        " VALUES(?, ?, ?, ?)",
        d);
    db->access =
        db_prepare(db->handle,
                   "INSERT INTO access(block_id, address, stores, base, loaded)"
                   " VALUES(?, ?, ?, ?, ?)",
                   d);
    return db->block && db->dep && db->unknown && db->access ? 0 : -1;
}

static int prepare_walks(struct sd_db *db, struct diag *d)
{
    db->function =
        db_prepare(db->handle,
                   "INSERT INTO function(object_id, name, start, \"end\")"
                   " VALUES(?, ?, ?, ?)",
                   d);
    db->block =
        db_prepare(db->handle,
                   "INSERT INTO block(object_id, function_id, start, \"end\","
                   " instructions, status, follows_itself, walks)"
                   " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                   d);
    db->dep = db_prepare(
        db->handle,
        "INSERT INTO dep(src_block, dst_block, src, dst, src_index, dst_index,"
        " scope, delta_k, distance, support, loop,"
        " evidence) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        d);
    db->walked = db_prepare(
        db->handle,
        "INSERT INTO walked(function_id, walks, instructions, blocks)"
        " VALUES(?, ?, ?, ?)",
        d);
    db->vector = db_prepare(
        db->handle,
        "INSERT INTO vector(src_block, src, dst_block, dst, level, loop,"
        " rounds) VALUES(?, ?, ?, ?, ?, ?, ?)",
        d);
    db->weak =
        db_prepare(db->handle,
                   "INSERT INTO weak(src_block, dst_block, src, dst, support)"
                   " VALUES(?, ?, ?, ?, ?)",
                   d);
    db->coming = db_prepare(
        db->handle, "INSERT INTO coming(block_id, walks) VALUES(?, ?)", d);
    db->access = db_prepare(db->handle,
                            "INSERT INTO access(block_id, address, stores, "
                            "made) VALUES(?, ?, ?, ?)",
                            d);
    db->call = db_prepare(db->handle,
                          "INSERT INTO call(block_id, fate) VALUES(?, ?)", d);
    return db->function && db->block && db->dep && db->walked && db->vector &&
                   db->weak && db->coming && db->access && db->call
               ? 0
               : -1;
}

static int prepare(struct sd_db *db, struct diag *d)
{
    /* No other program opens this file, and it is removed if it is incomplete.
     */
    if (db_exec(db->handle, "PRAGMA journal_mode = OFF", d) != 0 ||
        db_exec(db->handle, "PRAGMA synchronous = OFF", d) != 0 ||
        /* SQLite builds a table for each list of names in a CHECK, row by row.
         */
        db_exec(db->handle, "PRAGMA ignore_check_constraints = ON", d) != 0 ||
        db_begin(db->handle, d) != 0)
        return -1;
    db->object = db_prepare(
        db->handle, "INSERT INTO object(path, build_id, arch) VALUES(?, ?, ?)",
        d);
    db->analysis = db_prepare(
        db->handle, "INSERT INTO analysis(key, value) VALUES(?, ?)", d);
    if (db->object == NULL || db->analysis == NULL)
        return -1;
    return db->kind == DB_WALKS ? prepare_walks(db, d) : prepare_blocks(db, d);
}

static int open_db(struct sd_db *db, const char *path, struct diag *d)
{
    db->path = resolve(path);
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

int sd_db_object(struct sd_db *db, const char *path, const char *build_id,
                 const char *arch, struct diag *d)
{
    db_bind_text(db->object, 1, path);
    db_bind_text(db->object, 2, build_id);
    db_bind_text(db->object, 3, arch);
    if (db_run(db->object, d) != 0)
        return -1;
    db->object_id = db_last_rowid(db->handle);
    return 0;
}

static int insert_dep(struct sd_db *db, const struct sd_db_dep *s,
                      struct diag *d)
{
    struct db_query *q = db->dep;

    assert(s->dep.support > 0 && s->dep.support <= 1);
    db_bind_int(q, 1, db->block_id);
    db_bind_int(q, 2, (int64_t)s->src);
    db_bind_int(q, 3, (int64_t)s->dst);
    db_bind_int(q, 4, s->dep.src);
    db_bind_int(q, 5, s->dep.dst);
    db_bind_int(q, 6, s->dep.delta_k);
    db_bind_real(q, 7, s->dep.support);
    return db_run(q, d);
}

int sd_db_block(struct sd_db *db, const struct sd_block *block,
                enum sd_status status, const struct sd_db_dep *deps,
                size_t n_deps, struct diag *d)
{
    struct db_query *q = db->block;

    assert(db->object_id != 0 && (n_deps == 0 || status == SD_OK));
    db_bind_int(q, 1, db->object_id);
    db_bind_text(q, 2, block->function);
    db_bind_int(q, 3, (int64_t)block->address);
    db_bind_int(q, 4, (int64_t)(block->address + block->size));
    db_bind_int(q, 5, block->n_insns);
    db_bind_text(q, 6, sd_status_name(status));
    db_bind_int(q, 7, sd_block_follows_itself(block));
    if (db_run(q, d) != 0)
        return -1;
    db->block_id = db_last_rowid(db->handle);
    for (size_t i = 0; i < n_deps; i++)
        if (insert_dep(db, &deps[i], d) != 0)
            return -1;
    return 0;
}

int sd_db_unknown(struct sd_db *db, uint64_t address, bool loads, bool stores,
                  struct diag *d)
{
    assert(db->block_id != 0 && (loads || stores));
    db_bind_int(db->unknown, 1, db->block_id);
    db_bind_int(db->unknown, 2, (int64_t)address);
    db_bind_int(db->unknown, 3, loads);
    db_bind_int(db->unknown, 4, stores);
    return db_run(db->unknown, d);
}

int sd_db_access(struct sd_db *db, uint64_t address,
                 const struct sd_access *access, struct diag *d)
{
    assert(db->block_id != 0);
    db_bind_int(db->access, 1, db->block_id);
    db_bind_int(db->access, 2, (int64_t)address);
    db_bind_int(db->access, 3, access->is_store);
    db_bind_int(db->access, 4, access->base);
    db_bind_int(db->access, 5, access->is_loaded);
    return db_run(db->access, d);
}

int sd_db_function(struct sd_db *db, const char *name, uint64_t start,
                   uint64_t end, int64_t *id, struct diag *d)
{
    struct db_query *q = db->function;

    assert(db->object_id != 0);
    db_bind_int(q, 1, db->object_id);
    db_bind_text(q, 2, name);
    db_bind_int(q, 3, (int64_t)start);
    db_bind_int(q, 4, (int64_t)end);
    if (db_run(q, d) != 0)
        return -1;
    *id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_walked(struct sd_db *db, int64_t function, uint64_t walks,
                 uint64_t instructions, uint64_t blocks, struct diag *d)
{
    db_bind_int(db->walked, 1, function);
    db_bind_int(db->walked, 2, (int64_t)walks);
    db_bind_int(db->walked, 3, (int64_t)instructions);
    db_bind_int(db->walked, 4, (int64_t)blocks);
    return db_run(db->walked, d);
}

int sd_db_code(struct sd_db *db, const struct sd_block *block, int64_t function,
               uint64_t walks, int64_t *id, struct diag *d)
{
    struct db_query *q = db->block;

    db_bind_int(q, 1, db->object_id);
    if (function != 0)
        db_bind_int(q, 2, function);
    else
        db_bind_null(q, 2);
    db_bind_int(q, 3, (int64_t)block->address);
    db_bind_int(q, 4, (int64_t)(block->address + block->size));
    db_bind_int(q, 5, block->n_insns);
    db_bind_text(q, 6, sd_status_name(block->status));
    db_bind_int(q, 7, sd_block_follows_itself(block));
    db_bind_int(q, 8, (int64_t)walks);
    if (db_run(q, d) != 0)
        return -1;
    *id = db_last_rowid(db->handle);
    return 0;
}

int sd_db_pair(struct sd_db *db, const struct sd_db_pair *pair, struct diag *d)
{
    struct db_query *q = db->dep;

    assert(pair->support > 0 && pair->support <= 1);
    db_bind_int(q, 1, pair->src_block);
    db_bind_int(q, 2, pair->dst_block);
    db_bind_int(q, 3, (int64_t)pair->src);
    db_bind_int(q, 4, (int64_t)pair->dst);
    db_bind_int(q, 5, pair->src_index);
    db_bind_int(q, 6, pair->dst_index);
    db_bind_text(q, 7, pair->scope);
    if (pair->delta_k >= 0)
        db_bind_int(q, 8, pair->delta_k);
    else
        db_bind_null(q, 8);
    db_bind_int(q, 9, pair->distance);
    db_bind_real(q, 10, pair->support);
    if (pair->loop != 0)
        db_bind_int(q, 11, pair->loop);
    else
        db_bind_null(q, 11);
    db_bind_text(q, 12, pair->evidence);
    return db_run(q, d);
}

int sd_db_vector(struct sd_db *db, const struct sd_db_pair *pair,
                 uint32_t level, int64_t loop, int64_t rounds, struct diag *d)
{
    db_bind_int(db->vector, 1, pair->src_block);
    db_bind_int(db->vector, 2, (int64_t)pair->src);
    db_bind_int(db->vector, 3, pair->dst_block);
    db_bind_int(db->vector, 4, (int64_t)pair->dst);
    db_bind_int(db->vector, 5, level);
    db_bind_int(db->vector, 6, loop);
    db_bind_int(db->vector, 7, rounds);
    return db_run(db->vector, d);
}

int sd_db_weak(struct sd_db *db, const struct sd_db_pair *pair, struct diag *d)
{
    db_bind_int(db->weak, 1, pair->src_block);
    db_bind_int(db->weak, 2, pair->dst_block);
    db_bind_int(db->weak, 3, (int64_t)pair->src);
    db_bind_int(db->weak, 4, (int64_t)pair->dst);
    db_bind_real(db->weak, 5, pair->support);
    return db_run(db->weak, d);
}

int sd_db_coming(struct sd_db *db, int64_t block, const void *walks,
                 size_t size, struct diag *d)
{
    assert(size > 0);
    db_bind_int(db->coming, 1, block);
    db_bind_blob(db->coming, 2, walks, size);
    return db_run(db->coming, d);
}

int sd_db_made(struct sd_db *db, int64_t block, uint64_t address, bool stores,
               const char *made, struct diag *d)
{
    db_bind_int(db->access, 1, block);
    db_bind_int(db->access, 2, (int64_t)address);
    db_bind_int(db->access, 3, stores);
    db_bind_text(db->access, 4, made);
    return db_run(db->access, d);
}

int sd_db_call(struct sd_db *db, int64_t block, const char *fate,
               struct diag *d)
{
    db_bind_int(db->call, 1, block);
    db_bind_text(db->call, 2, fate);
    return db_run(db->call, d);
}

int sd_db_text(struct sd_db *db, const char *key, const char *value,
               struct diag *d)
{
    db_bind_text(db->analysis, 1, key);
    db_bind_text(db->analysis, 2, value);
    return db_run(db->analysis, d);
}

int sd_db_int(struct sd_db *db, const char *key, uint64_t value, struct diag *d)
{
    db_bind_text(db->analysis, 1, key);
    db_bind_int(db->analysis, 2, (int64_t)value);
    return db_run(db->analysis, d);
}

int sd_db_real(struct sd_db *db, const char *key, double value, struct diag *d)
{
    db_bind_text(db->analysis, 1, key);
    db_bind_real(db->analysis, 2, value);
    return db_run(db->analysis, d);
}

static void close_handle(struct sd_db *db)
{
    db_query_free(db->object);
    db_query_free(db->block);
    db_query_free(db->dep);
    db_query_free(db->unknown);
    db_query_free(db->access);
    db_query_free(db->analysis);
    db_query_free(db->function);
    db_query_free(db->walked);
    db_query_free(db->vector);
    db_query_free(db->weak);
    db_query_free(db->coming);
    db_query_free(db->call);
    db_close(db->handle);
    db->object = db->block = db->dep = NULL;
    db->unknown = db->access = db->analysis = NULL;
    db->function = db->walked = db->vector = db->weak = db->coming = db->call =
        NULL;
    db->handle = NULL;
}

int sd_db_commit(struct sd_db *db, struct diag *d)
{
    assert(db->handle != NULL);
    if (db_commit(db->handle, d) != 0)
        return -1;
    close_handle(db);
    /* Another file may have been put there in the meantime. */
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
