/*
 * ds_record: recording, on and off.
 *
 * While it is off the writers are still followed, but no dependency and no
 * execution of a segment is counted.  It is on if it has been asked for, by
 * --record-from-start, a client request or the monitor, and the program is
 * where --fn confines it to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RECORD_H
#define DS_RECORD_H

#include "pub_tool_basics.h"

/* Is recording asked for?  Not before the first call.  O(segments) when
   recording changes, here and below; to be called between segments, when all
   counts are whole. */
void ds_record_set(Bool on);

/* Is the program where recording is confined to?  It is, before the first
   call. */
void ds_record_confine(Bool inside);

/* What the two have said last. */
Bool ds_record_is_asked(void);
Bool ds_record_is_inside(void);

/* Brings the counts up to date before they are read.  Idempotent. */
void ds_record_settle(void);

/* As VG_(needs_client_requests) wants it: the requests of depsim.h. */
Bool ds_record_request(ThreadId tid, UWord *args, UWord *result);

#endif
