/*
 * ds_spool: the tables of a run -> a spool file (spool_format.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SPOOL_H
#define DS_SPOOL_H

#include "pub_tool_basics.h"

#include "lifetimes.h"
#include "spool_format.h"

/* What the spool says of the run besides its tables. */
struct ds_run {
    Bool append;
    ULong started; /* microseconds since 1970 */
    Int pid;
    enum spool_end end;
    Int exit_status; /* if it ended by an exit */
    ULong instructions;
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

#endif
