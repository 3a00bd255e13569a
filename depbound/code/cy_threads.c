/* Limits: the places and variables of the MOST most frequent pairs of each kind
   are looked up; others only count. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code/cy_threads.h"

#include "keys.h"
#include "read/cy_read.h"

#define MOST 300

/* A pair of instructions between threads, over the chosen runs: loads of a
   value that another thread stored, or accesses that shared a line. */
struct row {
    bool is_line, stores;           /* lines: does the access store? */
    int64_t src_object, dst_object; /* ids of the database */
    uint64_t src, dst, accesses;
    uint64_t turns; /* lines: of threads, with such accesses */
};

struct reading {
    struct cy_threads *threads;
    const struct cy_data *data;
    struct cy_code *code;
    struct cy_data files; /* has only the files of the deps.db */
    struct cy_code *code_of_files;
    struct ids objects;
    uint32_t *in_data; /* by file: its number in `data`, or CY_NO_OBJECT */
    size_t n_in_data, in_data_room;
    struct row rows[2][MOST]; /* of values, of lines */
    size_t n_rows[2];
};

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct cy_data *files = &r->files;

    if (cy_read_object(&files->objects, &files->n_objects, &files->objects_room,
                       &r->objects, q, d) != 0)
        return -1;
    array_append(r, in_data, cy_data_object(r->data, db_text(q, 2)));
    return 0;
}

static int take_loads(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;

    (void)d;
    r->threads->loads = db_count(q, 0);
    ids_sort(&r->objects); /* all of them were read before */
    return 0;
}

/* Counts the accesses of an instruction of an analysed file. */
static void take_at(struct reading *r, const struct row *row)
{
    struct cy_between_at at = {.address = row->dst,
                               .loads = row->is_line ? 0 : row->accesses,
                               .accesses = row->is_line ? row->accesses : 0};

    if (!ids_find(&r->objects, row->dst_object, &at.object) ||
        r->in_data[at.object] == CY_NO_OBJECT)
        return;
    at.object = r->in_data[at.object];
    array_append(r->threads, at, at);
}

static int take_row(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct row row = {
        .src_object = db_int(q, 0),
        .src = (uint64_t)db_int(q, 1),
        .dst_object = db_int(q, 2),
        .dst = (uint64_t)db_int(q, 3),
        .stores = db_int(q, 4) != 0,
        .accesses = db_count(q, 5),
        .turns = db_count(q, 6),
        .is_line = db_int(q, 7) != 0,
    };
    struct cy_betweens *all =
        row.is_line ? &r->threads->lines : &r->threads->values;

    if (row.accesses == 0)
        return db_damaged(db_of(q), "a pair between threads without accesses",
                          d);
    all->accesses += row.accesses;
    take_at(r, &row);
    if (r->n_rows[row.is_line] < MOST)
        r->rows[row.is_line][r->n_rows[row.is_line]++] = row;
    return 0;
}

static const struct cy_rows rows[] = {
    {CY_OBJECTS, take_object},
    {"SELECT coalesce(sum(occurrences), 0) FROM dep WHERE" CY_CHOSEN,
     take_loads},
    {"SELECT src_object, src, dst_object, dst, 0, sum(cross_thread), 0, 0"
     " FROM dep WHERE cross_thread > 0 AND" CY_CHOSEN " GROUP BY 1, 2, 3, 4"
     " ORDER BY 6 DESC, 1, 2, 3, 4",
     take_row},
    {"SELECT src_object, src, dst_object, dst, stores, sum(accesses),"
     " sum(turns), 1 FROM shared_line WHERE" CY_CHOSEN
     " GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, 1, 2, 3, 4, 5",
     take_row},
};

/* One end of a pair, in the code of analysed files, or of others. */
struct end {
    struct cy_code *code;
    uint32_t object; /* of `code` */
    uint64_t address;
};

/* Finds an end, and opens its file, so that its lines are known. */
static bool find_end(struct reading *r, int64_t id, uint64_t address,
                     struct end *end)
{
    struct cy_code_insn insn;
    uint32_t file;

    if (!ids_find(&r->objects, id, &file))
        return false;
    *end = (struct end){r->code_of_files, file, address};
    if (r->in_data[file] != CY_NO_OBJECT)
        *end = (struct end){r->code, r->in_data[file], address};
    cy_code_at(end->code, end->object, address, &insn, NULL);
    return true;
}

static bool is_asked(const struct reading *r, const struct end *end)
{
    bool is_analysed = end->code == r->code;
    const struct cy_data *files = is_analysed ? r->data : &r->files;
    uint32_t block = is_analysed
                         ? cy_data_block(r->data, end->object, end->address)
                         : CY_NO_BLOCK;

    return cy_data_is_asked(
        r->data, &files->objects[end->object],
        block != CY_NO_BLOCK ? r->data->blocks[block].function : NULL);
}

static char *place_of(const struct reading *r, const struct end *end)
{
    const struct cy_data *files = end->code == r->code ? r->data : &r->files;
    struct cy_line line = cy_code_line(end->code, end->object, end->address);

    return line.text[0] != '\0'
               ? memory_text(line.text)
               : memory_printf("%s+%#" PRIx64,
                               text_base_name(files->objects[end->object].path),
                               end->address);
}

static char *accessed(const struct end *end, bool is_store)
{
    return cy_code_accessed(end->code, end->object, end->address, is_store);
}

/* The variable that a value passes through. */
static char *passed(const struct end *store, const struct end *load)
{
    return store->code == load->code
               ? cy_code_variable(store->code, store->object, store->address,
                                  load->object, load->address)
               : NULL;
}

static void between_fini(struct cy_between *b)
{
    free(b->access);
    free(b->store);
    free(b->variable);
    free(b->stored);
}

static int text_order(const char *a, const char *b)
{
    return a == NULL || b == NULL ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

ARRAY_ORDER(place_order, struct cy_between,
            strcmp(a->access, b->access)
                ?: strcmp(a->store, b->store)
                ?: text_order(a->variable, b->variable)
                ?: text_order(a->stored, b->stored))

ARRAY_ORDER(access_order, struct cy_between,
            array_order(b->loads + b->stores, a->loads + a->stores)
                ?: place_order(a, b))

/* Joins pairs of the same places and variables. */
static void join(struct cy_betweens *all)
{
    size_t n = 0;

    array_sort(all->list, all->n, place_order);
    for (size_t i = 0; i < all->n; i++) {
        struct cy_between *b = &all->list[i],
                          *to = n > 0 ? &all->list[n - 1] : NULL;

        if (to == NULL || place_order(to, b) != 0) {
            all->list[n++] = *b;
            continue;
        }
        to->loads += b->loads;
        to->stores += b->stores;
        to->turns = b->turns > to->turns ? b->turns : to->turns;
        between_fini(b);
    }
    all->n = n;
    array_sort(all->list, all->n, access_order);
}

static int add(struct reading *r, const struct row *row, struct diag *d)
{
    struct cy_betweens *all =
        row->is_line ? &r->threads->lines : &r->threads->values;
    struct cy_between b = {.loads = row->stores ? 0 : row->accesses,
                           .stores = row->stores ? row->accesses : 0,
                           .turns = row->turns};
    struct end store, access;

    assert(row->accesses > 0 && (row->is_line || !row->stores));
    if (!find_end(r, row->src_object, row->src, &store) ||
        !find_end(r, row->dst_object, row->dst, &access))
        return diag_set(d, "a pair between threads is in no object");
    if (!is_asked(r, &store) && !is_asked(r, &access))
        return 0;
    b.access = place_of(r, &access);
    b.store = place_of(r, &store);
    b.variable =
        row->is_line ? accessed(&access, row->stores) : passed(&store, &access);
    b.stored = row->is_line ? accessed(&store, true) : NULL;
    array_push(all->list, all->n, all->room, b);
    return 0;
}

static int look_up(struct reading *r, enum disasm_syntax syntax, struct diag *d)
{
    int rc = 0;

    r->files.arch = r->data->arch;
    r->code_of_files = cy_code_new(&r->files, syntax);
    for (unsigned kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < r->n_rows[kind] && rc == 0; i++)
            rc = add(r, &r->rows[kind][i], d);
    cy_code_free(r->code_of_files);
    join(&r->threads->values);
    join(&r->threads->lines);
    return rc;
}

int cy_threads_of(struct cy_threads *threads, const char *deps,
                  const struct cy_data *data, struct cy_code *code,
                  enum disasm_syntax syntax, struct diag *d)
{
    AUTO_FREE struct reading *r = memory_new(1, sizeof *r);

    *threads = (struct cy_threads){0};
    r->threads = threads;
    r->data = data;
    r->code = code;
    int rc = cy_read_rows(deps, data->runs_of, rows, sizeof rows / sizeof *rows,
                          r, d);
    if (rc == 0)
        rc = look_up(r, syntax, d);
    free(r->in_data);
    ids_fini(&r->objects);
    cy_data_fini(&r->files);
    return rc;
}

void cy_threads_fini(struct cy_threads *threads)
{
    struct cy_betweens *kinds[] = {&threads->values, &threads->lines};

    for (unsigned kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < kinds[kind]->n; i++)
            between_fini(&kinds[kind]->list[i]);
        free(kinds[kind]->list);
    }
    free(threads->at);
    *threads = (struct cy_threads){0};
}
