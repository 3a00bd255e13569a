/*
 * ds_clock: how many instructions the process has executed, which is the time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_CLOCK_H
#define DS_CLOCK_H

#include "base/ds_valgrind.h"

/* The current time, as far as translated code has advanced it. */
extern ULong *ds_clock_now;

/* The count at the epoch. */
extern ULong ds_clock_epoch;

/* The time since which no other thread has executed, or 0 if that is before
   the epoch. */
extern ULong ds_clock_turn;

/* Call it after ds_shadow_init, before the program starts. */
void ds_clock_init(void);

/* Notes that a thread is about to run.  Call it between superblocks whenever
   one does, and at least once in 2^37 instructions.  Moves the epoch if need
   be, which costs O(shadow memory).  What loads expect of stores that could be
   another thread's holds only for one thread's turn. */
void ds_clock_resume(ThreadId tid);

/* The count at a time, which may lie before the epoch (modulo 2^64). */
static inline ULong ds_clock_count(ULong time)
{
    return ds_clock_epoch + time;
}

/* The time of a count, or 0 if it lies before the epoch. */
static inline ULong ds_clock_time(ULong count)
{
    return count > ds_clock_epoch ? count - ds_clock_epoch : 0;
}

/* How many instructions the process has executed. */
static inline ULong ds_clock_executed(void)
{
    return ds_clock_count(*ds_clock_now);
}

/* The part of them that the present run executed while recording was on
   (ds_record), which is off before the first call. */
ULong ds_clock_recorded(void);
void ds_clock_record(Bool on);

/* A forked child begins a run of its own. */
void ds_clock_begin_run(void);

/* ds_threads: notes the end of a thread; a new one may get its ThreadId. */
void ds_threads_end(ThreadId tid);

/* The number of a thread that is alive: threads are numbered from 0 in the
   order in which they began to run. */
ULong ds_threads_number(ThreadId tid);

#endif
