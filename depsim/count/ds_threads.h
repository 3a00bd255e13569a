/*
 * ds_threads: which thread executed at which time.
 *
 * Threads take turns, so the time of a store tells which thread made it, and
 * shadow memory does not store the thread.  Memory: 16 bytes for each switch to
 * another thread.  Here all times are counts (ds_clock).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_THREADS_H
#define DS_THREADS_H

#include "pub_tool_basics.h"

/* Notes the end of a thread; a new one may get its number. */
void ds_threads_end(ThreadId tid);

/* Notes that a thread is about to run.  True if another thread ran before, or
   none did. */
Bool ds_threads_resume(ThreadId tid, ULong count);

/* When the current thread's turn began: no other thread has executed since. */
ULong ds_threads_since(void);

/* Did a thread other than the current one execute at this time? */
Bool ds_threads_differ(ULong count);

#endif
