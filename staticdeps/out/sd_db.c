/*
 * sd_db: results -> static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db.h"
#include "memory.h"

struct sd_db {
    char *path;      /* where it is to be */
    struct stat old; /* what is there, once it was checked */
    char *temporary; /* where it is */
    bool exists;     /* is the temporary file there? */
    struct db *db;
    struct db_query *object, *block, *dep, *unknown, *analysis;
    int64_t object_id, block_id; /* the last */
};

/* Follows a symbolic link, so that it is its target that is replaced. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real != NULL ? real : memory_text(path);
}

/* Is it what it was when it was checked? */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_nlink > 0;
}

/* Nothing but a database of ours, or an empty file, is overwritten. */
static int check_old(struct sd_db *store, struct diag *d)
{
    const char *path = store->path;
    struct stat st;
    struct db *db;

    if (stat(path, &st) != 0) {
        if (errno == ENOENT)
            return 0;
        return diag_set(d, "%s: %s", path, strerror(errno));
    }
    if ((S_ISREG(st.st_mode) && st.st_size == 0) || is_same(&store->old, &st))
        return 0;
    store->old = st;
    db = db_open(path, DB_STATIC, d);
    if (db == NULL)
        return -1;
    db_close(db);
    return 0;
}

/* With the permissions that the file to be replaced has, or a new one would
   have. */
static int create_temporary(struct sd_db *store, struct diag *d)
{
    size_t size = strlen(store->path) + sizeof ".XXXXXX";
    struct stat st;
    mode_t mode = umask(0);
    int fd;

    umask(mode);
    mode = 0666 & ~mode;
    if (stat(store->path, &st) == 0)
        mode = st.st_mode & 0777;
    store->temporary = memory_new(size, 1);
    snprintf(store->temporary, size, "%s.XXXXXX", store->path);
    fd = mkostemp(store->temporary, O_CLOEXEC);
    if (fd < 0)
        return diag_set(d, "%s: %s", store->path, strerror(errno));
    store->exists = true;
    fchmod(fd, mode);
    close(fd);
    return 0;
}

static int prepare(struct sd_db *store, struct diag *d)
{
    /* Nobody else sees this file, and an incomplete one is removed. */
    if (db_exec(store->db, "PRAGMA journal_mode = OFF", d) != 0 ||
        db_exec(store->db, "PRAGMA synchronous = OFF", d) != 0 ||
        db_begin(store->db, d) != 0)
        return -1;
    store->object = db_prepare(
        store->db, "INSERT INTO object(path, build_id, arch) VALUES(?, ?, ?)",
        d);
    store->block = db_prepare(
        store->db,
        "INSERT INTO block(object_id, function, start, \"end\", instructions,"
        " status) VALUES(?, ?, ?, ?, ?, ?)",
        d);
    store->dep = db_prepare(
        store->db,
        "INSERT INTO dep(block_id, src, dst, src_index, dst_index, delta_k,"
        " support) VALUES(?, ?, ?, ?, ?, ?, ?)",
        d);
    store->unknown = db_prepare(
        store->db,
        "INSERT INTO unknown_address(block_id, address, loads, stores)"
        " VALUES(?, ?, ?, ?)",
        d);
    store->analysis = db_prepare(
        store->db, "INSERT INTO analysis(key, value) VALUES(?, ?)", d);
    return store->object && store->block && store->dep && store->unknown &&
                   store->analysis
               ? 0
               : -1;
}

static int open_store(struct sd_db *store, const char *path, struct diag *d)
{
    store->path = resolve(path);
    if (check_old(store, d) != 0 || create_temporary(store, d) != 0)
        return -1;
    store->db = db_open_rw(store->temporary, DB_STATIC, d);
    return store->db != NULL ? prepare(store, d) : -1;
}

struct sd_db *sd_db_open(const char *path, struct diag *d)
{
    struct sd_db *store = memory_new(1, sizeof *store);

    if (open_store(store, path, d) == 0)
        return store;
    sd_db_close(store);
    return NULL;
}

const char *sd_db_temporary(const struct sd_db *store)
{
    return store->temporary;
}

int sd_db_object(struct sd_db *store, const char *path, const char *build_id,
                 const char *arch, struct diag *d)
{
    db_bind_text(store->object, 1, path);
    db_bind_text(store->object, 2, build_id);
    db_bind_text(store->object, 3, arch);
    if (db_run(store->object, d) != 0)
        return -1;
    store->object_id = db_last_rowid(store->db);
    return 0;
}

static int store_dep(struct sd_db *store, const struct sd_db_dep *s,
                     struct diag *d)
{
    struct db_query *q = store->dep;

    db_bind_int(q, 1, store->block_id);
    db_bind_int(q, 2, (int64_t)s->src);
    db_bind_int(q, 3, (int64_t)s->dst);
    db_bind_int(q, 4, s->dep.src);
    db_bind_int(q, 5, s->dep.dst);
    db_bind_int(q, 6, s->dep.delta_k);
    db_bind_real(q, 7, s->dep.support);
    return db_run(q, d);
}

int sd_db_block(struct sd_db *store, const struct sd_block *block,
                enum sd_status status, const struct sd_db_dep *deps,
                size_t n_deps, struct diag *d)
{
    struct db_query *q = store->block;

    db_bind_int(q, 1, store->object_id);
    db_bind_text(q, 2, block->function);
    db_bind_int(q, 3, (int64_t)block->address);
    db_bind_int(q, 4, (int64_t)(block->address + block->size));
    db_bind_int(q, 5, block->n_insns);
    db_bind_text(q, 6, sd_status_name(status));
    if (db_run(q, d) != 0)
        return -1;
    store->block_id = db_last_rowid(store->db);
    for (size_t i = 0; i < n_deps; i++)
        if (store_dep(store, &deps[i], d) != 0)
            return -1;
    return 0;
}

int sd_db_unknown(struct sd_db *store, uint64_t address, bool loads,
                  bool stores, struct diag *d)
{
    db_bind_int(store->unknown, 1, store->block_id);
    db_bind_int(store->unknown, 2, (int64_t)address);
    db_bind_int(store->unknown, 3, loads);
    db_bind_int(store->unknown, 4, stores);
    return db_run(store->unknown, d);
}

int sd_db_text(struct sd_db *store, const char *key, const char *value,
               struct diag *d)
{
    db_bind_text(store->analysis, 1, key);
    db_bind_text(store->analysis, 2, value);
    return db_run(store->analysis, d);
}

int sd_db_int(struct sd_db *store, const char *key, uint64_t value,
              struct diag *d)
{
    db_bind_text(store->analysis, 1, key);
    db_bind_int(store->analysis, 2, (int64_t)value);
    return db_run(store->analysis, d);
}

int sd_db_real(struct sd_db *store, const char *key, double value,
               struct diag *d)
{
    db_bind_text(store->analysis, 1, key);
    db_bind_real(store->analysis, 2, value);
    return db_run(store->analysis, d);
}

static void close_db(struct sd_db *store)
{
    db_query_free(store->object);
    db_query_free(store->block);
    db_query_free(store->dep);
    db_query_free(store->unknown);
    db_query_free(store->analysis);
    db_close(store->db);
    store->object = store->block = store->dep = NULL;
    store->unknown = store->analysis = NULL;
    store->db = NULL;
}

/* A rename that reaches the disk before the contents would lose both. */
static int write_through(const char *path, struct diag *d)
{
    int fd = open(path, O_RDWR | O_CLOEXEC), rc;

    rc = fd < 0 ? -1 : fsync(fd);
    if (rc != 0)
        diag_set(d, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return rc;
}

int sd_db_commit(struct sd_db *store, struct diag *d)
{
    if (db_commit(store->db, d) != 0)
        return -1;
    close_db(store);
    if (write_through(store->temporary, d) != 0)
        return -1;
    /* Something else may have been put there in the meantime. */
    if (check_old(store, d) != 0)
        return -1;
    if (rename(store->temporary, store->path) != 0)
        return diag_set(d, "%s: %s", store->path, strerror(errno));
    store->exists = false;
    return 0;
}

void sd_db_close(struct sd_db *store)
{
    if (store == NULL)
        return;
    close_db(store);
    if (store->exists)
        unlink(store->temporary);
    free(store->temporary);
    free(store->path);
    free(store);
}
