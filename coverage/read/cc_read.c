/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cc_read.h"

#include <pthread.h>
#include <sys/resource.h>

#include "file.h"

/* --- A database that is closed and opened again --- */

int cc_source_open(struct cc_source *source, struct diag *d)
{
    struct cc_stamp stamp = {0};

    if (source->db != NULL)
        return 0;
    /* The stamp is taken first: a file replaced before db_open then differs. */
    stat(source->path, &stamp.file);
    source->db = db_open(source->path, source->kind, d);
    /* Tables are read once from end to end: a small cache (in KiB) that stays
       in that of the processor is the fastest.  In a transaction: another run
       may be added to the database while it is read. */
    if (source->db == NULL ||
        db_exec(source->db, "PRAGMA cache_size = -200; BEGIN", d) != 0 ||
        db_change_counter(source->db, &stamp.counter, d) != 0)
        return -1;
    /* Limit: a change that is still in a write-ahead log, which none of our
       programs uses, goes unnoticed. */
    if (source->was_open && (source->stamp.counter != stamp.counter ||
                             !file_is_same(&source->stamp.file, &stamp.file)))
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

/* All databases that are read. */
struct sources {
    struct cc_data *data;
    const struct cc_inputs *in;
    struct cc_source *deps, *statics;
};

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

/* --- The objects in common --- */

/* The objects of all static.db, by rising build-id, the best of each first. */
struct candidates {
    struct candidate {
        char *build_id;
        char *path;    /* resolved, as in deps.db */
        size_t source; /* which static.db */
        int64_t static_id;
        uint64_t n_blocks;
        uint32_t object;
    } * list;
    size_t n, room;
};

ARRAY_ORDER(candidate_order, struct candidate,
            strcmp(a->build_id, b->build_id)
                ?: array_order(b->n_blocks, a->n_blocks)
                ?: array_order(a->source, b->source)
                ?: array_order(a->static_id, b->static_id))

static int build_id_order(const void *key, const void *candidate)
{
    return strcmp(key, ((const struct candidate *)candidate)->build_id);
}

/* Where rows of objects come from and what they are added to. */
struct reader {
    struct cc_data *data;
    struct candidates *candidates;
    struct cc_source *source;
    size_t number; /* of the source among those of its kind */
};

static int take_static(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    struct candidates *c = r->candidates;
    int64_t id = db_int(q, 0);
    const char *build_id = db_text(q, 1), *path = db_text(q, 3) ?: "";

    (void)d;
    ids_add(&r->source->objects, id, CC_NONE);
    /* staticdeps writes down the path that it was given, depsim where the file
       is. */
    if (build_id != NULL && build_id[0] != '\0')
        array_push(c->list, c->n, c->room,
                   (struct candidate){memory_text(build_id),
                                      realpath(path, NULL) ?: memory_text(path),
                                      r->number, id, db_count(q, 2), CC_NONE});
    return 0;
}

static void free_candidate(struct candidate *c)
{
    free(c->build_id);
    free(c->path);
}

/* Leaves the best candidate of each build-id. */
static void keep_best(struct candidates *c)
{
    size_t n = 0;

    array_sort(c->list, c->n, candidate_order);
    for (size_t i = 0; i < c->n; i++)
        if (n > 0 && strcmp(c->list[n - 1].build_id, c->list[i].build_id) == 0)
            free_candidate(&c->list[i]);
        else
            c->list[n++] = c->list[i];
    for (size_t i = 1; i < n; i++)
        assert(strcmp(c->list[i - 1].build_id, c->list[i].build_id) < 0);
    c->n = n;
}

/* Is `path` the relative path `end`, seen from another directory? */
static bool ends_with_path(const char *path, const char *end)
{
    size_t n = strlen(path), m;

    while (strncmp(end, "./", 2) == 0)
        end += 2;
    m = strlen(end);
    return end[0] != '/' && m > 0 && n > m && path[n - m - 1] == '/' &&
           strcmp(path + n - m, end) == 0;
}

/* Has a static.db another build of an object of a deps.db that has no match?
   Then the object was built again between the two. */
static void look_for_rebuilt(struct cc_data *data, const struct candidates *c,
                             size_t number, const char *path,
                             const char *build_id)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct candidate *other = &c->list[i];

        if (strcmp(other->path, path) != 0 &&
            !ends_with_path(path, other->path))
            continue;
        cc_add_rebuilt(data, (struct cc_rebuilt){
                                 .deps = (uint32_t)number,
                                 .statics = (uint32_t)other->source,
                                 .path = (char *)path,
                                 .build_id = (char *)build_id,
                                 .static_build_id = other->build_id,
                             });
        return;
    }
}

static int take_deps(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    int64_t id = db_int(q, 0);
    const char *path = db_text(q, 1), *build_id = db_text(q, 2);
    struct candidate *match = build_id != NULL
                                  ? array_find(build_id, r->candidates->list,
                                               r->candidates->n, build_id_order)
                                  : NULL;

    (void)d;
    if (match != NULL && match->object == CC_NONE)
        match->object =
            cc_add_object(r->data, path != NULL ? path : "", build_id);
    if (match == NULL && path != NULL && build_id != NULL &&
        build_id[0] != '\0')
        look_for_rebuilt(r->data, r->candidates, r->number, path, build_id);
    ids_add(&r->source->objects, id, match != NULL ? match->object : CC_NONE);
    if (match == NULL)
        ids_add(&r->source->unmatched, id,
                cc_add_unmatched(r->data, path != NULL ? path : ""));
    return 0;
}

/* Reads the objects of all databases of one kind. */
static int read_list_objects(struct reader r, struct cc_source *sources,
                             size_t n, const char *sql, db_take *take,
                             struct diag *d)
{
    for (r.number = 0; r.number < n; r.number++) {
        r.source = &sources[r.number];
        if (cc_source_open(r.source, d) != 0 ||
            db_rows(r.source->db, sql, DB_NO_VALUES, take, &r, d) != 0)
            return -1;
        ids_sort(&r.source->objects);
        ids_sort(&r.source->unmatched);
        cc_source_rest(r.source);
    }
    return 0;
}

/* Adds the objects in common to the data and fills the sources' objects. */
static int read_objects(struct sources *s, struct diag *d)
{
    struct candidates c = {0};
    struct reader r = {.data = s->data, .candidates = &c};
    int rc = read_list_objects(
        r, s->statics, s->in->n_statics,
        "SELECT object_id, build_id, coalesce(n_blocks, 0), path"
        " FROM object LEFT JOIN (SELECT object_id, count(*) AS n_blocks"
        " FROM block GROUP BY object_id) USING(object_id)",
        take_static, d);

    assert(s->data->n_objects == 0);
    keep_best(&c);
    if (rc == 0)
        rc = read_list_objects(r, s->deps, s->in->n_deps,
                               "SELECT object_id, path, build_id FROM object"
                               " ORDER BY object_id",
                               take_deps, d);
    for (size_t i = 0; i < c.n; i++) {
        assert(c.list[i].object == CC_NONE ||
               c.list[i].object < s->data->n_objects);
        if (rc == 0)
            ids_entry(&s->statics[c.list[i].source].objects,
                      c.list[i].static_id)
                ->number = c.list[i].object;
        free_candidate(&c.list[i]);
    }
    free(c.list);
    return rc;
}

/* Has the database an object in common with the others? */
static bool has_common(const struct cc_source *source)
{
    for (size_t i = 0; i < source->objects.n_entries; i++)
        if (source->objects.entries[i].number != CC_NONE)
            return true;
    return false;
}

char *cc_rebuilt_text(const struct cc_rebuilt *rebuilt,
                      const struct cc_inputs *in)
{
    return memory_printf("%s: %s was rebuilt between the two runs: its build-id"
                         " is %s here, and %s in %s",
                         in->deps[rebuilt->deps], rebuilt->path,
                         rebuilt->build_id, rebuilt->static_build_id,
                         in->statics[rebuilt->statics]);
}

/* A deps.db without a counterpart would silently be part of no figure. */
static int check_common(const struct sources *s, struct diag *d)
{
    const struct cc_data *data = s->data;
    const struct cc_inputs *in = s->in;

    for (size_t i = 0; i < in->n_deps; i++) {
        if (has_common(&s->deps[i]))
            continue;
        for (size_t j = 0; j < data->n_rebuilt; j++)
            if (data->rebuilt[j].deps == i) {
                AUTO_FREE char *text = cc_rebuilt_text(&data->rebuilt[j], in);
                return diag_set(d, "%s", text);
            }
        if (in->n_statics == 1)
            return diag_set(d, "%s: no object in common with %s", in->deps[i],
                            in->statics[0]);
        return diag_set(d, "%s: no object in common with any static database",
                        in->deps[i]);
    }
    return 0;
}

/* --- All that the databases hold --- */

/* Databases are closed as soon as they are read, with their cache. */
static int read_list(const struct sources *s, struct cc_source *sources,
                     size_t n,
                     int (*read)(struct cc_data *, struct cc_source *,
                                 const struct cc_inputs *, struct diag *),
                     struct diag *d)
{
    for (size_t i = 0; i < n; i++) {
        if (cc_source_open(&sources[i], d) != 0 ||
            read(s->data, &sources[i], s->in, d) != 0)
            return -1;
        close_source(&sources[i]);
    }
    return 0;
}

/* What the second thread reads, and whether it succeeded. */
struct reading {
    const struct sources *s;
    int rc;
    struct diag d;
};

static void *read_in_thread(void *argument)
{
    struct reading *r = argument;

    r->rc = read_list(r->s, r->s->statics, r->s->in->n_statics, cc_read_static,
                      &r->d);
    return NULL;
}

/* Two threads, one for each kind of database: they share the data, but no
   member that either of them changes. */
static int read_all(const struct sources *s, struct diag *d)
{
    struct reading statics = {.s = s};
    pthread_t thread;
    bool is_parallel =
        pthread_create(&thread, NULL, read_in_thread, &statics) == 0;

    if (!is_parallel)
        read_in_thread(&statics);
    int rc = read_list(s, s->deps, s->in->n_deps, cc_read_deps, d);
    if (is_parallel)
        pthread_join(thread, NULL);
    if (statics.rc != 0)
        *d = statics.d;
    return statics.rc != 0 ? -1 : rc;
}

static int read_sources(struct sources *s, struct diag *d)
{
    const struct cc_inputs *in = s->in;
    struct rlimit limit;
    /* How many databases stay open: half of the files that may be open. */
    size_t room =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / 2 : 0;

    if (open_list(s->deps, in->deps, in->n_deps, DB_DEPS, &room, d) != 0 ||
        open_list(s->statics, in->statics, in->n_statics, DB_STATIC, &room,
                  d) != 0 ||
        cc_read_bounds(s->data, s->deps, in, d) != 0 ||
        read_objects(s, d) != 0 || check_common(s, d) != 0)
        return -1;
    return read_all(s, d);
}

int cc_read(struct cc_data *data, const struct cc_inputs *in, struct diag *d)
{
    struct sources s = {
        .data = data,
        .in = in,
        .deps = memory_new(in->n_deps, sizeof *s.deps),
        .statics = memory_new(in->n_statics, sizeof *s.statics),
    };

    assert(in->n_deps > 0 && in->n_statics > 0);
    data->scope = in->has_scope ? in->scope : CC_SCOPE_PROGRAM;
    int rc = read_sources(&s, d);
    assert(rc != 0 || (data->n_objects > 0 && data->n_runs > 0));
    for (size_t i = 0; i < in->n_deps; i++)
        close_source(&s.deps[i]);
    for (size_t i = 0; i < in->n_statics; i++)
        close_source(&s.statics[i]);
    free(s.deps);
    free(s.statics);
    return rc;
}
