/*
 * cc_read_static: blocks and predictions, from static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "read/cc_read.h"
#include "db.h"
#include "memory.h"

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    struct cc_ids blocks; /* CC_NONE: of an object that is not in common */
    bool knows_bases;     /* it has the table access */
};

static int damaged(const struct reader *r, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", r->source->path, what);
}

static int read_block(struct reader *r, struct db_query *q, struct diag *d)
{
    const char *status = db_text(q, 5), *function = db_text(q, 6);
    uint32_t number = CC_NONE;
    struct cc_block block = {
        .start = (uint64_t)db_int(q, 2),
        .end = (uint64_t)db_int(q, 3),
        .n_instructions = db_count(q, 4),
        .analysed = status != NULL && strcmp(status, "ok") == 0,
        .follows_itself = db_int(q, 7) != 0,
        .function = CC_NONE,
    };

    if (!cc_object_find(r->source, db_int(q, 1), &block.object))
        return damaged(r, "a block without an object", d);
    if (block.end < block.start)
        return damaged(r, "a block ends before it starts", d);
    if (block.object != CC_NONE) {
        if (function != NULL)
            block.function = cc_add_function(r->data, block.object, function);
        number = cc_add_block(r->data, block);
    }
    cc_ids_add(&r->blocks, db_int(q, 0), number);
    return 0;
}

#define BLOCKS(follows_itself)                                          \
    "SELECT block_id, object_id, start, \"end\", instructions, status," \
    " function, " follows_itself " FROM block ORDER BY block_id"

/* In order, because adjacent blocks share their function. */
static int read_blocks(struct reader *r, struct diag *d)
{
    struct db_query *q;
    bool has_jumps;
    int rc;

    if (db_has_column(r->source->db, "block", "follows_itself", &has_jumps,
                      d) != 0)
        return -1;
    q = db_prepare(r->source->db,
                   has_jumps ? BLOCKS("follows_itself") : BLOCKS("0"), d);
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1)
        if (read_block(r, q, d) != 0) {
            rc = -1;
            break;
        }
    db_query_free(q);
    cc_ids_sort(&r->blocks);
    return rc;
}

static int take_prediction(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    const struct cc_id *block = cc_ids_find(&r->blocks, db_row_int(row, 0));
    struct cc_prediction prediction = {
        .src = (uint64_t)db_row_int(row, 1),
        .dst = (uint64_t)db_row_int(row, 2),
        .src_index = db_row_count(row, 3),
        .dst_index = db_row_count(row, 4),
        .delta_k = db_row_count(row, 5),
        .support = db_row_share(row, 6),
    };

    if (block == NULL)
        return damaged(r, "a dependency without a block", d);
    prediction.block = prediction.dst_block = block->number;
    if (prediction.block != CC_NONE)
        cc_add_prediction(r->data, prediction);
    return 0;
}

static int take_unknown(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    const struct cc_id *block = cc_ids_find(&r->blocks, db_row_int(row, 0));
    struct cc_unknown unknown = {
        .address = (uint64_t)db_row_int(row, 1),
        .loads = db_row_int(row, 2) != 0,
        .stores = db_row_int(row, 3) != 0,
    };

    if (block == NULL)
        return damaged(r, "an unknown address without a block", d);
    unknown.block = block->number;
    if (unknown.block != CC_NONE)
        cc_add_unknown(r->data, unknown);
    return 0;
}

static int take_access(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    const struct cc_id *block = cc_ids_find(&r->blocks, db_row_int(row, 0));
    struct cc_access access = {
        .address = (uint64_t)db_row_int(row, 1),
        .stores = db_row_int(row, 2) != 0,
        .base = db_row_count(row, 3),
        .is_loaded = db_row_int(row, 4) != 0,
    };

    if (block == NULL)
        return damaged(r, "an access without a block", d);
    access.block = block->number;
    if (access.block != CC_NONE)
        cc_add_access(r->data, access);
    return 0;
}

static int scan(struct reader *r, const char *sql,
                int (*take)(void *, struct db_row *, struct diag *),
                struct diag *d)
{
    struct db_query *q = db_prepare(r->source->db, sql, d);
    int rc = q != NULL ? db_scan(q, take, r, d) : -1;

    db_query_free(q);
    return rc;
}

/* How far blocks were unrolled; 0 where the database does not say. */
static int read_rob(struct db *db, uint64_t *rob, struct diag *d)
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

/* Which blocks were wanted; NULL where all were.  The caller frees it. */
static int read_filter(struct db *db, char **filter, struct diag *d)
{
    struct db_query *q = db_prepare(
        db,
        "SELECT group_concat(value, ' ') FROM (SELECT value FROM analysis"
        " WHERE key GLOB 'filter:*' ORDER BY length(key), key)",
        d);
    int rc;

    *filter = NULL;
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1)
        if (db_text(q, 0) != NULL)
            *filter = memory_text(db_text(q, 0));
    db_query_free(q);
    return rc;
}

static int set_objects(struct cc_data *data, struct cc_source *source,
                       const char *filter, uint64_t rob, bool knows_bases,
                       struct diag *d)
{
    struct db_query *q;
    int rc;

    q = db_prepare(source->db,
                   "SELECT object_id, path, arch FROM object"
                   " ORDER BY object_id",
                   d);
    if (q == NULL)
        return -1;
    while ((rc = db_step(q, d)) == 1) {
        const char *path = db_text(q, 1), *arch = db_text(q, 2);
        uint32_t object;

        if (!cc_object_find(source, db_int(q, 0), &object) || object == CC_NONE)
            continue;
        cc_set_static(&data->objects[object], path != NULL ? path : "",
                      arch != NULL ? arch : "", filter, rob);
        data->objects[object].knows_bases = knows_bases;
        data->objects[object].is_walked = db_kind(source->db) == DB_WALKS;
        data->objects[object].analysis = data->n_analyses;
    }
    db_query_free(q);
    return rc;
}

static int read_objects(struct cc_data *data, struct cc_source *source,
                        bool knows_bases, struct diag *d)
{
    bool is_walked = db_kind(source->db) == DB_WALKS;
    uint64_t rob = 0;
    char *filter;
    int rc;

    if ((!is_walked && read_rob(source->db, &rob, d) != 0) ||
        read_filter(source->db, &filter, d) != 0)
        return -1;
    rc = set_objects(data, source, filter, rob, knows_bases, d);
    free(filter);
    return rc;
}

static int read_rows(struct reader *r, struct diag *d)
{
    if (read_blocks(r, d) != 0 ||
        scan(r,
             "SELECT each(block_id, src, dst, src_index, dst_index, delta_k,"
             " support) FROM dep",
             take_prediction, d) != 0)
        return -1;
    if (scan(r,
             "SELECT each(block_id, address, loads, stores)"
             " FROM unknown_address",
             take_unknown, d) != 0)
        return -1;
    if (!r->knows_bases)
        return 0;
    return scan(r,
                "SELECT each(block_id, address, stores, base, loaded)"
                " FROM access",
                take_access, d);
}

/* What is scored reaches as far as all databases do, or as far as was asked
   for. */
static int set_scope(struct cc_data *data, const struct cc_source *source,
                     const struct cc_inputs *in, struct diag *d)
{
    char name[CC_SCOPE_NAME];
    enum cc_scope scope;

    if (cc_read_scope(source, &scope, name, d) != 0)
        return -1;
    if (scope < data->scope && in->has_scope)
        return diag_set(d,
                        "%s: made with --scope=%s, which is too narrow for"
                        " --scope=%s",
                        source->path, name, cc_scope_name(in->scope));
    if (scope < data->scope)
        data->scope = scope;
    return 0;
}

int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d)
{
    struct reader r = {.data = data, .source = source};
    int rc;

    bool is_walked = db_kind(source->db) == DB_WALKS;

    data->n_analyses++;
    if (set_scope(data, source, in, d) != 0 ||
        db_has_column(source->db, "access", is_walked ? "made" : "base",
                      &r.knows_bases, d) != 0 ||
        read_objects(data, source, r.knows_bases, d) != 0)
        return -1;
    if (is_walked)
        return cc_read_walks(data, source, r.knows_bases, d);
    rc = read_rows(&r, d);
    cc_ids_fini(&r.blocks);
    return rc;
}
