/*
 * cc_objects: which object of a deps.db is which of a static.db.
 *
 * An object is its build-id, whatever its path; one without a build-id is
 * nobody's.  Of several objects with one build-id (a program and its stripped
 * copy, a library in two static.db) the one cut into most blocks counts, of
 * equals the first, so that nothing counts twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_OBJECTS_H
#define COVERAGE_CC_OBJECTS_H

#include "cc_data.h"
#include "db.h"

/* The objects of one database: its own id of each, and the object of cc_data,
   or CC_NONE where the other database has none. */
struct cc_object_map {
    struct cc_object_entry {
        int64_t id;
        uint32_t object;
    } * entries; /* by rising id */
    size_t n, capacity;
};

/* A database while it is read. */
struct cc_source {
    const char *path;
    struct db *db;
    struct cc_object_map map;
};

/* Adds the objects in common to the data and fills the maps of all sources,
   which must be empty; cc_object_map_fini frees what they hold, after a
   failure too. */
int cc_objects_load(struct cc_data *data, struct cc_source *deps, size_t n_deps,
                    struct cc_source *statics, size_t n_statics,
                    struct diag *d);

/* False if the database has no object of this id. */
bool cc_object_find(const struct cc_object_map *map, int64_t id,
                    uint32_t *object);

/* Is there at least one object in common? */
bool cc_object_map_in_common(const struct cc_object_map *map);

void cc_object_map_fini(struct cc_object_map *map);

#endif
