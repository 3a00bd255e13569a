/*
 * ds_helper: work in a process of our own, beside the client's.
 *
 * The client may have changed what its process inherits: limits, the mask of
 * new files' permissions, what happens to its children.  The process aside is
 * a copy of it, with these put back to what they were at the start.  The
 * client is stopped meanwhile, gets no SIGCHLD, and cannot wait for it.
 *
 * Limits: a changed root, changed user or group ids and namespaces stay, and
 * so does a hard limit that was lowered by a process without privilege.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_HELPER_H
#define DS_HELPER_H

#include "pub_tool_basics.h"

/* Notes what has to be put back; to be called before the client runs. */
void ds_helper_init(void);

/* Calls the function in a process aside and waits for its end.  Returns what
   the function returned, 0 to 255; 255 as well if the process was killed, or
   -1 if there could be none.  What the function changes in memory is lost. */
Int ds_helper_run(Int (*work)(void *argument), void *argument);

#endif
