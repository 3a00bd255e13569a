/* Lifetime bounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "occurrence.h"

TEST(a_list_of_bounds_is_sorted_without_repetitions)
{
    struct lifetimes l;

    assert_true(lifetimes_parse(&l, "inf,512,1024,512,1"));
    assert_int_equal(l.n, 4);
    assert_int_equal(l.bound[0], 1);
    assert_int_equal(l.bound[1], 512);
    assert_int_equal(l.bound[2], 1024);
    assert_true(l.bound[3] == LIFETIME_INF);
}

TEST(text_that_is_no_list_of_bounds_is_refused)
{
    static const char *const bad[] = {"",
                                      ",",
                                      "1,",
                                      ",1",
                                      "1,,2",
                                      "0",
                                      "-1",
                                      "1 ",
                                      "infinity",
                                      "1;2",
                                      "9223372036854775808"};
    struct lifetimes l = {.n = 1, .bound = {7}};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(lifetimes_parse(&l, bad[i]));
    assert_int_equal(l.n, 1);
    assert_int_equal(l.bound[0], 7);
}

TEST(a_list_has_at_most_64_bounds)
{
    struct lifetimes l = {0};

    for (uint64_t i = 1; i <= LIFETIMES_MAX; i++)
        assert_true(lifetimes_add(&l, 2 * i));
    assert_false(lifetimes_add(&l, 3));
    assert_true(lifetimes_add(&l, 4));
    assert_int_equal(l.n, LIFETIMES_MAX);
}

TEST(a_distance_belongs_to_the_smallest_bound_not_below_it)
{
    struct lifetimes l;

    assert_true(lifetimes_parse(&l, "4,16,64"));
    assert_int_equal(lifetimes_find(&l, 0), 0);
    assert_int_equal(lifetimes_find(&l, 4), 0);
    assert_int_equal(lifetimes_find(&l, 5), 1);
    assert_int_equal(lifetimes_find(&l, 64), 2);
    assert_int_equal(lifetimes_find(&l, 65), 3);
}

TEST(the_default_is_every_power_of_two_to_1048576_and_inf)
{
    struct lifetimes l;

    lifetimes_default(&l);
    assert_int_equal(l.n, 22);
    assert_int_equal(l.bound[0], 1);
    assert_int_equal(l.bound[10], 1024);
    assert_int_equal(l.bound[20], 1048576);
    assert_true(l.bound[21] == LIFETIME_INF);
}

TEST(the_text_of_a_bound_is_its_number_or_inf)
{
    assert_string_equal(bound_text(LIFETIME_INF).text, "inf");
    assert_string_equal(bound_text(0).text, "0");
    assert_string_equal(bound_text(9).text, "9");
    assert_string_equal(bound_text(10).text, "10");
    assert_string_equal(bound_text(LIFETIME_INF - 1).text,
                        "9223372036854775806");
    assert_string_equal(bound_text(UINT64_MAX).text, "18446744073709551615");
}
