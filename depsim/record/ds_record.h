/*
 * ds_record: recording, on and off.
 *
 * While recording is off, writers are still followed, but no dependency and no
 * execution of a segment is counted.  Recording is on if --record-from-start, a
 * client request or the monitor turned it on, and a function of --fn is on the
 * stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RECORD_H
#define DS_RECORD_H

#include "pub_tool_basics.h"

/* Turns recording on or off; it is off before the first call.  Call this and
   the next function only between segments, when all counts are complete;
   O(segments) when recording changes. */
void ds_record_set(Bool on);

/* Notes whether a function of --fn is on the stack; before the first call, one
   is. */
void ds_record_confine(Bool inside);

/* The arguments of the last calls of ds_record_set and ds_record_confine. */
Bool ds_record_is_asked(void);
Bool ds_record_is_inside(void);

/* Brings the counts up to date before they are read.  Idempotent. */
void ds_record_settle(void);

/* As VG_(needs_client_requests) wants it: the requests of depsim.h. */
Bool ds_record_request(ThreadId tid, UWord *args, UWord *result);

#endif
