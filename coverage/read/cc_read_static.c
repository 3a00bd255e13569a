/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cc_read.h"

/* A static.db while its rows are read. */
struct cc_reader {
    struct cc_data *data;
    struct cc_source *source;
    bool is_walked;
    struct ids functions, blocks; /* CC_NONE: its object is not in common */
};

static int damaged(const struct cc_reader *r, const char *what, struct diag *d)
{
    return db_damaged(r->source->db, what, d);
}

static int find_object(struct cc_reader *r, int64_t id, uint32_t *object,
                       const char *what, struct diag *d)
{
    return cc_source_find(r->source, &r->source->objects, id, object, what, d);
}

/* The number of the block with this id; an unknown id means that the database
   is damaged, as `what` says. */
static int find_block(struct cc_reader *r, int64_t id, uint32_t *block,
                      const char *what, struct diag *d)
{
    if (cc_source_find(r->source, &r->blocks, id, block, what, d) != 0)
        return -1;
    assert(*block == CC_NONE || *block < r->data->n_blocks);
    return 0;
}

/* --- Functions and blocks --- */

static int take_function(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    const char *name = db_text(q, 2);
    uint32_t object = CC_NONE, number = CC_NONE;
    char address[32];

    if (find_object(r, db_int(q, 1), &object, "a function without an object",
                    d) != 0)
        return -1;
    if (name == NULL) { /* a stripped file has no names */
        snprintf(address, sizeof address, "0x%" PRIx64, (uint64_t)db_int(q, 3));
        name = address;
    }
    if (object != CC_NONE)
        number = cc_new_function(r->data, object, name, db_int(q, 3));
    ids_add(&r->functions, db_int(q, 0), number);
    return 0;
}

/* Finds a block's function: in a database of walks by its id, else its name. */
static int find_function(struct cc_reader *r, struct db_query *q,
                         struct cc_block *block, struct diag *d)
{
    const char *name = r->is_walked ? NULL : db_text(q, 8);

    if (name != NULL && block->object != CC_NONE)
        block->function =
            cc_add_function(r->data, block->object, name, db_int(q, 9));
    if (!r->is_walked || db_int(q, 9) != 0)
        return 0;
    if (cc_source_find(r->source, &r->functions, db_int(q, 8), &block->function,
                       "a block without a function", d) != 0)
        return -1;
    if (block->object != CC_NONE && block->function != CC_NONE &&
        r->data->functions[block->function].object != block->object)
        return damaged(r, "a function of two objects", d);
    return 0;
}

static int take_block(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    const char *status = db_text(q, 5);
    uint32_t number = CC_NONE;
    struct cc_block block = {
        .start = (uint64_t)db_int(q, 2),
        .end = (uint64_t)db_int(q, 3),
        .n_instructions = db_count(q, 4),
        .analysed = status != NULL && strcmp(status, "ok") == 0,
        .follows_itself = db_int(q, 6) != 0,
        .is_reached = db_int(q, 7) > 0,
        .function = CC_NONE,
    };

    if (find_object(r, db_int(q, 1), &block.object, "a block without an object",
                    d) != 0)
        return -1;
    if (block.end < block.start)
        return damaged(r, "a block ends before it starts", d);
    if (find_function(r, q, &block, d) != 0)
        return -1;
    assert(block.function == CC_NONE || block.function < r->data->n_functions);
    if (block.object != CC_NONE)
        number = cc_add_block(r->data, block);
    ids_add(&r->blocks, db_int(q, 0), number);
    return 0;
}

#define BLOCKS(rest)                                                    \
    "SELECT block_id, object_id, start, \"end\", instructions, status," \
    " " rest " FROM block ORDER BY block_id"

/* Reads blocks by rising id, because adjacent blocks share their function. */
static int read_blocks(struct cc_reader *r, struct diag *d)
{
    struct db *db = r->source->db;

    if (r->is_walked && db_rows(db,
                                "SELECT function_id, object_id, name, start"
                                " FROM function ORDER BY function_id",
                                DB_NO_VALUES, take_function, r, d) != 0)
        return -1;
    ids_sort(&r->functions);
    if (db_rows(db,
                r->is_walked
                    ? BLOCKS("follows_itself, walks,"
                             " coalesce(function_id, 0),"
                             " function_id IS NULL")
                    : BLOCKS("follows_itself, 0, function, function_start"),
                DB_NO_VALUES, take_block, r, d) != 0)
        return -1;
    ids_sort(&r->blocks);
    return 0;
}

/* The start of a function. */
struct place {
    uint32_t object, function;
    int64_t start;
};

ARRAY_ORDER(place_order, struct place,
            array_order(a->object, b->object)
                ?: array_order(a->start, b->start))

/* The functions of a database, by their starts. */
struct places {
    struct cc_reader *reader;
    struct place *list;
    size_t n;
};

static int take_alias(void *context, struct db_query *q, struct diag *d)
{
    const struct places *p = context;
    struct place key = {.start = db_int(q, 1)};

    if (find_object(p->reader, db_int(q, 0), &key.object,
                    "a function without an object", d) != 0)
        return -1;
    size_t i = array_bisect(0, p->n, k, place_order(&p->list[k], &key) < 0);
    for (; i < p->n && place_order(&p->list[i], &key) == 0; i++) {
        struct cc_function *f =
            &p->reader->data->functions[p->list[i].function];
        AUTO_FREE char *before = f->others;

        f->others = before == NULL
                        ? memory_text(db_text(q, 2))
                        : memory_printf("%s,%s", before, db_text(q, 2));
    }
    return 0;
}

/* Gives the functions from number `first` on the other names of their code. */
static int read_aliases(struct cc_reader *r, uint32_t first, struct diag *d)
{
    const struct cc_data *data = r->data;
    struct places p = {.reader = r, .n = data->n_functions - first};

    assert(first <= data->n_functions);
    p.list = memory_new(p.n, sizeof *p.list);
    for (uint32_t i = 0; i < p.n; i++)
        p.list[i] = (struct place){data->functions[first + i].object, first + i,
                                   data->functions[first + i].start};
    array_sort(p.list, p.n, place_order);
    int rc = db_rows(r->source->db,
                     "SELECT object_id, start, name FROM alias"
                     " WHERE name IS NOT NULL ORDER BY object_id, start, name",
                     DB_NO_VALUES, take_alias, &p, d);
    free(p.list);
    return rc;
}

/* --- Pairs --- */

static int take_prediction(void *context, struct db_query *row, struct diag *d)
{
    static const char what[] = "a dependency without a block";
    struct cc_reader *r = context;
    struct cc_prediction prediction = {
        .src = (uint64_t)db_int(row, 1),
        .dst = (uint64_t)db_int(row, 2),
        .src_index = db_count(row, 3),
        .dst_index = db_count(row, 4),
        .delta_k = db_count(row, 5),
        .support = db_share(row, 6),
    };

    if (find_block(r, db_int(row, 0), &prediction.block, what, d) != 0)
        return -1;
    prediction.dst_block = prediction.block;
    if (r->is_walked) {
        if (find_block(r, db_int(row, 7), &prediction.dst_block, what, d) != 0)
            return -1;
        if (db_int(row, 8) != 0)
            prediction.delta_k = CC_ANY_DELTA;
        prediction.evidence = (enum cc_evidence)db_int(row, 9);
        if (prediction.evidence >= CC_N_EVIDENCES)
            return damaged(r, "a dependency without evidence", d);
        prediction.is_in_run = db_int(row, 10) != 0;
    }
    if (prediction.block != CC_NONE && prediction.dst_block != CC_NONE)
        array_append(r->data, predictions, prediction);
    return 0;
}

/* If both ends lie in the header of the innermost loop, and no other loop
   carries the pair, the rounds of that loop are iterations of that block. */
#define WALKED_PREDICTIONS                                                \
    "SELECT each(src_block, src, dst, src_index, dst_index,"              \
    " coalesce(delta_k, rounds, 0), support, dst_block,"                  \
    " delta_k IS NULL AND rounds IS NULL, CASE evidence"                  \
    " WHEN 'block' THEN 0 WHEN 'walk' THEN 1 WHEN 'flow' THEN 2"          \
    " ELSE 3 END, delta_k IS NULL) FROM (SELECT *,"                       \
    " iif(delta_k IS NULL AND src_block = dst_block,"                     \
    " (SELECT iif(i.loop = dst_block AND NOT EXISTS(SELECT 1"             \
    " FROM vector AS o WHERE o.src_block = dep.src_block AND"             \
    " o.src = dep.src AND o.dst_block = dep.dst_block AND"                \
    " o.dst = dep.dst AND o.level < i.level AND o.rounds <> 0),"          \
    " i.rounds, NULL) FROM vector AS i WHERE i.src_block = dep.src_block" \
    " AND i.src = dep.src AND i.dst_block = dep.dst_block AND"            \
    " i.dst = dep.dst ORDER BY i.level DESC LIMIT 1), NULL) AS rounds"    \
    " FROM dep)"

static int read_predictions(struct cc_reader *r, struct diag *d)
{
    return db_scan(r->source->db,
                   r->is_walked
                       ? WALKED_PREDICTIONS
                       : "SELECT each(block_id, src, dst, src_index, dst_index,"
                         " delta_k, support) FROM dep",
                   DB_NO_VALUES, take_prediction, r, d);
}

/* --- All of it --- */

static int take_rob(void *rob, struct db_query *q, struct diag *d)
{
    (void)d;
    *(uint64_t *)rob = db_count(q, 0);
    return 0;
}

static int take_text(void *text, struct db_query *q, struct diag *d)
{
    (void)d;
    if (db_text(q, 0) != NULL)
        *(char **)text = memory_text(db_text(q, 0));
    return 0;
}

/* What holds for all objects of a database. */
struct common {
    struct cc_reader *reader;
    char *filter; /* which blocks were chosen; NULL: all */
    uint64_t rob; /* instructions that blocks were unrolled to; 0: unknown */
};

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    const struct common *c = context;
    const char *path = db_text(q, 1), *arch = db_text(q, 2);
    struct cc_reader *r = c->reader;
    uint32_t number = CC_NONE;

    (void)d;
    if (!ids_find(&r->source->objects, db_int(q, 0), &number) ||
        number == CC_NONE)
        return 0;
    struct cc_object *object = &r->data->objects[number];
    cc_set_static(object, path != NULL ? path : "", arch != NULL ? arch : "",
                  c->filter, c->rob);
    object->is_walked = r->is_walked;
    object->analysis = r->data->n_analyses;
    return 0;
}

static int read_objects(struct cc_reader *r, struct diag *d)
{
    struct common common = {.reader = r};
    struct db *db = r->source->db;
    int rc = 0;

    if (!r->is_walked)
        rc = db_rows(db, "SELECT value FROM analysis WHERE key = 'rob'",
                     DB_NO_VALUES, take_rob, &common.rob, d);
    if (rc == 0)
        rc = db_rows(db,
                     "SELECT group_concat(value, ' ') FROM (SELECT value FROM"
                     " analysis WHERE key GLOB 'filter:*'"
                     " ORDER BY length(key), key)",
                     DB_NO_VALUES, take_text, &common.filter, d);
    if (rc == 0)
        rc = db_rows(db,
                     "SELECT object_id, path, arch FROM object"
                     " ORDER BY object_id",
                     DB_NO_VALUES, take_object, &common, d);
    free(common.filter);
    return rc;
}

/* What is scored reaches as far as all databases do, or as far as was asked
   for.  Without walks, whatever comes between two iterations, a pair lies in
   one block. */
static int set_scope(struct cc_reader *r, const struct cc_inputs *in,
                     struct diag *d)
{
    AUTO_FREE char *name = NULL;
    enum cc_scope scope = CC_SCOPE_BLOCK;

    if (db_rows(r->source->db, "SELECT value FROM analysis WHERE key = 'scope'",
                DB_NO_VALUES, take_text, &name, d) != 0)
        return -1;
    if (r->is_walked && (name == NULL || !cc_scope_parse(name, &scope)))
        return damaged(r, "an analysis without a scope", d);
    assert(scope < CC_N_SCOPES);
    if (scope >= r->data->scope)
        return 0;
    if (in->has_scope)
        return diag_set(d,
                        "%s: made with --scope=%s, which is too narrow for"
                        " --scope=%s",
                        r->source->path, name != NULL ? name : "block",
                        cc_scope_name(in->scope));
    r->data->scope = scope;
    return 0;
}

static int take_unknown(void *context, struct db_query *row, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_access access = {.address = (uint64_t)db_int(row, 1),
                               .is_unknown = true};
    bool is_of[] = {db_int(row, 2) != 0, db_int(row, 3) != 0};

    if (find_block(r, db_int(row, 0), &access.block,
                   "an unknown address without a block", d) != 0)
        return -1;
    for (int stores = 0; stores < 2; stores++) {
        access.stores = stores;
        if (is_of[stores] && access.block != CC_NONE)
            array_append(r->data, accesses, access);
    }
    return 0;
}

/* An address was drawn (0), loaded (1), or not decided (2). */
static int take_access(void *context, struct db_query *row, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_access access = {
        .address = (uint64_t)db_int(row, 1),
        .stores = db_int(row, 2) != 0,
        .base = db_count(row, 3),
        .is_loaded = db_int(row, 4) == 1,
        .is_unknown = db_int(row, 4) == 2,
    };

    if (find_block(r, db_int(row, 0), &access.block,
                   "an access without a block", d) != 0)
        return -1;
    if (access.block != CC_NONE)
        array_append(r->data, accesses, access);
    return 0;
}

static int take_weak(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    static const char what[] = "a weak pair without a block";
    struct cc_weak weak = {.src = (uint64_t)db_int(q, 2),
                           .dst = (uint64_t)db_int(q, 3)};

    if (find_block(r, db_int(q, 0), &weak.block, what, d) != 0 ||
        find_block(r, db_int(q, 1), &weak.dst_block, what, d) != 0)
        return -1;
    if (weak.block != CC_NONE && weak.dst_block != CC_NONE)
        array_append(r->data, weaks, weak);
    return 0;
}

static int take_walks(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_walks list;
    uint32_t block = CC_NONE;

    if (find_block(r, db_int(q, 0), &block, "walks to no block", d) != 0)
        return -1;
    list.bytes = db_blob(q, 1, &list.n);
    if (!cc_walks_are_valid(list))
        return db_damaged(r->source->db, "a malformed list of walks", d);
    if (block != CC_NONE)
        cc_add_walks(r->data, block, list.bytes, list.n);
    return 0;
}

static int take_call(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    int64_t fate = db_int(q, 1); /* 1: skipped; 2: unresolved */
    uint32_t block = CC_NONE;

    if (find_block(r, db_int(q, 0), &block, "a call without a block", d) != 0)
        return -1;
    if (block == CC_NONE || r->data->blocks[block].function == CC_NONE)
        return 0;
    struct cc_function *function =
        &r->data->functions[r->data->blocks[block].function];
    function->has_skipped |= fate == 1;
    function->has_unresolved |= fate == 2;
    return 0;
}

/* Reads the reasons that the database has for what was not predicted. */
static int read_evidence(struct cc_reader *r, struct diag *d)
{
    static const struct {
        bool is_walked;
        const char *sql;
        db_take *take;
    } tables[] = {
        {false,
         "SELECT each(block_id, address, loads, stores) FROM unknown_address",
         take_unknown},
        {false,
         "SELECT each(block_id, address, stores, base, loaded) FROM access",
         take_access},
        {true, "SELECT each(src_block, dst_block, src, dst) FROM weak",
         take_weak},
        {true, "SELECT block_id, walks FROM coming", take_walks},
        {true,
         "SELECT each(block_id, address, stores, 2, CASE made WHEN 'drawn'"
         " THEN 0 WHEN 'loaded' THEN 1 WHEN 'undecided' THEN 2 END)"
         " FROM access",
         take_access},
        {true,
         "SELECT each(block_id, CASE fate WHEN 'entered' THEN 0"
         " WHEN 'skipped' THEN 1 WHEN 'unresolved' THEN 2 END) FROM call",
         take_call},
    };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].is_walked == r->is_walked &&
            (text_begins(tables[i].sql, "SELECT each(") ? db_scan : db_rows)(
                r->source->db, tables[i].sql, DB_NO_VALUES, tables[i].take, r,
                d) != 0)
            return -1;
    return 0;
}

int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d)
{
    struct cc_reader r = {.data = data,
                          .source = source,
                          .is_walked = db_kind(source->db) == DB_WALKS};
    uint32_t first = data->n_functions;

    data->n_analyses++;
    int rc = set_scope(&r, in, d) != 0 || read_objects(&r, d) != 0 ||
                     read_blocks(&r, d) != 0 || read_predictions(&r, d) != 0 ||
                     read_evidence(&r, d) != 0
                 ? -1
                 : read_aliases(&r, first, d);
    ids_fini(&r.functions);
    ids_fini(&r.blocks);
    return rc;
}
