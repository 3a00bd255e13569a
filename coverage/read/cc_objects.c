/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* The objects of all static.db, by rising build-id, and of each build-id the
   best first. */
struct candidates {
    struct candidate {
        char *build_id;
        char *path;    /* as deps.db would have it */
        size_t source; /* which static.db */
        int64_t static_id;
        uint64_t n_blocks;
        uint32_t object;
    } * list;
    size_t n, room;
};

static int candidate_order(const void *pa, const void *pb)
{
    const struct candidate *a = pa, *b = pb;

    return strcmp(a->build_id, b->build_id)
               ?: array_order(b->n_blocks, a->n_blocks)
               ?: array_order(a->source, b->source)
               ?: array_order(a->static_id, b->static_id);
}

static int build_id_order(const void *key, const void *candidate)
{
    return strcmp(key, ((const struct candidate *)candidate)->build_id);
}

static struct candidate *find_candidate(const struct candidates *c,
                                        const char *build_id)
{
    return build_id != NULL
               ? array_find(build_id, c->list, c->n, build_id_order)
               : NULL;
}

/* staticdeps writes down the path that it was given; depsim, where the file
   is.  The caller frees. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real != NULL ? real : memory_text(path);
}

/* Where rows come from and go to. */
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
    const char *build_id = db_text(q, 1), *path = db_text(q, 3);

    (void)d;
    ids_add(&r->source->objects, id, CC_NONE);
    if (build_id != NULL && build_id[0] != '\0')
        array_push(c->list, c->n, c->room,
                   (struct candidate){memory_text(build_id),
                                      resolve(path != NULL ? path : ""),
                                      r->number, id, db_count(q, 2), CC_NONE});
    return 0;
}

static void free_candidate(struct candidate *c)
{
    free(c->build_id);
    free(c->path);
}

/* Leaves one candidate for each build-id. */
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

/* Is the path that of a relative one, seen from another directory? */
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
   Then it was built again between the two. */
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
    struct candidate *match = find_candidate(r->candidates, build_id);

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
static int read_sources(struct cc_data *data, struct candidates *c,
                        struct cc_source *sources, size_t n, const char *sql,
                        int (*take)(void *, struct db_query *, struct diag *),
                        struct diag *d)
{
    for (size_t i = 0; i < n; i++) {
        struct reader r = {data, c, &sources[i], i};

        if (cc_source_open(&sources[i], d) != 0 ||
            db_rows(sources[i].db, sql, DB_NO_VALUES, take, &r, d) != 0)
            return -1;
        ids_sort(&sources[i].objects);
        ids_sort(&sources[i].unmatched);
        cc_source_rest(&sources[i]);
    }
    return 0;
}

static int read_all(struct cc_data *data, struct candidates *c,
                    struct cc_source *deps, size_t n_deps,
                    struct cc_source *statics, size_t n_statics, struct diag *d)
{
    if (read_sources(data, c, statics, n_statics,
                     "SELECT object_id, build_id, coalesce(n_blocks, 0), path"
                     " FROM object LEFT JOIN (SELECT object_id, count(*) AS"
                     " n_blocks FROM block GROUP BY object_id)"
                     " USING(object_id)",
                     take_static, d) != 0)
        return -1;
    keep_best(c);
    if (read_sources(data, c, deps, n_deps,
                     "SELECT object_id, path, build_id FROM object"
                     " ORDER BY object_id",
                     take_deps, d) != 0)
        return -1;
    for (size_t i = 0; i < c->n; i++)
        ids_entry(&statics[c->list[i].source].objects, c->list[i].static_id)
            ->number = c->list[i].object;
    return 0;
}

int cc_objects_read(struct cc_data *data, struct cc_source *deps, size_t n_deps,
                    struct cc_source *statics, size_t n_statics, struct diag *d)
{
    struct candidates c = {0};
    int rc;

    assert(data->n_objects == 0 && n_deps > 0 && n_statics > 0);
    rc = read_all(data, &c, deps, n_deps, statics, n_statics, d);
    for (size_t i = 0; i < c.n; i++)
        free_candidate(&c.list[i]);
    free(c.list);
    return rc;
}

bool cc_objects_in_common(const struct cc_source *source)
{
    for (size_t i = 0; i < source->objects.n_entries; i++)
        if (source->objects.entries[i].number != CC_NONE)
            return true;
    return false;
}
