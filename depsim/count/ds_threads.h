/*
 * ds_threads: which thread executed at which time.
 *
 * Threads take turns, so that a store's time tells who made it, and shadow
 * memory need not.  Memory: 16 bytes each time that another thread goes on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_THREADS_H
#define DS_THREADS_H

#include "pub_tool_basics.h"

/* A thread ends, and its number may be given to a new one. */
void ds_threads_end(ThreadId tid);

/* The thread goes on at this time, counted from the start of the process.  Has
   another one, or none, executed before it? */
Bool ds_threads_resume(ThreadId tid, ULong time);

/* Since when the present thread has executed without a break by others. */
ULong ds_threads_since(void);

/* Was it another thread than the present one that executed at this time? */
Bool ds_threads_differ(ULong time);

#endif
