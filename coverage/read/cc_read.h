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

#include <sys/stat.h>

#include "model/cc_data.h"
#include "db.h"
#include "keys.h"

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

/* --- The databases while they are read: for coverage/read alone --- */

/* What tells whether a database is the one that was read before: another
   writer, or another file in its place, changes it. */
struct cc_stamp {
    struct stat file;
    uint32_t counter;
};

/* A run, and how many instructions it executed. */
struct cc_run_size {
    int64_t id;
    uint64_t instructions;
};

/* A database while it is read.  Those that stay open are read in one
   transaction, for which writers wait.  Databases beyond the limit of open
   files are closed and opened again. */
struct cc_source {
    const char *path;
    enum db_kind kind;
    struct db *db; /* NULL: closed */
    bool stays_open, was_open;
    struct cc_stamp stamp; /* set when the database is first opened */
    struct ids objects;    /* CC_NONE: an object that only this database has */
    struct ids unmatched;  /* of a deps.db: the objects that only it has */
    struct cc_run_size *runs; /* of a deps.db: the runs that are read, by id */
    size_t n_runs, runs_room;
};

/* Opens the database, unless it is open.  Fails if it changed in between. */
int cc_source_open(struct cc_source *source, struct diag *d);

/* Closes the database, unless it stays open. */
void cc_source_rest(struct cc_source *source);

/* The number in cc_data of an id of the source; an id that is not in `ids`
   means that the database is damaged, as `what` says. */
int cc_source_find(const struct cc_source *source, struct ids *ids, int64_t id,
                   uint32_t *number, const char *what, struct diag *d);

/* cc_read_bounds reads the bounds and runs of all deps.db, the others one
   database each.  Only at a bound that was counted is the number of occurrences
   known, because dep_lifetime counts between neighbouring bounds. */
int cc_read_bounds(struct cc_data *data, struct cc_source *deps,
                   const struct cc_inputs *in, struct diag *d);
int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d);
int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d);
