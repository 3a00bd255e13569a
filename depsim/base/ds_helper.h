/*
 * ds_helper: work in a helper process.
 *
 * The client may have changed attributes of its process: limits, the umask, how
 * the ends of its children are handled.  The helper is a copy of the process
 * that has the attributes of the start again.  The client is stopped meanwhile;
 * it gets no SIGCHLD, and cannot wait for the helper.
 *
 * Limits: the helper keeps a changed root, changed user and group ids, changed
 * namespaces, and a hard limit that a process without privilege has lowered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_HELPER_H
#define DS_HELPER_H

#include "pub_tool_basics.h"

/* Notes the attributes to restore.  Call it before the client runs. */
void ds_helper_init(void);

/* Calls the function in a helper process and waits for its end.  Returns what
   the function returned, 0 to 255; 255 if the helper was killed, and -1 if it
   could not be started.  What the function changes in memory is lost. */
Int ds_helper_run(Int (*work)(void *argument), void *argument);

#endif
