/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/internal.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "memory.h"

/* --- A database that is opened again when its turn comes --- */

/* What another writer, or another file in its place, changes.  Limit: not what
   is in a write-ahead log, which none of our programs uses. */
static int take_stamp(struct cc_source *source, const struct stat *st,
                      struct cc_stamp *stamp, struct diag *d)
{
    *stamp = (struct cc_stamp){
        .device = (uint64_t)st->st_dev,
        .inode = (uint64_t)st->st_ino,
        .size = (uint64_t)st->st_size,
        .seconds = (uint64_t)st->st_mtim.tv_sec,
        .nanoseconds = (uint64_t)st->st_mtim.tv_nsec,
    };
    return db_change_counter(source->db, &stamp->counter, d);
}

static bool is_same(const struct cc_stamp *a, const struct cc_stamp *b)
{
    return a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds && a->counter == b->counter;
}

int cc_source_open(struct cc_source *source, struct diag *d)
{
    struct cc_stamp stamp;
    struct stat st = {0};

    if (source->db != NULL)
        return 0;
    /* A file that is replaced between the two is not taken for the same. */
    stat(source->path, &st);
    source->db = db_open(source->path, source->kind, d);
    /* Tables are read once from end to end: a small cache (in KiB) that stays
       in that of the processor is the fastest.  In a transaction: another run
       may be added to the database while it is read. */
    if (source->db == NULL ||
        db_exec(source->db, "PRAGMA cache_size = -200; BEGIN", d) != 0 ||
        take_stamp(source, &st, &stamp, d) != 0)
        return -1;
    if (source->was_open && !is_same(&source->stamp, &stamp))
        return diag_set(d, "%s: it changed while it was read", source->path);
    source->stamp = stamp;
    source->was_open = true;
    return 0;
}

void cc_source_rest(struct cc_source *source)
{
    if (source->stays_open)
        return;
    db_close(source->db);
    source->db = NULL;
}

int cc_source_find(const struct cc_source *source, struct ids *ids, int64_t id,
                   uint32_t *number, const char *what, struct diag *d)
{
    return ids_find(ids, id, number) ? 0 : db_damaged(source->db, what, d);
}

static void close_source(struct cc_source *source)
{
    db_close(source->db);
    source->db = NULL;
    ids_fini(&source->objects);
    ids_fini(&source->unmatched);
    free(source->runs);
    source->runs = NULL;
    source->n_runs = source->runs_room = 0;
}

/* --- All of them --- */

/* The databases while they are read. */
struct sources {
    struct cc_source *deps, *statics;
};

/* How many databases stay open: half of the files that may be open. */
static size_t find_room(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / 2 : 0;
}

static int open_list(struct cc_source *sources, char *const *paths, size_t n,
                     enum db_kind kind, size_t *room, struct diag *d)
{
    for (size_t i = 0; i < n; i++) {
        sources[i].path = paths[i];
        sources[i].kind = kind;
        sources[i].stays_open = *room > 0;
        if (cc_source_open(&sources[i], d) != 0)
            return -1;
        cc_source_rest(&sources[i]);
        *room -= *room > 0;
    }
    return 0;
}

static int open_all(struct sources *s, const struct cc_inputs *in,
                    struct diag *d)
{
    size_t room = find_room();

    if (open_list(s->deps, in->deps, in->n_deps, DB_DEPS, &room, d) != 0)
        return -1;
    return open_list(s->statics, in->statics, in->n_statics, DB_STATIC, &room,
                     d);
}

/* Databases are closed as soon as they are read, with their cache. */
static int read_list(struct cc_data *data, struct cc_source *sources, size_t n,
                     int (*read)(struct cc_data *, struct cc_source *,
                                 const struct cc_inputs *, struct diag *),
                     const struct cc_inputs *in, struct diag *d)
{
    for (size_t i = 0; i < n; i++) {
        if (cc_source_open(&sources[i], d) != 0 ||
            read(data, &sources[i], in, d) != 0)
            return -1;
        close_source(&sources[i]);
    }
    return 0;
}

/* What the second thread reads, and how that went. */
struct reading {
    struct cc_data *data;
    struct sources *s;
    const struct cc_inputs *in;
    int rc;
    struct diag d;
};

static void *read_in_thread(void *argument)
{
    struct reading *r = argument;

    r->rc = read_list(r->data, r->s->statics, r->in->n_statics, cc_read_static,
                      r->in, &r->d);
    return NULL;
}

/* Two threads, one for each kind of database: they share the data, but no
   member that either changes. */
static int read_all(struct cc_data *data, struct sources *s,
                    const struct cc_inputs *in, struct diag *d)
{
    struct reading statics = {.data = data, .s = s, .in = in};
    pthread_t thread;
    bool is_parallel =
        pthread_create(&thread, NULL, read_in_thread, &statics) == 0;
    int rc;

    if (!is_parallel)
        read_in_thread(&statics);
    rc = read_list(data, s->deps, in->n_deps, cc_read_deps, in, d);
    if (is_parallel)
        pthread_join(thread, NULL);
    if (statics.rc != 0)
        *d = statics.d;
    return statics.rc != 0 ? -1 : rc;
}

void cc_write_rebuilt(FILE *out, const struct cc_rebuilt *rebuilt,
                      const struct cc_inputs *in,
                      void (*write)(FILE *out, const char *text))
{
    write(out, in->deps[rebuilt->deps]);
    fputs(": ", out);
    write(out, rebuilt->path);
    fputs(" was rebuilt between the two runs: its build-id is ", out);
    write(out, rebuilt->build_id);
    fputs(" here, and ", out);
    write(out, rebuilt->static_build_id);
    fputs(" in ", out);
    write(out, in->statics[rebuilt->statics]);
}

static void write_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

static int refuse_rebuilt(const struct cc_rebuilt *rebuilt,
                          const struct cc_inputs *in, struct diag *d)
{
    struct memory_stream stream;
    char *text;

    memory_stream_open(&stream);
    cc_write_rebuilt(stream.out, rebuilt, in, write_plain);
    text = memory_stream_close(&stream);
    diag_set(d, "%s", text);
    free(text);
    return -1;
}

/* A deps.db without a counterpart would silently be part of no figure. */
static int check_common(const struct cc_data *data, const struct sources *s,
                        const struct cc_inputs *in, struct diag *d)
{
    for (size_t i = 0; i < in->n_deps; i++) {
        if (cc_objects_in_common(&s->deps[i]))
            continue;
        for (size_t j = 0; j < data->n_rebuilt; j++)
            if (data->rebuilt[j].deps == i)
                return refuse_rebuilt(&data->rebuilt[j], in, d);
        if (in->n_statics == 1)
            return diag_set(d, "%s: no object in common with %s", in->deps[i],
                            in->statics[0]);
        return diag_set(d, "%s: no object in common with any static database",
                        in->deps[i]);
    }
    return 0;
}

static int read_sources(struct cc_data *data, struct sources *s,
                        const struct cc_inputs *in, struct diag *d)
{
    if (open_all(s, in, d) != 0 || cc_read_bounds(data, s->deps, in, d) != 0 ||
        cc_objects_read(data, s->deps, in->n_deps, s->statics, in->n_statics,
                        d) != 0 ||
        check_common(data, s, in, d) != 0)
        return -1;
    return read_all(data, s, in, d);
}

int cc_read(struct cc_data *data, const struct cc_inputs *in, struct diag *d)
{
    struct sources s = {
        .deps = memory_new(in->n_deps, sizeof *s.deps),
        .statics = memory_new(in->n_statics, sizeof *s.statics),
    };
    int rc;

    data->scope = in->has_scope ? in->scope : CC_SCOPE_PROGRAM;
    rc = read_sources(data, &s, in, d);

    assert(rc != 0 || (data->n_objects > 0 && data->n_runs > 0));
    for (size_t i = 0; i < in->n_deps; i++)
        close_source(&s.deps[i]);
    for (size_t i = 0; i < in->n_statics; i++)
        close_source(&s.statics[i]);
    free(s.deps);
    free(s.statics);
    return rc;
}
