/*
 * ds_run: a process from its start, or its fork, to its end: when it began,
 * which database it goes to, and how it gets there.
 *
 * A successful execve ends a run, too.  Success is unknown before the call, and
 * after it the tool is gone.  So the run is written to the database before the
 * call; if the call fails, the run replaces that state at its real end.
 *
 * ds_session: what the processes of one invocation have in common: the name
 * of the session, and the directory where it was started.
 *
 * A fork keeps both in memory.  An execve keeps nothing, so they are handed
 * on among the options that Valgrind gives to itself when it follows one
 * (--trace-children=yes), as --session=NAME:DIRECTORY.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RUN_H
#define DS_RUN_H

#include "pub_tool_basics.h"

#include "spool_format.h"

/* Begins the first run of this program.  Ends the program if its database
   cannot be written.  Call it when the command line has been read. */
void ds_run_init(void);

/* Begins the run of a forked child, which keeps its parent's writers. */
void ds_run_fork(void);

/* Writes the run to the database, as a complete one.  False if that failed;
   then the user is told, and the spool stays if it could be written. */
Bool ds_run_end(enum spool_end end, Int exit_status);

/* Writes the run so far to the database, as an incomplete one.  False if that
   failed; then the user is told why. */
Bool ds_run_dump(void);

/* The run did not end after all, and is not complete. */
void ds_run_resume(void);

/* Joins the session that the option names, or begins one if it is NULL.  Call
   it once, when the command line has been read. */
void ds_session_init(const HChar *option);

/* Did a process of the session start this program?  Then that process has
   checked the database. */
Bool ds_session_is_continued(void);

const HChar *ds_session_name(void);

/* The name of a file from the command line: %p and the like are expanded for
   this process, and it is relative to the session's directory.  The caller
   frees it.
 */
HChar *ds_session_file(const HChar *option, const HChar *format);

#endif
