/* ds_run: a process from its start, or its fork, to its end, and what the user
 * is told of it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

#include "spool_format.h"

/* Begins the first run of this program.  Ends the program if its database
   cannot be written.  Call it when the command line has been read. */
void ds_run_init(void);

/* Begins the run of a forked child, which keeps its parent's writers. */
void ds_run_fork(void);

/* Writes the run to the database, as a complete one.  `successor` is the path
   of the program that replaces it, or "".  False if that failed; then the user
   is told, and the spool stays if it could be written. */
Bool ds_run_end(enum spool_end end, Int exit_status, const HChar *successor);

/* Goes on with the run, which did not end after all: it is not complete. */
void ds_run_resume(void);

/* ds_monitor: the callback for VG_(needs_client_requests); handles only the
   commands that vgdb, or gdb's `monitor`, sends. */
Bool ds_monitor_request(ThreadId tid, UWord *args, UWord *result);

/* ds_summary: the figures of a run, and where its time went.  The phases of a
   process: */
enum ds_phase {
    DS_START_UP, /* Valgrind starts, and reads symbols */
    DS_CHECK,    /* the database is checked */
    DS_CLIENT,
    DS_SPOOL,
    DS_IMPORT,
    DS_PHASES
};

/* Begins a phase, or begins it again; the first is DS_START_UP. */
void ds_summary_phase(enum ds_phase phase);

/* Prints what the user wants to know at the end, by --verbose. */
void ds_summary_end(void);

/* ds_spool: what the spool says of the run besides its tables. */
struct ds_run {
    Bool append;
    ULong started; /* microseconds since 1970 */
    Int pid;
    enum spool_end end;
    Int exit_status; /* valid if the run ended by an exit */
    ULong start;     /* instructions that the process executed before the run */
    ULong instructions, recorded;
    Bool complete;
    const HChar *session, *command;
    const HChar *program;   /* path of the executable, or "" */
    const HChar *successor; /* of the program that replaces it, or "" */
    const struct lifetimes *bounds;
};

/* The file is locked (flock) while it is written, so a file without a lock and
   an end was left by a process that was killed.  Writes the objects, segments
   and dependencies recorded so far to a new file: an old one may hold a run
   that waits for its import.  0, or the number of the error, which is
   VKI_EEXIST for an old file; after an error there is no new one. */
Int ds_spool_write(const HChar *path, const struct ds_run *run);
