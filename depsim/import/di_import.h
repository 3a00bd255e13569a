/* di_import: what the files of depsim-import share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "db.h"
#include "occurrence.h"
#include "spool_format.h"

struct di_spool;

struct di_object {
    char *path, *build_id;
    int64_t id; /* of its row in the database */
};

struct di_run {
    bool append, complete;
    enum spool_end end;
    int32_t exit_status; /* valid if the run ended by an exit */
    uint32_t pid;
    uint64_t started, instructions;
    uint64_t recorded; /* how many of these instructions were recorded */
    char *session, *command;
    char *program;   /* path of the executable, or empty */
    char *successor; /* path of the program that replaced it, or empty */
    struct lifetimes bounds;
    uint32_t n_objects;
    struct di_object *object;
};

/* What follows the run in a spool, in this order: rows of a table each. */
enum di_section {
    DI_SEGMENTS,
    DI_DEPS,
    DI_SHARED_LINES,
    DI_PIECES,
    DI_PLACES,
    DI_WINDOWS,
    DI_SECTIONS
};

#define DI_COLUMNS 8 /* of a row, at most */

/* Occurrences of a dependency under one lifetime bound. */
struct di_count {
    uint64_t all, forward[FORWARD_N], crossing;
};

/* di_spool: opens a spool and reads it up to the segments; *run lives as long
   as the spool.  NULL if the file cannot be read, is no spool, or is of another
   version.
 */
struct di_spool *di_spool_open(const char *path, struct di_run *run,
                               struct diag *d);
void di_spool_close(struct di_spool *s);

/* 1: the next row of a section, with *n values after the run's number, in the
   order of its table or of di_db's query; bytes are those of the spool, and
   objects have the ids of di_object.  0: there are no more, and after the last
   section the spool ends where it should.  -1: the spool is damaged. */
int di_spool_row(struct di_spool *s, enum di_section section,
                 struct db_value row[DI_COLUMNS], size_t *n, struct diag *d);

/* The counts of the row of DI_DEPS that was read last, by bound. */
const struct di_count *di_spool_counts(const struct di_spool *s);

/* di_db: adds the run to the database in one transaction.  Unless the run asks
   to be appended, that removes the runs of other sessions (di_replace); it
   always removes an earlier state of this run.  On failure the database is as
   it was. *note is what the user should know, empty if there is nothing. */
int di_db(struct db *db, struct di_spool *spool, struct di_run *run,
          struct diag *note, struct diag *d);

/* di_replace: makes room in a database for the first run of a session.  Does
   nothing if the database has a run of the session, which then has made
   room.  Call it in a transaction, and roll that back on failure.  Sets *note
   if the database was kept. */
int di_replace(struct db *db, const struct di_run *run, struct diag *note,
               struct diag *d);
