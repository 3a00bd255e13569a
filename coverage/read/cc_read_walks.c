/*
 * cc_read_walks: functions, blocks and predictions, from a static.db of walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read/cc_read.h"
#include "db.h"

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    struct cc_ids functions, blocks; /* CC_NONE: of an object not in common */
};

static int damaged(const struct cc_source *source, const char *what,
                   struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", source->path, what);
}

/* Without walks, whatever comes between two iterations, a pair lies in one
   block; older databases do not say what their scope was. */
int cc_read_reach(const struct cc_source *source, enum cc_reach *reach,
                  char scope[CC_SCOPE_NAME], struct diag *d)
{
    bool is_known = db_kind(source->db) != DB_WALKS;
    struct db_query *q;
    int rc;

    *reach = CC_REACH_BLOCK;
    snprintf(scope, CC_SCOPE_NAME, "block");
    q = db_prepare(source->db, "SELECT value FROM analysis WHERE key = 'scope'",
                   d);
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        if (db_text(q, 0) != NULL)
            snprintf(scope, CC_SCOPE_NAME, "%s", db_text(q, 0));
        if (db_kind(source->db) == DB_WALKS)
            is_known = cc_reach_parse(scope, reach);
    }
    db_query_free(q);
    if (rc == 0 && !is_known)
        return damaged(source, "an analysis of no scope", d);
    return rc;
}

static int take_function(struct reader *r, struct db_query *q, struct diag *d)
{
    const char *name = db_text(q, 2);
    uint32_t object, number = CC_NONE;
    char address[32];

    if (!cc_object_find(r->source, db_int(q, 1), &object))
        return damaged(r->source, "a function of no object", d);
    if (name == NULL) { /* as a stripped file has it */
        snprintf(address, sizeof address, "0x%" PRIx64, (uint64_t)db_int(q, 3));
        name = address;
    }
    if (object != CC_NONE)
        number = cc_new_function(r->data, object, name);
    cc_ids_add(&r->functions, db_int(q, 0), number);
    return 0;
}

static int take_block(struct reader *r, struct db_query *q, struct diag *d)
{
    const char *status = db_text(q, 6);
    const struct cc_id *function = NULL;
    uint32_t number = CC_NONE;
    struct cc_block block = {
        .start = (uint64_t)db_int(q, 3),
        .end = (uint64_t)db_int(q, 4),
        .n_instructions = db_count(q, 5),
        .analysed = status != NULL && strcmp(status, "ok") == 0,
        .follows_itself = db_int(q, 7) != 0,
        .is_reached = db_int(q, 8) > 0,
        .function = CC_NONE,
    };

    if (!cc_object_find(r->source, db_int(q, 1), &block.object))
        return damaged(r->source, "a block of no object", d);
    if (block.end < block.start)
        return damaged(r->source, "a block ends before it starts", d);
    if (db_int(q, 9) == 0) {
        function = cc_ids_find(&r->functions, db_int(q, 2));
        if (function == NULL)
            return damaged(r->source, "a block of no function", d);
        block.function = function->number;
    }
    if (block.object != CC_NONE) {
        if (block.function != CC_NONE &&
            r->data->functions[block.function].object != block.object)
            return damaged(r->source, "a function of two objects", d);
        number = cc_add_block(r->data, block);
    }
    cc_ids_add(&r->blocks, db_int(q, 0), number);
    return 0;
}

static int read_in_order(struct reader *r, const char *sql, struct cc_ids *ids,
                         int (*take)(struct reader *, struct db_query *,
                                     struct diag *),
                         struct diag *d)
{
    struct db_query *q = db_prepare(r->source->db, sql, d);
    int rc;

    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1)
        if (take(r, q, d) != 0) {
            rc = -1;
            break;
        }
    db_query_free(q);
    cc_ids_sort(ids);
    return rc;
}

static int take_prediction(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    const struct cc_id *src, *dst;
    struct cc_prediction prediction = {
        .src = (uint64_t)db_row_int(row, 2),
        .dst = (uint64_t)db_row_int(row, 3),
        .src_index = db_row_count(row, 4),
        .dst_index = db_row_count(row, 5),
        .delta_k = db_row_count(row, 6),
        .support = db_row_share(row, 8),
    };

    if (db_row_int(row, 7) != 0)
        prediction.delta_k = CC_ANY_DELTA;
    src = cc_ids_find(&r->blocks, db_row_int(row, 0));
    prediction.block = src != NULL ? src->number : CC_NONE;
    dst = cc_ids_find(&r->blocks, db_row_int(row, 1));
    prediction.dst_block = dst != NULL ? dst->number : CC_NONE;
    if (src == NULL || dst == NULL)
        return damaged(r->source, "a dependency of no block", d);
    if (prediction.block != CC_NONE && prediction.dst_block != CC_NONE)
        cc_add_prediction(r->data, prediction);
    return 0;
}

static int read_all(struct reader *r, struct diag *d)
{
    struct db_query *q;
    int rc;

    if (read_in_order(r,
                      "SELECT function_id, object_id, name, start"
                      " FROM function ORDER BY function_id",
                      &r->functions, take_function, d) != 0 ||
        read_in_order(r,
                      "SELECT block_id, object_id, coalesce(function_id, 0),"
                      " start, \"end\", instructions, status, follows_itself,"
                      " walks, function_id IS NULL"
                      " FROM block ORDER BY block_id",
                      &r->blocks, take_block, d) != 0)
        return -1;
    q = db_prepare(r->source->db,
                   "SELECT each(src_block, dst_block, src, dst, src_index,"
                   " dst_index, coalesce(delta_k, 0), delta_k IS NULL, support)"
                   " FROM dep",
                   d);
    rc = q != NULL ? db_scan(q, take_prediction, r, d) : -1;
    db_query_free(q);
    return rc;
}

int cc_read_walks(struct cc_data *data, struct cc_source *source,
                  struct diag *d)
{
    struct reader r = {.data = data, .source = source};
    int rc = read_all(&r, d);

    cc_ids_fini(&r.functions);
    cc_ids_fini(&r.blocks);
    return rc;
}
