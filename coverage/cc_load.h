/*
 * cc_load: from the two databases to cc_data.
 *
 * All that covcheck knows of SQL is in cc_load*.c and cc_objects.c.  Nothing
 * that the databases hold is trusted: what contradicts itself is damage, and
 * reported as such.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_LOAD_H
#define COVERAGE_CC_LOAD_H

#include "cc_data.h"
#include "cc_objects.h"
#include "diag.h"

/* Reads what the objects in common have in both databases into empty data.
   Bounds: `asked`, or if that is empty those of inf, 1024 and 512 that all
   runs recorded, or if that is none all that they did, falling; then `also`.
   The caller calls cc_data_fini, after a failure too. */
int cc_load(struct cc_data *data, const char *deps_path,
            const char *static_path, const struct cc_bounds *asked,
            const struct cc_bounds *also, struct diag *d);

/* Its parts, each one database. */
int cc_load_deps(struct cc_data *data, struct db *db, const char *path,
                 const struct cc_object_map *map, struct diag *d);
int cc_load_static(struct cc_data *data, struct db *db, const char *path,
                   const struct cc_object_map *map, struct diag *d);
int cc_load_bounds(struct cc_data *data, struct db *db, const char *path,
                   const struct cc_bounds *asked, const struct cc_bounds *also,
                   struct diag *d);

#endif
