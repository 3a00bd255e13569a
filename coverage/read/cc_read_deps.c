/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

/* The dependency is in none of the objects in common. */
#define ELSEWHERE UINT32_C(0x80000000)

/* Where rows come from and go to. */
struct reader {
    struct cc_data *data;
    struct cc_source *source;
    const struct cc_inputs *in;
    struct ids observed; /* with ELSEWHERE, the number of an unmatched object */
    /* Which object ran in which run: a pair for each segment whose object's
       last one had another run. */
    struct ran {
        int64_t run_id;
        uint32_t object;
    } * ran;
    size_t n_ran, ran_room;
    int64_t *last_run; /* by object; INT64_MIN: none yet */
};

/* Adds to a grand total, so that no sum of some of its numbers overflows. */
static int add(const struct reader *r, uint64_t *total, uint64_t n,
               struct diag *d)
{
    if (__builtin_add_overflow(*total, n, total))
        return db_damaged(r->source->db, "its counts exceed 64 bits", d);
    return 0;
}

static void note_run(struct reader *r, uint32_t object, int64_t run_id)
{
    if (r->last_run[object] == run_id)
        return;
    r->last_run[object] = run_id;
    array_append(r, ran, (struct ran){run_id, object});
}

static int take_segment(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    struct cc_segment s = {
        .start = (uint64_t)db_row_int(row, 1),
        .end = (uint64_t)db_row_int(row, 2),
        .executions = db_row_count(row, 3),
    };

    if (cc_source_find(r->source, &r->source->objects, db_row_int(row, 0),
                       &s.object, "a segment without an object", d) != 0)
        return -1;
    if (s.end < s.start)
        return db_damaged(r->source->db, "a segment ends before it starts", d);
    if (s.object == CC_NONE)
        return 0;
    cc_add_segment(r->data, s);
    note_run(r, s.object, db_row_int(row, 4));
    return add(r, &r->data->total.executions, s.executions, d);
}

static int ran_order(const void *pa, const void *pb)
{
    const struct ran *a = pa, *b = pb;

    return array_order(a->object, b->object)
               ?: array_order(a->run_id, b->run_id);
}

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
        if (run == NULL)
            return db_damaged(r->source->db, "a segment without a run", d);
        if (add(r, &r->data->total.instructions, run->instructions, d) != 0)
            return -1;
        r->data->objects[ran->object].executed += run->instructions;
    }
    return 0;
}

/* The number of an object that is none of the data's. */
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

static int take_observed(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    int64_t src_id = db_row_int(row, 1), dst_id = db_row_int(row, 3);
    uint32_t number;
    struct cc_observed observed = {
        .src = (uint64_t)db_row_int(row, 2),
        .dst = (uint64_t)db_row_int(row, 4),
        .occurrences = db_row_count(row, 5),
        .min_distance = db_row_count(row, 6),
        .max_distance = db_row_count(row, 7),
        .is_cross_thread = db_row_int(row, 8) != 0,
    };

    if (find_object(r, src_id, &observed.src_object, d) != 0 ||
        find_object(r, dst_id, &observed.dst_object, d) != 0)
        return -1;
    observed.unmatched = CC_NONE;
    if (observed.dst_object == CC_NONE)
        observed.unmatched = find_unmatched(r, dst_id);
    else if (observed.src_object == CC_NONE)
        observed.unmatched = find_unmatched(r, src_id);
    number = ELSEWHERE | observed.unmatched;
    if (observed.src_object != CC_NONE || observed.dst_object != CC_NONE) {
        if (add(r, &r->data->total.occurrences, observed.occurrences, d) != 0)
            return -1;
        number = cc_add_observed(r->data, observed);
    }
    ids_add(&r->observed, db_row_int(row, 0), number);
    return 0;
}

/* Where nothing is known of forwards, all columns after the occurrences are 0.
 */
static int take_forwards(struct reader *r, struct db_row *row,
                         uint32_t observed, uint64_t lifetime,
                         uint64_t occurrences, struct diag *d)
{
    struct cc_forwards f = {.crossing = db_row_count(row, 3 + FORWARD_N)};
    uint64_t rest = occurrences;

    for (int i = 0; i < FORWARD_N; i++) {
        f.by[i] = db_row_count(row, 3 + i);
        if (f.by[i] > rest)
            return db_damaged(r->source->db, "more forwards than occurrences",
                              d);
        rest -= f.by[i];
    }
    if ((rest != 0 && rest != occurrences) || f.crossing > occurrences)
        return db_damaged(r->source->db,
                          "forwards that do not match the occurrences", d);
    cc_add_forwards(r->data, observed, lifetime, &f);
    return 0;
}

/* Adds occurrences to their dependency, or if that is in none of the objects
   to those elsewhere. */
static int take_lifetime(void *context, struct db_row *row, struct diag *d)
{
    struct reader *r = context;
    uint32_t observed = 0;
    uint64_t lifetime = db_row_count(row, 1),
             occurrences = db_row_count(row, 2);

    if (cc_source_find(r->source, &r->observed, db_row_int(row, 0), &observed,
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

/* Scans with one query, or if only one run is wanted with the other. */
static int scan(struct reader *r, const char *all, const char *of_run,
                int (*take)(void *, struct db_row *, struct diag *),
                struct diag *d)
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

static int read_all(struct reader *r, struct diag *d)
{
    if (scan(r, SEGMENTS, SEGMENTS " WHERE run_id = ?1", take_segment, d) !=
            0 ||
        add_runs(r, d) != 0 ||
        scan(r, OBSERVED, OBSERVED " WHERE run_id = ?1", take_observed, d) != 0)
        return -1;
    ids_sort(&r->observed);
    return scan(r, LIFETIMES, LIFETIMES OF_RUN, take_lifetime, d);
}

int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d)
{
    struct reader r = {.data = data, .source = source, .in = in};
    int rc;

    r.last_run = memory_new(data->n_objects, sizeof *r.last_run);
    for (uint32_t i = 0; i < data->n_objects; i++)
        r.last_run[i] = INT64_MIN;
    rc = read_all(&r, d);
    free(r.last_run);
    free(r.ran);
    ids_fini(&r.observed);
    return rc;
}
