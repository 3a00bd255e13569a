/*
 * di_import: what the files of depsim-import share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DI_IMPORT_H
#define DI_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "db.h"
#include "occurrence.h"
#include "spool_format.h"

struct di_spool;

struct di_object {
    char *path, *build_id;
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

struct di_segment {
    uint32_t object;
    uint64_t start, end, executions;
};

struct di_dep {
    uint32_t src_object, dst_object;
    uint64_t src, dst, min_distance, max_distance;
    uint64_t cross_thread; /* occurrences whose store was another thread's */
    struct di_count {
        uint64_t all, forward[FORWARD_N], crossing;
    } occurrences[LIFETIMES_MAX];
    uint64_t total;
};

struct di_shared_line {
    uint32_t src_object, dst_object;
    uint64_t src, dst, accesses, turns;
    bool stores;
};

/* Bytes of the mapped spool. */
struct di_bytes {
    const unsigned char *bytes;
    size_t n;
};

struct di_piece {
    uint32_t object;
    uint64_t address;
    struct di_bytes insns;
};

/* A place of the branches before windows. */
struct di_place {
    uint32_t object;
    uint64_t address;
    uint32_t kind; /* 0 conditional, 1 indirect branch, 2 target */
};

struct di_window {
    uint32_t thread;
    uint64_t start, instructions;
    struct di_bytes path, accesses, gaps, reuse, lead;
};

/* di_spool: opens a spool and reads it up to the segments; *run lives as long
   as the spool.  NULL if the file cannot be read, is no spool, or is of another
   version.
 */
struct di_spool *di_spool_open(const char *path, struct di_run *run,
                               struct diag *d);
void di_spool_close(struct di_spool *s);

/* 1: the next segment; 0: there are no more; -1: the spool is damaged. */
int di_spool_segment(struct di_spool *s, struct di_segment *segment,
                     struct diag *d);

/* 1: the next dependency, after all segments; 0: there are no more; -1: the
   spool is damaged. */
int di_spool_dep(struct di_spool *s, struct di_dep *dep, struct diag *d);

/* 1: the next pair that shared lines, after all dependencies; 0: there are no
   more; -1: the spool is damaged. */
int di_spool_shared_line(struct di_spool *s, struct di_shared_line *shared,
                         struct diag *d);

/* 1: the next piece of windows, after all of these; 0: there are no more;
   -1: the spool is damaged.  Its bytes are those of the spool. */
int di_spool_piece(struct di_spool *s, struct di_piece *piece, struct diag *d);

/* 1: the next place, after all pieces; 0: there are no more; -1: the spool is
   damaged. */
int di_spool_place(struct di_spool *s, struct di_place *place, struct diag *d);

/* 1: the next window, after all places, with bytes of the spool; 0: there are
   no more, and the spool ends where it should; -1: it is damaged. */
int di_spool_window(struct di_spool *s, struct di_window *window,
                    struct diag *d);

/* di_db: adds the run to the database in one transaction.  Unless the run asks
   to be appended, that removes the runs of other sessions (di_replace); it
   always removes an earlier state of this run.  On failure the database is as
   it was. *note is what the user should know, empty if there is nothing. */
int di_db(struct db *db, struct di_spool *spool, const struct di_run *run,
          struct diag *note, struct diag *d);

/* di_replace: makes room in a database for the first run of a session.  Does
   nothing if the database has a run of the session, which then has made
   room.  Call it in a transaction, and roll that back on failure.  Sets *note
   if the database was kept. */
int di_replace(struct db *db, const struct di_run *run, struct diag *note,
               struct diag *d);

#endif
