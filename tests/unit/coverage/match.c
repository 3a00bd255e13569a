/* Which blocks count, and which dependencies lie in them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data.h"

/* One object with the bounds inf and 512. */
static void renew(void)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {LIFETIME_INF, 512}};
    cc_add_object(&data, "/bin/a", "aa");
}

BEFORE_EACH()
{
    renew();
}

static uint32_t add_block(uint32_t object, uint64_t start, uint64_t end)
{
    return cc_add_block(&data, (struct cc_block){.object = object,
                                                 .start = start,
                                                 .end = end,
                                                 .n_instructions = 4,
                                                 .analysed = true});
}

static void add_segment(uint32_t object, uint64_t start, uint64_t end,
                        uint64_t executions)
{
    array_append(&data, segments,
                 (struct cc_segment){object, start, end, executions});
}

static void add_observed(uint64_t src, uint64_t dst, uint64_t distance)
{
    uint32_t observed =
        cc_add_observed(&data, (struct cc_observed){.src = src,
                                                    .dst = dst,
                                                    .occurrences = 10,
                                                    .min_distance = distance});

    cc_add_occurrences(&data, observed, LIFETIME_INF, 10);
}

/* Adds a block, [0x100, 0x110), that executed. */
static void add_usual_block(void)
{
    add_block(0, 0x100, 0x110);
    add_segment(0, 0x100, 0x110, 5);
}

/* Predicts between instructions of 4 bytes in a block from `start` on. */
static void predict(uint32_t block, uint64_t start, uint64_t src, uint64_t dst,
                    uint64_t delta_k)
{
    array_append(&data, predictions,
                 (struct cc_prediction){.block = block,
                                        .dst_block = block,
                                        .src = src,
                                        .dst = dst,
                                        .src_index = (src - start) / 4,
                                        .dst_index = (dst - start) / 4,
                                        .delta_k = delta_k});
}

/* Which blocks are kept, of blocks of 16 bytes from 0x100 on, without gaps, in
   an object that executed 100000 instructions. */
static const struct {
    const char *title, *segments;
    double min_weight, min_share;
    const char *blocks; /* the weight of each, and + if it is kept */
} weighed[] = {
    {"a block weighs the segments that contain it, but not a repeated part",
     "110-128 1000, 100-110 20, f0-130 3, 104-106 5000", 0, 0,
     "23+ 1003+ 1003+ "},
    {"segments of several runs add up", "100-110 7, 100-110 8", 0, 0, "15+ "},
    {"a block at the minimum share is kept, and one below is not",
     "100-110 25, 110-120 24", 0, 0.1, "25+ 24 "},
    {"a smaller minimum share keeps both", "100-110 25, 110-120 24", 0, 0.096,
     "25+ 24+ "},
    {"a block must reach both minima", "100-110 25, 110-120 24", 97, 0.096,
     "25+ 24 "},
    {"a repeated instruction adds to the share of its block",
     "100-110 25, 110-120 24, 114-116 100", 0, 0.1, "25+ 24+ "},
    {"a block at the minimum weight is kept, and one below is not",
     "100-110 1000, 110-120 100, 120-130 99", 10, 0, "1000+ 100+ 99 "},
    {"a minimum weight of 100 keeps the heaviest alone",
     "100-110 1000, 110-120 100", 100, 0, "1000+ 100 "},
    {"a block that never ran is dropped even with a minimum weight of 0",
     "110-120 1", 0, 0, "0 1+ "},
};

TEST(blocks_weigh_what_ran_and_the_filter_keeps_some)
{
    for (size_t i = 0; i < sizeof weighed / sizeof weighed[0]; i++) {
        uint64_t start, end, executions, at = 0x100;
        int n, length = 0;
        char text[128];

        renew();
        for (const char *c = weighed[i].blocks; *c != '\0'; c++)
            if (*c == ' ') {
                add_block(0, at, at + 0x10);
                at += 0x10;
            }
        for (const char *c = weighed[i].segments;
             sscanf(c, "%" SCNx64 "-%" SCNx64 " %" SCNu64 "%n", &start, &end,
                    &executions, &n) == 3;
             c += n + (c[n] == ','))
            add_segment(0, start, end, executions);
        data.objects[0].executed = 100000;
        cc_match(&data, (struct cc_filter){weighed[i].min_weight,
                                           weighed[i].min_share});
        for (uint32_t b = 0; b < data.n_blocks; b++)
            length += snprintf(text + length, sizeof text - (size_t)length,
                               "%ju%s ", (uintmax_t)data.blocks[b].weight,
                               data.blocks[b].kept ? "+" : "");
        if (strcmp(text, weighed[i].blocks) != 0)
            fail_msg("%s: %s", weighed[i].title, text);
    }
}

TEST(a_block_is_weighed_against_its_own_object)
{
    uint32_t other = cc_add_object(&data, "/bin/b", "bb");

    add_block(other, 0x100, 0x110);
    add_block(0, 0x100, 0x110);
    add_segment(other, 0x100, 0x110, 5);
    add_segment(0, 0x100, 0x110, 1000);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.blocks[0].weight, 1000);
    assert_int_equal(data.blocks[1].weight, 5);
    assert_true(data.blocks[1].kept); /* its object's heaviest */
}

TEST(addresses_above_2_to_63_are_in_order)
{
    add_block(0, 0xffffffffffff0000, 0xffffffffffff0010);
    add_block(0, 0x100, 0x110);
    add_segment(0, 0xffffffffffff0000, 0xffffffffffff0010, 9);
    add_segment(0, 0x100, 0x110, 10);
    add_observed(0xffffffffffff0004, 0xffffffffffff0008, 1);
    predict(0, 0xffffffffffff0000, 0xffffffffffff0004, 0xffffffffffff0008, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.blocks[0].weight, 10);
    assert_int_equal(data.blocks[1].weight, 9);
    assert_int_equal(data.observed[0].verdict, CC_FOUND);
}

/* The verdict of one dependency, among two kept blocks, [0x100, 0x110) and
   [0x110, 0x120), a dropped one, [0x120, 0x130), and a gap, [0x130, 0x140),
   before another kept block.  0x104 -> 0x108 is predicted. */
static enum cc_verdict verdict_of(uint64_t src, uint64_t dst)
{
    renew();
    add_block(0, 0x140, 0x150);
    add_block(0, 0x120, 0x130);
    add_block(0, 0x110, 0x120);
    add_block(0, 0x100, 0x110);
    add_segment(0, 0x100, 0x120, 1000);
    add_segment(0, 0x140, 0x150, 1000);
    add_segment(0, 0x120, 0x130, 1);
    add_observed(src, dst, 1);
    predict(3, 0x100, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    return data.observed[0].verdict;
}

static const struct {
    const char *title;
    uint64_t src, dst;
    enum cc_verdict verdict;
} verdicts[] = {
    {"predicted, within a kept block", 0x104, 0x108, CC_FOUND},
    {"not predicted", 0x108, 0x104, CC_MISSED},
    {"an instruction with itself", 0x104, 0x104, CC_MISSED},
    {"from the first byte to the last", 0x100, 0x10f, CC_MISSED},
    {"of the second block", 0x110, 0x11f, CC_MISSED},
    {"to the next block", 0x104, 0x110, CC_SPANNING},
    {"to a dropped block", 0x10c, 0x120, CC_SPANNING},
    {"from a gap", 0x130, 0x100, CC_SPANNING},
    {"to before the first block", 0x100, 0x0ff, CC_SPANNING},
    {"from behind the last block", 0x150, 0x14f, CC_SPANNING},
    {"in a dropped block", 0x120, 0x124, CC_UNSCORED},
    {"from a dropped block to a gap", 0x120, 0x130, CC_UNSCORED},
    {"in a gap", 0x130, 0x134, CC_UNSCORED},
    {"outside, around all blocks", 0x0ff, 0x150, CC_UNSCORED},
};

TEST(a_pair_is_judged_by_where_its_ends_lie)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
        if (verdict_of(verdicts[i].src, verdicts[i].dst) != verdicts[i].verdict)
            fail_msg("%s", verdicts[i].title);
}

TEST(a_pair_of_two_objects_is_spanning_even_at_equal_addresses)
{
    add_usual_block();
    add_observed(0x104, 0x108, 1);
    data.observed[0].dst_object = CC_NONE;
    add_observed(0x104, 0x108, 1);
    data.observed[1].src_object = CC_NONE;
    predict(0, 0x100, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 2);
    assert_int_equal(data.observed[0].verdict, CC_SPANNING);
    assert_int_equal(data.observed[1].verdict, CC_SPANNING);
    assert_false(data.predictions[0].occurred);
}

TEST(a_prediction_for_another_block_does_not_help)
{
    uint32_t other = add_block(0, 0x200, 0x210);

    add_block(0, 0x100, 0x110);
    add_segment(0, 0x100, 0x110, 5);
    add_observed(0x104, 0x108, 1);
    predict(other, 0x200, 0x104, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.observed[0].verdict, CC_MISSED);
    assert_false(data.predictions[0].occurred);
}

TEST(a_dependency_in_a_block_that_was_not_analysed_is_missed)
{
    add_usual_block();
    data.blocks[0].analysed = false;
    add_observed(0x104, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_true(data.blocks[0].kept);
    assert_int_equal(data.observed[0].verdict, CC_MISSED);
}

TEST(the_same_pair_of_several_runs_is_one_dependency)
{
    add_usual_block();
    add_observed(0x104, 0x108, 30);
    cc_add_occurrences(&data, 0, 512, 4);
    add_observed(0x104, 0x10c, 1);
    add_observed(0x104, 0x108, 2);
    cc_add_occurrences(&data, 2, 256, 1);
    add_observed(0x104, 0x108, 9);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 2);
    assert_int_equal(data.observed[0].dst, 0x108);
    assert_int_equal(data.observed[0].occurrences, 30);
    assert_int_equal(data.observed[0].min_distance, 2);
    assert_int_equal(data.counts[2 * data.observed[0].counts], 35);
    assert_int_equal(data.counts[2 * data.observed[0].counts + 1], 5);
    assert_int_equal(data.counts[2 * data.observed[1].counts], 10);
}

/* Does delta_k explain the distance, in a block of 4 instructions? */
static bool agrees(uint64_t src, uint64_t dst, uint64_t delta_k,
                   uint64_t distance)
{
    renew();
    add_usual_block();
    add_observed(src, dst, distance);
    predict(0, 0x100, src, dst, delta_k);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.observed[0].verdict, CC_FOUND);
    return data.observed[0].agrees;
}

TEST(delta_k_agrees_if_it_explains_the_smallest_distance)
{
    static const struct {
        uint64_t src, dst, delta_k, distance;
        bool agrees;
    } cases[] = {
        {0x100, 0x108, 0, 2, true},  /* 0 * 4 + 2 - 0 */
        {0x10c, 0x104, 1, 2, true},  /* 1 * 4 + 1 - 3 */
        {0x104, 0x104, 1, 4, true},  /* an instruction reads its own result */
        {0x100, 0x10c, 5, 23, true}, /* 5 * 4 + 3 - 0 */
        {0x100, 0x108, 1, 2, false},
        {0x100, 0x108, 0, 6, false},
        {0x100, 0x104, UINT64_MAX / 2, 1, false}, /* beyond any distance */
        /* Backwards within one iteration, the distance would be -2. */
        {0x10c, 0x104, 0, UINT64_MAX - 1, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(agrees(cases[i].src, cases[i].dst, cases[i].delta_k,
                                cases[i].distance),
                         cases[i].agrees);
}

TEST(one_delta_k_of_several_is_enough_to_agree)
{
    add_usual_block();
    add_observed(0x100, 0x108, 6);
    predict(0, 0x100, 0x100, 0x108, 0);
    predict(0, 0x100, 0x100, 0x108, 2);
    predict(0, 0x100, 0x100, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_true(data.observed[0].agrees);
    for (int i = 0; i < 3; i++)
        assert_true(data.predictions[i].occurred);
}

TEST(the_predictions_of_a_pair_are_sorted_by_delta_k)
{
    const struct cc_prediction *p;
    size_t n;

    add_usual_block();
    add_observed(0x100, 0x104, 1);
    add_observed(0x100, 0x108, 6);
    predict(0, 0x100, 0x100, 0x108, 2);
    predict(0, 0x100, 0x100, 0x104, 0);
    predict(0, 0x100, 0x104, 0x108, 0);
    predict(0, 0x100, 0x100, 0x108, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    p = cc_find_predictions(&data, &data.observed[1], &n);
    assert_int_equal(n, 2);
    assert_int_equal(p[0].delta_k, 1);
    assert_int_equal(p[1].delta_k, 2);
    p = cc_find_predictions(&data, &data.observed[0], &n);
    assert_int_equal(n, 1);
    assert_int_equal(p->dst, 0x104);
}

TEST(a_pair_without_occurrences_neither_finds_nor_confirms)
{
    add_usual_block();
    add_observed(0x100, 0x108, 2);
    data.observed[0].occurrences = 0;
    predict(0, 0x100, 0x100, 0x108, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_false(data.predictions[0].occurred);
}

TEST(the_order_of_adding_records_does_not_matter)
{
    /* Sixteen blocks, added from the last to the first; each has the dependency
       4 -> 8, which is predicted, and 8 -> 4, which is not. */
    for (uint64_t i = 16; i-- > 0;) {
        uint64_t start = 0x1000 + 0x10 * i;
        uint32_t b = add_block(0, start, start + 0x10);

        add_observed(start + 8, start + 4, 3);
        add_observed(start + 4, start + 8, 1);
        predict(b, start, start + 4, start + 8, 0);
    }
    add_segment(0, 0x1000, 0x1100, 5);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    for (size_t i = 0; i < data.n_observed; i++) {
        const struct cc_observed *d = &data.observed[i];

        assert_int_equal(d->verdict, d->dst > d->src ? CC_FOUND : CC_MISSED);
        assert_int_equal(d->agrees, d->dst > d->src);
    }
}

/* Two functions of two blocks each, all executed.  A pair within a block, one
   within a function and one between functions are predicted; the same pairs in
   the other direction are not. */
static void add_scopes(enum cc_scope scope)
{
    const uint64_t ends[] = {0x104, 0x114, 0x124};
    uint32_t f = cc_new_function(&data, 0, "f", -1);
    uint32_t g = cc_new_function(&data, 0, "f", -1);
    uint32_t blocks[4];

    data.scope = scope;
    for (uint32_t i = 0; i < 4; i++) {
        blocks[i] = add_block(0, 0x100 + 0x10 * i, 0x110 + 0x10 * i);
        data.blocks[blocks[i]].function = i < 2 ? f : g;
    }
    add_segment(0, 0x100, 0x140, 1);
    for (uint32_t i = 0; i < 3; i++) {
        array_append(&data, predictions,
                     (struct cc_prediction){.block = blocks[0],
                                            .dst_block = blocks[i],
                                            .src = 0x108,
                                            .dst = ends[i],
                                            .delta_k = CC_ANY_DELTA});
        add_observed(0x108, ends[i], 4);
        add_observed(ends[i], 0x108, 4);
    }
    cc_match(&data, (struct cc_filter){.min_weight = 0});
}

TEST(a_pair_is_scored_if_it_lies_within_the_scope)
{
    for (unsigned n = 1; n <= 3; n++) {
        unsigned n_by_verdict[CC_FOUND + 1] = {0};

        renew();
        add_scopes((enum cc_scope)(n - 1));
        for (size_t i = 0; i < data.n_observed; i++)
            n_by_verdict[data.observed[i].verdict]++;
        assert_int_equal(n_by_verdict[CC_FOUND], n);
        assert_int_equal(n_by_verdict[CC_MISSED], n);
        assert_int_equal(n_by_verdict[CC_SPANNING], 6 - 2 * n);
    }
}

TEST(without_a_fixed_delta_k_nothing_agrees)
{
    add_scopes(CC_SCOPE_OBJECT);
    for (size_t i = 0; i < data.n_observed; i++) {
        assert_false(data.observed[i].has_delta_k);
        assert_false(data.observed[i].agrees);
    }
}

TEST(empty_data_can_be_matched)
{
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 0);
}
