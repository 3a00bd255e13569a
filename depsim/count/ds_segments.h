/*
 * ds_segments: how often each straight-line run of instructions was executed.
 *
 * A segment is known by (object, ELF addresses).  Each superblock that executes
 * it has a counter of its own, in a part; a segment's count is the sum over its
 * parts, and an instruction's that over the segments that contain it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SEGMENTS_H
#define DS_SEGMENTS_H

#include "base/ds_valgrind.h"

#include "base/ds_memory.h"

/* The accesses of one execution, as of the last translation of the code. */
struct ds_accesses {
    UInt loads, stores;
};

/* Where a superblock executes a segment, in the arena. */
struct ds_part {
    struct ds_key key; /* the segment, the superblock, and n_before: */
    ULong executions;
    ULong collected; /* of them, those that the segment includes */
    struct ds_segment *segment;
    ULong n_before; /* instructions in the superblock before it */
    struct ds_part *older;
};

struct ds_segment {
    struct ds_key key; /* object, and the ELF virtual addresses [start, end) */
    ULong executions;  /* those that were collected from its parts */
    ULong kept; /* of them, when ds_segments_checkpoint was called last */
    UInt n_instructions;
    const UChar *sizes; /* of the instructions, in bytes */
    struct ds_accesses accesses;
};

#define DS_SEGMENT_MAX 256 /* instructions; VEX translates 100 at a time */

/* The segment of `n` instructions of these sizes, made if it is new; it stays
   where it is. */
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
   copy the pages that it writes, so call it before that begins. */
void ds_segments_settle(void);

/* The segments in no order, with the executions up to ds_segments_settle; NULL
   after the last.  The cursor starts as 0. */
const struct ds_segment *ds_segments_next(SizeT *cursor);

/* Executions from here on can be forgotten again, in O(segments). */
void ds_segments_checkpoint(void);

/* Forgets the executions since ds_segments_checkpoint, or all if there was
   none, in O(segments). */
void ds_segments_rollback(void);

/* Forgets all executions, in O(segments). */
void ds_segments_reset(void);

/* The instructions of all executions, forgotten or not; in O(segments). */
ULong ds_segments_instructions(void);

#endif
