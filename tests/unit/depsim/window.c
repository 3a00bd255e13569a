/* When windows begin and end, while recording goes on and off, and how long ago
   they say that lines were touched. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/ds_clock.h"
#include "window/ds_reuse.h"
#include "window/ds_window.h"

enum { LENGTH = 100, APART = 2, INTERVAL = LENGTH * APART, INSNS = 10 };

static struct ds_trace *trace;
static SizeT size;         /* of a record */
static struct ds_bytes to; /* what touches say */

/* Executes a superblock, which is shown later. */
static void execute_traced(void)
{
    ULong *record = (ULong *)ds_traces->next;

    record[0] = ds_arena_offset(trace);
    record[DS_TRACE_TIME / sizeof *record] = *ds_clock_now;
    ds_traces->next += size;
    *ds_clock_now += INSNS;
}

/* Executes superblocks as hot code does, n instructions in all. */
static void execute(UInt n)
{
    for (; n > 0; n -= INSNS) {
        if (*ds_clock_now >= ds_window->from)
            execute_traced();
        else
            *ds_clock_now += INSNS;
        if (!ds_window_goes_on() || ds_traces->next >= ds_traces->end)
            ds_trace_empty();
    }
}

/* Turns recording on or off, as ds_switch does. */
static void turn(bool on)
{
    ds_trace_record();
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
    ds_trace_empty();
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

/* In each of three intervals a window was recorded. */
static void assert_windows(void)
{
    for (UInt i = 0; i < 3; i++) {
        assert_non_null(ds_window_get(i));
        assert_int_equal(ds_window_get(i)->instructions, LENGTH);
    }
}

TEST(each_interval_has_a_window)
{
    execute(3 * INTERVAL);
    assert_windows();
}

TEST(intervals_that_are_shown_late_have_windows)
{
    for (UInt n = 0; n < 3 * INTERVAL; n += INSNS)
        execute_traced();
    ds_trace_empty();
    assert_windows();
}

/* Intervals count recorded instructions only. */
TEST(a_window_waits_while_recording_is_off)
{
    begin_window();
    ds_trace_empty();
    turn(false);
    *ds_clock_now += 10 * INTERVAL;
    turn(true);
    execute(3 * INTERVAL);
    assert_windows();
}

/* The last superblock before is not left until those of the wait are shown. */
TEST(a_window_waits_while_what_is_not_recorded_is_traced)
{
    begin_window();
    execute_traced();
    turn(false);
    for (UInt n = 0; n < 10 * INTERVAL; n += INSNS)
        execute_traced();
    turn(true);
    execute(3 * INTERVAL);
    assert_windows();
}

static void touch(enum ds_touched kind, Addr a, SizeT n, ULong time,
                  struct ds_bytes *bytes)
{
    ds_reuse_touch(kind, a, a, n, time, bytes);
}

static void assert_reuse(const char *expected, SizeT n)
{
    assert_int_equal(to.n, n);
    assert_memory_equal(to.bytes, expected, n);
    to.n = 0;
}

TEST(first_touches_say_how_long_ago_others_were)
{
    ds_reuse_begin(10);
    touch(DS_DATA, 0x7030, 0x20, 10, NULL); /* two lines */
    touch(DS_DATA, 0x7008, 8, 15, &to);     /* and its page */
    touch(DS_DATA, 0x7080, 1, 16, &to);     /* a line of that page */
    touch(DS_DATA, 0x703f, 2, 17, &to);     /* only the second line is new */
    touch(DS_DATA, 0x8fc0, 65, 18, &to);    /* nothing was touched in them */
    touch(DS_CODE, 0x7000, 3, 19, &to);     /* code is apart */
    assert_reuse("\6\6\0\x8\0\0\0\0\0\0", 10);
    touch(DS_DATA, 0x7000, 0x100, 20, &to);
    assert_reuse("\0", 1); /* 0x70c0 */
    ds_reuse_begin(220);
    touch(DS_DATA, 0x7000, 8, 220, &to);
    touch(DS_DATA, 0x7004, 8, 221, &to);
    assert_reuse("\xc9\1\xc9\1", 4);
}

/* As in depbound, which counts the times that a window must have. */
TEST(first_touches_are_told_by_whole_addresses)
{
    ds_reuse_begin(10);
    ds_reuse_forget(0x7000, 0x1000);
    touch(DS_DATA, 0x7000, 8, 10, &to);
    touch(DS_DATA, 0x7000 + DS_LINEAR_END, 8, 15, &to); /* of the same bits */
    touch(DS_DATA, DS_LINEAR_END - 4, 8, 16, &to);
    assert_reuse("\0\0\6\6\0\0\0\0", 8);
    ds_reuse_begin(20);
    ds_reuse_touch(DS_CODE, 0x9000, ds_reuse_code(1, 0x1000), 1, 20, &to);
    ds_reuse_touch(DS_CODE, 0xb000, ds_reuse_code(1, 0x1000), 1, 21, &to);
    ds_reuse_mix();
    ds_reuse_touch(DS_CODE, 0x9000, ds_reuse_code(2, 0x1000), 1, 22, &to);
    assert_reuse("\0\0\3\3", 4);
}

TEST(what_is_unmapped_was_never_touched)
{
    ds_reuse_begin(10);
    touch(DS_DATA, 0x7000, 0x100, 10, NULL);
    ds_reuse_forget(0x7020, 0x80); /* the line at 0x7040 as a whole */
    touch(DS_DATA, 0x7000, 0xc0, 19, &to);
    assert_reuse("\xa\xa\0\xa", 4);
}

/* A line that the window has touched is known by its time alone, unless others
   may have touched it. */
TEST(what_others_touch_is_new_to_the_window)
{
    ds_reuse_begin(30);
    touch(DS_DATA, 0x7000, 1, 30, &to);
    touch(DS_DATA, 0x7000, 1, 31, &to); /* the window itself */
    to.n = 0;
    ds_reuse_mix();
    touch(DS_DATA, 0x7040, 1, 32, NULL); /* another thread */
    touch(DS_DATA, 0x7040, 1, 35, &to);
    touch(DS_DATA, 0x7000, 1, 36, &to);
    assert_reuse("\4", 1);
    ds_reuse_begin(*ds_clock_now);
    ds_reuse_kernel_wrote(0x7040, 1);
    touch(DS_DATA, 0x7040, 1, *ds_clock_now, &to);
    assert_reuse("\1\1", 2);
    ds_reuse_kernel_wrote(0x7040, 1);
    ds_reuse_begin(*ds_clock_now); /* the window begins after it */
    touch(DS_DATA, 0x7040, 1, *ds_clock_now, &to);
    assert_reuse("\1\1", 2);
}

TEST(what_the_kernel_writes_is_touched)
{
    ds_reuse_begin(10);
    ds_reuse_forget(0x7000, 0x1000);
    ds_reuse_kernel_wrote(0x703f, 2);
    touch(DS_DATA, 0x7000, 0xc0, *ds_clock_now + 4, &to);
    assert_reuse("\5\5\5\0", 4);
}

/* A window whose line of code the window before touched at its end. */
TEST(a_window_has_its_reuse_times)
{
    const struct ds_kept *kept;

    execute(3 * INTERVAL);
    kept = ds_window_get(1);
    assert_non_null(kept);
    assert_true(kept->reuse.n == 2 || kept->reuse.n == 4);
    assert_memory_equal(kept->reuse.bytes,
                        kept->reuse.bytes + kept->reuse.n / 2,
                        kept->reuse.n / 2);
    assert_true(kept->reuse.bytes[0] != 0);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    ds_trace_init(~(ULong)0, ds_window_show);
    ds_window_init(16, LENGTH, APART);
    trace = ds_arena_new(sizeof *trace);
    ds_trace_begin();
    size = ds_trace_end(trace);
    ds_way_begin();
    for (Addr a = 0; a < INSNS; a++)
        ds_way_instruction(0, 0x1000 + 4 * a, 0x400000, 4);
    trace->way = ds_way_end(0x1000);
}
