/*
 * ds_clock: how many instructions the process has executed, which is the time.
 *
 * A *time* counts from an epoch, because an entry of shadow memory has only
 * DS_TIME_BITS bits for it; the epoch moves long before times run out.  A
 * *count* is from the start of the process.  The current time is a word in the
 * arena, which translated code advances at each exit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

ULong *ds_clock_now;
ULong ds_clock_epoch, ds_clock_turn;

static Bool is_on;     /* recording */
static ULong recorded; /* until `since` */
static ULong since;    /* the count when recording, or the run, changed */

void ds_clock_init(void)
{
    tl_assert(ds_clock_now == NULL);
    ds_clock_now = ds_arena_new(sizeof *ds_clock_now);
}

void ds_clock_resume(ThreadId tid)
{
    ULong by = ds_shadow_advance(*ds_clock_now);

    tl_assert(by <= *ds_clock_now);
    *ds_clock_now -= by;
    ds_clock_epoch += by;
    if (ds_threads_resume(tid, ds_clock_executed()))
        ds_expect_begin_turn();
    ds_clock_turn = ds_clock_time(ds_threads_since());
    tl_assert(ds_clock_turn <= *ds_clock_now);
}

ULong ds_clock_recorded(void)
{
    return recorded + (is_on ? ds_clock_executed() - since : 0);
}

void ds_clock_record(Bool on)
{
    recorded = ds_clock_recorded();
    since = ds_clock_executed();
    is_on = on;
}

void ds_clock_begin_run(void)
{
    recorded = 0;
    since = ds_clock_executed();
}
