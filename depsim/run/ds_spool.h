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
    const struct lifetimes *bounds;
};

/* Writes the objects, segments and dependencies recorded so far to a file that
   must not exist yet: it may hold a run that waits to be imported.  0, or the
   number of the error, VKI_EEXIST if there was a file, and then there is none
   of ours. */
Int ds_spool_write(const HChar *path, const struct ds_run *run);

#endif
