/*
 * cc_load: from the databases to cc_data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_load.h"

#include <stdlib.h>

#include "db.h"
#include "memory.h"

/* What is open while the databases are read. */
struct sources {
    struct cc_source *deps, *statics;
};

/* Opens a database and holds it still: another run may be added to it while
   it is read. */
static int open_snapshot(struct cc_source *source, const char *path,
                         enum db_kind kind, struct diag *d)
{
    source->path = path;
    source->db = db_open(path, kind, d);
    return source->db != NULL ? db_exec(source->db, "BEGIN", d) : -1;
}

static void close_source(struct cc_source *source)
{
    db_close(source->db);
    source->db = NULL;
    cc_object_map_fini(&source->map);
}

static int open_all(struct sources *s, const struct cc_inputs *in,
                    struct diag *d)
{
    for (size_t i = 0; i < in->n_deps; i++)
        if (open_snapshot(&s->deps[i], in->deps[i], DB_DEPS, d) != 0)
            return -1;
    for (size_t i = 0; i < in->n_statics; i++)
        if (open_snapshot(&s->statics[i], in->statics[i], DB_STATIC, d) != 0)
            return -1;
    return 0;
}

/* Each database is closed as soon as it is read, with its cache. */
static int read_all(struct cc_data *data, struct sources *s,
                    const struct cc_inputs *in, struct diag *d)
{
    for (size_t i = 0; i < in->n_statics; i++) {
        if (cc_load_static(data, &s->statics[i], d) != 0)
            return -1;
        close_source(&s->statics[i]);
    }
    for (size_t i = 0; i < in->n_deps; i++) {
        if (cc_load_deps(data, &s->deps[i], in, d) != 0)
            return -1;
        close_source(&s->deps[i]);
    }
    return 0;
}

/* A record of objects that nothing was predicted for would drop out of all
   figures unseen. */
static int check_common(const struct sources *s, const struct cc_inputs *in,
                        struct diag *d)
{
    for (size_t i = 0; i < in->n_deps; i++) {
        if (cc_object_map_in_common(&s->deps[i].map))
            continue;
        if (in->n_statics == 1)
            return diag_set(d, "%s: no object in common with %s", in->deps[i],
                            in->statics[0]);
        return diag_set(d, "%s: no object in common with any static database",
                        in->deps[i]);
    }
    return 0;
}

static int load(struct cc_data *data, struct sources *s,
                const struct cc_inputs *in, struct diag *d)
{
    if (open_all(s, in, d) != 0 || cc_load_bounds(data, s->deps, in, d) != 0 ||
        cc_objects_load(data, s->deps, in->n_deps, s->statics, in->n_statics,
                        d) != 0 ||
        check_common(s, in, d) != 0)
        return -1;
    return read_all(data, s, in, d);
}

int cc_load(struct cc_data *data, const struct cc_inputs *in, struct diag *d)
{
    struct sources s = {
        .deps = memory_new(in->n_deps, sizeof *s.deps),
        .statics = memory_new(in->n_statics, sizeof *s.statics),
    };
    int rc = load(data, &s, in, d);

    for (size_t i = 0; i < in->n_deps; i++)
        close_source(&s.deps[i]);
    for (size_t i = 0; i < in->n_statics; i++)
        close_source(&s.statics[i]);
    free(s.deps);
    free(s.statics);
    return rc;
}
