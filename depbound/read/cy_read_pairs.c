/*
 * cy_read_pairs: the dependencies that depsim observed, and their distances.
 *
 * Large programs have a million rows, so tables are read in their own order and
 * joined here: SQL would sort all rows, twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "read/internal.h"

#include "occurrence.h"

/* A row of `dep` with both ends in one known object, whose load is needed. */
struct row {
    int64_t id;
    uint32_t object;
    uint32_t pair; /* its number in data->observed */
    uint64_t store, load, distance, passed;
};

/* Occurrences of a pair by forward, and those that cross a line. */
struct sums {
    uint64_t n[FORWARD_N + 1];
};

/* Occurrences of a pair up to a lifetime bound, and above the next smaller one.
 */
struct class
{
    uint32_t pair;
    uint64_t lifetime, occurrences;
};

struct observing {
    struct cy_reader *reader;
    const struct cy_spans *spans;
    struct row *rows; /* sorted by place while pairs are made */
    size_t n_rows, rows_room;
    struct ids ids;    /* numbers of rows, by dep_id */
    struct sums *sums; /* by pair */
    struct class *classes;
    size_t n_classes, classes_room;
    uint64_t *bounds; /* of any run, sorted */
    size_t n_bounds, bounds_room;
};

static int take_row(void *context, struct db_query *q, struct diag *d)
{
    struct observing *o = context;
    struct row row = {.id = db_int(q, 0),
                      .store = (uint64_t)db_int(q, 3),
                      .load = (uint64_t)db_int(q, 4),
                      .distance = db_count(q, 5),
                      .passed = db_count(q, 6)};
    uint32_t other;

    (void)d;
    if (ids_find(&o->reader->objects, db_int(q, 1), &row.object) &&
        ids_find(&o->reader->objects, db_int(q, 2), &other) &&
        row.object == other && cy_spans_have(o->spans, row.object, row.load))
        array_append(o, rows, row);
    return 0;
}

ARRAY_ORDER(row_order, struct row,
            array_order(a->object, b->object)
                ?: array_order(a->load, b->load)
                ?: array_order(a->store, b->store)
                ?: array_order(a->id, b->id))

/* Makes one pair of the rows of all runs that have its ends. */
static void make_pairs(struct observing *o)
{
    struct cy_pairs *pairs = &o->reader->data->observed;
    const struct row *last = NULL;

    assert(pairs->n == 0 && o->n_rows < UINT32_MAX);
    array_sort(o->rows, o->n_rows, row_order);
    for (size_t i = 0; i < o->n_rows; i++) {
        struct row *row = &o->rows[i];

        if (last == NULL || last->object != row->object ||
            last->load != row->load || last->store != row->store)
            cy_pairs_add(pairs, (struct cy_pair){.object = row->object,
                                                 .store = row->store,
                                                 .load = row->load,
                                                 .delta_k = -1,
                                                 .distance = row->distance,
                                                 .support = 1});
        row->pair = (uint32_t)pairs->n - 1;
        if (row->passed > pairs->pairs[row->pair].passed)
            pairs->pairs[row->pair].passed = row->passed;
        if (row->distance < pairs->pairs[row->pair].distance)
            pairs->pairs[row->pair].distance = row->distance;
        ids_add(&o->ids, row->id, (uint32_t)i);
        last = row;
    }
    ids_sort(&o->ids);
    o->sums = memory_new(pairs->n, sizeof *o->sums);
}

/* Is a lifetime bound that of a row's smallest distance, or the next one, which
   is below four times that distance? */
static bool is_near(uint64_t lifetime, uint64_t distance)
{
    return distance > LIFETIME_INF / 4 || lifetime <= 4 * distance;
}

static int take_class(void *context, struct db_query *q, struct diag *d)
{
    struct observing *o = context;
    struct class class = {.lifetime = db_count(q, 1),
                          .occurrences = db_count(q, 2)};
    struct cy_pair *pair;
    uint32_t number;

    if (!ids_find(&o->ids, db_int(q, 0), &number))
        return 0;
    class.pair = o->rows[number].pair;
    array_append(o, classes, class);
    pair = &o->reader->data->observed.pairs[class.pair];
    if (!is_near(class.lifetime, o->rows[number].distance))
        return 0;
    if (__builtin_add_overflow(pair->near, class.occurrences, &pair->near))
        return db_damaged(o->reader->db, "occurrences beyond 64 bits", d);
    for (int i = 0; i <= FORWARD_N; i++)
        o->sums[class.pair].n[i] += db_count(q, 3 + i);
    return 0;
}

/* Sets a pair's relation to that of most occurrences. */
static void set_relation(struct cy_pair *p, const struct sums *sums)
{
    static const enum cy_relation relations[FORWARD_N] = {
        CY_SAME, CY_CONTAINED, CY_PARTIAL, CY_SEVERAL};
    uint64_t all = 0, most = 0;

    for (int i = 0; i < FORWARD_N; i++) {
        all += sums->n[i];
        if (sums->n[i] <= most)
            continue;
        most = sums->n[i];
        p->relation = relations[i];
    }
    assert(p->relation <= CY_SEVERAL);
    p->has_relation = most > 0;
    if (sums->n[FORWARD_N] > all / 2 &&
        (p->relation == CY_SAME || p->relation == CY_CONTAINED))
        p->relation = CY_CROSSING;
}

ARRAY_ORDER(class_order, struct class,
            array_order(a->pair, b->pair)
                ?: array_order(a->lifetime, b->lifetime))

/* The bound of any run that is the next smaller one; 0: none is smaller. */
static uint64_t bound_below(const struct observing *o, uint64_t lifetime)
{
    size_t n = array_bisect(0, o->n_bounds, i, o->bounds[i] < lifetime);

    return n > 0 ? o->bounds[n - 1] : 0;
}

/* Gives the pairs their distances, of all runs together. */
static int make_classes(struct observing *o, struct diag *d)
{
    struct cy_data *data = o->reader->data;
    const struct class *last = NULL;

    array_sort(o->classes, o->n_classes, class_order);
    data->classes = memory_new(o->n_classes, sizeof *data->classes);
    for (size_t i = 0; i < o->n_classes; last = &o->classes[i++]) {
        const struct class *class = &o->classes[i];
        struct cy_pair *pair = &data->observed.pairs[class->pair];

        if (last != NULL && class_order(last, class) == 0) {
            uint64_t *sum = &data->classes[data->n_classes - 1].occurrences;

            if (__builtin_add_overflow(*sum, class->occurrences, sum))
                return db_damaged(o->reader->db, "occurrences beyond 64 bits",
                                  d);
            continue;
        }
        if (pair->n_classes++ == 0)
            pair->first_class = data->n_classes;
        data->classes[data->n_classes++] =
            (struct cy_distances){bound_below(o, class->lifetime),
                                  class->lifetime, class->occurrences};
    }
    return 0;
}

static int take_bound(void *context, struct db_query *q, struct diag *d)
{
    struct observing *o = context;

    (void)d;
    array_append(o, bounds, db_count(q, 0));
    return 0;
}

/* Makes the table `needed` of the rows that were taken, so that only their
   distances are read, and not those of all. */
static int keep_ids(const struct observing *o, struct diag *d)
{
    struct db *db = o->reader->db;
    struct db_query *q;
    int rc;

    if (db_exec(db, "CREATE TEMP TABLE needed(dep_id INTEGER PRIMARY KEY)",
                d) != 0)
        return -1;
    q = db_prepare(db, "INSERT INTO needed VALUES(?)", d);
    rc = q != NULL ? db_exec(db, "BEGIN", d) : -1;
    for (size_t i = 0; i < o->ids.n_entries && rc == 0; i++)
        rc = db_run_with(q, DB_VALUES(DB_INT(o->ids.entries[i].id)), d);
    db_query_free(q);
    return rc == 0 ? db_exec(db, "COMMIT", d) : -1;
}

static int read_all(struct observing *o, struct diag *d)
{
    struct db *db = o->reader->db;

    if (db_scan(db,
                "SELECT each(dep_id, src_object, dst_object, src, dst,"
                " min_distance, cross_thread) FROM dep WHERE" CHOSEN,
                DB_NO_VALUES, take_row, o, d) != 0)
        return -1;
    make_pairs(o);
    if (keep_ids(o, d) != 0 ||
        db_scan(db,
                "SELECT each(dep_id, lifetime, occurrences, same, contained,"
                " partial, several, crossing)"
                " FROM needed CROSS JOIN dep_lifetime USING(dep_id)",
                DB_NO_VALUES, take_class, o, d) != 0 ||
        db_rows(db, "SELECT DISTINCT lifetime FROM lifetime ORDER BY lifetime",
                DB_NO_VALUES, take_bound, o, d) != 0)
        return -1;
    for (size_t i = 0; i < o->reader->data->observed.n; i++)
        set_relation(&o->reader->data->observed.pairs[i], &o->sums[i]);
    return make_classes(o, d);
}

int cy_read_pairs(struct cy_reader *r, const struct cy_spans *spans,
                  struct diag *d)
{
    struct observing o = {.reader = r, .spans = spans};
    int rc = read_all(&o, d);

    ids_fini(&o.ids);
    free(o.rows);
    free(o.sums);
    free(o.classes);
    free(o.bounds);
    return rc;
}
