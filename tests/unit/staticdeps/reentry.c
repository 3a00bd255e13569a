/* Which loop of a walk was re-entered (staticdeps/walk/sd_rounds.c). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "nested.h"

static void come(uint32_t header, uint32_t from, uint64_t time)
{
    sd_rounds_note_entry(&rounds, 7, header, from, time);
}

static uint32_t since(uint32_t block, uint64_t time)
{
    return sd_rounds_reentered(&rounds, 7, block, time);
}

/* Enters the outer loop at 10 and 40, and the inner loop at 20, 30, 50 and 60.
 */
static void go_round(void)
{
    come(OUTER, BEFORE, 10);
    come(INNER, OUTER, 20);
    come(INNER, LATCH, 30);
    come(OUTER, END, 40);
    come(INNER, OUTER, 50);
    come(INNER, LATCH, 60);
}

TEST(the_loop_that_was_not_left_is_the_one_re_entered)
{
    go_round();
    assert_int_equal(since(LATCH, 65), 0);
    assert_int_equal(since(LATCH, 55), 1 + INNER);
    assert_int_equal(since(LATCH, 45), 0);
    assert_int_equal(since(LATCH, 25), 1 + OUTER);
    assert_int_equal(since(LATCH, 15), 1 + OUTER);
    assert_int_equal(since(LATCH, 5), 0);
}

TEST(inner_loops_that_are_left_do_not_count)
{
    go_round();
    assert_int_equal(since(END, 45), 0);
    assert_int_equal(since(END, 35), 1 + OUTER);
    assert_int_equal(since(BEHIND, 15), 0);
}

TEST(other_walks_and_frames_have_re_entered_loops_of_their_own)
{
    go_round();
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 55), 0);
    sd_rounds_note_entry(&rounds, 8, INNER, LATCH, 70);
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 65), 0);
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 71), 0);
    sd_rounds_begin(&rounds, 2);
    assert_int_equal(since(LATCH, 25), 0);
}

TEST(a_walk_may_begin_in_a_loop)
{
    come(INNER, UINT32_MAX, 10);
    come(INNER, LATCH, 20);
    assert_int_equal(since(INNER, 15), 1 + INNER);
}
