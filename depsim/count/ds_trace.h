/*
 * ds_trace: the accesses of code that is rarely executed.
 *
 * Such code appends the address of each access to a buffer, which takes one
 * instruction.  The accesses are recorded later, in their order, before any
 * other code or event can see or change what they do to shadow memory.
 *
 * The buffer has a record for each execution of a superblock: the superblock's
 * trace, as an offset in the arena, the time at its start, and a slot for each
 * access that it can make.  A slot that was not filled is an access that did
 * not happen, because the superblock was left before or by a fault.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "count/ds_access.h"

/* Values in the arena that translated code uses: where the next record begins,
   where the first one begins, and from where on there is no room for one. */
struct ds_traces {
    Addr next, first, end;
};
extern struct ds_traces *ds_traces;

/* What a superblock accesses, in the arena, zeroed at first. */
struct ds_trace {
    struct ds_load *accesses;
    UInt n;
    UInt executions;    /* that have been recorded */
    struct ds_way *way; /* what windows are shown of it; NULL: nothing */
    UInt lead;          /* then, the number to note it by (ds_lead), or 0 */
};

/* What no program's instruction can access. */
#define DS_TRACE_NONE (~(ULong)0)

/* Is called for a superblock that has a way, before its accesses are recorded:
   when it began, how many instructions it has executed, and the addresses of
   their accesses; DS_TRACE_NONE if one has not happened.  It is called again
   for what is executed later, until the superblock is left. */
typedef void ds_trace_shown(const struct ds_trace *trace, ULong time, UInt n,
                            const ULong *addresses, Bool is_left);

/* Call it after ds_shadow_init, before the program starts.  The executions
   after which a trace is hot. */
void ds_trace_init(ULong hot_from, ds_trace_shown *shown);

/* Describes a superblock while the buffer is empty: begins, adds an access and
   returns the place of its slot, in bytes from the start of the record, and
   ends, which returns the size of a record. */
void ds_trace_begin(void);
SizeT ds_trace_add(struct ds_load access);
SizeT ds_trace_end(struct ds_trace *trace);

/* Forgets the accesses of a superblock that has no translation any more that
   traces them; while the buffer is empty. */
void ds_trace_drop(struct ds_trace *trace);

/* Records all accesses, and empties the buffer.  Only while no superblock that
   has begun a record is running, or when it is left for good. */
void ds_trace_empty(void);

/* Records all accesses that have happened so far. */
void ds_trace_record(void);

/* A trace that has become hot since the last call; NULL: there is none. */
struct ds_trace *ds_trace_take_hot(void);

/* Where a record has its time and its first slot, in bytes from its start. */
#define DS_TRACE_TIME  8
#define DS_TRACE_SLOTS 16
