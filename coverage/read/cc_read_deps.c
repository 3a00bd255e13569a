/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cc_read.h"

/* --- Runs, and the lifetime bounds that all of them counted --- */

#define N_LISTED 8 /* of bounds in a message */

static const uint64_t default_bounds[] = {512, 1024, LIFETIME_INF};

/* Where rows of runs and bounds come from and what they are added to. */
struct bounds_reader {
    struct cc_data *data;
    struct cc_source *source;
    uint32_t number; /* of the source */
    const struct cc_inputs *in;
    struct cc_bounds recorded; /* by all runs of the source, rising */
    bool are_too_many;
};

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct bounds_reader *r = context;
    int64_t run_id = db_int(q, 0);
    bool complete = db_int(q, 1) != 0;
    uint64_t instructions = db_count(q, 2);

    (void)d;
    if (r->in->one_run && run_id != r->in->run_id)
        return 0;
    r->data->n_runs++;
    if (!complete)
        array_push(r->data->incomplete_runs, r->data->n_incomplete,
                   r->data->incomplete_runs_room,
                   (struct cc_run){r->number, run_id});
    array_append(r->source, runs, (struct cc_run_size){run_id, instructions});
    return 0;
}

static int read_runs(struct bounds_reader *r, struct diag *d)
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
    struct bounds_reader *r = context;

    (void)d;
    r->are_too_many |= !cc_bounds_add(&r->recorded, db_count(q, 0));
    return 0;
}

static int read_recorded(struct bounds_reader *r, struct diag *d)
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

/* Removes from the list the bounds that the other one does not have. */
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
        struct bounds_reader r = {data, &deps[i], (uint32_t)i, in, {0}, false};

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

/* The usual bounds that were recorded; if none was, all recorded bounds. */
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
    assert(bounds->n > 0);
    ends_at_inf = !is_given && bounds->bound[bounds->n - 1] == LIFETIME_INF;
    bounds->n -= ends_at_inf;
    if (add_bounds(bounds, &in->also, recorded, path, d) != 0)
        return -1;
    if (ends_at_inf)
        move_last(bounds, LIFETIME_INF);
    assert(bounds->n <= recorded->n); /* each is one of those recorded */
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

/* --- Segments and dependencies --- */

/* Marks a dependency that is in none of the objects in common. */
#define ELSEWHERE UINT32_C(0x80000000)

/* Where rows come from and what they are added to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    const struct cc_inputs *in;
    struct ids observed; /* with ELSEWHERE, the number of an unmatched object */
    /* Which object ran in which run: a pair for each segment whose object's
       previous segment was of another run. */
    struct ran {
        int64_t run_id;
        uint32_t object;
    } * ran;
    size_t n_ran, ran_room;
    int64_t *last_run; /* by object; INT64_MIN: none yet */
};

/* Adds to a grand total; if it fits, so does any sum of its numbers. */
static int add(const struct reader *r, uint64_t *total, uint64_t n,
               struct diag *d)
{
    if (__builtin_add_overflow(*total, n, total))
        return db_damaged(r->source->db, "its counts exceed 64 bits", d);
    return 0;
}

static int take_segment(void *context, struct db_query *row, struct diag *d)
{
    struct reader *r = context;
    int64_t run_id = db_int(row, 4);
    struct cc_segment s = {
        .start = (uint64_t)db_int(row, 1),
        .end = (uint64_t)db_int(row, 2),
        .executions = db_count(row, 3),
    };

    if (cc_source_find(r->source, &r->source->objects, db_int(row, 0),
                       &s.object, "a segment without an object", d) != 0)
        return -1;
    if (s.end < s.start)
        return db_damaged(r->source->db, "a segment ends before it starts", d);
    if (s.object == CC_NONE)
        return 0;
    array_append(r->data, segments, s);
    if (r->last_run[s.object] != run_id) {
        r->last_run[s.object] = run_id;
        array_append(r, ran, (struct ran){run_id, s.object});
    }
    return add(r, &r->data->total.executions, s.executions, d);
}

ARRAY_ORDER(ran_order, struct ran,
            array_order(a->object, b->object)
                ?: array_order(a->run_id, b->run_id))

static int run_order(const void *key, const void *run)
{
    int64_t id = *(const int64_t *)key;

    return array_order(id, ((const struct cc_run_size *)run)->id);
}

/* Adds to each object the instructions of the runs in which its code ran. */
static int add_runs(struct reader *r, struct diag *d)
{
    array_sort(r->ran, r->n_ran, ran_order);
    for (size_t i = 0; i < r->n_ran; i++) {
        const struct ran *ran = &r->ran[i];
        const struct cc_run_size *run = array_find(
            &ran->run_id, r->source->runs, r->source->n_runs, run_order);

        if (i > 0 && ran_order(ran - 1, ran) == 0)
            continue;
        assert(ran->object < r->data->n_objects);
        if (run == NULL)
            return db_damaged(r->source->db, "a segment without a run", d);
        if (add(r, &r->data->total.instructions, run->instructions, d) != 0)
            return -1;
        r->data->objects[ran->object].executed += run->instructions;
    }
    return 0;
}

/* The number of an object that is not among the data's objects. */
static uint32_t find_unmatched(struct reader *r, int64_t id)
{
    uint32_t number = CC_NONE;
    bool found = ids_find(&r->source->unmatched, id, &number);

    assert(found);
    (void)found;
    return number;
}

static int find_object(struct reader *r, int64_t id, uint32_t *object,
                       struct diag *d)
{
    return cc_source_find(r->source, &r->source->objects, id, object,
                          "a dependency without an object", d);
}

static int take_observed(void *context, struct db_query *row, struct diag *d)
{
    struct reader *r = context;
    int64_t src_id = db_int(row, 1), dst_id = db_int(row, 3);
    struct cc_observed observed = {
        .src = (uint64_t)db_int(row, 2),
        .dst = (uint64_t)db_int(row, 4),
        .occurrences = db_count(row, 5),
        .min_distance = db_count(row, 6),
        .max_distance = db_count(row, 7),
        .is_cross_thread = db_int(row, 8) != 0,
    };

    if (find_object(r, src_id, &observed.src_object, d) != 0 ||
        find_object(r, dst_id, &observed.dst_object, d) != 0)
        return -1;
    observed.unmatched = CC_NONE;
    if (observed.dst_object == CC_NONE)
        observed.unmatched = find_unmatched(r, dst_id);
    else if (observed.src_object == CC_NONE)
        observed.unmatched = find_unmatched(r, src_id);
    assert((observed.unmatched == CC_NONE) ==
           (observed.src_object != CC_NONE && observed.dst_object != CC_NONE));
    uint32_t number = ELSEWHERE | observed.unmatched;
    if (observed.src_object != CC_NONE || observed.dst_object != CC_NONE) {
        if (add(r, &r->data->total.occurrences, observed.occurrences, d) != 0)
            return -1;
        number = cc_add_observed(r->data, observed);
    }
    ids_add(&r->observed, db_int(row, 0), number);
    return 0;
}

/* In a database without forwards, all columns after the occurrences are 0. */
static int take_forwards(struct reader *r, struct db_query *row,
                         uint32_t observed, uint64_t lifetime,
                         uint64_t occurrences, struct diag *d)
{
    struct cc_forwards f = {.crossing = db_count(row, 3 + FORWARD_N)};
    uint64_t rest = occurrences;

    for (int i = 0; i < FORWARD_N; i++) {
        f.by[i] = db_count(row, 3 + i);
        if (f.by[i] > rest)
            return db_damaged(r->source->db, "more forwards than occurrences",
                              d);
        rest -= f.by[i];
    }
    assert(cc_forwards_known(&f) == occurrences - rest);
    if ((rest != 0 && rest != occurrences) || f.crossing > occurrences)
        return db_damaged(r->source->db,
                          "forwards that do not match the occurrences", d);
    cc_add_forwards(r->data, observed, lifetime, &f);
    return 0;
}

/* Adds occurrences to their dependency, or to those elsewhere if the dependency
   is in none of the objects. */
static int take_lifetime(void *context, struct db_query *row, struct diag *d)
{
    struct reader *r = context;
    uint32_t observed = 0;
    uint64_t lifetime = db_count(row, 1), occurrences = db_count(row, 2);

    if (cc_source_find(r->source, &r->observed, db_int(row, 0), &observed,
                       "a lifetime without a dependency", d) != 0)
        return -1;
    if (add(r, &r->data->total.within, occurrences, d) != 0)
        return -1;
    if (observed & ELSEWHERE) {
        cc_add_elsewhere(r->data, observed & ~ELSEWHERE, lifetime, occurrences);
        return 0;
    }
    cc_add_occurrences(r->data, observed, lifetime, occurrences);
    return take_forwards(r, row, observed, lifetime, occurrences, d);
}

/* Scans with the query `all`, or with `of_run` if only one run is wanted. */
static int scan(struct reader *r, const char *all, const char *of_run,
                db_take *take, struct diag *d)
{
    const struct db_value run = DB_INT(r->in->run_id);

    return db_scan(r->source->db, r->in->one_run ? of_run : all, &run,
                   r->in->one_run, take, r, d);
}

#define SEGMENTS \
    "SELECT each(object_id, start, \"end\", executions, run_id) FROM segment"
#define OBSERVED                                                         \
    "SELECT each(dep_id, src_object, src, dst_object, dst, occurrences," \
    " min_distance, max_distance, cross_thread) FROM dep"
#define LIFETIMES                                                   \
    "SELECT each(dep_id, lifetime, l.occurrences, same, contained," \
    " partial, several, crossing) FROM dep_lifetime AS l"
#define OF_RUN " JOIN dep USING(dep_id) WHERE run_id = ?1"

int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d)
{
    struct reader r = {.data = data, .source = source, .in = in};

    r.last_run = memory_new(data->n_objects, sizeof *r.last_run);
    for (uint32_t i = 0; i < data->n_objects; i++)
        r.last_run[i] = INT64_MIN;
    int rc = scan(&r, SEGMENTS, SEGMENTS " WHERE run_id = ?1", take_segment, d);
    if (rc == 0)
        rc = add_runs(&r, d);
    if (rc == 0)
        rc =
            scan(&r, OBSERVED, OBSERVED " WHERE run_id = ?1", take_observed, d);
    ids_sort(&r.observed);
    if (rc == 0)
        rc = scan(&r, LIFETIMES, LIFETIMES OF_RUN, take_lifetime, d);
    free(r.last_run);
    free(r.ran);
    ids_fini(&r.observed);
    return rc;
}
