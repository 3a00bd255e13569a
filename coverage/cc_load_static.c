/*
 * cc_load_static: blocks and predictions, from static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "cc_load.h"
#include "db.h"
#include "memory.h"

/* All blocks of the database, by rising id, and their numbers in the data;
   CC_NONE for those of objects that are not in common. */
struct block_list {
    struct block_entry {
        int64_t id;
        uint32_t number;
    } * entries;
    size_t n, capacity;
};

static int load_blocks(struct cc_data *data, struct block_list *list,
                       struct db_query *q, const char *path,
                       const struct cc_object_map *map, struct diag *d)
{
    int rc;

    while ((rc = db_step(q, d)) == 1) {
        const char *status = db_text(q, 5);
        struct block_entry entry = {db_int(q, 0), CC_NONE};
        struct cc_block block = {
            .start = (uint64_t)db_int(q, 2),
            .end = (uint64_t)db_int(q, 3),
            .n_instructions = db_count(q, 4),
            .analysed = status != NULL && strcmp(status, "ok") == 0,
            .function = CC_NONE,
        };
        const char *function = db_text(q, 6);

        if (!cc_object_find(map, db_int(q, 1), &block.object))
            return diag_set(d, "%s: damaged database: a block of no object",
                            path);
        if (block.end < block.start)
            return diag_set(d,
                            "%s: damaged database: a block ends before it "
                            "starts",
                            path);
        if (block.object != CC_NONE) {
            if (function != NULL)
                block.function = cc_add_function(data, block.object, function);
            entry.number = cc_add_block(data, block);
        }
        list->entries = memory_grow(list->entries, &list->capacity, list->n,
                                    sizeof *list->entries);
        list->entries[list->n++] = entry;
    }
    return rc;
}

/* The number in the data of a block that a row names.  The rows come in the
   order of block ids, as the list does; *at is where the last was found. */
static bool find_block(const struct block_list *list, size_t *at, int64_t id,
                       uint32_t *number)
{
    while (*at < list->n && list->entries[*at].id < id)
        ++*at;
    if (*at == list->n || list->entries[*at].id != id)
        return false;
    *number = list->entries[*at].number;
    return true;
}

static int load_unknowns(struct cc_data *data, const struct block_list *list,
                         struct db_query *q, const char *path, struct diag *d)
{
    size_t at = 0;
    int rc;

    while ((rc = db_step(q, d)) == 1) {
        int64_t id = db_int(q, 0);
        struct cc_unknown unknown = {
            .address = (uint64_t)db_int(q, 1),
            .loads = db_int(q, 2) != 0,
            .stores = db_int(q, 3) != 0,
        };

        if (!find_block(list, &at, id, &unknown.block))
            return diag_set(
                d, "%s: damaged database: an unknown address of no block",
                path);
        if (unknown.block != CC_NONE)
            cc_add_unknown(data, unknown);
    }
    return rc;
}

static int load_predictions(struct cc_data *data, const struct block_list *list,
                            struct db_query *q, const char *path,
                            struct diag *d)
{
    size_t at = 0;
    int rc;

    while ((rc = db_step(q, d)) == 1) {
        int64_t id = db_int(q, 0);
        struct cc_prediction prediction = {
            .src = (uint64_t)db_int(q, 1),
            .dst = (uint64_t)db_int(q, 2),
            .src_index = db_count(q, 3),
            .dst_index = db_count(q, 4),
            .delta_k = db_count(q, 5),
        };

        if (!find_block(list, &at, id, &prediction.block))
            return diag_set(d, "%s: damaged database: a dependency of no block",
                            path);
        if (prediction.block != CC_NONE)
            cc_add_prediction(data, prediction);
    }
    return rc;
}

/* How far blocks were unrolled; 0 where the database does not say. */
static int load_rob(struct db *db, uint64_t *rob, struct diag *d)
{
    struct db_query *q =
        db_prepare(db, "SELECT value FROM analysis WHERE key = 'rob'", d);
    int rc;

    *rob = 0;
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1)
        *rob = db_count(q, 0);
    db_query_free(q);
    return rc;
}

static int load_objects(struct cc_data *data, struct cc_source *source,
                        struct diag *d)
{
    struct db_query *q;
    uint64_t rob;
    int rc;

    if (load_rob(source->db, &rob, d) != 0)
        return -1;
    q = db_prepare(source->db,
                   "SELECT object_id, path, arch FROM object"
                   " ORDER BY object_id",
                   d);
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        const char *path = db_text(q, 1), *arch = db_text(q, 2);
        uint32_t object;

        if (cc_object_find(&source->map, db_int(q, 0), &object) &&
            object != CC_NONE)
            cc_set_static(&data->objects[object], path != NULL ? path : "",
                          arch != NULL ? arch : "", rob);
    }
    db_query_free(q);
    return rc;
}

/* The rest: blocks, and what belongs to them. */
static int load_code(struct cc_data *data, struct block_list *list,
                     struct cc_source *source, struct db_query *const q[3],
                     struct diag *d)
{
    if (load_blocks(data, list, q[0], source->path, &source->map, d) != 0 ||
        load_predictions(data, list, q[1], source->path, d) != 0)
        return -1;
    return load_unknowns(data, list, q[2], source->path, d);
}

int cc_load_static(struct cc_data *data, struct cc_source *source,
                   struct diag *d)
{
    static const char *const sql[] = {
        "SELECT block_id, object_id, start, \"end\", instructions, status,"
        " function FROM block ORDER BY block_id",
        "SELECT block_id, src, dst, src_index, dst_index, delta_k FROM dep"
        " ORDER BY block_id",
        "SELECT block_id, address, loads, stores FROM unknown_address"
        " ORDER BY block_id",
    };
    struct block_list list = {0};
    struct db_query *q[3] = {NULL};
    int rc = load_objects(data, source, d);

    for (int i = 0; rc == 0 && i < 3; i++)
        if ((q[i] = db_prepare(source->db, sql[i], d)) == NULL)
            rc = -1;
    if (rc == 0)
        rc = load_code(data, &list, source, q, d);
    for (int i = 0; i < 3; i++)
        db_query_free(q[i]);
    free(list.entries);
    return rc;
}
