/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_window.h"

#include "core/cy_reuse.h"
#include "keys.h"
#include "read/cy_read.h"

/* State while windows are read. */
struct reading {
    struct cy_windows *windows;
    const char *deps;
    struct ids objects; /* read in sorted order */
    struct keys insns;  /* known instructions, by address and object */
};

static int damaged(const struct reading *r, const char *what, const char *wrong,
                   struct diag *d)
{
    return wrong == NULL ? 0
                         : diag_set(d, "%s: damaged database: a %s with %s",
                                    r->deps, what, wrong);
}

static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;

    (void)d;
    if (db_int(q, 2) != 0)
        r->windows->n_threads = 2;
    array_append(
        r->windows, runs,
        (struct cy_window_run){.id = db_int(q, 0), .recorded = db_count(q, 1)});
    return 0;
}

static int take_object(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct cy_windows *w = r->windows;

    return cy_read_object(&w->objects, &w->n_objects, &w->objects_room,
                          &r->objects, q, d);
}

static int take_piece(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct cy_piece_blob blob = {.run = db_int(q, 0),
                                 .number = db_count(q, 1),
                                 .address = (uint64_t)db_int(q, 3)};

    blob.insns = db_blob(q, 4, &blob.insns_size);
    return damaged(r, "piece",
                   ids_find(&r->objects, db_int(q, 2), &blob.object)
                       ? cy_window_add_piece(r->windows, &r->insns, &blob)
                       : "no object",
                   d);
}

/* The run of a row, which has its id in the first column; NULL: none. */
static struct cy_window_run *run_of(const struct cy_windows *w,
                                    struct db_query *q)
{
    int64_t id = db_int(q, 0);

    return array_find(&id, w->runs, w->n_runs, array_by_number);
}

static int take_place(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct cy_windows *w = r->windows;
    struct cy_window_run *run = run_of(w, q);
    struct cy_window_place place = {.address = (uint64_t)db_int(q, 3),
                                    .kind = (enum cy_place_kind)db_count(q, 4)};

    if (run == NULL || db_count(q, 1) != run->n_places ||
        !ids_find(&r->objects, db_int(q, 2), &place.object) ||
        w->n_places >= UINT32_MAX)
        return diag_set(d,
                        "%s: damaged database: a place without a run, an"
                        " object or a number",
                        r->deps);
    if (run->n_places++ == 0)
        run->first_place = w->n_places;
    array_append(w, places, place);
    return 0;
}

static uint8_t *copy(struct db_query *q, int column, size_t *n)
{
    const uint8_t *bytes = db_blob(q, column, n);
    uint8_t *to = memory_new(*n + 1, 1);

    if (*n > 0)
        memcpy(to, bytes, *n);
    return to;
}

static int take_window(void *context, struct db_query *q, struct diag *d)
{
    struct reading *r = context;
    struct cy_windows *w = r->windows;
    struct cy_window_run *run = run_of(w, q);
    uint64_t thread = db_count(q, 1), instructions = db_count(q, 3);
    const struct cy_recorded *window = NULL;

    if (thread > UINT32_MAX || instructions > CY_WINDOW_INSNS)
        return diag_set(d,
                        "%s: damaged database: a window of %" PRIu64
                        " instructions of thread %" PRIu64,
                        r->deps, instructions, thread);
    array_append(w, rows,
                 (struct cy_window_row){.run = db_int(q, 0),
                                        .thread = (uint32_t)thread,
                                        .start = db_count(q, 2),
                                        .n = (size_t)instructions});
    struct cy_window_row *row = &w->rows[w->n_rows - 1];
    row->path = copy(q, 4, &row->path_size);
    row->accesses = copy(q, 5, &row->accesses_size);
    row->gaps = copy(q, 6, &row->gaps_size);
    row->reuse = copy(q, 7, &row->reuse_size);
    row->lead = copy(q, 8, &row->lead_size);
    const char *wrong = run == NULL || run->recorded == 0
                            ? "no run that recorded anything"
                            : cy_window_read_pieces(w, row);
    if (wrong == NULL)
        window = cy_windows_take(w, w->n_rows - 1, &wrong);
    if (wrong == NULL && !cy_reuse_learn(w->reuse, w, window))
        wrong = "reuse times that do not fit its accesses";
    if (wrong == NULL)
        wrong = cy_lead_of(w, w->n_rows - 1, w->lead);
    w->instructions += row->n;
    if (w->n_threads <= row->thread)
        w->n_threads = row->thread + UINT64_C(1);
    if (run != NULL)
        run->n_windows++;
    return damaged(r, "window", wrong, d);
}

static const struct cy_rows rows[] = {
    {"SELECT run_id, recorded,"
     " run_id IN (SELECT run_id FROM dep WHERE cross_thread)"
     " FROM run WHERE" CY_CHOSEN " ORDER BY run_id",
     take_run},
    {CY_OBJECTS, take_object},
    {"SELECT run_id, piece, object_id, address, instructions"
     " FROM window_piece WHERE" CY_CHOSEN " ORDER BY run_id, piece",
     take_piece},
    {"SELECT run_id, place, object_id, address, kind"
     " FROM window_place WHERE" CY_CHOSEN " ORDER BY run_id, place",
     take_place},
    {"SELECT run_id, thread, start_timestamp, instructions, path, accesses,"
     " gaps, reuse, lead FROM window WHERE" CY_CHOSEN
     " ORDER BY run_id, start_timestamp, window_id",
     take_window},
};

static void weigh(struct cy_windows *w)
{
    size_t at = 0, counted = 0;

    for (size_t i = 0; i < w->n_runs; i++) {
        const struct cy_window_run *run = &w->runs[i];

        w->recorded += run->n_windows > 0 ? run->recorded : 0;
        w->n_without += run->n_windows == 0 && run->recorded > 0;
    }
    for (size_t i = 0; i < w->n_rows; i++)
        counted += w->rows[i].n - cy_window_first(w->rows[i].n);
    for (size_t i = 0; i < w->n_runs; i++)
        for (size_t j = 0; j < w->runs[i].n_windows; j++, at++) {
            struct cy_window_row *row = &w->rows[at];
            size_t n = row->n - cy_window_first(row->n);

            row->weight =
                (double)w->runs[i].recorded * (double)counted /
                ((double)(w->runs[i].n_windows * n) * (double)w->recorded);
        }
    assert(at == w->n_rows);
}

int cy_windows_read(struct cy_windows *windows, const char *deps,
                    const char *program, struct diag *d)
{
    struct reading r = {.windows = windows, .deps = deps};

    *windows = (struct cy_windows){
        .reuse = cy_reuse_new(), .lead = memory_new(1, sizeof *windows->lead)};
    int rc =
        cy_read_rows(deps, program, rows, sizeof rows / sizeof *rows, &r, d);
    if (rc == 0)
        weigh(windows);
    ids_fini(&r.objects);
    keys_fini(&r.insns);
    return rc;
}

void cy_windows_forget(struct cy_windows *windows)
{
    for (size_t i = 0; i < windows->n_rows; i++) {
        cy_recorded_fini(&windows->rows[i].kept);
        free(windows->rows[i].path);
        free(windows->rows[i].accesses);
        free(windows->rows[i].gaps);
        free(windows->rows[i].lead);
        free(windows->rows[i].reuse);
        free(windows->rows[i].pieces);
    }
    free(windows->rows);
    free(windows->places);
    free(windows->pieces);
    free(windows->piece_insns);
    windows->rows = NULL;
    windows->places = NULL;
    windows->pieces = NULL;
    windows->piece_insns = NULL;
    windows->n_rows = windows->n_places = 0;
    windows->n_pieces = windows->n_piece_insns = 0;
    cy_recorded_fini(&windows->last);
    cy_reuse_free(windows->reuse);
    if (windows->lead != NULL)
        cy_lead_fini(windows->lead);
    free(windows->lead);
    windows->reuse = NULL;
    windows->lead = NULL;
}

void cy_windows_fini(struct cy_windows *windows)
{
    cy_windows_forget(windows);
    for (size_t i = 0; i < windows->n_objects; i++) {
        free(windows->objects[i].path);
        free(windows->objects[i].build_id);
    }
    free(windows->runs);
    free(windows->objects);
    free(windows->insns);
    free(windows->accesses);
    *windows = (struct cy_windows){0};
}
