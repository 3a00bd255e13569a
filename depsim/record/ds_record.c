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
#include "record/ds_record.h"

#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_segments.h"
#include "depsim.h"
#include "window/ds_window.h"

static Bool is_asked, is_inside = True;
static Bool is_on; /* wanted, and inside a function of --fn */

void ds_record_settle(void)
{
    ds_expect_settle_all();
    ds_segments_settle();
    if (!is_on)
        ds_segments_rollback();
}

static void change(Bool on)
{
    tl_assert(on == (is_asked && is_inside));
    if (on == is_on)
        return;
    if (on)
        ds_segments_rollback();
    else
        ds_segments_checkpoint();
    ds_expect_forget_all();
    ds_deps_record(on);
    ds_alias_record(on);
    ds_clock_record(on);
    ds_window_record(on);
    is_on = on;
}

void ds_record_set(Bool on)
{
    is_asked = on;
    change(is_asked && is_inside);
}

void ds_record_confine(Bool inside)
{
    is_inside = inside;
    change(is_asked && is_inside);
}

const HChar *ds_record_state(void)
{
    return !is_asked ? "stopped" : !is_inside ? "outside --fn" : "on";
}

Bool ds_record_request(ThreadId tid, UWord *args, UWord *result)
{
    (void)tid;
    switch (args[0]) {
    case VG_USERREQ__DEPSIM_START:
    case VG_USERREQ__DEPSIM_STOP:
        ds_record_set(args[0] == VG_USERREQ__DEPSIM_START);
        *result = 0;
        return True;
    default:
        return False;
    }
}
