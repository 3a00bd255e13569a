/*
 * cc_read_static: blocks and predictions, from static.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "read/cc_read.h"
#include "array.h"
#include "db.h"
#include "memory.h"

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    struct cc_ids blocks; /* CC_NONE: of an object that is not in common */
    bool knows_bases;     /* it has the table access */
};

static int take_block(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
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

    if (cc_find_id(r->source, &r->source->objects, db_int(q, 1), &block.object,
                   "a block without an object", d) != 0)
        return -1;
    if (block.end < block.start)
        return cc_damaged(r->source, "a block ends before it starts", d);
    if (block.object != CC_NONE) {
        if (function != NULL)
            block.function =
                cc_add_function(r->data, block.object, function, db_int(q, 8));
        number = cc_add_block(r->data, block);
    }
    cc_ids_add(&r->blocks, db_int(q, 0), number);
    return 0;
}

#define BLOCKS(follows_itself, function_start)                          \
    "SELECT block_id, object_id, start, \"end\", instructions, status," \
    " function, " follows_itself ", " function_start                    \
    " FROM block ORDER BY block_id"

/* In order, because adjacent blocks share their function. */
static int read_blocks(struct reader *r, struct diag *d)
{
    bool has_jumps, has_starts;
    int rc;

    if (db_has_column(r->source->db, "block", "follows_itself", &has_jumps,
                      d) != 0 ||
        db_has_column(r->source->db, "block", "function_start", &has_starts,
                      d) != 0)
        return -1;
    rc = db_rows(r->source->db,
                 has_starts  ? BLOCKS("follows_itself", "function_start")
                 : has_jumps ? BLOCKS("follows_itself", "-1")
                             : BLOCKS("0", "-1"),
                 DB_NO_VALUES, take_block, r, d);
    cc_ids_sort(&r->blocks);
    return rc;
}

static int find_block(struct reader *r, int64_t id, uint32_t *block,
                      const char *what, struct diag *d)
{
    return cc_find_id(r->source, &r->blocks, id, block, what, d);
}

static int take_prediction(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    struct cc_prediction prediction = {
        .src = (uint64_t)db_row_int(row, 1),
        .dst = (uint64_t)db_row_int(row, 2),
        .src_index = db_row_count(row, 3),
        .dst_index = db_row_count(row, 4),
        .delta_k = db_row_count(row, 5),
        .support = db_row_share(row, 6),
    };

    if (find_block(r, db_row_int(row, 0), &prediction.block,
                   "a dependency without a block", d) != 0)
        return -1;
    prediction.dst_block = prediction.block;
    if (prediction.block != CC_NONE)
        cc_add_prediction(r->data, prediction);
    return 0;
}

static int take_unknown(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    struct cc_unknown unknown = {
        .address = (uint64_t)db_row_int(row, 1),
        .loads = db_row_int(row, 2) != 0,
        .stores = db_row_int(row, 3) != 0,
    };

    if (find_block(r, db_row_int(row, 0), &unknown.block,
                   "an unknown address without a block", d) != 0)
        return -1;
    if (unknown.block != CC_NONE)
        cc_add_unknown(r->data, unknown);
    return 0;
}

static int take_access(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    struct cc_access access = {
        .address = (uint64_t)db_row_int(row, 1),
        .stores = db_row_int(row, 2) != 0,
        .base = db_row_count(row, 3),
        .is_loaded = db_row_int(row, 4) != 0,
    };

    if (find_block(r, db_row_int(row, 0), &access.block,
                   "an access without a block", d) != 0)
        return -1;
    if (access.block != CC_NONE)
        cc_add_access(r->data, access);
    return 0;
}

static int scan(struct reader *r, const char *sql,
                int (*take)(void *, struct db_row *, struct diag *),
                struct diag *d)
{
    return db_scan(r->source->db, sql, DB_NO_VALUES, take, r, d);
}

static int take_rob(void *rob, struct db_query *q, struct diag *d)
{
    (void)d;
    *(uint64_t *)rob = db_count(q, 0);
    return 0;
}

static int take_filter(void *filter, struct db_query *q, struct diag *d)
{
    (void)d;
    if (db_text(q, 0) != NULL)
        *(char **)filter = memory_text(db_text(q, 0));
    return 0;
}

/* What the objects of a database have in common. */
struct common {
    struct reader *reader;
    char *filter; /* which blocks were wanted; NULL: all */
    uint64_t rob; /* how far blocks were unrolled; 0: unknown */
    bool is_walked;
};

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    const struct common *c = context;
    const char *path = db_text(q, 1), *arch = db_text(q, 2);
    const struct cc_id *id =
        cc_ids_find(&c->reader->source->objects, db_int(q, 0));
    struct cc_object *object;

    (void)d;
    if (id == NULL || id->number == CC_NONE)
        return 0;
    object = &c->reader->data->objects[id->number];
    cc_set_static(object, path != NULL ? path : "", arch != NULL ? arch : "",
                  c->filter, c->rob);
    object->knows_bases = c->reader->knows_bases;
    object->is_walked = c->is_walked;
    object->analysis = c->reader->data->n_analyses;
    return 0;
}

static int read_objects(struct reader *r, bool is_walked, struct diag *d)
{
    struct common common = {.reader = r, .is_walked = is_walked};
    struct db *db = r->source->db;
    int rc = 0;

    if (!is_walked)
        rc = db_rows(db, "SELECT value FROM analysis WHERE key = 'rob'",
                     DB_NO_VALUES, take_rob, &common.rob, d);
    if (rc == 0)
        rc = db_rows(db,
                     "SELECT group_concat(value, ' ') FROM (SELECT value FROM"
                     " analysis WHERE key GLOB 'filter:*'"
                     " ORDER BY length(key), key)",
                     DB_NO_VALUES, take_filter, &common.filter, d);
    if (rc == 0)
        rc = db_rows(db,
                     "SELECT object_id, path, arch FROM object"
                     " ORDER BY object_id",
                     DB_NO_VALUES, take_object, &common, d);
    free(common.filter);
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

/* Where a function begins. */
struct place {
    uint32_t object, function;
    int64_t start;
};

static int place_order(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;

    return array_order(a->object, b->object) ?: array_order(a->start, b->start);
}

/* The functions of a database, by where they begin. */
struct places {
    struct cc_data *data;
    struct cc_source *source;
    struct place *list;
    size_t n;
};

static int take_alias(void *context, struct db_query *q, struct diag *d)
{
    const struct places *p = context;
    struct place key = {.start = db_int(q, 1)};
    size_t i;

    if (cc_find_id(p->source, &p->source->objects, db_int(q, 0), &key.object,
                   "a function without an object", d) != 0)
        return -1;
    i = array_bisect(0, p->n, k, place_order(&p->list[k], &key) < 0);
    for (; i < p->n && place_order(&p->list[i], &key) == 0; i++) {
        struct cc_function *f = &p->data->functions[p->list[i].function];
        char *before = f->others;

        f->others = before == NULL
                        ? memory_text(db_text(q, 2))
                        : memory_printf("%s,%s", before, db_text(q, 2));
        free(before);
    }
    return 0;
}

/* Gives the functions from number `first` on their other names. */
static int read_aliases(struct cc_data *data, struct cc_source *source,
                        uint32_t first, struct diag *d)
{
    struct places p = {.data = data, .source = source};
    bool has_aliases;
    int rc;

    if (db_has_column(source->db, "alias", "name", &has_aliases, d) != 0)
        return -1;
    if (!has_aliases)
        return 0;
    p.n = data->n_functions - first;
    p.list = memory_new(p.n, sizeof *p.list);
    for (uint32_t i = 0; i < p.n; i++)
        p.list[i] = (struct place){data->functions[first + i].object, first + i,
                                   data->functions[first + i].start};
    array_sort(p.list, p.n, place_order);
    rc = db_rows(source->db,
                 "SELECT object_id, start, name FROM alias"
                 " WHERE name IS NOT NULL ORDER BY object_id, start, name",
                 DB_NO_VALUES, take_alias, &p, d);
    free(p.list);
    return rc;
}

int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d)
{
    struct reader r = {.data = data, .source = source};
    bool is_walked = db_kind(source->db) == DB_WALKS;
    uint32_t first = data->n_functions;
    int rc;

    data->n_analyses++;
    if (set_scope(data, source, in, d) != 0 ||
        db_has_column(source->db, "access", is_walked ? "made" : "base",
                      &r.knows_bases, d) != 0 ||
        read_objects(&r, is_walked, d) != 0)
        return -1;
    rc = is_walked ? cc_read_walks(data, source, r.knows_bases, d)
                   : read_rows(&r, d);
    cc_ids_fini(&r.blocks);
    return rc == 0 ? read_aliases(data, source, first, d) : rc;
}
