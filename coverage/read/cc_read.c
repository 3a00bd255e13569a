/*
 * cc_read: from the databases to cc_data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_read.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "db.h"
#include "memory.h"

/* The databases while they are read. */
struct sources {
    struct cc_source *deps, *statics;
};

static void close_source(struct cc_source *source)
{
    db_close(source->db);
    source->db = NULL;
    cc_ids_fini(&source->objects);
    cc_ids_fini(&source->strangers);
    free(source->runs);
    source->runs = NULL;
    source->n_runs = source->runs_room = 0;
}

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
