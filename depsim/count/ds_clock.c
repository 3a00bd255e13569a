/*
 * ds_clock: how many instructions the process has executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_clock.h"

#include "pub_tool_libcassert.h"

#include "count/ds_arena.h"
#include "count/ds_expect.h"
#include "count/ds_shadow.h"
#include "count/ds_threads.h"

ULong *ds_clock_now;
ULong ds_clock_epoch, ds_clock_turn;

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
        ds_expect_forget_all();
    ds_clock_turn = ds_clock_time(ds_threads_since());
    tl_assert(ds_clock_turn <= *ds_clock_now);
}
