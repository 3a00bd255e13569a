/*
 * internal: the databases while they are read.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_READ_INTERNAL_H
#define COVERAGE_READ_INTERNAL_H

#include <sys/stat.h>

#include "model/cc_data.h"
#include "read/cc_read.h"
#include "db.h"
#include "keys.h"

/* By what a database is the one that was read before: what another writer, or
   another file in its place, changes. */
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
   transaction, for which writers wait.  If there are more than files may be
   open, the others are closed and opened again. */
struct cc_source {
    const char *path;
    enum db_kind kind;
    struct db *db; /* NULL: closed */
    bool stays_open, was_open;
    struct cc_stamp stamp;    /* once it was open */
    struct ids objects;       /* CC_NONE: only this database has it */
    struct ids unmatched;     /* of a deps.db, those that only it has */
    struct cc_run_size *runs; /* of a deps.db, those that are read, by id */
    size_t n_runs, runs_room;
};

/* Opens the database, unless it is open.  It is a failure if it changed since
   it was open before. */
int cc_source_open(struct cc_source *source, struct diag *d);

/* Closes the database, unless it stays open. */
void cc_source_rest(struct cc_source *source);

/* What an id of the source's is in cc_data; if it is none of the ids, the
   database is damaged, as `what` says. */
int cc_source_find(const struct cc_source *source, struct ids *ids, int64_t id,
                   uint32_t *number, const char *what, struct diag *d);

/* The bounds and runs of all deps.db, and each one database.  Only at a bound
   that was counted is the number of occurrences known, because dep_lifetime
   holds them by intervals between the bounds. */
int cc_read_bounds(struct cc_data *data, struct cc_source *deps,
                   const struct cc_inputs *in, struct diag *d);
int cc_read_deps(struct cc_data *data, struct cc_source *source,
                 const struct cc_inputs *in, struct diag *d);
int cc_read_static(struct cc_data *data, struct cc_source *source,
                   const struct cc_inputs *in, struct diag *d);

/* A static.db while its rows are read. */
struct cc_reader {
    struct cc_data *data;
    struct cc_source *source;
    bool is_walked;
    bool has_evidence; /* its table "access" says how addresses were made */
    struct ids functions, blocks; /* CC_NONE: of an object not in common */
};

/* The number of a block; if there is none of this id, the database is damaged,
   as `what` says. */
int cc_read_block(struct cc_reader *r, int64_t id, uint32_t *block,
                  const char *what, struct diag *d);

/* Why what is not predicted is not, as far as the database says. */
int cc_read_evidence(struct cc_reader *r, struct diag *d);

#endif
