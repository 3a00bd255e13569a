/*
 * ds_threads: which thread executed at which time.
 *
 * Threads take turns, so a store's time tells which thread made it, and shadow
 * memory need not.  Memory: 16 bytes each time that another thread goes on.
 * Here all times are counts (ds_clock).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_THREADS_H
#define DS_THREADS_H

#include "pub_tool_basics.h"

/* A thread ends, and a new one may get its number. */
void ds_threads_end(ThreadId tid);

/* The thread goes on.  True if the thread that executed before was another, or
   there was none. */
Bool ds_threads_resume(ThreadId tid, ULong count);

/* Since when the current thread has executed without a break by others. */
ULong ds_threads_since(void);

/* Did another thread than the current one execute then? */
Bool ds_threads_differ(ULong count);

#endif
