/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read/cy_ran.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "binary/objfile.h"
#include "db.h"
#include "memory.h"
#include "text.h"

/* Files, with their shares of the runs of the program whose build-id is given,
   or of all if that is NULL.  The bytes are summed as reals, which cannot
   overflow. */
#define FILES                                                                \
    "SELECT path, build_id, EXISTS(SELECT 1 FROM run WHERE program = path)," \
    " bytes / max(sum(bytes) OVER (), 1.0) FROM"                             \
    " (SELECT object_id, path, build_id, sum(coalesce(executions * 1.0"      \
    " * (\"end\" - start), 0.0)) AS bytes FROM object LEFT JOIN"             \
    " (SELECT * FROM segment WHERE ?1 IS NULL OR run_id IN"                  \
    " (SELECT run_id FROM run WHERE program IN"                              \
    " (SELECT path FROM object WHERE build_id = ?1)))"                       \
    " USING(object_id) GROUP BY object_id)"                                  \
    " ORDER BY bytes DESC, object_id"

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
