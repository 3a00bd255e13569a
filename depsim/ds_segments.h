/*
 * ds_segments: how often each straight-line run of instructions was executed.
 *
 * A segment is known by (object, ELF addresses), so that a run which several
 * translations contain has one counter.  The counts add up: an instruction
 * was executed as often as the segments that contain it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SEGMENTS_H
#define DS_SEGMENTS_H

#include "pub_tool_basics.h"

#include "ds_table.h"

struct ds_segment {
    struct ds_key key; /* object, and the ELF virtual addresses [start, end) */
    ULong executions;
    ULong kept; /* of them, when ds_segments_keep was called last */
};

/* The segment, made if it is new; it stays where it is. */
struct ds_segment *ds_segments_obtain(UInt object, Addr start, Addr end);

/* All segments, in no order; *cursor starts as 0.  NULL after the last. */
const struct ds_segment *ds_segments_next(SizeT *cursor);

/* Executions from here on can be dropped again, in O(segments). */
void ds_segments_keep(void);

/* Forgets the executions since ds_segments_keep, or all, in O(segments). */
void ds_segments_drop(void);

/* Forgets all executions, in O(segments). */
void ds_segments_reset(void);

#endif
