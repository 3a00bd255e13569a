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

struct writer {
    const struct cy_report *report;
    struct db *db;
    struct db_query *object, *loop, *block, *link, *failed, *total, *analysis;
};

static int prepare(struct writer *w, struct diag *d)
{
    const struct {
        struct db_query **query;
        const char *sql;
    } queries[] = {
        {&w->object, "INSERT INTO object VALUES(?, ?, ?)"},
        {&w->loop, "INSERT INTO loop VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                   " ?, ?, ?, ?, ?, ?, ?)"},
        {&w->block, "INSERT INTO loop_block VALUES(?, ?, ?, ?)"},
        {&w->link, "INSERT INTO link VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&w->failed,
         "INSERT INTO failed_forward VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&w->total, "INSERT INTO total VALUES(?, ?, ?, ?, ?, ?, ?, ?)"},
        {&w->analysis, "INSERT INTO analysis VALUES(?, ?)"},
    };

    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        *queries[i].query = db_prepare(w->db, queries[i].sql, d);
        if (*queries[i].query == NULL)
            return -1;
    }
    return 0;
}

static int put_objects(struct writer *w, struct diag *d)
{
    const struct cy_data *data = w->report->data;

    for (size_t i = 0; i < data->n_objects; i++) {
        db_bind_int(w->object, 1, (int64_t)i + 1);
        db_bind_text(w->object, 2, data->objects[i].path);
        db_bind_text(w->object, 3, data->objects[i].build_id);
        if (db_run(w->object, d) != 0)
            return -1;
    }
    return 0;
}

static void bind_figure(struct db_query *q, int parameter, bool is_known,
                        double value)
{
    if (is_known)
        db_bind_real(q, parameter, value);
    else
        db_bind_null(q, parameter);
}

/* Binds two parameters. */
static void bind_forward(struct db_query *q, int parameter,
                         const struct cy_forward *f)
{
    db_bind_text(q, parameter, cy_relation_name(f->relation));
    db_bind_int(q, parameter + 1, f->is_observed);
}

static int put_links(struct writer *w, int64_t id,
                     const struct cy_cost_of_loop *c, struct diag *d)
{
    const struct cy_chain *chain = cy_report_chain(c);

    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];
        struct db_query *q = w->link;

        assert(l->from < c->n && l->to < c->n && l->cycles >= 0);
        db_bind_int(q, 1, id);
        db_bind_int(q, 2, (int64_t)i);
        db_bind_int(q, 3, (int64_t)c->insns[l->from].address);
        db_bind_int(q, 4, (int64_t)c->insns[l->to].address);
        db_bind_text(q, 5, cy_wait_name(l->wait));
        db_bind_int(q, 6, l->rounds);
        db_bind_real(q, 7, l->cycles);
        if (l->wait == CY_WAIT_MEMORY) {
            db_bind_text(q, 8, cy_how_name(l->how));
            bind_forward(q, 9, &l->forward);
        } else {
            for (int column = 8; column <= 10; column++)
                db_bind_null(q, column);
        }
        if (cy_report_is_forward(l))
            db_bind_int(q, 11,
                        (int64_t)cy_report_distance(c, &l->forward, l->to));
        else
            db_bind_null(q, 11);
        if (db_run(q, d) != 0)
            return -1;
    }
    return 0;
}

static int put_failed(struct writer *w, int64_t id,
                      const struct cy_cost_of_loop *c, struct diag *d)
{
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_failed *f = &c->bound.failed[i];
        struct db_query *q = w->failed;

        db_bind_int(q, 1, id);
        db_bind_int(q, 2, i);
        db_bind_int(q, 3, (int64_t)c->insns[f->store].address);
        db_bind_int(q, 4, (int64_t)c->insns[f->load].address);
        db_bind_int(q, 5, f->rounds);
        db_bind_real(q, 6, f->cycles);
        bind_forward(q, 7, &f->forward);
        db_bind_int(q, 9, (int64_t)cy_report_distance(c, &f->forward, f->load));
        if (db_run(q, d) != 0)
            return -1;
    }
    return 0;
}

static int put_blocks(struct writer *w, int64_t id, const struct cy_loop *loop,
                      struct diag *d)
{
    for (size_t i = 0; i < loop->n_blocks; i++) {
        const struct cy_block *b = &w->report->data->blocks[loop->blocks[i]];

        db_bind_int(w->block, 1, id);
        db_bind_int(w->block, 2, (int64_t)i);
        db_bind_int(w->block, 3, (int64_t)b->start);
        db_bind_int(w->block, 4, (int64_t)b->end);
        if (db_run(w->block, d) != 0)
            return -1;
    }
    return 0;
}

static int put_loop(struct writer *w, int64_t id,
                    const struct cy_cost_of_loop *c, struct diag *d)
{
    struct db_query *q = w->loop;

    assert(c->loop->object < w->report->data->n_objects);
    db_bind_int(q, 1, id);
    db_bind_int(q, 2, (int64_t)c->loop->object + 1);
    db_bind_text(q, 3, c->function);
    db_bind_text(q, 4, c->name);
    db_bind_int(q, 5, (int64_t)c->address);
    db_bind_int(q, 6, c->n);
    db_bind_int(q, 7, (int64_t)c->loop->rounds);
    db_bind_int(q, 8, (int64_t)c->loop->entries);
    bind_figure(q, 9, c->cycles.has_throughput, c->region.total);
    bind_figure(q, 10, c->cycles.has_throughput, c->cycles.throughput);
    db_bind_real(q, 11, c->bound.registers.cycles);
    db_bind_real(q, 12, c->bound.memory.cycles);
    db_bind_real(q, 13, c->cycles.without);
    db_bind_real(q, 14, c->cycles.predicted);
    db_bind_real(q, 15, c->cycles.short_runs);
    db_bind_text(q, 16, cy_report_limit(c));
    db_bind_int(q, 17, c->cycles.is_memory_bound);
    db_bind_int(q, 18,
                (int64_t)(c->bound.n_unknown_flow + c->region.n_unknown));
    db_bind_int(q, 19, c->bound.n_unknown_cost);
    if (db_run(q, d) != 0 || put_blocks(w, id, c->loop, d) != 0)
        return -1;
    return put_links(w, id, c, d) != 0 ? -1 : put_failed(w, id, c, d);
}

static int put_total(struct writer *w, const struct cy_total *t,
                     bool is_program, struct diag *d)
{
    struct db_query *q = w->total;

    db_bind_text(q, 1, t->function);
    db_bind_int(q, 2, is_program);
    db_bind_int(q, 3, (int64_t)t->instructions);
    db_bind_int(q, 4, (int64_t)t->unmodelled);
    db_bind_real(q, 5, t->high_without);
    db_bind_real(q, 6, t->low_without);
    db_bind_real(q, 7, t->low);
    db_bind_real(q, 8, t->high);
    return db_run(q, d);
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
    if (value == NULL)
        return 0;
    db_bind_text(w->analysis, 1, key);
    db_bind_text(w->analysis, 2, value);
    return db_run(w->analysis, d);
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
        put_key(w, "machine", r->machine, d) != 0 ||
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
    db_query_free(w.object);
    db_query_free(w.loop);
    db_query_free(w.block);
    db_query_free(w.link);
    db_query_free(w.failed);
    db_query_free(w.total);
    db_query_free(w.analysis);
    db_close(w.db);
    if (rc == 0)
        rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}
