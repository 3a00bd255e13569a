/*
 * ds_reuse: how long ago each line of 64 bytes, of data and of code, and each
 * page of 4 KiB was touched before a window touches it.
 *
 * From this, a reader can say which accesses miss in a cache of any size
 * (doc/schema.md).  Translated code notes, at each access, when it touched the
 * line: 8 bytes for 64.  What windows execute is noted here, and looked up.
 *
 * Limits: lines of all threads are alike, as if they shared all caches.  An
 * access of data from DS_LINEAR_END on also counts as one of the same low bits,
 * so that its reuse time may be too short; what the kernel writes or unmaps
 * there is not noticed.  What the kernel reads touches nothing.  What hot
 * code touches is touched when its superblock begins, other code where a
 * superblock enters the line: up to 100 instructions too early.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "count/ds_shadow.h"
#include "window/ds_bytes.h"

#define DS_REUSE_LINE ((SizeT)64)
#define DS_REUSE_PAGE ((SizeT)4096)

/* Tables of ds_shadow_touch: a word is 1 plus the time (ds_clock) of the last
   touch; 0: there was none. */
enum ds_touched { DS_DATA, DS_CODE };

/* Call it after ds_shadow_init, if there are windows. */
void ds_reuse_init(void);

/* The epoch of times has moved by that. */
void ds_reuse_age(ULong by);

/* The kernel has stored to these bytes; they are no longer there, or are new.
   Without windows these do nothing. */
void ds_reuse_kernel_wrote(Addr a, SizeT n);
void ds_reuse_forget(Addr a, SizeT n);

/* A window begins at that time: it has touched nothing yet.  Others than the
   window will touch data. */
void ds_reuse_begin(ULong time);
void ds_reuse_mix(void);

/* The latest time of a touch before the window; the highest number if others
   than the window have touched anything since its start.  A line that was
   touched later was touched by the window. */
extern ULong ds_reuse_before;

/* Notes that the instruction before `time` + 1 touched n bytes.  Appends to
   `to`, unless it is NULL, what the database has of each line that the window
   touches for the first time.  Readers tell lines by their names: of data the
   address, of code the object and the address in its file (ds_reuse_code). */
void ds_reuse_touch_any(enum ds_touched kind, Addr a, ULong name, SizeT n,
                        ULong time, struct ds_bytes *to);

static inline void ds_reuse_touch(enum ds_touched kind, Addr a, ULong name,
                                  SizeT n, ULong time, struct ds_bytes *to)
{
    ULong *t = ds_shadow_touch(kind, a);

    if (LIKELY(*t > ds_reuse_before && a % DS_REUSE_LINE + n <= DS_REUSE_LINE &&
               a < DS_LINEAR_END))
        *t = time + 1;
    else
        ds_reuse_touch_any(kind, a, name, n, time, to);
}

static inline ULong ds_reuse_code(UInt object, Addr address)
{
    return ((ULong)object << 48) + address;
}
