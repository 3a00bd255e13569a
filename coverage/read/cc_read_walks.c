/*
 * cc_read_walks: functions, blocks and predictions, from a static.db of walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/cc_comings.h"
#include "read/cc_read.h"
#include "db.h"

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    struct cc_ids functions, blocks; /* CC_NONE: of an object not in common */
};

/* What an analysis says that its scope is. */
struct scope {
    bool is_known;
    enum cc_scope *scope;
    char *name;
};

static int take_scope(void *context, struct db_query *q, struct diag *d)
{
    struct scope *s = context;

    (void)d;
    if (db_text(q, 0) != NULL)
        snprintf(s->name, CC_SCOPE_NAME, "%s", db_text(q, 0));
    s->is_known = cc_scope_parse(s->name, s->scope);
    return 0;
}

/* Without walks, whatever comes between two iterations, a pair lies in one
   block; older databases do not say what their scope was. */
int cc_read_scope(const struct cc_source *source, enum cc_scope *scope,
                  char name[CC_SCOPE_NAME], struct diag *d)
{
    bool is_walked = db_kind(source->db) == DB_WALKS;
    enum cc_scope none; /* that of an analysis without walks means nothing */
    struct scope s = {false, is_walked ? scope : &none, name};

    *scope = CC_SCOPE_BLOCK;
    snprintf(name, CC_SCOPE_NAME, "block");
    if (db_rows(source->db, "SELECT value FROM analysis WHERE key = 'scope'",
                DB_NO_VALUES, take_scope, &s, d) != 0)
        return -1;
    return s.is_known || !is_walked
               ? 0
               : cc_damaged(source, "an analysis without a scope", d);
}

static int take_function(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    const char *name = db_text(q, 2);
    uint32_t object = CC_NONE, number = CC_NONE;
    char address[32];

    if (cc_find_id(r->source, &r->source->objects, db_int(q, 1), &object,
                   "a function without an object", d) != 0)
        return -1;
    if (name == NULL) { /* as a stripped file has it */
        snprintf(address, sizeof address, "0x%" PRIx64, (uint64_t)db_int(q, 3));
        name = address;
    }
    if (object != CC_NONE)
        number = cc_new_function(r->data, object, name, db_int(q, 3));
    cc_ids_add(&r->functions, db_int(q, 0), number);
    return 0;
}

static int take_block(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    const char *status = db_text(q, 6);
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

    if (cc_find_id(r->source, &r->source->objects, db_int(q, 1), &block.object,
                   "a block without an object", d) != 0)
        return -1;
    if (block.end < block.start)
        return cc_damaged(r->source, "a block ends before it starts", d);
    if (db_int(q, 9) == 0 &&
        cc_find_id(r->source, &r->functions, db_int(q, 2), &block.function,
                   "a block without a function", d) != 0)
        return -1;
    if (block.object != CC_NONE) {
        if (block.function != CC_NONE &&
            r->data->functions[block.function].object != block.object)
            return cc_damaged(r->source, "a function of two objects", d);
        number = cc_add_block(r->data, block);
    }
    cc_ids_add(&r->blocks, db_int(q, 0), number);
    return 0;
}

static int read_rows(struct reader *r, const char *sql,
                     int (*take)(void *, struct db_query *, struct diag *),
                     struct diag *d)
{
    return db_rows(r->source->db, sql, DB_NO_VALUES, take, r, d);
}

static int find_block(struct reader *r, int64_t id, uint32_t *block,
                      const char *what, struct diag *d)
{
    return cc_find_id(r->source, &r->blocks, id, block, what, d);
}

static int take_prediction(void *context, struct db_row *row, struct diag *d)
{
    static const char what[] = "a dependency without a block";
    struct reader *r = context;
    struct cc_prediction prediction = {
        .src = (uint64_t)db_row_int(row, 2),
        .dst = (uint64_t)db_row_int(row, 3),
        .src_index = db_row_count(row, 4),
        .dst_index = db_row_count(row, 5),
        .delta_k = db_row_count(row, 6),
        .support = db_row_share(row, 8),
        .evidence = (enum cc_evidence)db_row_int(row, 9),
    };

    if (db_row_int(row, 7) != 0)
        prediction.delta_k = CC_ANY_DELTA;
    prediction.is_in_run = db_row_int(row, 10) != 0;
    if (find_block(r, db_row_int(row, 0), &prediction.block, what, d) != 0 ||
        find_block(r, db_row_int(row, 1), &prediction.dst_block, what, d) != 0)
        return -1;
    if (prediction.evidence >= CC_N_EVIDENCES)
        return cc_damaged(r->source, "a dependency without evidence", d);
    if (prediction.block != CC_NONE && prediction.dst_block != CC_NONE)
        cc_add_prediction(r->data, prediction);
    return 0;
}

#define PREDICTIONS(from)                                               \
    "SELECT each(src_block, dst_block, src, dst, src_index, dst_index," \
    " coalesce(delta_k, rounds, 0), delta_k IS NULL AND rounds IS NULL" \
    ", support, CASE evidence WHEN 'block' THEN 0 WHEN 'walk' THEN 1"   \
    " WHEN 'flow' THEN 2 ELSE 3 END, delta_k IS NULL) FROM " from

/* If both ends lie in the header of the innermost loop, and no other carries
   the pair, its rounds are iterations of that block. */
#define WITH_ROUNDS                                                       \
    "(SELECT *, iif(delta_k IS NULL AND src_block = dst_block,"           \
    " (SELECT iif(i.loop = dst_block AND NOT EXISTS(SELECT 1"             \
    " FROM vector AS o WHERE o.src_block = dep.src_block AND"             \
    " o.src = dep.src AND o.dst_block = dep.dst_block AND"                \
    " o.dst = dep.dst AND o.level < i.level AND o.rounds <> 0),"          \
    " i.rounds, NULL) FROM vector AS i WHERE i.src_block = dep.src_block" \
    " AND i.src = dep.src AND i.dst_block = dep.dst_block AND"            \
    " i.dst = dep.dst ORDER BY i.level DESC LIMIT 1), NULL) AS rounds"    \
    " FROM dep)"

static int read_predictions(struct reader *r, struct diag *d)
{
    bool has_vectors;

    if (db_has_column(r->source->db, "vector", "rounds", &has_vectors, d) != 0)
        return -1;
    return db_scan(r->source->db,
                   has_vectors
                       ? PREDICTIONS(WITH_ROUNDS)
                       : PREDICTIONS("(SELECT *, NULL AS rounds FROM dep)"),
                   DB_NO_VALUES, take_prediction, r, d);
}

static int read_all(struct reader *r, struct diag *d)
{
    if (read_rows(r,
                  "SELECT function_id, object_id, name, start"
                  " FROM function ORDER BY function_id",
                  take_function, d) != 0)
        return -1;
    cc_ids_sort(&r->functions);
    if (read_rows(r,
                  "SELECT block_id, object_id, coalesce(function_id, 0),"
                  " start, \"end\", instructions, status, follows_itself,"
                  " walks, function_id IS NULL"
                  " FROM block ORDER BY block_id",
                  take_block, d) != 0)
        return -1;
    cc_ids_sort(&r->blocks);
    return read_predictions(r, d);
}

static int take_weak(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    static const char what[] = "a weak pair without a block";
    struct cc_weak weak = {.src = (uint64_t)db_int(q, 2),
                           .dst = (uint64_t)db_int(q, 3)};

    if (find_block(r, db_int(q, 0), &weak.block, what, d) != 0 ||
        find_block(r, db_int(q, 1), &weak.dst_block, what, d) != 0)
        return -1;
    if (weak.block != CC_NONE && weak.dst_block != CC_NONE)
        cc_add_weak(r->data, weak);
    return 0;
}

static int take_comings(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    struct cc_comings list;
    uint32_t block = CC_NONE;

    if (find_block(r, db_int(q, 0), &block, "walks to no block", d) != 0)
        return -1;
    list.bytes = db_blob(q, 1, &list.n);
    if (!cc_comings_are_valid(list))
        return cc_damaged(r->source, "a malformed list of walks", d);
    if (block != CC_NONE)
        cc_add_comings(r->data, block, list.bytes, list.n);
    return 0;
}

static int take_access(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    const char *made = db_text(q, 3);
    struct cc_access access = {.address = (uint64_t)db_int(q, 1),
                               .stores = db_int(q, 2) != 0,
                               .base = 2};
    struct cc_unknown unknown = {.address = access.address,
                                 .loads = !access.stores,
                                 .stores = access.stores};

    if (find_block(r, db_int(q, 0), &access.block, "an access without a block",
                   d) != 0)
        return -1;
    if (made == NULL)
        return cc_damaged(r->source, "an access of unknown origin", d);
    unknown.block = access.block;
    access.is_loaded = strcmp(made, "loaded") == 0;
    if (access.block == CC_NONE)
        return 0;
    if (strcmp(made, "undecided") != 0) {
        cc_add_access(r->data, access);
        return 0;
    }
    /* The load and the store of an instruction are neighbours. */
    if (r->data->n_unknowns > 0) {
        struct cc_unknown *last = &r->data->unknowns[r->data->n_unknowns - 1];

        if (last->block == unknown.block && last->address == unknown.address) {
            last->stores = true;
            return 0;
        }
    }
    cc_add_unknown(r->data, unknown);
    return 0;
}

static int take_call(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    const char *fate = db_text(q, 1);
    struct cc_function *function;
    uint32_t block = CC_NONE;

    if (find_block(r, db_int(q, 0), &block, "a call without a block", d) != 0)
        return -1;
    if (fate == NULL)
        return cc_damaged(r->source, "a call of unknown fate", d);
    if (block == CC_NONE || r->data->blocks[block].function == CC_NONE)
        return 0;
    function = &r->data->functions[r->data->blocks[block].function];
    function->has_skipped |= strcmp(fate, "skipped") == 0;
    function->has_unresolved |= strcmp(fate, "unresolved") == 0;
    return 0;
}

/* Why what is not predicted is not. */
static int read_evidence(struct reader *r, struct diag *d)
{
    if (read_rows(r, "SELECT src_block, dst_block, src, dst FROM weak",
                  take_weak, d) != 0 ||
        read_rows(r, "SELECT block_id, walks FROM coming", take_comings, d) !=
            0 ||
        read_rows(r,
                  "SELECT block_id, address, stores, made FROM access"
                  " ORDER BY block_id, address, stores",
                  take_access, d) != 0)
        return -1;
    return read_rows(r, "SELECT block_id, fate FROM call", take_call, d);
}

int cc_read_walks(struct cc_data *data, struct cc_source *source,
                  bool has_evidence, struct diag *d)
{
    struct reader r = {.data = data, .source = source};
    int rc = read_all(&r, d);

    if (rc == 0 && has_evidence)
        rc = read_evidence(&r, d);

    cc_ids_fini(&r.functions);
    cc_ids_fini(&r.blocks);
    return rc;
}
