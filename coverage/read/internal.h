/* internal: the databases while they are read. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <sys/stat.h>

#include "read/cc_read.h"
#include "keys.h"

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
