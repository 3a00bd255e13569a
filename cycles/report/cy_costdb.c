/*
 * cy_costdb: what was predicted -> cost.db.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "db.h"
#include "memory.h"
#include "replace.h"
#include "report/internal.h"

/* Each inserts a row. */
enum query { OBJECT, LOOP, BLOCK, LINK, FAILED, TOTAL, ANALYSIS, N_QUERIES };

static const char *const sql[N_QUERIES] = {
    [OBJECT] = "INSERT INTO object VALUES(?, ?, ?)",
    [LOOP] = "INSERT INTO loop VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
             " ?, ?, ?, ?, ?, ?, ?, ?)",
    [BLOCK] = "INSERT INTO loop_block VALUES(?, ?, ?, ?)",
    [LINK] = "INSERT INTO link VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [FAILED] = "INSERT INTO failed_forward VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TOTAL] = "INSERT INTO total VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
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

static int put_objects(struct writer *w, struct diag *d)
{
    const struct cy_data *data = w->report->data;

    for (size_t i = 0; i < data->n_objects; i++)
        if (db_run_with(w->queries[OBJECT],
                        DB_VALUES(DB_INT(i + 1), DB_TEXT(data->objects[i].path),
                                  DB_TEXT(data->objects[i].build_id)),
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
    bool no_units = !c->cycles.has_throughput;
    char *unknown = cy_report_unknown_text(w->report, c);
    int rc;

    assert(c->loop->object < w->report->data->n_objects);
    rc = db_run_with(
        w->queries[LOOP],
        DB_VALUES(DB_INT(id), DB_INT(c->loop->object + 1), DB_TEXT(c->function),
                  DB_TEXT(c->name), DB_INT(c->address), DB_INT(c->n),
                  DB_INT(c->loop->rounds), DB_INT(c->loop->entries),
                  DB_REAL_UNLESS(no_units, c->region.total),
                  DB_REAL_UNLESS(no_units, c->cycles.throughput),
                  DB_REAL(c->bound.registers.cycles),
                  DB_REAL(c->bound.memory.cycles), DB_REAL(c->cycles.without),
                  DB_REAL(c->cycles.predicted), DB_REAL(c->cycles.mended),
                  DB_INT(cy_unknown_is_least(&c->unknown)),
                  DB_TEXT(unknown[0] != '\0' ? unknown : NULL),
                  DB_REAL(c->cycles.short_runs), DB_TEXT(cy_report_limit(c)),
                  DB_INT(c->cycles.is_memory_bound),
                  DB_INT(c->bound.n_unknown_flow + c->region.n_unknown),
                  DB_INT(c->bound.n_unknown_cost)),
        d);
    free(unknown);
    if (rc != 0 || put_blocks(w, id, c->loop, d) != 0)
        return -1;
    return put_links(w, id, c, d) != 0 ? -1 : put_failed(w, id, c, d);
}

static int put_total(struct writer *w, const struct cy_total *t,
                     bool is_program, struct diag *d)
{
    return db_run_with(w->queries[TOTAL],
                       DB_VALUES(DB_TEXT(t->function), DB_INT(is_program),
                                 DB_INT(t->instructions), DB_INT(t->unmodelled),
                                 DB_REAL(t->high_without),
                                 DB_REAL(t->low_mended), DB_REAL(t->low),
                                 DB_REAL(t->high)),
                       d);
}

static int put_totals(struct writer *w, struct diag *d)
{
    const struct cy_program *p = w->report->program;

    if (p == NULL)
        return 0;
    if (put_total(w, &p->total, true, d) != 0)
        return -1;
    for (size_t i = 0; i < p->n; i++)
        if (put_total(w, &p->functions[i], false, d) != 0)
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
    if (put_totals(w, d) != 0 ||
        put_key(w, "version", PACKAGE_VERSION, d) != 0 ||
        put_key(w, "edges", cy_edges_name(r->edges), d) != 0 ||
        put_key(w, "machine", r->machine != NULL ? r->machine->name : NULL,
                d) != 0 ||
        put_key(w, "stands_for",
                r->machine != NULL ? r->machine->stands_for : NULL, d) != 0 ||
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
