/*
 * cc_read: from the databases to cc_data.
 *
 * All that covcheck knows of SQL is here.  Nothing that the databases hold is
 * trusted: what contradicts itself is damage, and reported as such.
 *
 * An object is its build-id, whatever its path; one without a build-id matches
 * none.  Of several objects with one build-id (a program and its stripped copy,
 * a library in two static.db) the one cut into most blocks counts, of equals
 * the first, so that nothing counts twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cc_data.h"
#include "db.h"

/* Which databases are read, and what of them. */
struct cc_inputs {
    char **deps, **statics; /* paths of the databases */
    size_t n_deps, n_statics;
    size_t deps_room, statics_room;
    bool one_run; /* only the run with the id run_id */
    int64_t run_id;
    struct cc_bounds bounds; /* bounds asked for; none: the default */
    struct cc_bounds also;   /* bounds reported after .bounds */
    bool every_bound;        /* read all other bounds too, unreported */
    bool has_scope;          /* score what lies within `scope` */
    enum cc_scope scope;
};

/* Reads what the objects in common have in the databases into empty data.
   Bounds: those asked for, or if there are none those of 512, 1024 and inf
   that all runs recorded, or if that is none all that they did, rising; then
   the others, but before inf if nothing was asked for.  The scope: that asked
   for, or the farthest that all static databases have; a database without it
   is a failure.  The caller calls cc_data_fini, after a failure too. */
int cc_read(struct cc_data *data, const struct cc_inputs *in, struct diag *d);

/* Says which two builds of an object the databases have; the caller frees. */
char *cc_rebuilt_text(const struct cc_rebuilt *rebuilt,
                      const struct cc_inputs *in);
