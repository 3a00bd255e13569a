/*
 * When windows begin and end, while recording goes on and off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "window/ds_window.h"

enum { LENGTH = 100, APART = 2, INTERVAL = LENGTH * APART, INSNS = 10 };

static struct ds_way *way;

/* Executes superblocks as translated code does, n instructions in all. */
static void execute(UInt n)
{
    for (; n > 0; n -= INSNS) {
        bool is_recorded = *ds_clock_now >= ds_window->from;

        if (is_recorded)
            ds_window_enter(way);
        *ds_clock_now += INSNS;
        if (is_recorded)
            ds_window_left();
    }
}

/* Turns recording on or off, as ds_record does. */
static void turn(bool on)
{
    ds_clock_record(on);
    ds_window_record(on);
}

static void resume(ThreadId tid)
{
    ds_clock_resume(tid);
    ds_window_resume(tid);
}

BEFORE_EACH()
{
    turn(false);
    ds_clock_begin_run();
    ds_window_reset();
    resume(1);
    turn(true);
}

/* Executes up to the middle of the first window. */
static void begin_window(void)
{
    while (*ds_clock_now < ds_window->from)
        execute(INSNS);
    execute(LENGTH / 2);
}

TEST(each_interval_has_a_window)
{
    execute(3 * INTERVAL);
    for (UInt i = 0; i < 3; i++) {
        assert_non_null(ds_window_get(i));
        assert_int_equal(ds_window_get(i)->instructions, LENGTH);
    }
}

/* Intervals count recorded instructions only. */
TEST(a_window_waits_while_recording_is_off)
{
    begin_window();
    turn(false);
    *ds_clock_now += 10 * INTERVAL;
    turn(true);
    execute(3 * INTERVAL);
    for (UInt i = 0; i < 3; i++) {
        assert_non_null(ds_window_get(i));
        assert_int_equal(ds_window_get(i)->instructions, LENGTH);
    }
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    ds_window_init(16, LENGTH, APART);
    ds_way_begin();
    for (Addr a = 0; a < INSNS; a++)
        ds_way_instruction(0, 0x1000 + 4 * a, 4);
    way = ds_way_end(0x1000);
}
