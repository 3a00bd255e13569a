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
        };

        if (!cc_object_find(map, db_int(q, 1), &block.object))
            return diag_set(d, "%s: damaged database: a block of no object",
                            path);
        if (block.end < block.start)
            return diag_set(d,
                            "%s: damaged database: a block ends before it "
                            "starts",
                            path);
        if (block.object != CC_NONE)
            entry.number = cc_add_block(data, block);
        list->entries = memory_grow(list->entries, &list->capacity, list->n,
                                    sizeof *list->entries);
        list->entries[list->n++] = entry;
    }
    return rc;
}

/* Both the rows and the list come in the order of block ids. */
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

        while (at < list->n && list->entries[at].id < id)
            at++;
        if (at == list->n || list->entries[at].id != id)
            return diag_set(d, "%s: damaged database: a dependency of no block",
                            path);
        prediction.block = list->entries[at].number;
        if (prediction.block != CC_NONE)
            cc_add_prediction(data, prediction);
    }
    return rc;
}

int cc_load_static(struct cc_data *data, struct db *db, const char *path,
                   const struct cc_object_map *map, struct diag *d)
{
    struct block_list list = {0};
    struct db_query *blocks, *deps = NULL;
    int rc = -1;

    blocks = db_prepare(db,
                        "SELECT block_id, object_id, start, \"end\","
                        " instructions, status FROM block ORDER BY block_id",
                        d);
    if (blocks != NULL)
        deps = db_prepare(db,
                          "SELECT block_id, src, dst, src_index, dst_index,"
                          " delta_k FROM dep ORDER BY block_id",
                          d);
    if (deps != NULL && load_blocks(data, &list, blocks, path, map, d) == 0)
        rc = load_predictions(data, &list, deps, path, d);
    db_query_free(blocks);
    db_query_free(deps);
    free(list.entries);
    return rc;
}
