/* cy_costdb: writes what was predicted to a cost.db. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/stat.h>

#include "config.h"
#include "db.h"
#include "file.h"
#include "report/internal.h"

#define MOST_TABLES 16 /* of a cost.db */

struct writer {
    const struct cy_report *report;
    struct db *db;
    struct insertion {
        const char *table; /* NULL: none is prepared yet */
        struct db_query *query;
    } insertions[MOST_TABLES];
    int rc;         /* -1 after an error; then nothing more is written */
    struct diag *d; /* why rc is -1 */
};

/* The insertion of rows of n columns into a table; NULL with *d set: it failed.
 */
static struct db_query *insertion(struct writer *w, const char *table, size_t n)
{
    struct insertion *of = w->insertions;

    for (; of->table != NULL; of++)
        if (strcmp(of->table, table) == 0)
            return of->query;
    assert(of < &w->insertions[MOST_TABLES - 1]);
    struct memory_stream sql = memory_stream_open(&sql);
    fprintf(sql.out, "INSERT INTO %s VALUES(", table);
    for (size_t i = 0; i < n; i++)
        fputs(i > 0 ? ", ?" : "?", sql.out);
    fputc(')', sql.out);
    AUTO_FREE char *text = memory_stream_close(&sql);
    *of = (struct insertion){table, db_prepare(w->db, text, w->d)};
    return of->query;
}

/* Inserts a row: a value for each column of the table. */
static void put(struct writer *w, const char *table,
                const struct db_value *values, size_t n)
{
    struct db_query *query = w->rc == 0 ? insertion(w, table, n) : NULL;

    w->rc = query != NULL ? db_run_with(query, values, n, w->d) : -1;
}

/* The row id of an object of the windows.  Objects that were not analysed come
   after those that were. */
static int64_t window_object(const struct writer *w, uint32_t object)
{
    const struct cy_windowed *windowed = w->report->windowed;

    assert(object < windowed->objects.n_objects);
    return windowed->in_data[object] != UINT32_MAX
               ? windowed->in_data[object] + 1
               : (int64_t)(w->report->data->n_objects + object + 1);
}

static void put_object(struct writer *w, int64_t id,
                       const struct cy_object *object)
{
    put(w, "object",
        DB_VALUES(DB_INT(id), DB_TEXT(object->path),
                  DB_TEXT(object->build_id)));
}

static void put_objects(struct writer *w)
{
    const struct cy_data *data = w->report->data;
    const struct cy_windowed *windowed = w->report->windowed;

    for (size_t i = 0; i < data->n_objects; i++)
        put_object(w, (int64_t)i + 1, &data->objects[i]);
    for (uint32_t i = 0; windowed != NULL && i < windowed->objects.n_objects;
         i++)
        if (windowed->in_data[i] == UINT32_MAX)
            put_object(w, window_object(w, i), &windowed->objects.objects[i]);
}

static void put_link(struct writer *w, int64_t id, size_t i,
                     const struct cy_cost_of_loop *c, const struct cy_link *l)
{
    const struct cy_forward *f = &l->forward;
    bool is_memory = l->wait == CY_WAIT_MEMORY;
    bool is_forward = cy_report_is_forward(l);

    assert(l->from < c->n && l->to < c->n && l->cycles >= 0);
    put(w, "link",
        DB_VALUES(
            DB_INT(id), DB_INT(i), DB_INT(c->insns[l->from].address),
            DB_INT(c->insns[l->to].address), DB_TEXT(cy_wait_name(l->wait)),
            DB_INT(l->rounds), DB_REAL(l->cycles),
            DB_TEXT(is_memory ? cy_how_name(l->how) : NULL),
            DB_TEXT(is_memory ? cy_relation_name(f->relation) : NULL),
            DB_INT_UNLESS(!is_memory, f->is_observed),
            DB_INT_UNLESS(!is_forward,
                          is_forward ? cy_report_distance(c, f, l->to) : 0)));
}

static void put_failed(struct writer *w, int64_t id,
                       const struct cy_cost_of_loop *c)
{
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_link *f = &c->bound.failed[i];

        assert(f->from < c->n && f->to < c->n);
        put(w, "failed_forward",
            DB_VALUES(DB_INT(id), DB_INT(i), DB_INT(c->insns[f->from].address),
                      DB_INT(c->insns[f->to].address), DB_INT(f->rounds),
                      DB_REAL(f->cycles),
                      DB_TEXT(cy_relation_name(f->forward.relation)),
                      DB_INT(f->forward.is_observed),
                      DB_INT(cy_report_distance(c, &f->forward, f->to))));
    }
}

static void put_loop(struct writer *w, int64_t id,
                     const struct cy_cost_of_loop *c)
{
    bool is_all = cy_unknown_is_all(&c->unknown);
    bool no_units = is_all || !c->cycles.has_units;
    const struct cy_chain *chain = cy_report_chain(c);
    AUTO_FREE char *unknown = cy_report_unknown(w->report, c);

    assert(c->loop->object < w->report->data->n_objects);
    put(w, "loop",
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
                  DB_INT(cy_unknown_is_least(&c->unknown)), DB_TEXT(unknown),
                  DB_REAL_UNLESS(is_all || !w->report->data->has_executions,
                                 c->cycles.all),
                  DB_TEXT(cy_limit_name(cy_report_limit(c))),
                  DB_INT(c->cycles.is_memory_bound), DB_INT(c->bound.n_unknown),
                  DB_INT(c->bound.n_unknown_cost), DB_INT(c->cycles.n_recorded),
                  DB_REAL_UNLESS(is_all || c->cycles.n_recorded == 0,
                                 c->cycles.called),
                  DB_REAL_UNLESS(is_all, c->cycles.steady),
                  DB_REAL_UNLESS(is_all, c->cycles.low),
                  DB_REAL_UNLESS(is_all, c->cycles.high)));
    for (size_t i = 0; i < c->loop->n_blocks; i++) {
        const struct cy_block *b = &w->report->data->blocks[c->loop->blocks[i]];

        assert(b->object == c->loop->object);
        put(w, "loop_block",
            DB_VALUES(DB_INT(id), DB_INT(i), DB_INT(b->start), DB_INT(b->end)));
    }
    for (size_t i = 0; i < chain->n; i++)
        put_link(w, id, i, c, &chain->links[i]);
    put_failed(w, id, c);
}

static void put_total(struct writer *w, const struct cy_total *t)
{
    const struct cy_program *p = w->report->program;
    bool is_program = t == &p->total;

    put(w, "total",
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
                  DB_REAL_UNLESS(!is_program || isnan(p->high), p->high)));
}

static void put_window_total(struct writer *w)
{
    const struct cy_windowed *windowed = w->report->windowed;
    const struct cy_outcome *o = &windowed->outcome;

    put(w, "window_total",
        DB_VALUES(DB_TEXT(w->report->choice->wish.function),
                  DB_INT(o->n_windows), DB_INT(o->instructions),
                  DB_REAL(o->cycles), DB_INT(windowed->windows.recorded),
                  DB_INT(windowed->windows.n_runs),
                  DB_INT(windowed->windows.n_without),
                  DB_REAL(windowed->wide_gain),
                  DB_REAL(windowed->predicted_gain), DB_INT(o->n_branches),
                  DB_INT(o->n_missed), DB_INT(o->penalty_is_typical),
                  DB_INT(o->n_first_touches), DB_INT(o->n_system_calls),
                  DB_INT(o->n_unknown), DB_INT(o->n_guessed),
                  DB_INT(o->n_ordered), DB_INT(o->n_rounds),
                  DB_INT(o->n_prefetches), DB_INT(o->n_no_rules)));
}

/* Writes the causes of the windows' cycles, and how long buffers were full. */
static void put_window_causes(struct writer *w)
{
    const struct cy_outcome *o = &w->report->windowed->outcome;

    for (enum cy_cause i = 0; i < CY_N_CAUSES; i++)
        put(w, "window_cause",
            DB_VALUES(DB_TEXT(cy_cause_key(i) + strlen("causes.")),
                      DB_REAL(o->causes[i])));
    for (enum cy_full i = 0; i < CY_N_FULL; i++)
        put(w, "window_full",
            DB_VALUES(DB_TEXT(cy_full_key(i) + strlen("full.")),
                      DB_REAL(o->full[i])));
}

static void put_window_pair(struct writer *w, const struct cy_windowed_pair *p)
{
    const struct cy_windowed *windowed = w->report->windowed;
    const struct cy_simulated_insn *store = &windowed->simulated[p->store],
                                   *load = &windowed->simulated[p->load];
    const struct cy_line store_line = cy_code_line(
                             windowed->code, store->object, store->address),
                         load_line = cy_code_line(windowed->code, load->object,
                                                  load->address);

    assert(p->store < windowed->n_insns && p->load < windowed->n_insns);
    put(w, "window_pair",
        DB_VALUES(DB_INT(window_object(w, store->object)),
                  DB_INT(store->address),
                  DB_TEXT(cy_windowed_text(windowed, p->store)),
                  DB_TEXT(cy_known(store_line.text)),
                  DB_INT(window_object(w, load->object)), DB_INT(load->address),
                  DB_TEXT(cy_windowed_text(windowed, p->load)),
                  DB_TEXT(cy_known(load_line.text)), DB_INT(p->n),
                  DB_REAL(p->cycles), DB_REAL(p->failed), DB_INT(p->fix + 1),
                  DB_REAL_UNLESS(p->gain < 0, p->gain)));
}

static void put_window_miss(struct writer *w, const struct cy_miss *m)
{
    const struct cy_windowed *windowed = w->report->windowed;
    const struct cy_simulated_insn *insn = &windowed->simulated[m->insn],
                                   *origin =
                                       m->origin != CY_NO_INSN
                                           ? &windowed->simulated[m->origin]
                                           : NULL;
    const struct cy_line line =
        cy_code_line(windowed->code, insn->object, insn->address);
    const double *by = m->by, *from = m->from;

    _Static_assert(CY_N_MISSING == 5 && CY_BEYOND == 3, "columns of the table");
    put(w, "window_miss",
        DB_VALUES(DB_INT(window_object(w, insn->object)), DB_INT(insn->address),
                  DB_TEXT(cy_missing_name(m->kind)),
                  DB_TEXT(cy_windowed_text(windowed, m->insn)),
                  DB_TEXT(cy_known(line.text)),
                  DB_TEXT(cy_cause_key(cy_miss_cause(m)) + strlen("causes.")),
                  DB_REAL(m->cycles), DB_REAL(by[0]), DB_REAL(by[1]),
                  DB_REAL(by[2]), DB_REAL(by[3]), DB_REAL(by[4]),
                  DB_REAL(windowed->outcome.weighed[m->insn]),
                  DB_REAL(cy_miss_percent(windowed, m, m->n)),
                  DB_REAL(cy_miss_percent(windowed, m, from[0])),
                  DB_REAL(cy_miss_percent(windowed, m, from[1])),
                  DB_REAL(cy_miss_percent(windowed, m, from[2])),
                  DB_REAL(cy_miss_percent(windowed, m, m->n_pages)),
                  DB_REAL(cy_miss_percent(windowed, m, m->n_new)),
                  DB_REAL_UNLESS(isnan(m->distance), m->distance),
                  DB_REAL_UNLESS(m->cached < 0, m->cached),
                  DB_REAL_UNLESS(m->early < 0, m->early), DB_INT(m->is_chased),
                  DB_INT_UNLESS(
                      origin == NULL,
                      origin != NULL ? window_object(w, origin->object) : 0),
                  DB_INT_UNLESS(origin == NULL,
                                origin != NULL ? origin->address : 0)));
}

static void put_windows(struct writer *w)
{
    const struct cy_windowed *windowed = w->report->windowed;

    put_window_total(w);
    put_window_causes(w);
    for (size_t i = 0; i < windowed->n_lines; i++) {
        const struct cy_windowed_line *l = &windowed->lines[i];

        put(w, "window_line",
            DB_VALUES(DB_INT(window_object(w, l->object)), DB_TEXT(l->line),
                      DB_REAL(l->path), DB_REAL(l->executed),
                      DB_REAL(l->cycles)));
    }
    for (size_t i = 0; i < windowed->n_pairs; i++)
        put_window_pair(w, &windowed->pairs[i]);
    for (size_t i = 0; i < windowed->misses.n; i++)
        put_window_miss(w, &windowed->misses.list[i]);
}

/* Writes the inputs and options that the figures depend on. */
static void put_analysis(struct writer *w)
{
    const struct cy_report *r = w->report;
    const struct cy_facts *machine = r->machine;
    const struct {
        const char *key, *value; /* value is NULL if there is no such input */
    } rows[] = {
        {"version", PACKAGE_VERSION},
        {"edges", cy_edges_name(r->choice->edges)},
        {"machine", machine != NULL ? machine->name : NULL},
        {"stands_for", machine != NULL ? machine->stands_for : NULL},
        {"published", machine != NULL && machine->is_published ? "yes" : NULL},
        {"llvm-mca", r->mca},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value != NULL)
            put(w, "analysis",
                DB_VALUES(DB_TEXT(rows[i].key), DB_TEXT(rows[i].value)));
}

static void put_all(struct writer *w)
{
    const struct cy_report *r = w->report;

    put_objects(w);
    for (size_t i = 0; i < r->prediction->n; i++)
        put_loop(w, (int64_t)i + 1, &r->prediction->loops[i]);
    if (r->program != NULL) {
        put_total(w, &r->program->total);
        for (size_t i = 0; i < r->program->n; i++)
            put_total(w, &r->program->functions[i]);
    }
    if (r->windowed != NULL && cy_windowed_is_known(r->windowed))
        put_windows(w);
    put_analysis(w);
}

int cy_costdb_write(const char *path, const struct cy_report *report,
                    struct diag *d)
{
    struct writer w = {.report = report, .d = d};

    if (db_may_replace(path, DB_COST, d) != 0)
        return -1;
    struct replace *file = replace_new(path, REPLACE_ALWAYS, d);
    if (file == NULL)
        return -1;
    w.db = db_open_rw(replace_path(file), DB_COST, d);
    w.rc = w.db != NULL ? db_begin(w.db, d) : -1;
    if (w.rc == 0)
        put_all(&w);
    if (w.rc == 0)
        w.rc = db_commit(w.db, d);
    for (size_t i = 0; i < MOST_TABLES; i++)
        db_query_free(w.insertions[i].query);
    db_close(w.db);
    if (w.rc == 0)
        w.rc = replace_commit(file, d);
    replace_free(file);
    return w.rc;
}
