/* depsim's record of which thread executed when. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "count/internal.h"

/* Counts continue from case to case, as in one process. */
static ULong now = 10;

TEST(before_the_first_turn_no_threads_differ)
{
    assert_true(ds_threads_since() == 0);
    assert_false(ds_threads_differ(0));
    assert_true(ds_threads_resume(1, now));
    assert_false(ds_threads_resume(1, now + 5));
    assert_true(ds_threads_since() == 0);
    assert_false(ds_threads_differ(now));
    assert_false(ds_threads_differ(now + 5));
}

TEST(a_turn_ends_where_the_next_one_begins)
{
    assert_true(ds_threads_resume(2, 100));
    assert_true(ds_threads_since() == 100);
    assert_true(ds_threads_differ(10));
    assert_true(ds_threads_differ(99));
    assert_false(ds_threads_differ(100));
    assert_false(ds_threads_resume(2, 150));
    assert_true(ds_threads_since() == 100);
    assert_true(ds_threads_resume(1, 200));
    assert_true(ds_threads_since() == 200);
    assert_false(ds_threads_differ(99));
    assert_true(ds_threads_differ(100));
    assert_true(ds_threads_differ(199));
    assert_false(ds_threads_differ(200));
    now = 300;
}

TEST(a_thread_with_the_number_of_one_that_ended_is_another)
{
    ULong first = now;

    ds_threads_resume(3, first);
    ds_threads_end(3);
    assert_true(ds_threads_resume(3, first + 10));
    assert_true(ds_threads_since() == first + 10);
    assert_true(ds_threads_differ(first + 9));
    assert_false(ds_threads_differ(first + 10));
    now += 100;
}

TEST(the_end_of_one_thread_does_not_end_others)
{
    ULong first = now;

    for (ThreadId tid = 11; tid <= 14; tid++)
        ds_threads_resume(tid, first + tid);
    ds_threads_end(12);
    assert_false(ds_threads_resume(14, first + 20));
    for (ThreadId tid = 11; tid <= 14; tid++) {
        assert_int_equal(ds_threads_resume(tid, first + 10 + 2 * tid), true);
        assert_int_equal(ds_threads_differ(first + tid), tid == 12);
    }
    now += 100;
}

TEST(a_thread_that_never_executed_may_end)
{
    ULong first = now;

    ds_threads_resume(21, first);
    ds_threads_resume(22, first + 1);
    ds_threads_end(22);
    ds_threads_end(22);
    ds_threads_end(23);
    ds_threads_resume(21, first + 2);
    assert_false(ds_threads_differ(first));
    assert_true(ds_threads_differ(first + 1));
    now += 100;
}

/* A simple model to compare with has the thread of each instruction. */
TEST(many_turns_of_many_threads_are_told_apart)
{
    enum { THREADS = 100, COUNTS = 5000 };
    static UInt ran[COUNTS];
    ULong first = now, since = 0;
    ThreadId tid = 0;

    srand(1);
    for (ULong i = 0; i < COUNTS; i++) {
        if (i == 0 || rand() % 4 == 0) {
            ThreadId next = 100 + (ThreadId)rand() % THREADS;

            assert_int_equal(ds_threads_resume(next, first + i), next != tid);
            if (next != tid)
                since = first + i;
            tid = next;
        }
        ran[i] = tid;
        assert_true(ds_threads_since() == since);
    }
    for (ULong i = 0; i < COUNTS; i++)
        assert_int_equal(ds_threads_differ(first + i), ran[i] != tid);
    now += COUNTS;
}
