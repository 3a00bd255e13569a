/* Detects when made-up rounds have settled. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_simulate.h"

#define SHORT 8    /* instructions of a short round: many are observed */
#define LONG  2000 /* instructions of a long one: few are observed */

/* Times of a round, by turns: dispatch, mean begin, retirement, last store. */
struct pace {
    double cycles[4][3];
    unsigned turns;
};

/* The number of rounds until they are found to have settled; 0: never. */
static size_t settles(const struct pace *pace, size_t n_insns, size_t *more)
{
    struct cy_steady s = {0};
    double ends[CY_N_ENDS] = {0};

    for (size_t round = 0; round < 200; round++) {
        for (unsigned i = 0; i < CY_N_ENDS; i++)
            ends[i] += pace->cycles[i][round % pace->turns];
        *more = cy_steady_round(&s, n_insns, ends);
        if (*more > 0)
            return round + 1;
    }
    return 0;
}

TEST(equal_rounds_settle_when_enough_were_seen)
{
    const struct pace even = {{{3}, {3}, {3}, {3}}, 1};
    size_t more;

    assert_int_equal(settles(&even, SHORT, &more), CY_STEADY + 1);
    assert_int_equal(more, CY_STEADY);
}

TEST(long_rounds_settle_after_fewer_rounds)
{
    const struct pace even = {{{900}, {900}, {900}, {900}}, 1};
    size_t more;

    assert_true(settles(&even, LONG, &more) < CY_STEADY / 2);
    assert_true(more < CY_STEADY / 2);
}

TEST(rounds_that_take_turns_are_counted_in_whole_turns)
{
    const struct pace turns = {{{1, 1, 2}, {1, 2, 1}, {2, 1, 1}, {1, 1, 2}}, 3};
    size_t more;

    assert_true(settles(&turns, SHORT, &more) > 0);
    assert_int_equal(more % 3, 0);
}

TEST(rounds_without_stores_settle)
{
    const struct pace no_stores = {{{3}, {3}, {3}, {0}}, 1};
    size_t more;

    assert_true(settles(&no_stores, SHORT, &more) > 0);
}

TEST(a_dispatch_that_runs_ahead_fills_a_buffer)
{
    const struct pace ahead = {{{1}, {2}, {2}, {2}}, 1};
    size_t more;

    assert_int_equal(settles(&ahead, SHORT, &more), 0);
}

TEST(work_that_begins_later_and_later_is_no_pace)
{
    const struct pace late = {{{1}, {1.25}, {1}, {1}}, 1};
    size_t more;

    assert_int_equal(settles(&late, SHORT, &more), 0);
}

TEST(stores_that_leave_late_fill_their_buffer)
{
    const struct pace late = {{{1}, {1}, {1}, {1.5}}, 1};
    size_t more;

    assert_int_equal(settles(&late, SHORT, &more), 0);
}
