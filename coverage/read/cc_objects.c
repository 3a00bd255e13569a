/*
 * cc_objects: which object of a deps.db is which of a static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_objects.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* --- Ids of rows --- */

void cc_ids_add(struct cc_ids *ids, int64_t id, uint32_t number)
{
    ids->entries =
        memory_grow(ids->entries, &ids->capacity, ids->n, sizeof *ids->entries);
    ids->entries[ids->n++] = (struct cc_id){id, number};
}

static int id_order(const void *pa, const void *pb)
{
    const struct cc_id *a = pa, *b = pb;

    return (a->id > b->id) - (a->id < b->id);
}

void cc_ids_sort(struct cc_ids *ids)
{
    for (size_t i = 1; i < ids->n; i++)
        if (ids->entries[i - 1].id > ids->entries[i].id) {
            qsort(ids->entries, ids->n, sizeof *ids->entries, id_order);
            break;
        }
    for (size_t i = 1; i < ids->n; i++)
        assert(ids->entries[i - 1].id <= ids->entries[i].id);
}

struct cc_id *cc_ids_find(struct cc_ids *ids, int64_t id)
{
    const struct cc_id key = {.id = id};
    struct cc_id *found;

    for (size_t i = ids->at; i < ids->n && i < ids->at + 2; i++)
        if (ids->entries[i].id == id) {
            ids->at = i;
            return &ids->entries[i];
        }
    if (ids->n == 0)
        return NULL;
    found = bsearch(&key, ids->entries, ids->n, sizeof key, id_order);
    assert(ids->entries[0].id <= ids->entries[ids->n - 1].id);
    if (found != NULL)
        ids->at = (size_t)(found - ids->entries);
    return found;
}

void cc_ids_fini(struct cc_ids *ids)
{
    free(ids->entries);
    *ids = (struct cc_ids){0};
}

/* --- Objects --- */

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
    size_t n, capacity;
};

static int candidate_order(const void *pa, const void *pb)
{
    const struct candidate *a = pa, *b = pb;
    int by = strcmp(a->build_id, b->build_id);

    if (by == 0)
        by = (a->n_blocks < b->n_blocks) - (a->n_blocks > b->n_blocks);
    if (by == 0)
        by = (a->source > b->source) - (a->source < b->source);
    if (by == 0)
        by = (a->static_id > b->static_id) - (a->static_id < b->static_id);
    return by;
}

static int build_id_order(const void *key, const void *candidate)
{
    return strcmp(key, ((const struct candidate *)candidate)->build_id);
}

static struct candidate *find_candidate(const struct candidates *c,
                                        const char *build_id)
{
    if (c->n == 0 || build_id == NULL)
        return NULL;
    return bsearch(build_id, c->list, c->n, sizeof *c->list, build_id_order);
}

/* staticdeps writes down the path that it was given; depsim, where the file
   is.  The caller frees. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real != NULL ? real : memory_text(path);
}

static int read_static(struct candidates *c, struct cc_source *source,
                       size_t number, struct diag *d)
{
    struct db_query *q = db_prepare(
        source->db,
        "SELECT object_id, build_id, coalesce(n_blocks, 0), path FROM object"
        " LEFT JOIN (SELECT object_id, count(*) AS n_blocks FROM block"
        " GROUP BY object_id) USING(object_id)",
        d);
    int rc;

    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        int64_t id = db_int(q, 0);
        const char *build_id = db_text(q, 1), *path = db_text(q, 3);

        cc_ids_add(&source->objects, id, CC_NONE);
        if (build_id == NULL || build_id[0] == '\0')
            continue;
        c->list = memory_grow(c->list, &c->capacity, c->n, sizeof *c->list);
        c->list[c->n++] = (struct candidate){memory_text(build_id),
                                             resolve(path != NULL ? path : ""),
                                             number,
                                             id,
                                             db_count(q, 2),
                                             CC_NONE};
    }
    db_query_free(q);
    cc_ids_sort(&source->objects);
    return rc;
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

    if (c->n > 1)
        qsort(c->list, c->n, sizeof *c->list, candidate_order);
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

static int read_deps(struct cc_data *data, const struct candidates *c,
                     struct cc_source *source, size_t number, struct diag *d)
{
    struct db_query *q = db_prepare(
        source->db,
        "SELECT object_id, path, build_id FROM object ORDER BY object_id", d);
    int rc;

    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        int64_t id = db_int(q, 0);
        const char *path = db_text(q, 1), *build_id = db_text(q, 2);
        struct candidate *match = find_candidate(c, build_id);

        if (match != NULL && match->object == CC_NONE)
            match->object =
                cc_add_object(data, path != NULL ? path : "", build_id);
        if (match == NULL && path != NULL && build_id != NULL &&
            build_id[0] != '\0')
            look_for_rebuilt(data, c, number, path, build_id);
        cc_ids_add(&source->objects, id,
                   match != NULL ? match->object : CC_NONE);
        if (match == NULL)
            cc_ids_add(&source->strangers, id,
                       cc_add_stranger(data, path != NULL ? path : ""));
    }
    db_query_free(q);
    cc_ids_sort(&source->objects);
    cc_ids_sort(&source->strangers);
    return rc;
}

static int read_all(struct cc_data *data, struct candidates *c,
                    struct cc_source *deps, size_t n_deps,
                    struct cc_source *statics, size_t n_statics, struct diag *d)
{
    for (size_t i = 0; i < n_statics; i++) {
        if (cc_source_open(&statics[i], d) != 0 ||
            read_static(c, &statics[i], i, d) != 0)
            return -1;
        cc_source_rest(&statics[i]);
    }
    keep_best(c);
    for (size_t i = 0; i < n_deps; i++) {
        if (cc_source_open(&deps[i], d) != 0 ||
            read_deps(data, c, &deps[i], i, d) != 0)
            return -1;
        cc_source_rest(&deps[i]);
    }
    for (size_t i = 0; i < c->n; i++)
        cc_ids_find(&statics[c->list[i].source].objects, c->list[i].static_id)
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
    for (size_t i = 0; i < source->objects.n; i++)
        if (source->objects.entries[i].number != CC_NONE)
            return true;
    return false;
}

bool cc_object_find(struct cc_source *source, int64_t id, uint32_t *object)
{
    const struct cc_id *entry = cc_ids_find(&source->objects, id);

    if (entry == NULL)
        return false;
    *object = entry->number;
    return true;
}

uint32_t cc_stranger_find(struct cc_source *source, int64_t id)
{
    const struct cc_id *entry = cc_ids_find(&source->strangers, id);

    assert(entry != NULL);
    return entry->number;
}
