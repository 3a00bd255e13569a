/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_read.h"

#include "occurrence.h"

/* --- Observed dependencies --- */

/* Large programs have a million rows, so tables are read in their own order and
   joined here: SQL would sort all rows, twice. */

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
    uint32_t number;

    if (!ids_find(&o->ids, db_int(q, 0), &number))
        return 0;
    assert(number < o->n_rows);
    class.pair = o->rows[number].pair;
    array_append(o, classes, class);
    struct cy_pair *pair = &o->reader->data->observed.pairs[class.pair];
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
    assert(data->n_classes <= o->n_classes);
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

    if (db_exec(db, "CREATE TEMP TABLE needed(dep_id INTEGER PRIMARY KEY)",
                d) != 0)
        return -1;
    struct db_query *q = db_prepare(db, "INSERT INTO needed VALUES(?)", d);
    int rc = q != NULL ? db_exec(db, "BEGIN", d) : -1;
    for (size_t i = 0; i < o->ids.n_entries && rc == 0; i++)
        rc = db_run_with(q, DB_VALUES(DB_INT(o->ids.entries[i].id)), d);
    db_query_free(q);
    return rc == 0 ? db_exec(db, "COMMIT", d) : -1;
}

static int read_tables(struct observing *o, struct diag *d)
{
    struct db *db = o->reader->db;

    if (db_scan(db,
                "SELECT each(dep_id, src_object, dst_object, src, dst,"
                " min_distance, cross_thread) FROM dep WHERE" CY_CHOSEN,
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

/* Adds the observed dependencies of the chosen runs, with their distances, of
   an open deps.db, if their loads are in these ranges. */
static int read_pairs(struct cy_reader *r, const struct cy_spans *spans,
                      struct diag *d)
{
    struct observing o = {.reader = r, .spans = spans};
    int rc = read_tables(&o, d);

    ids_fini(&o.ids);
    free(o.rows);
    free(o.sums);
    free(o.classes);
    free(o.bounds);
    return rc;
}

/* --- Runs --- */

/* Makes the table `other` of the runs of other programs than the one whose
   build-id is given, or of none if that is NULL. */
static int choose_runs(struct db *db, const char *program, struct diag *d)
{
    if (db_exec(db, "CREATE TEMP TABLE other(run_id INTEGER PRIMARY KEY)", d) !=
        0)
        return -1;
    return db_ask(
        db,
        "INSERT INTO other SELECT run_id FROM run WHERE ?1 IS NOT NULL AND"
        " coalesce(program, '') NOT IN"
        " (SELECT path FROM object WHERE build_id = ?1)",
        NULL, DB_VALUES(DB_TEXT(program)), d);
}

/* Chooses the runs of the first object of `data` that is a program. */
static int choose_program(struct cy_reader *r, struct diag *d)
{
    for (size_t i = 0; i < r->data->n_objects && r->data->runs_of == NULL;
         i++) {
        const char *id = r->data->objects[i].build_id;
        int64_t n = 0;

        if (db_ask(r->db,
                   "SELECT count(*) FROM run JOIN object ON path = program"
                   " WHERE build_id = ?1",
                   &n, DB_VALUES(DB_TEXT(id)), d) != 0)
            return -1;
        if (n > 0)
            r->data->runs_of = memory_text(id);
    }
    return choose_runs(r->db, r->data->runs_of, d);
}

static int take_observed_object(void *context, struct db_query *q,
                                struct diag *d)
{
    struct cy_reader *r = context;
    const char *id = db_text(q, 1);

    if (id == NULL)
        return db_damaged(r->db, "an object without an identity", d);
    uint32_t object = cy_data_object(r->data, id);
    if (object != CY_NO_OBJECT)
        ids_add(&r->objects, db_int(q, 0), object);
    return 0;
}

static int take_segment(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;
    uint64_t start = (uint64_t)db_int(q, 1), end = (uint64_t)db_int(q, 2);
    uint32_t object;

    if (end < start)
        return db_damaged(r->db, "a segment ends before it starts", d);
    if (!ids_find(&r->objects, db_int(q, 0), &object))
        return 0;
    assert(object < r->data->n_objects);
    uint32_t block = cy_data_block(r->data, object, start);
    if (executions_add(
            &r->executions, object, start, end,
            cy_data_is_inside(r->data, block) ? r->data->blocks[block].end : 0,
            db_count(q, 3)))
        return 0;
    return db_damaged(r->db, "executions beyond 64 bits", d);
}

/* Sets each block's executions; false if the instructions exceed 64 bits. */
static bool weigh_blocks(struct cy_reader *r)
{
    struct cy_data *data = r->data;
    uint64_t executed;

    assert(data->known_instructions == 0); /* blocks are counted once */
    executions_sum(&r->executions);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cy_block *b = &data->blocks[i];

        b->executions = executions_of(&r->executions, b->object, b->start,
                                      b->end, cy_data_is_inside(data, i));
        if (__builtin_mul_overflow(b->executions, b->n_insns, &executed) ||
            __builtin_add_overflow(data->known_instructions, executed,
                                   &data->known_instructions))
            return false;
    }
    return true;
}

static int read_segments(struct cy_reader *r, struct diag *d)
{
    int rc = db_scan(r->db,
                     "SELECT each(object_id, start, \"end\", executions) FROM "
                     "segment WHERE" CY_CHOSEN,
                     DB_NO_VALUES, take_segment, r, d);

    if (rc == 0 && !weigh_blocks(r))
        rc = db_damaged(r->db, "executions beyond 64 bits", d);
    executions_fini(&r->executions);
    return rc;
}

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct cy_reader *r = context;

    if (__builtin_add_overflow(r->data->instructions, db_count(q, 0),
                               &r->data->instructions) ||
        __builtin_add_overflow(r->data->recorded, db_count(q, 1),
                               &r->data->recorded))
        return db_damaged(r->db, "executed instructions beyond 64 bits", d);
    return 0;
}

static int read_objects(struct cy_reader *r, struct diag *d)
{
    int rc = cy_reader_rows(r, "SELECT object_id, build_id FROM object",
                            take_observed_object, d);

    ids_sort(&r->objects);
    return rc;
}

static int read_all(struct cy_reader *r, struct diag *d)
{
    if (read_objects(r, d) != 0)
        return -1;
    if (r->objects.n_entries == 0)
        return diag_set(d, "%s: none of its objects is in the static.db",
                        db_path(r->db));
    if (choose_program(r, d) != 0 || read_segments(r, d) != 0)
        return -1;
    return cy_reader_rows(
        r, "SELECT instructions, recorded FROM run WHERE" CY_CHOSEN, take_run,
        d);
}

int cy_read_deps(struct cy_reader *r, const char *path, struct diag *d)
{
    assert(r->db == NULL && r->data->n_objects > 0);
    ids_fini(&r->objects);
    r->db = db_open(path, DB_DEPS, d);
    if (r->db == NULL)
        return -1;
    int rc = read_all(r, d);
    db_close(r->db);
    r->db = NULL;
    r->data->has_executions = r->data->observed.is_present = true;
    return rc;
}

int cy_read_observed(struct cy_data *data, const char *deps,
                     const struct cy_spans *spans, struct diag *d)
{
    struct cy_reader r = {.data = data, .db = db_open(deps, DB_DEPS, d)};
    int rc = r.db == NULL || read_objects(&r, d) != 0 ||
                     choose_runs(r.db, data->runs_of, d) != 0 ||
                     read_pairs(&r, spans, d) != 0
                 ? -1
                 : 0;

    db_close(r.db);
    ids_fini(&r.objects);
    cy_data_sort_observed(data);
    return rc;
}

/* --- Windows, and other rows --- */

int cy_read_has_windows(const char *deps, bool *has, struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);
    int64_t n = 0;
    int rc = db == NULL ? -1
                        : db_ask(db, "SELECT EXISTS(SELECT 1 FROM window)", &n,
                                 DB_NO_VALUES, d);

    db_close(db);
    *has = n != 0;
    return rc;
}

int cy_read_object(struct cy_object **objects, size_t *n, size_t *room,
                   struct ids *ids, struct db_query *q, struct diag *d)
{
    const char *path = db_text(q, 1), *id = db_text(q, 2);

    if (path == NULL || id == NULL)
        return db_damaged(db_of(q), "an object without a name", d);
    ids_add(ids, db_int(q, 0), (uint32_t)*n);
    array_push(*objects, *n, *room,
               (struct cy_object){memory_text(path), memory_text(id)});
    return 0;
}

int cy_read_rows(const char *deps, const char *program,
                 const struct cy_rows *rows, size_t n, void *context,
                 struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);
    int rc = db == NULL ? -1 : choose_runs(db, program, d);

    for (size_t i = 0; i < n && rc == 0; i++)
        rc = db_rows(db, rows[i].sql, DB_NO_VALUES, rows[i].take, context, d);
    db_close(db);
    return rc;
}
