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

static void take_run(void *context, int64_t id, uint64_t recorded,
                     bool has_threads)
{
    struct reading *r = context;

    if (has_threads)
        r->windows->n_threads = 2;
    array_append(r->windows, runs,
                 (struct cy_window_run){.id = id, .recorded = recorded});
}

static void take_object(void *context, int64_t id, const char *path,
                        const char *build_id)
{
    struct reading *r = context;

    ids_add(&r->objects, id, (uint32_t)r->windows->n_objects);
    array_append(r->windows, objects,
                 (struct cy_object){memory_text(path), memory_text(build_id)});
}

static int take_piece(void *context, const struct cy_piece_blob *blob,
                      struct diag *d)
{
    struct reading *r = context;
    const char *wrong = "no object";
    uint32_t object;

    if (ids_find(&r->objects, blob->object, &object))
        wrong = cy_window_add_piece(r->windows, &r->insns, blob, object);
    return wrong == NULL ? 0
                         : diag_set(d, "%s: damaged database: a piece with %s",
                                    r->deps, wrong);
}

static int take_place(void *context, const struct cy_place_row *row,
                      struct diag *d)
{
    struct reading *r = context;
    struct cy_windows *w = r->windows;
    struct cy_window_run *run =
        array_find(&row->run, w->runs, w->n_runs, array_by_number);
    uint32_t object;

    if (run == NULL || row->number != run->n_places ||
        !ids_find(&r->objects, row->object, &object) ||
        w->n_places >= UINT32_MAX)
        return diag_set(d,
                        "%s: damaged database: a place without a run, an"
                        " object or a number",
                        r->deps);
    if (run->n_places++ == 0)
        run->first_place = w->n_places;
    array_append(w, places,
                 (struct cy_window_place){object, row->address, row->kind});
    return 0;
}

static uint8_t *copy(const uint8_t *bytes, size_t n)
{
    uint8_t *to = memory_new(n + 1, 1);

    if (n > 0)
        memcpy(to, bytes, n);
    return to;
}

static int take_window(void *context, const struct cy_window_blobs *blobs,
                       struct diag *d)
{
    struct reading *r = context;
    struct cy_windows *w = r->windows;
    struct cy_window_run *run =
        array_find(&blobs->run, w->runs, w->n_runs, array_by_number);
    struct cy_window_row *row;
    const struct cy_recorded *window = NULL;
    const char *wrong;

    if (blobs->thread > UINT32_MAX || blobs->instructions > CY_WINDOW_INSNS)
        return diag_set(d,
                        "%s: damaged database: a window of %llu instructions"
                        " of thread %llu",
                        r->deps, (unsigned long long)blobs->instructions,
                        (unsigned long long)blobs->thread);
    array_append(w, rows,
                 (struct cy_window_row){
                     .run = blobs->run,
                     .thread = (uint32_t)blobs->thread,
                     .start = blobs->start,
                     .n = (size_t)blobs->instructions,
                     .path = copy(blobs->path, blobs->path_size),
                     .path_size = blobs->path_size,
                     .accesses = copy(blobs->accesses, blobs->accesses_size),
                     .accesses_size = blobs->accesses_size,
                     .gaps = copy(blobs->gaps, blobs->gaps_size),
                     .gaps_size = blobs->gaps_size,
                     .reuse = copy(blobs->reuse, blobs->reuse_size),
                     .reuse_size = blobs->reuse_size,
                     .lead = copy(blobs->lead, blobs->lead_size),
                     .lead_size = blobs->lead_size,
                 });
    row = &w->rows[w->n_rows - 1];
    wrong = run == NULL || run->recorded == 0 ? "no run that recorded anything"
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
    return wrong == NULL ? 0
                         : diag_set(d, "%s: damaged database: a window with %s",
                                    r->deps, wrong);
}

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
    static const struct cy_read_of_windows take = {
        take_run, take_object, take_piece, take_place, take_window};
    struct reading r = {.windows = windows, .deps = deps};
    int rc;

    *windows = (struct cy_windows){
        .reuse = cy_reuse_new(), .lead = memory_new(1, sizeof *windows->lead)};
    rc = cy_read_windows(deps, program, &take, &r, d);
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
