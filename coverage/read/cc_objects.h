/*
 * cc_objects: which object of a deps.db is which of a static.db, and which
 * record of cc_data a row's id is.
 *
 * An object is its build-id, whatever its path; one without a build-id matches
 * none.  Of several objects with one build-id (a program and its stripped copy,
 * a library in two static.db) the one cut into most blocks counts, of equals
 * the first, so that nothing counts twice.
 *
 * Ids are found by binary search, but at once if an id is the one found last or
 * the next: rows that refer to others mostly come in the order of those.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_OBJECTS_H
#define COVERAGE_CC_OBJECTS_H

#include "model/cc_data.h"
#include "db.h"

/* What the ids of a table's rows are in cc_data.  Zeroed it is empty; it
   belongs to one thread. */
struct cc_ids {
    struct cc_id {
        int64_t id;
        uint32_t number;
    } * entries;
    size_t n_entries, entries_room;
    size_t at; /* the entry found last */
};

/* Adds an id that is not there yet.  cc_ids_sort follows the last. */
void cc_ids_add(struct cc_ids *ids, int64_t id, uint32_t number);
void cc_ids_sort(struct cc_ids *ids);

/* The entry of an id, or NULL. */
struct cc_id *cc_ids_find(struct cc_ids *ids, int64_t id);

/* Frees what it holds, and leaves it empty. */
void cc_ids_fini(struct cc_ids *ids);

/* By what a database is the one that was read before. */
struct cc_stamp {
    uint64_t device, inode, size, seconds, nanoseconds;
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
    struct cc_ids objects;    /* CC_NONE: only this database has it */
    struct cc_ids strangers;  /* of a deps.db, those that only it has */
    struct cc_run_size *runs; /* of a deps.db, those that are read, by id */
    size_t n_runs, runs_room;
};

/* Opens the database, unless it is open.  It is a failure if it changed since
   it was open before. */
int cc_source_open(struct cc_source *source, struct diag *d);

/* Says what is wrong with the database; -1. */
int cc_damaged(const struct cc_source *source, const char *what,
               struct diag *d);

/* Closes the database, unless it stays open. */
void cc_source_rest(struct cc_source *source);

/* Adds the objects in common to the data and fills the sources' objects, which
   must be empty; the caller frees them, after a failure too. */
int cc_objects_read(struct cc_data *data, struct cc_source *deps, size_t n_deps,
                    struct cc_source *statics, size_t n_statics,
                    struct diag *d);

/* What an id of the source's is in cc_data; if it is none of the ids, the
   database is damaged, as `what` says. */
int cc_find_id(const struct cc_source *source, struct cc_ids *ids, int64_t id,
               uint32_t *number, const char *what, struct diag *d);

/* Which stranger an object is that was found to be none of the data's. */
uint32_t cc_stranger_find(struct cc_source *source, int64_t id);

/* Is there at least one object in common? */
bool cc_objects_in_common(const struct cc_source *source);

#endif
