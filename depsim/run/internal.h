/*
 * internal: what the files of run/ share, and no others need.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RUN_INTERNAL_H
#define DS_RUN_INTERNAL_H

#include "base/ds_valgrind.h"
#include "lifetimes.h"
#include "spool_format.h"

/* ds_spool: */

/* What the spool says of the run besides its tables. */
struct ds_run {
    Bool append;
    ULong started; /* microseconds since 1970 */
    Int pid;
    enum spool_end end;
    Int exit_status; /* if it ended by an exit */
    ULong start;     /* instructions that the process executed before */
    ULong instructions, recorded;
    Bool complete;
    const HChar *session, *command;
    const HChar *program; /* path of the executable, or "" */
    const struct lifetimes *bounds;
};

/* The file is locked (flock) while it is written, so a file without a lock and
   an end was left by a process that was killed.  Writes the objects, segments
   and dependencies recorded so far to a new file: an old one may hold a run
   that waits for its import.  0, or the number of the error, which is
   VKI_EEXIST for an old file; after an error there is no new one. */
Int ds_spool_write(const HChar *path, const struct ds_run *run);

/* Writes the run so far to the database, as an incomplete one.  False if that
   failed; then the user is told why. */
Bool ds_run_dump(void);

/* ds_session: */

/* Joins the session that the option names, or begins one if it is NULL.  Call
   it once, when the command line has been read. */
void ds_session_init(const HChar *option);

const HChar *ds_session_name(void);

/* The name of a file from the command line: %p and the like are expanded for
   this process, and it is relative to the session's directory.  The caller
   frees it.
 */
HChar *ds_session_file(const HChar *option, const HChar *format);

/* ds_summary: */

/* Begins a forked child: instructions and times count from here on. */
void ds_summary_restart(void);

/* Instructions that the process has executed, recorded or not. */
ULong ds_summary_instructions(void);

/* Prints the figures up to now, a line each, in O(tables). */
void ds_summary_print(UInt (*print)(const HChar *format, ...));

/* Prints the wall-clock time that each phase has taken. */
void ds_summary_print_times(UInt (*print)(const HChar *format, ...));

#endif
