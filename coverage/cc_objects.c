/*
 * cc_objects: which object of deps.db is which of static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_objects.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* One object of static.db for each build-id, by rising build-id. */
struct candidates {
    struct candidate {
        char *build_id;
        int64_t static_id;
        uint32_t object;
    } * list;
    size_t n, capacity;
};

static void map_add(struct cc_object_map *map, int64_t id, uint32_t object)
{
    map->entries =
        memory_grow(map->entries, &map->capacity, map->n, sizeof *map->entries);
    map->entries[map->n++] = (struct cc_object_entry){id, object};
}

static int id_order(const void *pa, const void *pb)
{
    const struct cc_object_entry *a = pa, *b = pb;

    return (a->id > b->id) - (a->id < b->id);
}

static struct cc_object_entry *map_find(const struct cc_object_map *map,
                                        int64_t id)
{
    const struct cc_object_entry key = {.id = id};

    if (map->n == 0)
        return NULL;
    return bsearch(&key, map->entries, map->n, sizeof key, id_order);
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

static const char static_sql[] =
    "SELECT object_id, build_id FROM object LEFT JOIN"
    " (SELECT object_id, count(*) AS n_blocks FROM block GROUP BY object_id)"
    " USING(object_id) ORDER BY build_id, n_blocks DESC, object_id";

static int load_static(struct candidates *c, struct cc_object_map *map,
                       struct db *statics, struct diag *d)
{
    struct db_query *q = db_prepare(statics, static_sql, d);
    int rc;

    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        int64_t id = db_int(q, 0);
        const char *build_id = db_text(q, 1);

        map_add(map, id, CC_NONE);
        if (build_id == NULL || build_id[0] == '\0' ||
            (c->n > 0 && strcmp(c->list[c->n - 1].build_id, build_id) == 0))
            continue;
        c->list = memory_grow(c->list, &c->capacity, c->n, sizeof *c->list);
        c->list[c->n++] =
            (struct candidate){memory_text(build_id), id, CC_NONE};
    }
    db_query_free(q);
    if (map->n > 1)
        qsort(map->entries, map->n, sizeof *map->entries, id_order);
    return rc;
}

static int load_deps(struct cc_data *data, const struct candidates *c,
                     struct cc_object_map *map, struct db *deps, struct diag *d)
{
    struct db_query *q = db_prepare(
        deps, "SELECT object_id, path, build_id FROM object ORDER BY object_id",
        d);
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
        map_add(map, id, match != NULL ? match->object : CC_NONE);
    }
    db_query_free(q);
    return rc;
}

int cc_objects_load(struct cc_data *data, struct db *deps, struct db *statics,
                    struct cc_object_map *deps_map,
                    struct cc_object_map *static_map, struct diag *d)
{
    struct candidates c = {0};
    int rc = load_static(&c, static_map, statics, d);

    if (rc == 0)
        rc = load_deps(data, &c, deps_map, deps, d);
    for (size_t i = 0; i < c.n; i++) {
        if (rc == 0)
            map_find(static_map, c.list[i].static_id)->object =
                c.list[i].object;
        free(c.list[i].build_id);
    }
    free(c.list);
    return rc;
}

bool cc_object_find(const struct cc_object_map *map, int64_t id,
                    uint32_t *object)
{
    const struct cc_object_entry *entry = map_find(map, id);

    if (entry == NULL)
        return false;
    *object = entry->object;
    return true;
}

void cc_object_map_fini(struct cc_object_map *map)
{
    free(map->entries);
    *map = (struct cc_object_map){0};
}
