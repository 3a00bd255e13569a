/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_runs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "db.h"
#include "memory.h"

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
