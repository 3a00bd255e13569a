/*
 * ds_record: recording, on and off.
 *
 * While it is off the writers are still followed, but no dependency and no
 * execution of a segment is counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RECORD_H
#define DS_RECORD_H

#include "pub_tool_basics.h"

/* Off until the first call.  O(segments) when it changes; to be called
   between superblocks, when all counts are whole. */
void ds_record_set(Bool on);

/* Brings the counts up to date before they are read.  Idempotent. */
void ds_record_settle(void);

/* As VG_(needs_client_requests) wants it: the requests of depsim.h. */
Bool ds_record_request(ThreadId tid, UWord *args, UWord *result);

#endif
