/*
 * ds_session: what the processes of one invocation have in common: the name
 * of the session, and the directory where it was started.
 *
 * A fork keeps both in memory.  An execve keeps nothing, so they are handed
 * on among the options that Valgrind gives to itself when it follows one
 * (--trace-children=yes), as --session=NAME:DIRECTORY.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SESSION_H
#define DS_SESSION_H

#include "pub_tool_basics.h"

/* Joins the session that the option names, or begins one if it is NULL.  Once,
   when the command line has been read. */
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
