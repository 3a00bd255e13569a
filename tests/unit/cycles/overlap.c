/*
 * How much of a chain remains when it begins anew with each run of its loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "bound/internal.h"

static const struct cy_round of_ten = {
    .instructions = 10, .loads = 2, .stores = 1, .chained = 1};

static void assert_share(double rounds, struct cy_window window, double share)
{
    assert_float_equal(cy_overlap(rounds, &of_ten, &window), share, 1e-9);
}

/* A buffer with room for one more run halves the time; for three more, leaves a
   quarter. */
static void runs_that_fit_into_the_buffer_overlap(void **state)
{
    (void)state;
    assert_share(32, (struct cy_window){.reorder_buffer = 320}, 0.5);
    assert_share(96, (struct cy_window){.reorder_buffer = 320}, 0.75);
    assert_share(8, (struct cy_window){.reorder_buffer = 240}, 0.25);
}

static void long_runs_do_not_overlap(void **state)
{
    (void)state;
    assert_share(1e9, (struct cy_window){.reorder_buffer = 320}, 1);
}

/* Each buffer limits by what takes its entries: 10, 2, 1 and 1 of a round. */
static void the_smallest_buffer_limits(void **state)
{
    struct cy_window window = {.reorder_buffer = 320};

    (void)state;
    window.load_buffer = 32;
    assert_share(16, window, 0.5);
    window.store_buffer = 8;
    assert_share(8, window, 0.5);
    window.scheduler = 4;
    assert_share(4, window, 0.5);
    window.load_buffer = window.store_buffer = 1000;
    assert_share(4, window, 0.5);
}

static void an_unknown_buffer_does_not_limit(void **state)
{
    struct cy_round round = {.instructions = 1};
    struct cy_window window = {.load_buffer = 1, .store_buffer = 1};

    (void)state;
    assert_float_equal(cy_overlap(224, &round, &window), 0.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_that_fit_into_the_buffer_overlap),
        cmocka_unit_test(long_runs_do_not_overlap),
        cmocka_unit_test(the_smallest_buffer_limits),
        cmocka_unit_test(an_unknown_buffer_does_not_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
