/* ds_clock: how many instructions the process has executed, which is the time,
 * by which thread, and how often each of them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_memory.h"

/* The current time, as far as translated code has advanced it. */
extern ULong *ds_clock_now;

/* The count (ds_clock.c) at the epoch. */
extern ULong ds_clock_epoch;

/* The time since which no other thread has executed; 0: before the epoch. */
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

/* How many instructions the present run executed while recording was on
   (ds_switch), which is off before the first call. */
ULong ds_clock_recorded(void);
void ds_clock_record(Bool on);

/* A forked child begins a run of its own. */
void ds_clock_begin_run(void);

/* ds_threads: notes the end of a thread; a new one may get its ThreadId. */
void ds_threads_end(ThreadId tid);

/* The number of a thread that is alive, from 0, in the order of their begin. */
ULong ds_threads_number(ThreadId tid);

/* ds_segments: how often each straight-line run of instructions was executed.

   A segment is known by (object, ELF addresses).  Each superblock that executes
   it has a counter of its own, in a part; a segment's count is the sum over its
   parts, and an instruction's that over the segments that contain it. */

/* The accesses of one execution, as of the last translation of the code. */
struct ds_accesses {
    UInt loads, stores;
};

/* Where a superblock executes a segment, in the arena. */
struct ds_part {
    ULong executions;
    ULong collected; /* the executions that the segment's count includes */
    struct ds_segment *segment;
    struct ds_part *older; /* of the same segment */
    UInt superblock;
    UInt n_before; /* instructions in the superblock before the segment */
};

struct ds_segment {
    struct ds_key key; /* object, and the ELF virtual addresses [start, end) */
    ULong executions;  /* as collected from its parts */
    ULong kept;        /* `executions` that a rollback goes back to */
    UInt n_instructions;
    const UChar *sizes; /* the sizes of its instructions, in bytes */
    struct ds_accesses accesses;
    struct ds_part *last_part;
};

#define DS_SEGMENT_MAX 256 /* instructions; VEX translates 100 at a time */

/* The segment of `n` instructions of these sizes, made if it is new; fixed. */
struct ds_segment *ds_segments_obtain(UInt object, Addr start,
                                      const UChar *sizes, UInt n);

/* The part of the superblock with this number that executes a segment after
   n_before instructions; it stays where it is. */
struct ds_part *ds_segments_part(struct ds_segment *segment, UInt superblock,
                                 ULong n_before);

/* An execution of the part ended before the instruction at this address of the
   object.  Returns how many instructions were executed, or all of them if none
   begins at the address. */
UInt ds_segments_interrupt(struct ds_part *part, Addr address);

/* Has the segments include all executions, in O(parts).  A helper process would
   copy the pages that it writes, so call it before the helper begins. */
void ds_segments_settle(void);

/* The segments in no order, with the executions up to ds_segments_settle; NULL
   after the last.  The cursor starts as 0. */
const struct ds_segment *ds_segments_next(SizeT *cursor);

/* Sets what ds_segments_rollback goes back to: all executions so far or, as at
   first, none.  O(segments). */
void ds_segments_keep(Bool all);
void ds_segments_rollback(void);

/* The instructions of all executions, forgotten or not; in O(segments). */
ULong ds_segments_instructions(void);
