/*
 * cc_read_bounds: the runs, and the lifetime bounds that all of them counted.
 *
 * Only at a bound that was counted is the number of occurrences known, because
 * dep_lifetime holds them by intervals between the bounds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "array.h"

#define N_LISTED 8 /* a message lists no more bounds */

static const uint64_t default_bounds[] = {512, 1024, LIFETIME_INF};

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    uint32_t number; /* of the source */
    const struct cc_inputs *in;
    struct cc_bounds recorded; /* by all runs of the source, rising */
    bool are_too_many;
};

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;
    int64_t run_id = db_int(q, 0);
    bool complete = db_int(q, 1) != 0;
    uint64_t instructions = db_count(q, 2);

    (void)d;
    if (r->in->one_run && run_id != r->in->run_id)
        return 0;
    cc_add_run(r->data, r->number, run_id, complete);
    array_append(r->source, runs, (struct cc_run_size){run_id, instructions});
    return 0;
}

static int read_runs(struct reader *r, struct diag *d)
{
    const struct cc_source *source = r->source;
    const struct cc_inputs *in = r->in;

    if (db_rows(source->db,
                "SELECT run_id, complete, instructions FROM run"
                " ORDER BY run_id",
                DB_NO_VALUES, take_run, r, d) != 0)
        return -1;
    if (source->n_runs > 0)
        return 0;
    if (in->one_run)
        return diag_set(d, "%s: no run %" PRId64, source->path, in->run_id);
    return diag_set(d, "%s: no run was recorded", source->path);
}

static int take_recorded(void *context, struct db_query *q, struct diag *d)
{
    struct reader *r = context;

    (void)d;
    r->are_too_many |= !cc_bounds_add(&r->recorded, db_count(q, 0));
    return 0;
}

static int read_recorded(struct reader *r, struct diag *d)
{
    const struct db_value run = DB_INT(r->in->run_id);

    if (db_rows(r->source->db,
                r->in->one_run
                    ? "SELECT lifetime FROM lifetime WHERE run_id = ?1"
                      " ORDER BY lifetime"
                    : "SELECT lifetime FROM run JOIN lifetime USING(run_id)"
                      " GROUP BY lifetime"
                      " HAVING count(*) = (SELECT count(*) FROM run)"
                      " ORDER BY lifetime",
                &run, r->in->one_run, take_recorded, r, d) != 0)
        return -1;
    if (cc_bounds_has(&r->recorded, 0))
        return db_damaged(r->source->db, "a lifetime of 0", d);
    if (r->are_too_many)
        return diag_set(d, "%s: damaged database: more than %d lifetimes",
                        r->source->path, LIFETIMES_MAX);
    return 0;
}

/* Leaves in the list what the other one has, too. */
static void intersect(struct cc_bounds *list, const struct cc_bounds *other)
{
    unsigned n = 0;

    assert(list->n <= LIFETIMES_MAX && other->n <= LIFETIMES_MAX);
    for (unsigned i = 0; i < list->n; i++)
        if (cc_bounds_has(other, list->bound[i]))
            list->bound[n++] = list->bound[i];
    list->n = n;
}

/* The bounds that all runs of all databases counted, rising. */
static int read_all_recorded(struct cc_data *data, struct cc_bounds *recorded,
                             struct cc_source *deps, const struct cc_inputs *in,
                             struct diag *d)
{
    for (size_t i = 0; i < in->n_deps; i++) {
        struct reader r = {data, &deps[i], (uint32_t)i, in, {0}, false};

        if (cc_source_open(&deps[i], d) != 0 || read_runs(&r, d) != 0 ||
            read_recorded(&r, d) != 0)
            return -1;
        cc_source_rest(&deps[i]);
        if (i == 0)
            *recorded = r.recorded;
        else
            intersect(recorded, &r.recorded);
        if (recorded->n > 0)
            continue;
        if (i == 0)
            return diag_set(d, "%s: its runs have no lifetime in common",
                            deps[i].path);
        return diag_set(d, "%s: no lifetime in common with %s", deps[i].path,
                        deps[0].path);
    }
    return 0;
}

static int not_recorded(uint64_t bound, const struct cc_bounds *recorded,
                        const char *path, struct diag *d)
{
    char list[N_LISTED * sizeof(struct bound_text)] = "";

    if (recorded->n <= N_LISTED)
        for (unsigned i = 0; i < recorded->n; i++)
            strcat(strcat(list, i > 0 ? ", " : ": only "),
                   bound_text(recorded->bound[i]).text);
    return diag_set(d, "%s: lifetime %s was not recorded%s", path,
                    bound_text(bound).text, list);
}

static int add_bounds(struct cc_bounds *to, const struct cc_bounds *from,
                      const struct cc_bounds *recorded, const char *path,
                      struct diag *d)
{
    for (unsigned i = 0; i < from->n; i++)
        if (!cc_bounds_has(recorded, from->bound[i]))
            return not_recorded(from->bound[i], recorded, path, d);
        else if (!cc_bounds_add(to, from->bound[i]))
            return diag_set(d, "--lifetime: more than %d bounds",
                            LIFETIMES_MAX);
    return 0;
}

/* Puts a bound after the others, which leave room for it. */
static void move_last(struct cc_bounds *bounds, uint64_t bound)
{
    unsigned n = 0;

    for (unsigned i = 0; i < bounds->n; i++)
        if (bounds->bound[i] != bound)
            bounds->bound[n++] = bounds->bound[i];
    assert(n < LIFETIMES_MAX);
    bounds->bound[n++] = bound;
    bounds->n = n;
}

/* The usual bounds that were recorded; if none was, all that were. */
static struct cc_bounds choose_default(const struct cc_bounds *recorded)
{
    struct cc_bounds chosen = {0};

    for (size_t i = 0; i < sizeof default_bounds / sizeof default_bounds[0];
         i++)
        if (cc_bounds_has(recorded, default_bounds[i]))
            cc_bounds_add(&chosen, default_bounds[i]);
    return chosen.n > 0 ? chosen : *recorded;
}

/* The bounds to report, in their order: any distance comes last, unless the
   user gives the order. */
static int choose(struct cc_bounds *bounds, const struct cc_bounds *recorded,
                  const struct cc_inputs *in, const char *path, struct diag *d)
{
    bool is_given = in->bounds.n > 0, ends_at_inf;

    *bounds = (struct cc_bounds){0};
    if (is_given) {
        if (add_bounds(bounds, &in->bounds, recorded, path, d) != 0)
            return -1;
    } else {
        *bounds = choose_default(recorded);
    }
    ends_at_inf = !is_given && bounds->bound[bounds->n - 1] == LIFETIME_INF;
    bounds->n -= ends_at_inf;
    if (add_bounds(bounds, &in->also, recorded, path, d) != 0)
        return -1;
    if (ends_at_inf)
        move_last(bounds, LIFETIME_INF);
    return 0;
}

int cc_read_bounds(struct cc_data *data, struct cc_source *deps,
                   const struct cc_inputs *in, struct diag *d)
{
    struct cc_bounds recorded = {0};
    const char *path = in->n_deps == 1 ? deps[0].path : "all databases";

    if (read_all_recorded(data, &recorded, deps, in, d) != 0 ||
        choose(&data->bounds, &recorded, in, path, d) != 0)
        return -1;
    data->n_reported = data->bounds.n;
    assert(data->n_reported > 0);
    return in->every_bound
               ? add_bounds(&data->bounds, &recorded, &recorded, path, d)
               : 0;
}
