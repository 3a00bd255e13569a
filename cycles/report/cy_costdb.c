/*
 * cy_costdb: what was predicted -> cost.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "db.h"
#include "memory.h"
#include "replace.h"
#include "report/internal.h"

/* Each inserts a row. */
enum query {
    OBJECT,
    LOOP,
    BLOCK,
    LINK,
    FAILED,
    TOTAL,
    WINDOW_TOTAL,
    WINDOW_CAUSE,
    WINDOW_FULL,
    WINDOW_LINE,
    WINDOW_PAIR,
    ANALYSIS,
    N_QUERIES
};

static const char *const sql[N_QUERIES] = {
    [OBJECT] = "INSERT INTO object VALUES(?, ?, ?)",
    [LOOP] = "INSERT INTO loop VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [BLOCK] = "INSERT INTO loop_block VALUES(?, ?, ?, ?)",
    [LINK] = "INSERT INTO link VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [FAILED] = "INSERT INTO failed_forward VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TOTAL] = "INSERT INTO total VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [WINDOW_TOTAL] = "INSERT INTO window_total VALUES(?, ?, ?, ?, ?, ?, ?, ?,"
                     " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [WINDOW_CAUSE] = "INSERT INTO window_cause VALUES(?, ?)",
    [WINDOW_FULL] = "INSERT INTO window_full VALUES(?, ?)",
    [WINDOW_LINE] = "INSERT INTO window_line VALUES(?, ?, ?, ?)",
    [WINDOW_PAIR] = "INSERT INTO window_pair VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?,"
                    " ?, ?, ?, ?)",
    [ANALYSIS] = "INSERT INTO analysis VALUES(?, ?)",
};

struct writer {
    const struct cy_report *report;
    struct db *db;
    struct db_query *queries[N_QUERIES];
};

static int prepare(struct writer *w, struct diag *d)
{
    for (enum query i = 0; i < N_QUERIES; i++) {
        w->queries[i] = db_prepare(w->db, sql[i], d);
        if (w->queries[i] == NULL)
            return -1;
    }
    return 0;
}

static int put_object(struct writer *w, int64_t id,
                      const struct cy_object *object, struct diag *d)
{
    return db_run_with(
        w->queries[OBJECT],
        DB_VALUES(DB_INT(id), DB_TEXT(object->path), DB_TEXT(object->build_id)),
        d);
}

/* The id of an object of the windows.  Those that were not analysed come after
   those that were. */
static int64_t window_object(const struct writer *w, uint32_t object)
{
    const struct cy_windowed *windowed = w->report->windowed;

    assert(object < windowed->objects.n_objects);
    return windowed->in_data[object] != UINT32_MAX
               ? windowed->in_data[object] + 1
               : (int64_t)(w->report->data->n_objects + object + 1);
}

static int put_objects(struct writer *w, struct diag *d)
{
    const struct cy_data *data = w->report->data;
    const struct cy_windowed *windowed = w->report->windowed;

    for (size_t i = 0; i < data->n_objects; i++)
        if (put_object(w, (int64_t)i + 1, &data->objects[i], d) != 0)
            return -1;
    for (uint32_t i = 0; windowed != NULL && i < windowed->objects.n_objects;
         i++)
        if (windowed->in_data[i] == UINT32_MAX &&
            put_object(w, window_object(w, i), &windowed->objects.objects[i],
                       d) != 0)
            return -1;
    return 0;
}

static int put_link(struct writer *w, int64_t id, size_t i,
                    const struct cy_cost_of_loop *c, const struct cy_link *l,
                    struct diag *d)
{
    const struct cy_forward *f = &l->forward;
    bool is_memory = l->wait == CY_WAIT_MEMORY;
    bool is_forward = cy_report_is_forward(l);

    assert(l->from < c->n && l->to < c->n && l->cycles >= 0);
    return db_run_with(
        w->queries[LINK],
        DB_VALUES(
            DB_INT(id), DB_INT(i), DB_INT(c->insns[l->from].address),
            DB_INT(c->insns[l->to].address), DB_TEXT(cy_wait_name(l->wait)),
            DB_INT(l->rounds), DB_REAL(l->cycles),
            DB_TEXT(is_memory ? cy_how_name(l->how) : NULL),
            DB_TEXT(is_memory ? cy_relation_name(f->relation) : NULL),
            DB_INT_UNLESS(!is_memory, f->is_observed),
            DB_INT_UNLESS(!is_forward,
                          is_forward ? cy_report_distance(c, f, l->to) : 0)),
        d);
}

static int put_links(struct writer *w, int64_t id,
                     const struct cy_cost_of_loop *c, struct diag *d)
{
    const struct cy_chain *chain = cy_report_chain(c);

    for (size_t i = 0; i < chain->n; i++)
        if (put_link(w, id, i, c, &chain->links[i], d) != 0)
            return -1;
    return 0;
}

static int put_failed(struct writer *w, int64_t id,
                      const struct cy_cost_of_loop *c, struct diag *d)
{
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_failed *f = &c->bound.failed[i];

        if (db_run_with(
                w->queries[FAILED],
                DB_VALUES(DB_INT(id), DB_INT(i),
                          DB_INT(c->insns[f->store].address),
                          DB_INT(c->insns[f->load].address), DB_INT(f->rounds),
                          DB_REAL(f->cycles),
                          DB_TEXT(cy_relation_name(f->forward.relation)),
                          DB_INT(f->forward.is_observed),
                          DB_INT(cy_report_distance(c, &f->forward, f->load))),
                d) != 0)
            return -1;
    }
    return 0;
}

static int put_blocks(struct writer *w, int64_t id, const struct cy_loop *loop,
                      struct diag *d)
{
    for (size_t i = 0; i < loop->n_blocks; i++) {
        const struct cy_block *b = &w->report->data->blocks[loop->blocks[i]];

        if (db_run_with(w->queries[BLOCK],
                        DB_VALUES(DB_INT(id), DB_INT(i), DB_INT(b->start),
                                  DB_INT(b->end)),
                        d) != 0)
            return -1;
    }
    return 0;
}

static int put_loop(struct writer *w, int64_t id,
                    const struct cy_cost_of_loop *c, struct diag *d)
{
    bool is_all = cy_unknown_is_all(&c->unknown);
    bool no_units = is_all || !c->cycles.has_units;
    char *unknown = cy_report_unknown_text(w->report, c);
    int rc;

    assert(c->loop->object < w->report->data->n_objects);
    rc = db_run_with(
        w->queries[LOOP],
        DB_VALUES(DB_INT(id), DB_INT(c->loop->object + 1), DB_TEXT(c->function),
                  DB_TEXT(c->name), DB_INT(c->address), DB_INT(c->n),
                  DB_INT(c->iterations), DB_INT(c->loop->entries),
                  DB_REAL_UNLESS(no_units, c->cycles.throughput),
                  DB_REAL_UNLESS(is_all, c->bound.registers.cycles),
                  DB_REAL_UNLESS(is_all, c->bound.memory.cycles),
                  DB_REAL_UNLESS(is_all, c->cycles.without),
                  DB_REAL_UNLESS(is_all, c->cycles.predicted),
                  DB_REAL_UNLESS(is_all, c->cycles.mended),
                  DB_REAL_UNLESS(is_all || c->cycles.n_recorded == 0,
                                 c->cycles.steered),
                  DB_INT(cy_unknown_is_least(&c->unknown)),
                  DB_TEXT(unknown[0] != '\0' ? unknown : NULL),
                  DB_REAL_UNLESS(is_all || !w->report->data->has_executions,
                                 c->cycles.all),
                  DB_TEXT(cy_limit_name(cy_report_limit(c))),
                  DB_INT(c->cycles.is_memory_bound), DB_INT(c->bound.n_unknown),
                  DB_INT(c->bound.n_unknown_cost), DB_INT(c->cycles.n_recorded),
                  DB_REAL_UNLESS(is_all || c->cycles.n_recorded == 0,
                                 c->cycles.called),
                  DB_REAL_UNLESS(is_all, c->cycles.steady),
                  DB_REAL_UNLESS(is_all, c->cycles.low),
                  DB_REAL_UNLESS(is_all, c->cycles.high)),
        d);
    free(unknown);
    if (rc != 0 || put_blocks(w, id, c->loop, d) != 0)
        return -1;
    return put_links(w, id, c, d) != 0 ? -1 : put_failed(w, id, c, d);
}

static int put_total(struct writer *w, const struct cy_total *t, struct diag *d)
{
    const struct cy_program *p = w->report->program;
    bool is_program = t == &p->total;

    return db_run_with(
        w->queries[TOTAL],
        DB_VALUES(DB_TEXT(t->function),
                  DB_INT_UNLESS(is_program, is_program ? 0
                                            : p->is_recorded
                                                ? window_object(w, t->file)
                                                : t->file + 1),
                  DB_INT(is_program), DB_REAL(t->instructions),
                  DB_REAL(t->unmodelled),
                  DB_REAL(cy_report_part(w->report, t->cycles)),
                  DB_REAL_UNLESS(p->is_few, t->cycles),
                  DB_REAL_UNLESS(p->is_few, t->mended),
                  DB_REAL_UNLESS(!is_program || isnan(p->low), p->low),
                  DB_REAL_UNLESS(!is_program || isnan(p->high), p->high)),
        d);
}

static int put_totals(struct writer *w, struct diag *d)
{
    const struct cy_program *p = w->report->program;

    if (p == NULL)
        return 0;
    if (put_total(w, &p->total, d) != 0)
        return -1;
    for (size_t i = 0; i < p->n; i++)
        if (put_total(w, &p->functions[i], d) != 0)
            return -1;
    return 0;
}

static int put_window_total(struct writer *w, struct diag *d)
{
    const struct cy_windowed *windowed = w->report->windowed;
    const struct cy_outcome *o = &windowed->outcome;

    return db_run_with(
        w->queries[WINDOW_TOTAL],
        DB_VALUES(
            DB_TEXT(windowed->function), DB_INT(o->n_windows),
            DB_INT(o->instructions), DB_REAL(o->cycles),
            DB_INT(windowed->windows.recorded),
            DB_INT(windowed->windows.n_runs),
            DB_INT(windowed->windows.n_without), DB_REAL(windowed->wide_gain),
            DB_REAL(windowed->predicted_gain), DB_INT(o->n_branches),
            DB_INT(o->n_missed), DB_INT(o->penalty_is_typical),
            DB_INT(o->n_first_touches), DB_INT(o->n_system_calls),
            DB_INT(o->n_unknown), DB_INT(o->n_guessed), DB_INT(o->n_ordered),
            DB_INT(o->n_rounds), DB_INT(o->n_no_rules)),
        d);
}

/* What cycles are spent on, and how long buffers were full. */
static int put_window_causes(struct writer *w, struct diag *d)
{
    const struct cy_outcome *o = &w->report->windowed->outcome;

    for (enum cy_cause i = 0; i < CY_N_CAUSES; i++)
        if (db_run_with(w->queries[WINDOW_CAUSE],
                        DB_VALUES(DB_TEXT(cy_report_cause_name(i)),
                                  DB_REAL(o->causes[i])),
                        d) != 0)
            return -1;
    for (enum cy_full i = 0; i < CY_N_FULL; i++)
        if (db_run_with(
                w->queries[WINDOW_FULL],
                DB_VALUES(DB_TEXT(cy_report_full_name(i)), DB_REAL(o->full[i])),
                d) != 0)
            return -1;
    return 0;
}

static int put_window_line(struct writer *w, const struct cy_windowed_line *l,
                           struct diag *d)
{
    return db_run_with(w->queries[WINDOW_LINE],
                       DB_VALUES(DB_TEXT(l->line), DB_REAL(l->path),
                                 DB_REAL(l->executed), DB_REAL(l->cycles)),
                       d);
}

static int put_window_pair(struct writer *w, const struct cy_windowed_pair *p,
                           struct diag *d)
{
    const struct cy_windowed *windowed = w->report->windowed;
    const struct cy_simulated_insn *store = &windowed->simulated[p->store],
                                   *load = &windowed->simulated[p->load];
    char store_line[128], load_line[128];

    cy_code_line(windowed->code, store->object, store->address, store_line,
                 sizeof store_line);
    cy_code_line(windowed->code, load->object, load->address, load_line,
                 sizeof load_line);
    return db_run_with(
        w->queries[WINDOW_PAIR],
        DB_VALUES(DB_INT(window_object(w, store->object)),
                  DB_INT(store->address),
                  DB_TEXT(cy_report_windowed_text(windowed, p->store)),
                  DB_TEXT(store_line[0] != '\0' ? store_line : NULL),
                  DB_INT(window_object(w, load->object)), DB_INT(load->address),
                  DB_TEXT(cy_report_windowed_text(windowed, p->load)),
                  DB_TEXT(load_line[0] != '\0' ? load_line : NULL),
                  DB_INT(p->n), DB_REAL(p->cycles), DB_REAL(p->failed),
                  DB_INT(p->fix + 1), DB_REAL_UNLESS(p->gain < 0, p->gain)),
        d);
}

static int put_windows(struct writer *w, struct diag *d)
{
    const struct cy_windowed *windowed = w->report->windowed;

    if (windowed == NULL || !cy_windowed_is_known(windowed))
        return 0;
    if (put_window_total(w, d) != 0 || put_window_causes(w, d) != 0)
        return -1;
    for (size_t i = 0; i < windowed->n_lines; i++)
        if (put_window_line(w, &windowed->lines[i], d) != 0)
            return -1;
    for (size_t i = 0; i < windowed->n_pairs; i++)
        if (put_window_pair(w, &windowed->pairs[i], d) != 0)
            return -1;
    return 0;
}

static int put_key(struct writer *w, const char *key, const char *value,
                   struct diag *d)
{
    return value == NULL
               ? 0
               : db_run_with(w->queries[ANALYSIS],
                             DB_VALUES(DB_TEXT(key), DB_TEXT(value)), d);
}

static int put_all(struct writer *w, struct diag *d)
{
    const struct cy_report *r = w->report;

    if (db_begin(w->db, d) != 0 || prepare(w, d) != 0 || put_objects(w, d) != 0)
        return -1;
    for (size_t i = 0; i < r->prediction->n; i++)
        if (put_loop(w, (int64_t)i + 1, &r->prediction->loops[i], d) != 0)
            return -1;
    if (put_totals(w, d) != 0 || put_windows(w, d) != 0 ||
        put_key(w, "version", PACKAGE_VERSION, d) != 0 ||
        put_key(w, "edges", cy_edges_name(r->edges), d) != 0 ||
        put_key(w, "machine", r->machine != NULL ? r->machine->name : NULL,
                d) != 0 ||
        put_key(w, "stands_for",
                r->machine != NULL ? r->machine->stands_for : NULL, d) != 0 ||
        put_key(w, "published",
                r->machine != NULL && r->machine->is_published ? "yes" : NULL,
                d) != 0 ||
        put_key(w, "llvm-mca", r->mca, d) != 0)
        return -1;
    return db_commit(w->db, d);
}

/* Only a cost.db or an empty file is overwritten. */
static int check_old(const char *path, struct diag *d)
{
    struct stat st;
    struct db *db;

    if (stat(path, &st) != 0)
        return errno == ENOENT ? 0
                               : diag_set(d, "%s: %s", path, strerror(errno));
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return 0;
    db = db_open(path, DB_COST, d);
    if (db == NULL)
        return -1;
    db_close(db);
    return 0;
}

int cy_costdb_write(const char *path, const struct cy_report *report,
                    struct diag *d)
{
    struct writer w = {.report = report};
    struct replace *file;
    int rc = -1;

    if (check_old(path, d) != 0)
        return -1;
    file = replace_new(path, REPLACE_ALWAYS, d);
    if (file == NULL)
        return -1;
    w.db = db_open_rw(replace_path(file), DB_COST, d);
    if (w.db != NULL)
        rc = put_all(&w, d);
    for (enum query i = 0; i < N_QUERIES; i++)
        db_query_free(w.queries[i]);
    db_close(w.db);
    if (rc == 0)
        rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}
