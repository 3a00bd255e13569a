/*
 * cy_read: the databases -> cy_data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cy_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db.h"
#include "forward.h"
#include "memory.h"

/* What an id of a database is here; sorted by id. */
struct ids {
    struct id {
        int64_t id;
        uint32_t number;
    } * ids;
    size_t n, room;
};

struct reader {
    struct cy_data *data;
    struct db *db;
    struct ids objects, blocks;
    bool is_other_arch; /* an object of another architecture was left out */
    bool has_forwards;  /* deps.db says how bytes were forwarded */
};

static int damaged(const struct reader *r, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", db_path(r->db), what);
}

static void add_id(struct ids *ids, int64_t id, uint32_t number)
{
    ids->ids = memory_grow(ids->ids, &ids->room, ids->n, sizeof *ids->ids);
    ids->ids[ids->n++] = (struct id){id, number};
}

static int id_order(const void *pa, const void *pb)
{
    const struct id *a = pa, *b = pb;

    return (a->id > b->id) - (a->id < b->id);
}

static void sort_ids(struct ids *ids)
{
    if (ids->n > 1)
        qsort(ids->ids, ids->n, sizeof *ids->ids, id_order);
}

static bool find_id(const struct ids *ids, int64_t id, uint32_t *number)
{
    struct id key = {.id = id}, *found;

    found = ids->n == 0 ? NULL
                        : bsearch(&key, ids->ids, ids->n, sizeof key, id_order);
    if (found != NULL)
        *number = found->number;
    return found != NULL;
}

/* Runs a query and hands each row to `take`. */
static int each_row(struct reader *r, const char *sql,
                    int (*take)(struct reader *, struct db_query *,
                                struct diag *),
                    struct diag *d)
{
    struct db_query *q = db_prepare(r->db, sql, d);
    int rc = -1;

    while (q != NULL && (rc = db_step(q, d)) == 1)
        if (take(r, q, d) != 0) {
            rc = -1;
            break;
        }
    db_query_free(q);
    return rc;
}

static int take_object(struct reader *r, struct db_query *q, struct diag *d)
{
    struct cy_data *data = r->data;
    const char *path = db_text(q, 1), *id = db_text(q, 2),
               *arch = db_text(q, 3);

    if (path == NULL || id == NULL || arch == NULL)
        return damaged(r, "an object without a name", d);
    if (strcmp(arch, "x86-64") != 0) {
        r->is_other_arch = true;
        return 0;
    }
    data->objects = memory_grow(data->objects, &data->objects_room,
                                data->n_objects, sizeof *data->objects);
    data->objects[data->n_objects] =
        (struct cy_object){memory_text(path), memory_text(id)};
    add_id(&r->objects, db_int(q, 0), (uint32_t)data->n_objects++);
    return 0;
}

/* The last name is the function's of most blocks. */
static const char *name(struct cy_data *data, const char *text)
{
    if (text == NULL)
        return NULL;
    if (data->n_names == 0 ||
        strcmp(data->names[data->n_names - 1], text) != 0) {
        data->names = memory_grow(data->names, &data->names_room, data->n_names,
                                  sizeof *data->names);
        data->names[data->n_names++] = memory_text(text);
    }
    return data->names[data->n_names - 1];
}

static int take_block(struct reader *r, struct db_query *q, struct diag *d)
{
    struct cy_block b = {
        .start = (uint64_t)db_int(q, 2),
        .end = (uint64_t)db_int(q, 3),
        .n_insns = (uint32_t)db_count(q, 4),
    };

    if (!find_id(&r->objects, db_int(q, 1), &b.object))
        return r->is_other_arch ? 0 : damaged(r, "a block of no object", d);
    if (b.end <= b.start)
        return damaged(r, "a block ends before it starts", d);
    b.function = name(r->data, db_text(q, 5));
    add_id(&r->blocks, db_int(q, 0), b.object);
    cy_data_add_block(r->data, b);
    return 0;
}

static int take_predicted(struct reader *r, struct db_query *q, struct diag *d)
{
    struct cy_pair p = {
        .store = (uint64_t)db_int(q, 2),
        .load = (uint64_t)db_int(q, 3),
        .delta_k = db_int(q, 4),
        .distance = UINT64_MAX,
    };
    uint32_t other;
    const char *support = db_text(q, 6);

    if (!find_id(&r->blocks, db_int(q, 0), &p.object) ||
        !find_id(&r->blocks, db_int(q, 1), &other))
        return r->is_other_arch ? 0 : damaged(r, "a pair of no block", d);
    if (db_int(q, 5) >= 0)
        p.distance = (uint64_t)db_int(q, 5);
    p.support = support != NULL ? strtod(support, NULL) : 0;
    p.has_loop = db_int(q, 7) >= 0;
    p.loop = p.has_loop ? (uint64_t)db_int(q, 7) : 0;
    if (p.object == other)
        cy_pairs_add(&r->data->predicted, p);
    return 0;
}

#define OBJECTS "SELECT object_id, path, build_id, arch FROM object"
#define BLOCKS                                                           \
    "SELECT block_id, object_id, start, \"end\", instructions, function" \
    " FROM block WHERE status = 'ok' AND \"end\" > start"
#define WALKED_BLOCKS                                                      \
    "SELECT block_id, b.object_id, b.start, b.\"end\", instructions, name" \
    " FROM block AS b LEFT JOIN function USING(function_id)"               \
    " WHERE status = 'ok' AND b.\"end\" > b.start ORDER BY b.function_id"
#define PREDICTED                                       \
    "SELECT block_id, block_id, src, dst, delta_k, -1," \
    " CAST(support AS TEXT), -1 FROM dep"
#define WALKED_PREDICTED(loop)                                      \
    "SELECT src_block, dst_block, src, dst, coalesce(delta_k, -1)," \
    " coalesce(distance, -1), CAST(support AS TEXT), " loop " FROM dep"
/* Where the loop begins that was re-entered; 0: none was. */
#define LOOP                                                        \
    "iif(evidence <> 'walk', -1, coalesce((SELECT start FROM block" \
    " WHERE block_id = loop), 0))"

static int read_predicted(struct reader *r, bool walked, struct diag *d)
{
    bool has_loops;

    if (!walked)
        return each_row(r, PREDICTED, take_predicted, d);
    if (db_has_column(r->db, "dep", "loop", &has_loops, d) != 0)
        return -1;
    return each_row(r,
                    has_loops ? WALKED_PREDICTED(LOOP) : WALKED_PREDICTED("-1"),
                    take_predicted, d);
}

static int read_static(struct reader *r, const char *path, struct diag *d)
{
    bool walked;
    int rc = -1;

    r->db = db_open(path, DB_STATIC, d);
    if (r->db == NULL)
        return -1;
    walked = db_kind(r->db) == DB_WALKS;
    if (each_row(r, OBJECTS, take_object, d) == 0) {
        sort_ids(&r->objects);
        if (each_row(r, walked ? WALKED_BLOCKS : BLOCKS, take_block, d) == 0) {
            sort_ids(&r->blocks);
            rc = read_predicted(r, walked, d);
        }
    }
    if (rc == 0 && r->data->n_objects == 0)
        rc = diag_set(d, "%s: %s", path,
                      r->is_other_arch ? "not of x86-64 code"
                                       : "no object was analysed");
    db_close(r->db);
    r->db = NULL;
    r->data->predicted.is_present = true;
    return rc;
}

static int take_observed_object(struct reader *r, struct db_query *q,
                                struct diag *d)
{
    const char *id = db_text(q, 1);

    if (id == NULL)
        return damaged(r, "an object without an identity", d);
    for (uint32_t i = 0; i < r->data->n_objects; i++)
        if (strcmp(r->data->objects[i].build_id, id) == 0)
            add_id(&r->objects, db_int(q, 0), i);
    return 0;
}

/* Executions change where a segment begins and ends. */
struct change {
    uint32_t object;
    uint64_t address;
    int64_t by;
};

struct changes {
    struct change *changes;
    size_t n, room;
};

static void add_change(struct changes *c, struct change change)
{
    c->changes = memory_grow(c->changes, &c->room, c->n, sizeof change);
    c->changes[c->n++] = change;
}

static int change_order(const void *pa, const void *pb)
{
    const struct change *a = pa, *b = pb;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

/* Gives each block the executions of its first instruction; false if they are
   too many. */
static bool spread(struct cy_data *data, struct changes *c)
{
    size_t at = 0;
    int64_t now = 0;
    uint64_t executed;

    if (c->n > 1)
        qsort(c->changes, c->n, sizeof *c->changes, change_order);
    for (size_t i = 0; i < data->n_blocks; i++) {
        struct cy_block *b = &data->blocks[i];

        for (; at < c->n && (c->changes[at].object < b->object ||
                             (c->changes[at].object == b->object &&
                              c->changes[at].address <= b->start));
             at++)
            if (__builtin_add_overflow(now, c->changes[at].by, &now))
                return false;
        b->executions = now > 0 ? (uint64_t)now : 0;
        if (__builtin_mul_overflow(b->executions, b->n_insns, &executed) ||
            __builtin_add_overflow(data->known_instructions, executed,
                                   &data->known_instructions))
            return false;
    }
    return true;
}

static int read_segments(struct reader *r, struct diag *d)
{
    struct db_query *q = db_prepare(
        r->db, "SELECT object_id, start, \"end\", executions FROM segment", d);
    struct changes c = {0};
    uint32_t object;
    int rc = -1;

    while (q != NULL && (rc = db_step(q, d)) == 1) {
        uint64_t start = (uint64_t)db_int(q, 1), end = (uint64_t)db_int(q, 2);
        int64_t n = (int64_t)db_count(q, 3);

        if (!find_id(&r->objects, db_int(q, 0), &object))
            continue;
        add_change(&c, (struct change){object, start, n});
        add_change(&c, (struct change){object, end, -n});
    }
    db_query_free(q);
    if (rc == 0 && !spread(r->data, &c))
        rc = damaged(r, "executions beyond 64 bits", d);
    free(c.changes);
    return rc;
}

static int take_run(struct reader *r, struct db_query *q, struct diag *d)
{
    if (__builtin_add_overflow(r->data->instructions, db_count(q, 0),
                               &r->data->instructions))
        return damaged(r, "executed instructions beyond 64 bits", d);
    return 0;
}

/* How most occurrences of a row were forwarded: its columns from `first` on
   have the number of each kind, and of those that cross a line. */
static void take_relation(struct cy_pair *p, struct db_query *q, int first)
{
    static const enum cy_relation relations[FORWARD_N] = {
        CY_SAME, CY_CONTAINED, CY_PARTIAL, CY_SEVERAL};
    uint64_t all = 0, most = 0;

    for (int i = 0; i < FORWARD_N; i++) {
        uint64_t n = db_count(q, first + i);

        all += n;
        if (n <= most)
            continue;
        most = n;
        p->relation = relations[i];
    }
    p->has_relation = most > 0;
    if (db_count(q, first + FORWARD_N) > all / 2 &&
        (p->relation == CY_SAME || p->relation == CY_CONTAINED))
        p->relation = CY_CROSSING;
}

static int take_observed(struct reader *r, struct db_query *q, struct diag *d)
{
    struct cy_pair p = {
        .store = (uint64_t)db_int(q, 2),
        .load = (uint64_t)db_int(q, 3),
        .delta_k = -1,
        .distance = db_count(q, 4),
        .support = 1,
        .near = db_count(q, 5),
    };
    uint32_t other;

    (void)d;
    take_relation(&p, q, 6);
    if (find_id(&r->objects, db_int(q, 0), &p.object) &&
        find_id(&r->objects, db_int(q, 1), &other) && p.object == other)
        cy_pairs_add(&r->data->observed, p);
    return 0;
}

/* Of each dependency, what occurred up to the bound that has the smallest
   distance, or the one behind it: at less than four times that distance. */
#define OBSERVED(forwards)                                           \
    "SELECT src_object, dst_object, src, dst, min(min_distance),"    \
    " coalesce(sum(l.occurrences), 0), " forwards                    \
    " FROM dep LEFT JOIN dep_lifetime AS l ON l.dep_id = dep.dep_id" \
    " AND l.lifetime <= 4 * min_distance"                            \
    " GROUP BY src_object, dst_object, src, dst"
#define FORWARDS                                             \
    "coalesce(sum(same), 0), coalesce(sum(contained), 0),"   \
    " coalesce(sum(partial), 0), coalesce(sum(several), 0)," \
    " coalesce(sum(crossing), 0)"

/* An older depsim did not look how occurrences were forwarded. */
static int read_observed(struct reader *r, struct diag *d)
{
    if (db_has_column(r->db, "dep_lifetime", "crossing", &r->has_forwards, d) !=
        0)
        return -1;
    return each_row(
        r, r->has_forwards ? OBSERVED(FORWARDS) : OBSERVED("0, 0, 0, 0, 0"),
        take_observed, d);
}

static int read_deps(struct reader *r, const char *path, struct diag *d)
{
    int rc = -1;

    free(r->objects.ids);
    r->objects = (struct ids){0};
    r->db = db_open(path, DB_DEPS, d);
    if (r->db == NULL)
        return -1;
    if (each_row(r, "SELECT object_id, build_id FROM object",
                 take_observed_object, d) == 0) {
        sort_ids(&r->objects);
        if (r->objects.n == 0)
            diag_set(d, "%s: none of its objects is in the static.db", path);
        else if (read_segments(r, d) == 0 &&
                 each_row(r, "SELECT instructions FROM run", take_run, d) == 0)
            rc = read_observed(r, d);
    }
    db_close(r->db);
    r->db = NULL;
    r->data->has_executions = r->data->observed.is_present = true;
    return rc;
}

int cy_read(struct cy_data *data, const char *statics, const char *deps,
            struct diag *d)
{
    struct reader r = {.data = data};
    int rc = read_static(&r, statics, d);

    if (rc == 0) {
        cy_data_sort(data);
        if (deps != NULL)
            rc = read_deps(&r, deps, d);
        cy_data_sort(data);
    }
    free(r.objects.ids);
    free(r.blocks.ids);
    return rc;
}

static bool find_object(const struct cy_data *data, const char *build_id,
                        uint32_t *object)
{
    for (*object = 0; *object < data->n_objects; ++*object)
        if (strcmp(data->objects[*object].build_id, build_id) == 0)
            return true;
    return false;
}

int cy_read_blocks(struct cy_data *data, const char *statics, struct diag *d)
{
    struct cy_data more = {0};
    int rc = cy_read(&more, statics, NULL, d);

    for (size_t i = 0; rc == 0 && i < more.predicted.n; i++) {
        struct cy_pair p = more.predicted.pairs[i];

        if (find_object(data, more.objects[p.object].build_id, &p.object))
            cy_pairs_add(&data->in_blocks, p);
    }
    cy_data_fini(&more);
    data->in_blocks.is_present = rc == 0;
    cy_data_sort(data);
    return rc;
}
