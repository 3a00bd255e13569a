/*
 * ds_helper: work in a helper process.
 *
 * The client may have changed what its process inherits: limits, the mask of
 * new files' permissions, what happens to its children.  The helper is a copy
 * of the process with these put back to what they were at the start.  Meanwhile
 * the client is stopped; it gets no SIGCHLD, and cannot wait for the helper.
 *
 * Limits: a changed root, changed user or group ids and namespaces stay, and
 * so does a hard limit that a process without privilege has lowered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_HELPER_H
#define DS_HELPER_H

#include "pub_tool_basics.h"

/* Notes what has to be put back.  Before the client runs. */
void ds_helper_init(void);

/* Calls the function in a helper process and waits for its end.  Returns what
   the function returned, 0 to 255; 255 if the helper was killed, and -1 if it
   could not be started.  What the function changes in memory is lost. */
Int ds_helper_run(Int (*work)(void *argument), void *argument);

#endif
