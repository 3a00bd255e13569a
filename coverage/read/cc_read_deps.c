/*
 * cc_read_deps: segments and dynamic dependencies, from deps.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/cc_read.h"
#include "db.h"

/* Where rows come from and go to. */
struct loading {
    struct cc_data *data;
    struct cc_source *source;
    const struct cc_inputs *in;
    struct cc_ids dynamics; /* CC_NONE: in none of the objects in common */
};

static int damaged(const struct loading *l, const char *what, struct diag *d)
{
    return diag_set(d, "%s: damaged database: %s", l->source->path, what);
}

/* Adds to a grand total, so that no sum of some of its numbers overflows. */
static int add(const struct loading *l, uint64_t *total, uint64_t n,
               struct diag *d)
{
    if (__builtin_add_overflow(*total, n, total))
        return damaged(l, "its counts exceed 64 bits", d);
    return 0;
}

static int take_segment(void *context, struct db_row *row, struct diag *d)
{
    struct loading *l = context;
    struct cc_segment s = {
        .start = (uint64_t)db_row_int(row, 1),
        .end = (uint64_t)db_row_int(row, 2),
        .executions = db_row_count(row, 3),
    };

    if (!cc_object_find(l->source, db_row_int(row, 0), &s.object))
        return damaged(l, "a segment of no object", d);
    if (s.end < s.start)
        return damaged(l, "a segment ends before it starts", d);
    if (s.object == CC_NONE)
        return 0;
    cc_add_segment(l->data, s);
    return add(l, &l->data->total.executions, s.executions, d);
}

static int take_dynamic(void *context, struct db_row *row, struct diag *d)
{
    struct loading *l = context;
    uint32_t number = CC_NONE;
    struct cc_observed dynamic = {
        .src = (uint64_t)db_row_int(row, 2),
        .dst = (uint64_t)db_row_int(row, 4),
        .occurrences = db_row_count(row, 5),
        .min_distance = db_row_count(row, 6),
        .max_distance = db_row_count(row, 7),
    };

    if (!cc_object_find(l->source, db_row_int(row, 1), &dynamic.src_object) ||
        !cc_object_find(l->source, db_row_int(row, 3), &dynamic.dst_object))
        return damaged(l, "a dependency of no object", d);
    if (dynamic.src_object != CC_NONE || dynamic.dst_object != CC_NONE) {
        if (add(l, &l->data->total.occurrences, dynamic.occurrences, d) != 0)
            return -1;
        number = cc_add_observed(l->data, dynamic);
    }
    cc_ids_add(&l->dynamics, db_row_int(row, 0), number);
    return 0;
}

/* Adds occurrences to their dependency, or if that is in none of the objects
   to those elsewhere. */
static int take_lifetime(void *context, struct db_row *row, struct diag *d)
{
    struct loading *l = context;
    const struct cc_id *dynamic = cc_ids_find(&l->dynamics, db_row_int(row, 0));
    uint64_t lifetime = db_row_count(row, 1),
             occurrences = db_row_count(row, 2);

    if (dynamic == NULL)
        return damaged(l, "a lifetime of no dependency", d);
    if (add(l, &l->data->total.within, occurrences, d) != 0)
        return -1;
    if (dynamic->number != CC_NONE)
        cc_add_occurrences(l->data, dynamic->number, lifetime, occurrences);
    else
        cc_add_elsewhere(l->data, lifetime, occurrences);
    return 0;
}

/* Scans with one query, or if only one run is wanted with the other. */
static int scan(struct loading *l, const char *all, const char *of_run,
                int (*take)(void *, struct db_row *, struct diag *),
                struct diag *d)
{
    struct db_query *q =
        db_prepare(l->source->db, l->in->one_run ? of_run : all, d);
    int rc = -1;

    if (q != NULL && l->in->one_run)
        db_bind_int(q, 1, l->in->run_id);
    if (q != NULL)
        rc = db_scan(q, take, l, d);
    db_query_free(q);
    return rc;
}

#define SEGMENTS \
    "SELECT each(object_id, start, \"end\", executions) FROM segment"
#define DYNAMICS                                                         \
    "SELECT each(dep_id, src_object, src, dst_object, dst, occurrences," \
    " min_distance, max_distance) FROM dep"
#define LIFETIMES \
    "SELECT each(dep_id, lifetime, l.occurrences) FROM dep_lifetime AS l"

static int load(struct loading *l, struct diag *d)
{
    if (scan(l, SEGMENTS, SEGMENTS " WHERE run_id = ?1", take_segment, d) !=
            0 ||
        scan(l, DYNAMICS, DYNAMICS " WHERE run_id = ?1", take_dynamic, d) != 0)
        return -1;
    cc_ids_sort(&l->dynamics);
    return scan(l, LIFETIMES,
                LIFETIMES " JOIN dep USING(dep_id) WHERE run_id = ?1",
                take_lifetime, d);
}

int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d)
{
    struct loading l = {.data = data, .source = source, .in = in};
    int rc = load(&l, d);

    cc_ids_fini(&l.dynamics);
    return rc;
}
