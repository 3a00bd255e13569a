/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_read.h"

#include "db.h"

struct reading {
    const struct cy_read_of_windows *take;
    void *context;
    struct db *db;
};

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    const struct reading *r = context;

    (void)d;
    r->take->run(r->context, db_int(q, 0), db_count(q, 1), db_int(q, 2) != 0);
    return 0;
}

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    const struct reading *r = context;
    const char *path = db_text(q, 1), *id = db_text(q, 2);

    if (path == NULL || id == NULL)
        return db_damaged(r->db, "an object without a name", d);
    r->take->object(r->context, db_int(q, 0), path, id);
    return 0;
}

static int take_piece(void *context, struct db_query *q, struct diag *d)
{
    const struct reading *r = context;
    struct cy_piece_blob blob = {
        .run = db_int(q, 0),
        .number = db_count(q, 1),
        .object = db_int(q, 2),
        .address = (uint64_t)db_int(q, 3),
    };

    blob.insns = db_blob(q, 4, &blob.insns_size);
    return r->take->piece(r->context, &blob, d);
}

static int take_window(void *context, struct db_query *q, struct diag *d)
{
    const struct reading *r = context;
    struct cy_window_blobs blobs = {
        .run = db_int(q, 0),
        .thread = db_count(q, 1),
        .start = db_count(q, 2),
        .instructions = db_count(q, 3),
    };

    blobs.path = db_blob(q, 4, &blobs.path_size);
    blobs.accesses = db_blob(q, 5, &blobs.accesses_size);
    blobs.gaps = db_blob(q, 6, &blobs.gaps_size);
    return r->take->window(r->context, &blobs, d);
}

static int read_all(struct reading *r, struct diag *d)
{
    if (db_rows(r->db,
                "SELECT run_id, recorded,"
                " run_id IN (SELECT run_id FROM dep WHERE cross_thread)"
                " FROM run ORDER BY run_id",
                DB_NO_VALUES, take_run, r, d) != 0)
        return -1;
    if (db_rows(r->db,
                "SELECT object_id, path, build_id FROM object"
                " ORDER BY object_id",
                DB_NO_VALUES, take_object, r, d) != 0)
        return -1;
    if (db_rows(r->db,
                "SELECT run_id, piece, object_id, address, instructions"
                " FROM window_piece ORDER BY run_id, piece",
                DB_NO_VALUES, take_piece, r, d) != 0)
        return -1;
    return db_rows(r->db,
                   "SELECT run_id, thread, start_timestamp, instructions, path,"
                   " accesses, gaps FROM window"
                   " ORDER BY run_id, start_timestamp, window_id",
                   DB_NO_VALUES, take_window, r, d);
}

int cy_read_windows(const char *deps, const struct cy_read_of_windows *take,
                    void *context, struct diag *d)
{
    struct reading r = {take, context, db_open(deps, DB_DEPS, d)};
    int rc = r.db == NULL ? -1 : read_all(&r, d);

    db_close(r.db);
    return rc;
}
