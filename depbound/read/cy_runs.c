/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_runs.h"

#include "binary/objfile.h"
#include "db.h"

/* --- Programs --- */

/* Rows of one program follow each other. */
static int take_run(void *context, struct db_query *q, struct diag *d)
{
    struct cy_runs *runs = context;
    const char *path = db_text(q, 1);
    size_t n = runs->n_programs;
    struct cy_ran_program *program;

    (void)d;
    if (n == 0 || strcmp(runs->programs[n - 1].path, path) != 0)
        array_append(
            runs, programs,
            (struct cy_ran_program){.path = memory_text(path),
                                    .build_id = memory_text(db_text(q, 4)),
                                    .cycles = NAN});
    program = &runs->programs[runs->n_programs - 1];
    program->n_runs++;
    program->instructions += db_count(q, 2);
    program->is_first |= db_int(q, 3) != 0;
    ids_add(&runs->ids, db_int(q, 0), (uint32_t)runs->n_programs - 1);
    return 0;
}

static int take_lost(void *context, struct db_query *q, struct diag *d)
{
    struct cy_runs *runs = context;
    struct cy_lost lost = {.path = memory_text(db_text(q, 0)),
                           .by = memory_text(db_text(q, 1)),
                           .n = db_count(q, 2)};

    (void)d;
    assert(runs->n_lost == 0 || runs->lost[runs->n_lost - 1].n >= lost.n);
    array_append(runs, lost, lost);
    runs->n_all_lost += lost.n;
    return 0;
}

#define RUNS                                                                 \
    "SELECT run_id, coalesce(program, ''), instructions,"                    \
    " run_id = (SELECT run_id FROM run ORDER BY started, run_id LIMIT 1),"   \
    " coalesce((SELECT build_id FROM object WHERE path = program), '')"      \
    " FROM run ORDER BY sum(instructions) OVER (PARTITION BY program) DESC," \
    " program, run_id"
/* A program that an execve started and depsim recorded has the next run of the
   process. */
#define HAS_RUN                                                          \
    "EXISTS (SELECT 1 FROM run AS next WHERE next.session = run.session" \
    " AND next.pid = run.pid AND next.started > run.started)"
#define LOST                                                          \
    "SELECT coalesce(successor, ''), coalesce(program, ''), count(*)" \
    " FROM run WHERE ended = 'exec' AND NOT " HAS_RUN                 \
    " GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
#define FOLLOWED "SELECT count(*) FROM run WHERE ended = 'exec' AND " HAS_RUN

static int read_all(struct cy_runs *runs, struct db *db, struct diag *d)
{
    int64_t n_followed = 0;

    if (db_rows(db, RUNS, DB_NO_VALUES, take_run, runs, d) != 0 ||
        db_rows(db, LOST, DB_NO_VALUES, take_lost, runs, d) != 0 ||
        db_ask(db, FOLLOWED, &n_followed, DB_NO_VALUES, d) != 0)
        return -1;
    runs->follows = n_followed > 0;
    ids_sort(&runs->ids);
    return 0;
}

bool cy_ran_is_chosen(const struct cy_ran_program *program,
                      const struct cy_data *data)
{
    return data->runs_of == NULL ||
           strcmp(program->build_id, data->runs_of) == 0;
}

int cy_runs_read(struct cy_runs *runs, const char *deps, struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);
    int rc;

    *runs = (struct cy_runs){0};
    rc = db != NULL ? read_all(runs, db, d) : -1;
    db_close(db);
    return rc;
}

void cy_runs_fini(struct cy_runs *runs)
{
    for (size_t i = 0; i < runs->n_programs; i++) {
        free(runs->programs[i].path);
        free(runs->programs[i].build_id);
    }
    for (size_t i = 0; i < runs->n_lost; i++) {
        free(runs->lost[i].path);
        free(runs->lost[i].by);
    }
    free(runs->programs);
    free(runs->lost);
    ids_fini(&runs->ids);
    *runs = (struct cy_runs){0};
}

/* --- Files --- */

/* Files, with their shares of the runs of the program whose build-id is given,
   or of all if that is NULL.  The bytes are summed as reals, which cannot
   overflow. */
#define FILES                                                                \
    "SELECT path, build_id, EXISTS(SELECT 1 FROM run WHERE program = path)," \
    " coalesce(bytes, 0.0) / max(total(bytes) OVER (), 1.0) FROM object"     \
    " LEFT JOIN (SELECT object_id, total(executions * 1.0 * (\"end\" -"      \
    " start)) AS bytes FROM segment WHERE ?1 IS NULL OR run_id IN"           \
    " (SELECT run_id FROM run WHERE program IN"                              \
    " (SELECT path FROM object WHERE build_id = ?1))"                        \
    " GROUP BY object_id) USING(object_id) ORDER BY 4 DESC, object_id"

static int take_file(void *context, struct db_query *q, struct diag *d)
{
    struct cy_ran *ran = context;
    const char *path = db_text(q, 0), *id = db_text(q, 1);

    (void)d;
    if (path != NULL && id != NULL) /* damage is reported by other readers */
        array_append(ran, files,
                     (struct cy_ran_file){.path = memory_text(path),
                                          .build_id = memory_text(id),
                                          .is_program = db_int(q, 2) != 0,
                                          .share = 100 * db_share(q, 3)});
    return 0;
}

static int read_files(struct cy_ran *ran, const char *deps,
                      const char *build_id, struct diag *d)
{
    struct db *db = db_open(deps, DB_DEPS, d);
    int rc = db == NULL ? -1
                        : db_rows(db, FILES, DB_VALUES(DB_TEXT(build_id)),
                                  take_file, ran, d);

    db_close(db);
    return rc;
}

void cy_ran_fini(struct cy_ran *ran)
{
    for (size_t i = 0; i < ran->n_files; i++) {
        free(ran->files[i].path);
        free(ran->files[i].build_id);
    }
    free(ran->files);
    *ran = (struct cy_ran){0};
}

/* The file that is the same as `program`. */
static const struct cy_ran_file *find(const struct cy_ran *ran,
                                      const char *program, const char *deps,
                                      struct diag *d)
{
    diag_set(d, "%s: %s did not run in it", deps, program);
    for (size_t i = 0; i < ran->n_files; i++) {
        const struct cy_ran_file *f = &ran->files[i];
        struct diag why;
        struct objfile *file = objfile_open(program, f->build_id, &why);

        objfile_close(file);
        if (file != NULL)
            return f;
        if (strcmp(text_base_name(f->path), text_base_name(program)) == 0)
            *d = why;
    }
    return NULL;
}

int cy_ran_read(struct cy_ran *ran, const char *deps, const char *program,
                struct diag *d)
{
    const struct cy_ran_file *found;
    char *id;
    int rc = 0;

    *ran = (struct cy_ran){0};
    if (read_files(ran, deps, NULL, d) != 0 ||
        (found = find(ran, program, deps, d)) == NULL)
        return -1;
    id = memory_text(found->build_id);
    if (found->is_program) { /* other programs do not count */
        cy_ran_fini(ran);
        rc = read_files(ran, deps, id, d);
    }
    for (size_t i = 0; i < ran->n_files && ran->program == NULL; i++)
        if (strcmp(ran->files[i].build_id, id) == 0)
            ran->program = &ran->files[i];
    free(id);
    assert(rc != 0 || ran->program != NULL);
    return rc;
}
