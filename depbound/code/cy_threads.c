/* Limits: the places and variables of the MOST most frequent pairs of each kind
   are looked up; others only count. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code/cy_threads.h"

#include "keys.h"
#include "read/cy_read.h"

#define MOST 300

struct reading {
    struct cy_threads *threads;
    const struct cy_data *data;
    struct cy_code *code;
    struct cy_data files; /* has only the files of the deps.db */
    struct cy_code *code_of_files;
    struct ids objects;
    uint32_t *in_data; /* by file: its number in `data`, or CY_NO_OBJECT */
    size_t n_in_data, in_data_room;
    struct cy_between_row rows[2][MOST]; /* of values, of lines */
    size_t n_rows[2];
};

static void take_object(void *context, int64_t id, const char *path,
                        const char *build_id)
{
    struct reading *r = context;

    array_append(r, in_data, cy_data_object(r->data, build_id));
    ids_add(&r->objects, id, (uint32_t)r->files.n_objects);
    array_append(&r->files, objects,
                 (struct cy_object){memory_text(path), memory_text(build_id)});
}

static void take_loads(void *context, uint64_t loads)
{
    struct reading *r = context;

    r->threads->loads = loads;
    ids_sort(&r->objects); /* all of them were read before */
}

/* Counts the accesses of an instruction of an analysed file. */
static void take_at(struct reading *r, const struct cy_between_row *row)
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

static void take_row(void *context, const struct cy_between_row *row)
{
    struct reading *r = context;
    struct cy_betweens *all =
        row->is_line ? &r->threads->lines : &r->threads->values;

    all->accesses += row->accesses;
    take_at(r, row);
    if (r->n_rows[row->is_line] < MOST)
        r->rows[row->is_line][r->n_rows[row->is_line]++] = *row;
}

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
    struct diag ignored;
    uint32_t file;

    if (!ids_find(&r->objects, id, &file))
        return false;
    *end = (struct end){r->code_of_files, file, address};
    if (r->in_data[file] != CY_NO_OBJECT)
        *end = (struct end){r->code, r->in_data[file], address};
    cy_code_at(end->code, end->object, address, &insn, &ignored);
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

static int add(struct reading *r, const struct cy_between_row *row,
               struct diag *d)
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
    const struct cy_read_of_between take = {take_object, take_loads, take_row};
    struct reading *r = memory_new(1, sizeof *r);
    int rc;

    *threads = (struct cy_threads){0};
    r->threads = threads;
    r->data = data;
    r->code = code;
    rc = cy_read_between(deps, data->runs_of, &take, r, d);
    if (rc == 0)
        rc = look_up(r, syntax, d);
    free(r->in_data);
    ids_fini(&r->objects);
    cy_data_fini(&r->files);
    free(r);
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
