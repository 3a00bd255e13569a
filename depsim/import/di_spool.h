/*
 * di_spool: reads a spool file (spool_format.h), trusting nothing in it.
 * Counts and distances are such as fit SQLite's signed integers.
 *
 * di_left finds spools that were left beside a database.
 *
 * A tool that is killed while it writes a spool leaves a part of it, without a
 * message.  The part has no SPOOL_END, and no process has locked it.  If the
 * tool is killed later, or the import fails, the whole spool is left: the
 * process that wrote it has ended, and no process imports into its directory.
 *
 * Limits: where files cannot be locked (flock), one that is being written looks
 * the same.  Where processes are not seen, of another container for instance,
 * one that is whole looks so for the moment until its import begins.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DI_SPOOL_H
#define DI_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "forward.h"
#include "lifetimes.h"
#include "spool_format.h"

struct di_object {
    char *path, *build_id;
};

struct di_run {
    bool append, complete;
    enum spool_end end;
    int32_t exit_status; /* if it ended by an exit */
    uint32_t pid;
    uint64_t started, instructions;
    char *session, *command;
    char *program; /* path of the executable, or empty */
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
    bool cross_thread;
    struct di_count {
        uint64_t all, forward[FORWARD_N], crossing;
    } occurrences[LIFETIMES_MAX];
    uint64_t total;
};

struct di_spool;

/* Opens a spool and reads it up to the segments; *run lives as long as the
   spool.  NULL if the file cannot be read, is no spool, or is of another
   version.
 */
struct di_spool *di_spool_open(const char *path, struct di_run *run,
                               struct diag *d);
void di_spool_close(struct di_spool *s);

/* 1: the next segment; 0: there are no more; -1: the spool is damaged. */
int di_spool_segment(struct di_spool *s, struct di_segment *segment,
                     struct diag *d);

/* 1: the next dependency, after all segments; 0: there are no more, and the
   spool ends where it should; -1: it is damaged. */
int di_spool_dep(struct di_spool *s, struct di_dep *dep, struct diag *d);

/* Looks for FILE.spool and FILE.spool.* of this database that were left, and
   tells of those that are cut and of those that can be imported, each by the
   first of their names. */
void di_left(const char *database, void (*tell)(const struct diag *note));

#endif
