/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/internal.h"

static int take_unknown(void *context, struct db_query *row, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_unknown unknown = {
        .address = (uint64_t)db_int(row, 1),
        .loads = db_int(row, 2) != 0,
        .stores = db_int(row, 3) != 0,
    };

    if (cc_read_block(r, db_int(row, 0), &unknown.block,
                      "an unknown address without a block", d) != 0)
        return -1;
    if (unknown.block != CC_NONE)
        cc_add_unknown(r->data, unknown);
    return 0;
}

static int take_base(void *context, struct db_query *row, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_access access = {
        .address = (uint64_t)db_int(row, 1),
        .stores = db_int(row, 2) != 0,
        .base = db_count(row, 3),
        .is_loaded = db_int(row, 4) != 0,
    };

    if (cc_read_block(r, db_int(row, 0), &access.block,
                      "an access without a block", d) != 0)
        return -1;
    if (access.block != CC_NONE)
        cc_add_access(r->data, access);
    return 0;
}

static int take_weak(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    static const char what[] = "a weak pair without a block";
    struct cc_weak weak = {.src = (uint64_t)db_int(q, 2),
                           .dst = (uint64_t)db_int(q, 3)};

    if (cc_read_block(r, db_int(q, 0), &weak.block, what, d) != 0 ||
        cc_read_block(r, db_int(q, 1), &weak.dst_block, what, d) != 0)
        return -1;
    if (weak.block != CC_NONE && weak.dst_block != CC_NONE)
        cc_add_weak(r->data, weak);
    return 0;
}

static int take_walks(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    struct cc_walks list;
    uint32_t block = CC_NONE;

    if (cc_read_block(r, db_int(q, 0), &block, "walks to no block", d) != 0)
        return -1;
    list.bytes = db_blob(q, 1, &list.n);
    if (!cc_walks_are_valid(list))
        return db_damaged(r->source->db, "a malformed list of walks", d);
    if (block != CC_NONE)
        cc_add_walks(r->data, block, list.bytes, list.n);
    return 0;
}

static int take_access(void *context, struct db_query *q, struct diag *d)
{
    struct cc_reader *r = context;
    const char *made = db_text(q, 3);
    struct cc_access access = {.address = (uint64_t)db_int(q, 1),
                               .stores = db_int(q, 2) != 0,
                               .base = 2};
    struct cc_unknown unknown = {.address = access.address,
                                 .loads = !access.stores,
                                 .stores = access.stores};

    if (cc_read_block(r, db_int(q, 0), &access.block,
                      "an access without a block", d) != 0)
        return -1;
    if (made == NULL)
        return db_damaged(r->source->db, "an access of unknown origin", d);
    unknown.block = access.block;
    access.is_loaded = strcmp(made, "loaded") == 0;
    if (access.block == CC_NONE)
        return 0;
    if (strcmp(made, "undecided") != 0) {
        cc_add_access(r->data, access);
        return 0;
    }
    /* Merge: the load and the store of an instruction are adjacent rows. */
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
    struct cc_reader *r = context;
    const char *fate = db_text(q, 1);
    struct cc_function *function;
    uint32_t block = CC_NONE;

    if (cc_read_block(r, db_int(q, 0), &block, "a call without a block", d) !=
        0)
        return -1;
    if (fate == NULL)
        return db_damaged(r->source->db, "a call of unknown fate", d);
    if (block == CC_NONE || r->data->blocks[block].function == CC_NONE)
        return 0;
    function = &r->data->functions[r->data->blocks[block].function];
    function->has_skipped |= strcmp(fate, "skipped") == 0;
    function->has_unresolved |= strcmp(fate, "unresolved") == 0;
    return 0;
}

int cc_read_evidence(struct cc_reader *r, struct diag *d)
{
    static const struct {
        bool is_walked;
        const char *sql;
        int (*take)(void *, struct db_query *, struct diag *);
    } tables[] = {
        {false,
         "SELECT each(block_id, address, loads, stores) FROM unknown_address",
         take_unknown},
        {false,
         "SELECT each(block_id, address, stores, base, loaded) FROM access",
         take_base},
        {true, "SELECT src_block, dst_block, src, dst FROM weak", take_weak},
        {true, "SELECT block_id, walks FROM coming", take_walks},
        {true,
         "SELECT block_id, address, stores, made FROM access"
         " ORDER BY block_id, address, stores",
         take_access},
        {true, "SELECT block_id, fate FROM call", take_call},
    };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].is_walked == r->is_walked &&
            (r->is_walked ? db_rows : db_scan)(r->source->db, tables[i].sql,
                                               DB_NO_VALUES, tables[i].take, r,
                                               d) != 0)
            return -1;
    return 0;
}
