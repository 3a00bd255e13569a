/*
 * ds_run: a process from its start, or its fork, to its end: when it began,
 * which database it goes to, and how it gets there.
 *
 * A program that calls execve has ended, too, if the call succeeds.  Nobody
 * knows that before, and nobody is left to tell afterwards; so the run goes
 * to the database before the call, and takes its own place there at its real
 * end if the call has failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RUN_H
#define DS_RUN_H

#include "pub_tool_basics.h"

#include "spool_format.h"

/* Begins the first run of this program; refuses to go on if its database
   cannot be written.  When the command line has been read. */
void ds_run_init(void);

/* A forked child is a run of its own from here on; it keeps the writers. */
void ds_run_fork(void);

/* Brings the run to the database, as a complete one.  If that fails the user
   is told, and the spool stays where it could be written. */
void ds_run_end(enum spool_end end, Int exit_status);

/* Brings what there is of the run to the database, as an incomplete one.  False
   if that failed; then the user has been told why. */
Bool ds_run_dump(void);

/* The run has not ended after all, and is not complete. */
void ds_run_resume(void);

#endif
