/* Which dependencies are listed, and in which order. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data.h"

#include "judge/cc_score.h"

/* Missed pairs: 4 -> 0 (70 occurrences, 10 of them within 512), 4 -> 8 (70), c
   -> 0 (90); found: 0 -> 4 (500); in a dropped block: 40 -> 44. */
BEFORE_EACH()
{
    uint32_t b;

    data.bounds = (struct cc_bounds){2, {LIFETIME_INF, 512}};
    cc_add_object(&data, "/bin/a", "aa");
    b = data_block(0, NULL, 0, 1000);
    data_block(0, NULL, 0x40, 1);
    data_observe(0, 4, 0, 600, 60);
    data_observe(0, 4, 0, 512, 10);
    data_observe(0, 4, 8, 600, 70);
    data_observe(0, 12, 0, 600, 90);
    data_observe(0, 0, 4, 1, 500);
    data_observe(0, 0x40, 0x44, 1, 1);
    data_predict(b, 0, 4, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
}

static void assert_pair(uint32_t number, uint64_t src, uint64_t dst)
{
    assert_int_equal(data.observed[number].src, src);
    assert_int_equal(data.observed[number].dst, dst);
}

TEST(the_heaviest_come_first_and_of_equals_the_first_in_the_code)
{
    struct cc_selection s = cc_select_observed(&data, CC_MISSED, 0, CC_ALL);

    assert_int_equal(s.n, 3);
    assert_int_equal(s.n_all, 3);
    assert_pair(s.items[0], 12, 0);
    assert_pair(s.items[1], 4, 0);
    assert_pair(s.items[2], 4, 8);
    free(s.items);
}

TEST(only_what_occurred_within_the_bound_is_listed)
{
    struct cc_selection s = cc_select_observed(&data, CC_MISSED, 1, CC_ALL);

    assert_int_equal(s.n, 1);
    assert_pair(s.items[0], 4, 0);
    free(s.items);
    s = cc_select_observed(&data, CC_FOUND, 1, CC_ALL);
    assert_int_equal(s.n, 1);
    assert_pair(s.items[0], 0, 4);
    free(s.items);
}

TEST(a_limit_leaves_the_heaviest_and_the_number_of_all)
{
    for (size_t limit = 1; limit <= 4; limit++) {
        struct cc_selection s = cc_select_observed(&data, CC_MISSED, 0, limit);

        assert_int_equal(s.n, limit < 3 ? limit : 3);
        assert_int_equal(s.n_all, 3);
        assert_pair(s.items[0], 12, 0);
        free(s.items);
    }
}

TEST(false_predictions_are_judged_and_those_of_the_hottest_block_come_first)
{
    uint32_t cold, hot, dropped;
    struct cc_selection s;

    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){1, {LIFETIME_INF}};
    cc_add_object(&data, "/bin/a", "aa");
    cold = data_block(0, NULL, 0, 500);
    hot = data_block(0, NULL, 0x40, 1000);
    dropped = data_block(0, NULL, 0x80, 99);
    data_predict(cold, 0, 4, 499);
    data_predict(cold, 0, 4, 500); /* not judged: too large */
    data_predict(hot, 0x40, 0x44, 0);
    data_predict(hot, 0x44, 0x44, 0); /* this prediction occurs */
    data_predict(hot, 0x48, 0x44, 0);
    data_predict(dropped, 0x80, 0x84, 0);
    data_observe(0, 0x44, 0x44, 1, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    s = cc_select_false(&data, CC_ALL);
    assert_int_equal(s.n, 3);
    assert_int_equal(data.predictions[s.items[0]].src, 0x40);
    assert_int_equal(data.predictions[s.items[1]].src, 0x48);
    assert_int_equal(data.predictions[s.items[2]].delta_k, 499);
    free(s.items);
    s = cc_select_false(&data, 2);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.n_all, 3);
    free(s.items);
}

TEST(numbers_of_dependencies_are_sorted_heaviest_first)
{
    uint32_t all[5] = {4, 3, 2, 1, 0};

    assert_int_equal(data.n_observed, 5);
    cc_sort_heaviest(&data, all, 5, 0);
    assert_pair(all[0], 0, 4);
    assert_pair(all[1], 12, 0);
    assert_pair(all[2], 4, 0);
    assert_pair(all[3], 4, 8);
    assert_pair(all[4], 0x40, 0x44);
    cc_sort_heaviest(&data, all, 5, 1);
    assert_pair(all[0], 0, 4);
    assert_pair(all[1], 4, 0);
    assert_pair(all[2], 0x40, 0x44);
    cc_sort_heaviest(&data, all, 0, 0);
}

TEST(data_without_dependencies_select_none)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){1, {512}};
    assert_int_equal(cc_select_observed(&data, CC_MISSED, 0, CC_ALL).n_all, 0);
    assert_int_equal(cc_select_false(&data, 1).n, 0);
}
