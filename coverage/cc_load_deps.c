/*
 * cc_load_deps: segments and dynamic dependencies, from deps.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_load.h"
#include "db.h"

/* One of the rows of dep_lifetime, which are read beside those of dep. */
struct lifetime_row {
    bool is_row; /* false: no more rows */
    int64_t dep_id;
    uint64_t lifetime, occurrences;
};

static int damaged(const char *path, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", path, what);
}

/* Adds to a grand total, so that no sum of some of its numbers overflows. */
static int add(uint64_t *total, uint64_t n, const char *path, struct diag *d)
{
    if (__builtin_add_overflow(*total, n, total))
        return damaged(path, "its counts exceed 64 bits", d);
    return 0;
}

static int load_segments(struct cc_data *data, struct db_query *q,
                         const char *path, const struct cc_object_map *map,
                         struct diag *d)
{
    int rc;

    while ((rc = db_step(q, d)) == 1) {
        struct cc_segment s = {
            .start = (uint64_t)db_int(q, 1),
            .end = (uint64_t)db_int(q, 2),
            .executions = db_count(q, 3),
        };

        if (!cc_object_find(map, db_int(q, 0), &s.object))
            return damaged(path, "a segment of no object", d);
        if (s.end < s.start)
            return damaged(path, "a segment ends before it starts", d);
        if (s.object == CC_NONE)
            continue;
        if (add(&data->total.executions, s.executions, path, d) != 0)
            return -1;
        cc_add_segment(data, s);
    }
    return rc;
}

static int next_lifetime(struct lifetime_row *row, struct db_query *q,
                         struct diag *d)
{
    int rc = db_step(q, d);

    row->is_row = rc == 1;
    if (rc != 1)
        return rc;
    row->dep_id = db_int(q, 0);
    row->lifetime = db_count(q, 1);
    row->occurrences = db_count(q, 2);
    return 0;
}

/* Takes the rows of one dependency; *row is the first that is not yet taken.
   Adds their occurrences to that dependency, or if it is not wanted to those
   elsewhere. */
static int load_lifetimes(struct cc_data *data, struct lifetime_row *row,
                          int64_t dep_id, bool is_wanted, struct db_query *q,
                          const char *path, struct diag *d)
{
    while (row->is_row && row->dep_id == dep_id) {
        if (add(&data->total.within, row->occurrences, path, d) != 0)
            return -1;
        if (is_wanted)
            cc_add_occurrences(data, row->lifetime, row->occurrences);
        else
            cc_add_elsewhere(data, row->lifetime, row->occurrences);
        if (next_lifetime(row, q, d) != 0)
            return -1;
    }
    return 0;
}

/* Both queries come in the order of dep_id. */
static int load_dynamics(struct cc_data *data, struct db_query *deps,
                         struct db_query *lifetimes, const char *path,
                         const struct cc_object_map *map, struct diag *d)
{
    struct lifetime_row row = {0};
    int rc;

    if (next_lifetime(&row, lifetimes, d) != 0)
        return -1;
    while ((rc = db_step(deps, d)) == 1) {
        int64_t dep_id = db_int(deps, 0);
        struct cc_dynamic dynamic = {
            .src = (uint64_t)db_int(deps, 2),
            .dst = (uint64_t)db_int(deps, 4),
            .occurrences = db_count(deps, 5),
            .min_distance = db_count(deps, 6),
            .max_distance = db_count(deps, 7),
        };
        bool is_wanted;

        if (!cc_object_find(map, db_int(deps, 1), &dynamic.src_object) ||
            !cc_object_find(map, db_int(deps, 3), &dynamic.dst_object))
            return damaged(path, "a dependency of no object", d);
        is_wanted =
            dynamic.src_object != CC_NONE || dynamic.dst_object != CC_NONE;
        if (is_wanted) {
            if (add(&data->total.occurrences, dynamic.occurrences, path, d) !=
                0)
                return -1;
            cc_add_dynamic(data, dynamic);
        }
        if (load_lifetimes(data, &row, dep_id, is_wanted, lifetimes, path, d) !=
            0)
            return -1;
    }
    /* A row of no dependency is never taken, nor any behind it. */
    if (rc == 0 && row.is_row)
        return damaged(path, "a lifetime of no dependency", d);
    return rc;
}

/* A query, for one run if only that is wanted. */
static struct db_query *prepare(struct cc_source *source,
                                const struct cc_inputs *in, const char *all,
                                const char *of_run, struct diag *d)
{
    struct db_query *q = db_prepare(source->db, in->one_run ? of_run : all, d);

    if (q != NULL && in->one_run)
        db_bind_int(q, 1, in->run_id);
    return q;
}

#define SEGMENTS "SELECT object_id, start, \"end\", executions FROM segment"
#define DEPS                                                        \
    "SELECT dep_id, src_object, src, dst_object, dst, occurrences," \
    " min_distance, max_distance FROM dep"
#define LIFETIMES \
    "SELECT dep_id, lifetime, l.occurrences FROM dep_lifetime AS l"

static int load_all_dynamics(struct cc_data *data, struct cc_source *source,
                             const struct cc_inputs *in, struct diag *d)
{
    struct db_query *deps, *lifetimes = NULL;
    int rc = -1;

    deps = prepare(source, in, DEPS " ORDER BY dep_id",
                   DEPS " WHERE run_id = ?1 ORDER BY dep_id", d);
    if (deps != NULL)
        lifetimes = prepare(source, in, LIFETIMES " ORDER BY dep_id",
                            LIFETIMES " JOIN dep USING(dep_id)"
                                      " WHERE run_id = ?1 ORDER BY dep_id",
                            d);
    if (lifetimes != NULL)
        rc =
            load_dynamics(data, deps, lifetimes, source->path, &source->map, d);
    db_query_free(deps);
    db_query_free(lifetimes);
    return rc;
}

int cc_load_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d)
{
    struct db_query *segments =
        prepare(source, in, SEGMENTS, SEGMENTS " WHERE run_id = ?1", d);
    int rc = -1;

    if (segments != NULL)
        rc = load_segments(data, segments, source->path, &source->map, d);
    db_query_free(segments);
    if (rc != 0)
        return -1;
    return load_all_dynamics(data, source, in, d);
}
