/* In which round of which loops a walk is, and which loop it re-entered. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "walk/sd_rounds.h"

/* Two loops, one in the other: block 1 is the header of a loop, 2 and 3 are a
   loop in it with header 2; 0 and 5 are outside. */
enum { BEFORE, OUTER, INNER, LATCH, END, BEHIND, N };

static struct sd_node nodes[N];
static struct loops loops;
static struct sd_rounds rounds;

static void edge(unsigned from, unsigned to)
{
    nodes[from].next[nodes[from].next[0] != NULL] = &nodes[to];
}

BEFORE_EACH()
{
    memset(nodes, 0, sizeof nodes);
    for (uint32_t i = 0; i < N; i++)
        nodes[i].number = i;
    edge(BEFORE, OUTER);
    edge(OUTER, INNER);
    edge(INNER, LATCH);
    edge(LATCH, INNER);
    edge(LATCH, END);
    edge(END, OUTER);
    edge(END, BEHIND);
    sd_cfg_find_loops(&loops, nodes, N);
    sd_rounds_init(&rounds, &loops, nodes, N);
    sd_rounds_begin(&rounds, 1);
}

AFTER_EACH()
{
    sd_rounds_fini(&rounds);
    loops_fini(&loops);
}

static struct sd_nest nest; /* of the last comparison */

/* Begins a block in frame 7.  Returns the number of the round. */
static uint32_t come(uint32_t block)
{
    sd_rounds_arrive(&rounds, 7, block, true);
    return rounds.now;
}

static uint32_t inner_rounds(unsigned n)
{
    for (; n > 0; n--) {
        come(INNER);
        come(LATCH);
    }
    return rounds.now;
}

static bool since(uint32_t then)
{
    return sd_rounds_since(&rounds, 7, then, &nest);
}

TEST(rounds_of_each_loop_are_counted)
{
    uint32_t then;

    come(BEFORE);
    come(OUTER);
    then = inner_rounds(2);
    come(END);
    come(OUTER);
    inner_rounds(5);
    assert_true(since(then));
    assert_int_equal(nest.n, 2);
    assert_int_equal(nest.rounds[0], 1);
    assert_int_equal(nest.rounds[1], 3);
    assert_int_equal(nest.at[0], 1);
    assert_int_equal(nest.at[1], 4);
}

TEST(only_loops_that_contain_both_ends_count)
{
    uint32_t outer, inner;

    outer = come(OUTER);
    inner = inner_rounds(3);
    assert_true(since(outer));
    assert_int_equal(nest.n, 1);
    assert_int_equal(nest.rounds[0], 0);
    come(END);
    assert_true(since(inner));
    assert_int_equal(nest.n, 1);
    come(BEHIND);
    assert_false(since(inner));
}

TEST(two_runs_of_the_outermost_loop_are_not_compared)
{
    uint32_t then = come(OUTER);

    come(BEHIND);
    come(OUTER);
    assert_false(since(then));
}

TEST(a_run_that_began_in_its_middle_has_no_numbers_but_differences)
{
    uint32_t then;

    then = come(LATCH);
    come(INNER);
    assert_true(since(then));
    assert_int_equal(nest.rounds[1], 1);
    come(END);
    come(OUTER);
    come(INNER);
    assert_false(since(then));
    sd_rounds_leave_all(&rounds);
    assert_int_equal(sd_rounds_most(&rounds, nodes[OUTER].loop), UINT32_MAX);
}

TEST(calls_have_loops_of_their_own)
{
    uint32_t then;

    come(OUTER);
    then = come(INNER);
    sd_rounds_arrive(&rounds, 8, INNER, true);
    assert_false(sd_rounds_since(&rounds, 8, then, &nest));
    sd_rounds_arrive(&rounds, 8, LATCH, true);
    come(LATCH);
    come(INNER);
    assert_true(since(then));
    assert_int_equal(nest.rounds[1], 1);
}

TEST(rounds_that_are_skipped_count)
{
    uint32_t then, ahead;

    come(OUTER);
    then = inner_rounds(3);
    ahead = sd_rounds_ahead(&rounds, then, 90);
    assert_int_equal(ahead, sd_rounds_ahead(&rounds, then, 90));
    sd_rounds_skip(&rounds, 90);
    inner_rounds(1);
    assert_true(since(then));
    assert_int_equal(nest.rounds[1], 91);
    assert_true(since(ahead));
    assert_int_equal(nest.rounds[1], 1);
    come(END);
    assert_int_equal(sd_rounds_ahead(&rounds, then, 1), SD_NO_ROUND);
    assert_int_equal(sd_rounds_most(&rounds, nodes[INNER].loop), 94);
}

TEST(rounds_that_are_lost_are_compared_no_more)
{
    uint32_t then, lost;

    come(OUTER);
    then = inner_rounds(3);
    sd_rounds_lose(&rounds);
    assert_false(since(then));
    lost = rounds.now;
    inner_rounds(1);
    assert_true(since(lost));
    assert_int_equal(nest.rounds[1], 1);
}

TEST(the_most_rounds_are_those_of_runs_that_ended)
{
    come(OUTER);
    inner_rounds(3);
    come(END);
    come(OUTER);
    inner_rounds(2);
    sd_rounds_leave_all(&rounds);
    assert_int_equal(sd_rounds_most(&rounds, nodes[INNER].loop), 3);
    assert_int_equal(sd_rounds_most(&rounds, nodes[OUTER].loop), UINT32_MAX);
}

TEST(the_most_rounds_are_unknown_if_runs_differ_and_one_did_not_end)
{
    come(OUTER);
    inner_rounds(3);
    come(END);
    come(OUTER);
    inner_rounds(2);
    come(END);
    assert_int_equal(sd_rounds_most(&rounds, nodes[INNER].loop), 3);
    sd_rounds_leave_all(&rounds);
    assert_int_equal(sd_rounds_most(&rounds, nodes[INNER].loop), UINT32_MAX);
}

/* --- Re-entered loops --- */

static void enter(uint32_t header, uint32_t from, uint64_t time)
{
    sd_rounds_note_entry(&rounds, 7, header, from, time);
}

static uint32_t reentered(uint32_t block, uint64_t time)
{
    return sd_rounds_reentered(&rounds, 7, block, time);
}

/* Enters the outer loop at 10 and 40, and the inner loop at 20, 30, 50 and 60.
 */
static void go_round(void)
{
    enter(OUTER, BEFORE, 10);
    enter(INNER, OUTER, 20);
    enter(INNER, LATCH, 30);
    enter(OUTER, END, 40);
    enter(INNER, OUTER, 50);
    enter(INNER, LATCH, 60);
}

TEST(the_loop_that_was_not_left_is_the_one_re_entered)
{
    go_round();
    assert_int_equal(reentered(LATCH, 65), 0);
    assert_int_equal(reentered(LATCH, 55), 1 + INNER);
    assert_int_equal(reentered(LATCH, 45), 0);
    assert_int_equal(reentered(LATCH, 25), 1 + OUTER);
    assert_int_equal(reentered(LATCH, 15), 1 + OUTER);
    assert_int_equal(reentered(LATCH, 5), 0);
}

TEST(inner_loops_that_are_left_do_not_count)
{
    go_round();
    assert_int_equal(reentered(END, 45), 0);
    assert_int_equal(reentered(END, 35), 1 + OUTER);
    assert_int_equal(reentered(BEHIND, 15), 0);
}

TEST(other_walks_and_frames_have_re_entered_loops_of_their_own)
{
    go_round();
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 55), 0);
    sd_rounds_note_entry(&rounds, 8, INNER, LATCH, 70);
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 65), 0);
    assert_int_equal(sd_rounds_reentered(&rounds, 8, LATCH, 71), 0);
    sd_rounds_begin(&rounds, 2);
    assert_int_equal(reentered(LATCH, 25), 0);
}

TEST(a_walk_may_begin_in_a_loop)
{
    enter(INNER, UINT32_MAX, 10);
    enter(INNER, LATCH, 20);
    assert_int_equal(reentered(INNER, 15), 1 + INNER);
}
