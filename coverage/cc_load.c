/*
 * cc_load: from the two databases to cc_data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_load.h"

#include "db.h"

/* What is open while the databases are read. */
struct sources {
    struct db *deps, *statics;
    struct cc_object_map deps_map, static_map;
};

/* Opens a database and holds it still: another run may be added to it while
   it is read. */
static struct db *open_snapshot(const char *path, enum db_kind kind,
                                struct diag *d)
{
    struct db *db = db_open(path, kind, d);

    if (db == NULL || db_exec(db, "BEGIN", d) == 0)
        return db;
    db_close(db);
    return NULL;
}

static int load(struct cc_data *data, struct sources *s, const char *deps_path,
                const char *static_path, const struct cc_bounds *asked,
                const struct cc_bounds *also, struct diag *d)
{
    s->deps = open_snapshot(deps_path, DB_DEPS, d);
    if (s->deps == NULL)
        return -1;
    s->statics = open_snapshot(static_path, DB_STATIC, d);
    if (s->statics == NULL)
        return -1;
    if (cc_load_bounds(data, s->deps, deps_path, asked, also, d) != 0)
        return -1;
    if (cc_objects_load(data, s->deps, s->statics, &s->deps_map, &s->static_map,
                        d) != 0)
        return -1;
    if (data->n_objects == 0)
        return diag_set(d, "%s: no object in common with %s", deps_path,
                        static_path);
    if (cc_load_static(data, s->statics, static_path, &s->static_map, d) != 0)
        return -1;
    return cc_load_deps(data, s->deps, deps_path, &s->deps_map, d);
}

int cc_load(struct cc_data *data, const char *deps_path,
            const char *static_path, const struct cc_bounds *asked,
            const struct cc_bounds *also, struct diag *d)
{
    struct sources s = {0};
    int rc = load(data, &s, deps_path, static_path, asked, also, d);

    cc_object_map_fini(&s.deps_map);
    cc_object_map_fini(&s.static_map);
    db_close(s.deps);
    db_close(s.statics);
    return rc;
}
