/*
 * ds_record: recording, on and off.
 *
 * While it is off, writers are still followed, but no dependency and no
 * execution of a segment is counted.  It is on if it is asked for, by
 * --record-from-start, a client request or the monitor, and the program is
 * inside --fn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RECORD_H
#define DS_RECORD_H

#include "pub_tool_basics.h"

/* Asks for recording, or for none, as before the first call.  Here and below:
   only between segments, when all counts are whole; O(segments) when recording
   changes. */
void ds_record_set(Bool on);

/* The program is inside --fn, as before the first call, or outside. */
void ds_record_confine(Bool inside);

/* What the last calls of the two said. */
Bool ds_record_is_asked(void);
Bool ds_record_is_inside(void);

/* Brings the counts up to date before they are read.  Idempotent. */
void ds_record_settle(void);

/* As VG_(needs_client_requests) wants it: the requests of depsim.h. */
Bool ds_record_request(ThreadId tid, UWord *args, UWord *result);

#endif
