/*
 * ds_monitor: the commands that vgdb, or gdb's `monitor`, sends to a program
 * while it runs.
 *
 * Limit: while gdb has stopped the program at a breakpoint, the straight-line
 * run of instructions around it is counted to its end, but its accesses after
 * the breakpoint are not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MONITOR_H
#define DS_MONITOR_H

#include "pub_tool_basics.h"

/* Call it first.  `dump` writes the database so far; false if that failed. */
void ds_monitor_init(Bool (*dump)(void));

/* The callback for VG_(needs_client_requests); handles only commands. */
Bool ds_monitor_request(ThreadId tid, UWord *args, UWord *result);

#endif
