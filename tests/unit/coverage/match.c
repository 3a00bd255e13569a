/*
 * Which blocks count, and which dependencies lie in them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "model/cc_match.h"

/* One object with the bounds inf and 512. */
static struct cc_data new_data(void)
{
    struct cc_data data = {.bounds = {2, {LIFETIME_INF, 512}}};

    cc_add_object(&data, "/bin/a", "aa");
    return data;
}

static uint32_t add_block(struct cc_data *data, uint32_t object, uint64_t start,
                          uint64_t end)
{
    return cc_add_block(data, (struct cc_block){.object = object,
                                                .start = start,
                                                .end = end,
                                                .n_instructions = 4,
                                                .analysed = true});
}

static void add_segment(struct cc_data *data, uint32_t object, uint64_t start,
                        uint64_t end, uint64_t executions)
{
    cc_add_segment(data, (struct cc_segment){object, start, end, executions});
}

static void add_observed(struct cc_data *data, uint64_t src, uint64_t dst,
                         uint64_t distance)
{
    uint32_t observed =
        cc_add_observed(data, (struct cc_observed){.src = src,
                                                   .dst = dst,
                                                   .occurrences = 10,
                                                   .min_distance = distance});

    cc_add_occurrences(data, observed, LIFETIME_INF, 10);
}

/* Of instructions of 4 bytes in a block that starts at `start`. */
static void predict(struct cc_data *data, uint32_t block, uint64_t start,
                    uint64_t src, uint64_t dst, uint64_t delta_k)
{
    cc_add_prediction(data,
                      (struct cc_prediction){.block = block,
                                             .dst_block = block,
                                             .src = src,
                                             .dst = dst,
                                             .src_index = (src - start) / 4,
                                             .dst_index = (dst - start) / 4,
                                             .delta_k = delta_k});
}

TEST(a_block_weighs_the_segments_that_contain_it)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_block(&data, 0, 0x110, 0x120);
    add_block(&data, 0, 0x120, 0x130);
    add_segment(&data, 0, 0x110, 0x128, 1000); /* the last two */
    add_segment(&data, 0, 0x100, 0x110, 20);   /* ends before the second */
    add_segment(&data, 0, 0x0f0, 0x130, 3);    /* all */
    add_segment(&data, 0, 0x104, 0x106, 5000); /* a repeated instruction */
    cc_match(&data, (struct cc_filter){.min_weight = 0});
    assert_int_equal(data.blocks[0].weight, 23);
    assert_int_equal(data.blocks[1].weight, 1003);
    assert_int_equal(data.blocks[2].weight, 1003);
    cc_data_fini(&data);
}

TEST(segments_of_several_runs_add_up)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, 0, 0x100, 0x110, 7);
    add_segment(&data, 0, 0x100, 0x110, 8);
    cc_match(&data, (struct cc_filter){.min_weight = 0});
    assert_int_equal(data.blocks[0].weight, 15);
    cc_data_fini(&data);
}

TEST(weights_are_those_of_the_own_object)
{
    struct cc_data data = new_data();
    uint32_t other = cc_add_object(&data, "/bin/b", "bb");

    add_block(&data, other, 0x100, 0x110);
    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, other, 0x100, 0x110, 5);
    add_segment(&data, 0, 0x100, 0x110, 1000);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.blocks[0].weight, 1000);
    assert_int_equal(data.blocks[1].weight, 5);
    assert_true(data.blocks[1].kept); /* the heaviest of its object */
    cc_data_fini(&data);
}

TEST(a_block_at_the_minimum_share_is_kept_and_one_below_is_not)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_block(&data, 0, 0x110, 0x120);
    add_segment(&data, 0, 0x100, 0x110, 25);
    add_segment(&data, 0, 0x110, 0x120, 24);
    data.objects[0].executed = 100000; /* each has four instructions */
    cc_match(&data, (struct cc_filter){.min_share = 0.1});
    assert_true(data.blocks[0].kept);
    assert_false(data.blocks[1].kept);
    cc_match(&data, (struct cc_filter){.min_share = 0.096});
    assert_true(data.blocks[1].kept);
    cc_match(&data, (struct cc_filter){.min_weight = 97, .min_share = 0.096});
    assert_false(data.blocks[1].kept);
    add_segment(&data, 0, 0x114, 0x116, 100); /* a repeated instruction */
    cc_match(&data, (struct cc_filter){.min_share = 0.1});
    assert_true(data.blocks[1].kept);
    cc_data_fini(&data);
}

TEST(addresses_above_2_to_63_are_in_order)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0xffffffffffff0000, 0xffffffffffff0010);
    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, 0, 0xffffffffffff0000, 0xffffffffffff0010, 9);
    add_segment(&data, 0, 0x100, 0x110, 10);
    add_observed(&data, 0xffffffffffff0004, 0xffffffffffff0008, 1);
    predict(&data, 0, 0xffffffffffff0000, 0xffffffffffff0004,
            0xffffffffffff0008, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.blocks[0].weight, 10);
    assert_int_equal(data.blocks[1].weight, 9);
    assert_int_equal(data.observed[0].verdict, CC_FOUND);
    cc_data_fini(&data);
}

TEST(a_block_at_the_minimum_weight_is_kept_and_one_below_is_not)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_block(&data, 0, 0x110, 0x120);
    add_block(&data, 0, 0x120, 0x130);
    add_segment(&data, 0, 0x100, 0x110, 1000);
    add_segment(&data, 0, 0x110, 0x120, 100);
    add_segment(&data, 0, 0x120, 0x130, 99);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_true(data.blocks[0].kept);
    assert_true(data.blocks[1].kept);
    assert_false(data.blocks[2].kept);
    cc_match(&data, (struct cc_filter){.min_weight = 100});
    assert_true(data.blocks[0].kept);
    assert_false(data.blocks[1].kept);
    cc_data_fini(&data);
}

TEST(a_block_that_never_ran_is_dropped_even_with_minimum_weight_0)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_block(&data, 0, 0x110, 0x120);
    add_segment(&data, 0, 0x110, 0x120, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 0});
    assert_false(data.blocks[0].kept);
    assert_true(data.blocks[1].kept);
    cc_data_fini(&data);
}

/* The verdict of one dependency, among two kept blocks, [0x100, 0x110) and
   [0x110, 0x120), a dropped one, [0x120, 0x130), and a gap, [0x130, 0x140),
   before another kept block.  0x104 -> 0x108 is predicted. */
static enum cc_verdict verdict_of(uint64_t src, uint64_t dst)
{
    struct cc_data data = new_data();
    enum cc_verdict verdict;

    add_block(&data, 0, 0x140, 0x150);
    add_block(&data, 0, 0x120, 0x130);
    add_block(&data, 0, 0x110, 0x120);
    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, 0, 0x100, 0x120, 1000);
    add_segment(&data, 0, 0x140, 0x150, 1000);
    add_segment(&data, 0, 0x120, 0x130, 1);
    add_observed(&data, src, dst, 1);
    predict(&data, 3, 0x100, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    verdict = data.observed[0].verdict;
    cc_data_fini(&data);
    return verdict;
}

TEST(a_predicted_pair_within_one_kept_block_is_found)
{
    assert_int_equal(verdict_of(0x104, 0x108), CC_FOUND);
}

TEST(a_pair_that_was_not_predicted_is_missed)
{
    assert_int_equal(verdict_of(0x108, 0x104), CC_MISSED);
    assert_int_equal(verdict_of(0x104, 0x104), CC_MISSED);
    assert_int_equal(verdict_of(0x100, 0x10f), CC_MISSED);
    assert_int_equal(verdict_of(0x110, 0x11f), CC_MISSED);
}

TEST(a_pair_that_leaves_its_block_is_spanning)
{
    assert_int_equal(verdict_of(0x104, 0x110), CC_SPANNING);
    assert_int_equal(verdict_of(0x10c, 0x120), CC_SPANNING);
    assert_int_equal(verdict_of(0x130, 0x100), CC_SPANNING);
    assert_int_equal(verdict_of(0x100, 0x0ff), CC_SPANNING);
    assert_int_equal(verdict_of(0x150, 0x14f), CC_SPANNING);
}

TEST(a_pair_that_touches_no_kept_block_is_not_scored)
{
    assert_int_equal(verdict_of(0x120, 0x124), CC_UNSCORED);
    assert_int_equal(verdict_of(0x120, 0x130), CC_UNSCORED);
    assert_int_equal(verdict_of(0x130, 0x134), CC_UNSCORED);
    assert_int_equal(verdict_of(0x0ff, 0x150), CC_UNSCORED);
}

TEST(a_pair_of_two_objects_is_spanning_even_at_equal_addresses)
{
    struct cc_data data = new_data();
    uint32_t b = add_block(&data, 0, 0x100, 0x110);

    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x104, 0x108, 1);
    data.observed[0].dst_object = CC_NONE;
    add_observed(&data, 0x104, 0x108, 1);
    data.observed[1].src_object = CC_NONE;
    predict(&data, b, 0x100, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 2);
    assert_int_equal(data.observed[0].verdict, CC_SPANNING);
    assert_int_equal(data.observed[1].verdict, CC_SPANNING);
    assert_false(data.predictions[0].occurred);
    cc_data_fini(&data);
}

TEST(a_prediction_for_another_block_does_not_help)
{
    struct cc_data data = new_data();
    uint32_t other = add_block(&data, 0, 0x200, 0x210);

    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x104, 0x108, 1);
    predict(&data, other, 0x200, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.observed[0].verdict, CC_MISSED);
    assert_false(data.predictions[0].occurred);
    cc_data_fini(&data);
}

TEST(a_dependency_in_a_block_that_was_not_analysed_is_missed)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    data.blocks[0].analysed = false;
    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x104, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_true(data.blocks[0].kept);
    assert_int_equal(data.observed[0].verdict, CC_MISSED);
    cc_data_fini(&data);
}

TEST(the_same_pair_of_several_runs_is_one_dependency)
{
    struct cc_data data = new_data();

    add_block(&data, 0, 0x100, 0x110);
    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x104, 0x108, 30);
    cc_add_occurrences(&data, 0, 512, 4);
    add_observed(&data, 0x104, 0x10c, 1);
    add_observed(&data, 0x104, 0x108, 2);
    cc_add_occurrences(&data, 2, 256, 1);
    add_observed(&data, 0x104, 0x108, 9);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 2);
    assert_int_equal(data.observed[0].dst, 0x108);
    assert_int_equal(data.observed[0].occurrences, 30);
    assert_int_equal(data.observed[0].min_distance, 2);
    assert_int_equal(data.counts[2 * data.observed[0].counts], 35);
    assert_int_equal(data.counts[2 * data.observed[0].counts + 1], 5);
    assert_int_equal(data.counts[2 * data.observed[1].counts], 10);
    cc_data_fini(&data);
}

/* Does delta_k explain the distance, in a block of 4 instructions? */
static bool agrees(uint64_t src, uint64_t dst, uint64_t delta_k,
                   uint64_t distance)
{
    struct cc_data data = new_data();
    uint32_t b = add_block(&data, 0, 0x100, 0x110);
    bool agreement;

    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, src, dst, distance);
    predict(&data, b, 0x100, src, dst, delta_k);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.observed[0].verdict, CC_FOUND);
    agreement = data.observed[0].agrees;
    cc_data_fini(&data);
    return agreement;
}

TEST(delta_k_agrees_if_it_explains_the_smallest_distance)
{
    assert_true(agrees(0x100, 0x108, 0, 2));  /* 0 * 4 + 2 - 0 */
    assert_true(agrees(0x10c, 0x104, 1, 2));  /* 1 * 4 + 1 - 3 */
    assert_true(agrees(0x104, 0x104, 1, 4));  /* reads its own result */
    assert_true(agrees(0x100, 0x10c, 5, 23)); /* 5 * 4 + 3 - 0 */
    assert_false(agrees(0x100, 0x108, 1, 2));
    assert_false(agrees(0x100, 0x108, 0, 6));
}

TEST(a_delta_k_beyond_all_distances_agrees_with_none)
{
    assert_false(agrees(0x100, 0x104, UINT64_MAX / 2, 1));
    /* Backwards within one iteration is -2, not a distance. */
    assert_false(agrees(0x10c, 0x104, 0, UINT64_MAX - 1));
}

TEST(one_delta_k_of_several_is_enough_to_agree)
{
    struct cc_data data = new_data();
    uint32_t b = add_block(&data, 0, 0x100, 0x110);

    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x100, 0x108, 6);
    predict(&data, b, 0x100, 0x100, 0x108, 0);
    predict(&data, b, 0x100, 0x100, 0x108, 2);
    predict(&data, b, 0x100, 0x100, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_true(data.observed[0].agrees);
    for (int i = 0; i < 3; i++)
        assert_true(data.predictions[i].occurred);
    cc_data_fini(&data);
}

TEST(the_predictions_of_a_pair_are_its_own_by_delta_k)
{
    struct cc_data data = new_data();
    uint32_t b = add_block(&data, 0, 0x100, 0x110);
    const struct cc_prediction *p;
    size_t n;

    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x100, 0x104, 1);
    add_observed(&data, 0x100, 0x108, 6);
    predict(&data, b, 0x100, 0x100, 0x108, 2);
    predict(&data, b, 0x100, 0x100, 0x104, 0);
    predict(&data, b, 0x100, 0x104, 0x108, 0);
    predict(&data, b, 0x100, 0x100, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    p = cc_find_predictions(&data, &data.observed[1], &n);
    assert_int_equal(n, 2);
    assert_int_equal(p[0].delta_k, 1);
    assert_int_equal(p[1].delta_k, 2);
    p = cc_find_predictions(&data, &data.observed[0], &n);
    assert_int_equal(n, 1);
    assert_int_equal(p->dst, 0x104);
    cc_data_fini(&data);
}

TEST(a_pair_without_occurrences_neither_finds_nor_confirms)
{
    struct cc_data data = new_data();
    uint32_t b = add_block(&data, 0, 0x100, 0x110);

    add_segment(&data, 0, 0x100, 0x110, 5);
    add_observed(&data, 0x100, 0x108, 2);
    data.observed[0].occurrences = 0;
    predict(&data, b, 0x100, 0x100, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_false(data.predictions[0].occurred);
    cc_data_fini(&data);
}

TEST(the_order_in_which_records_come_does_not_matter)
{
    struct cc_data data = new_data();

    /* Sixteen blocks, from the last to the first; each has the dependencies
       4 -> 8, predicted, and 8 -> 4, not. */
    for (uint64_t i = 16; i-- > 0;) {
        uint64_t start = 0x1000 + 0x10 * i;
        uint32_t b = add_block(&data, 0, start, start + 0x10);

        add_observed(&data, start + 8, start + 4, 3);
        add_observed(&data, start + 4, start + 8, 1);
        predict(&data, b, start, start + 4, start + 8, 0);
    }
    add_segment(&data, 0, 0x1000, 0x1100, 5);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    for (size_t i = 0; i < data.n_observed; i++) {
        const struct cc_observed *d = &data.observed[i];

        assert_int_equal(d->verdict, d->dst > d->src ? CC_FOUND : CC_MISSED);
        assert_int_equal(d->agrees, d->dst > d->src);
    }
    cc_data_fini(&data);
}

/* Two functions of two blocks each, all executed; a pair of one block, of one
   function and of two, all predicted, and those once more the other way round,
   which are not. */
static struct cc_data new_scopes(enum cc_scope scope)
{
    struct cc_data data = new_data();
    const uint64_t ends[] = {0x104, 0x114, 0x124};
    uint32_t f = cc_new_function(&data, 0, "f", -1);
    uint32_t g = cc_new_function(&data, 0, "f", -1);
    uint32_t blocks[4];

    data.scope = scope;
    for (uint32_t i = 0; i < 4; i++) {
        blocks[i] = add_block(&data, 0, 0x100 + 0x10 * i, 0x110 + 0x10 * i);
        data.blocks[blocks[i]].function = i < 2 ? f : g;
    }
    add_segment(&data, 0, 0x100, 0x140, 1);
    for (uint32_t i = 0; i < 3; i++) {
        cc_add_prediction(&data,
                          (struct cc_prediction){.block = blocks[0],
                                                 .dst_block = blocks[i],
                                                 .src = 0x108,
                                                 .dst = ends[i],
                                                 .delta_k = CC_ANY_DELTA});
        add_observed(&data, 0x108, ends[i], 4);
        add_observed(&data, ends[i], 0x108, 4);
    }
    cc_match(&data, (struct cc_filter){.min_weight = 0});
    return data;
}

TEST(a_pair_is_scored_if_it_does_not_reach_too_far)
{
    for (unsigned n = 1; n <= 3; n++) {
        struct cc_data data = new_scopes((enum cc_scope)(n - 1));
        unsigned n_by_verdict[CC_FOUND + 1] = {0};

        for (size_t i = 0; i < data.n_observed; i++)
            n_by_verdict[data.observed[i].verdict]++;
        assert_int_equal(n_by_verdict[CC_FOUND], n);
        assert_int_equal(n_by_verdict[CC_MISSED], n);
        assert_int_equal(n_by_verdict[CC_SPANNING], 6 - 2 * n);
        cc_data_fini(&data);
    }
}

TEST(without_a_fixed_delta_k_nothing_agrees)
{
    struct cc_data data = new_scopes(CC_SCOPE_OBJECT);

    for (size_t i = 0; i < data.n_observed; i++) {
        assert_false(data.observed[i].has_delta_k);
        assert_false(data.observed[i].agrees);
    }
    cc_data_fini(&data);
}

TEST(nothing_at_all_can_be_matched)
{
    struct cc_data data = new_data();

    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 0);
    cc_data_fini(&data);
}
