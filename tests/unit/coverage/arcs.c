/* The drawings of a page: the arcs of the hottest blocks and their lanes, and
   the curve. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data.h"

#include "html/cc_html.h"

static struct cc_arc_blocks found;

/* Three blocks, executed 300, 1000 and 800 times.  Two of the bounds are
   reported. */
BEFORE_EACH()
{
    data.bounds = (struct cc_bounds){3, {1024, 512, LIFETIME_INF}};
    data.n_reported = 2;
    cc_add_object(&data, "/bin/a", "aa");
    data_block(0, NULL, 0x100, 300);
    data_block(0, NULL, 0x110, 1000);
    data_block(0, NULL, 0x120, 800);
}

static void find(double min_weight)
{
    cc_match(&data, (struct cc_filter){.min_weight = min_weight});
    cc_arcs_free(&found);
    found = cc_arcs_find(&data, false);
}

static void assert_arc(const struct cc_arc *arc, enum cc_arc_kind kind,
                       uint64_t src, uint64_t dst, size_t n_predictions)
{
    assert_int_equal(arc->kind, kind);
    assert_int_equal(arc->src, src);
    assert_int_equal(arc->dst, dst);
    assert_int_equal(arc->n_predictions, n_predictions);
    assert_int_equal(arc->observed != NULL, kind != CC_ARC_FALSE);
    assert_int_equal(arc->prediction != NULL, kind != CC_ARC_MISSED);
}

TEST(arcs_are_found_missed_and_false_pairs_heaviest_first)
{
    data_observe(0, 0x110, 0x114, 512, 70);
    data_observe(0, 0x114, 0x110, 512, 90);
    data_predict(1, 0x110, 0x114, 0);
    data_predict(1, 0x110, 0x114, 2);
    data_predict(1, 0x118, 0x118, 1);
    data_predict(1, 0x118, 0x118, 1000); /* not judged: too large */
    find(10);
    assert_int_equal(found.blocks[0].block, 1);
    assert_int_equal(found.blocks[0].n, 3);
    assert_arc(&found.blocks[0].arcs[0], CC_ARC_MISSED, 0x114, 0x110, 0);
    assert_arc(&found.blocks[0].arcs[1], CC_ARC_FOUND, 0x110, 0x114, 2);
    assert_arc(&found.blocks[0].arcs[2], CC_ARC_FALSE, 0x118, 0x118, 1);
    for (int kind = 0; kind < CC_ARC_KINDS; kind++)
        assert_int_equal(found.blocks[0].n_kind[kind], 1);
}

TEST(the_hottest_blocks_come_first_and_those_without_arcs_last)
{
    data_observe(0, 0x100, 0x104, 512, 299);
    data_predict(2, 0x120, 0x124, 0); /* false, and hotter */
    find(10);
    assert_int_equal(found.n, 3);
    assert_int_equal(found.blocks[0].block, 2);
    assert_int_equal(found.blocks[1].block, 0);
    assert_int_equal(found.blocks[2].block, 1); /* the hottest of all */
    assert_int_equal(found.blocks[2].n, 0);
}

TEST(a_pair_that_spans_blocks_or_lies_in_a_dropped_one_is_no_arc)
{
    data_observe(0, 0x110, 0x120, 512, 5);
    data_observe(0, 0x100, 0x104, 512, 5);
    data_predict(0, 0x108, 0x108, 0);
    find(50);
    for (size_t i = 0; i < found.n; i++) {
        assert_true(data.blocks[found.blocks[i].block].kept);
        assert_int_equal(found.blocks[i].n, 0);
    }
}

TEST(arcs_that_share_a_row_get_lanes_of_their_own_the_short_ones_inside)
{
    struct cc_arc arcs[5] = {0};
    const struct cc_arc_span spans[] = {{9, 0}, {2, 4}, {4, 5}, {7, 7}, {6, 5}};

    assert_int_equal(cc_arcs_place(arcs, spans, 5), 3);
    assert_int_equal(arcs[0].lane, 2);
    assert_int_equal(arcs[1].lane, 1);
    assert_int_equal(arcs[2].lane, 0);
    assert_int_equal(arcs[3].lane, 0);
    assert_int_equal(arcs[4].lane, 1);
    assert_int_equal(cc_arcs_place(arcs, spans, 0), 0);
}

TEST(too_many_arcs_share_the_outermost_lane)
{
    struct cc_arc arcs[CC_ARCS_LANES + 5] = {0};
    struct cc_arc_span spans[CC_ARCS_LANES + 5];
    size_t n = CC_ARCS_LANES + 5;

    for (size_t i = 0; i < n; i++)
        spans[i] = (struct cc_arc_span){0, 1 + i};
    assert_int_equal(cc_arcs_place(arcs, spans, n), CC_ARCS_LANES);
    assert_int_equal(arcs[n - 1].lane, CC_ARCS_LANES - 1);
    assert_int_equal(arcs[n - 2].lane, CC_ARCS_LANES - 1);
}

TEST(the_curve_rises_over_all_bounds_and_leaves_those_that_are_reported)
{
    struct cc_curve curve = {.bounds = {.n = 7}};

    data_observe(0, 0x110, 0x114, 512, 7);
    data_observe(0, 0x110, 0x118, 1024, 20);
    data_observe(0, 0x110, 0x11c, LIFETIME_INF, 400);
    data_predict(1, 0x110, 0x118, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_curve_take(&curve, &data);
    assert_int_equal(curve.bounds.n, 3);
    assert_int_equal(curve.bounds.bound[0], 512);
    assert_int_equal(curve.bounds.bound[1], 1024);
    assert_true(curve.bounds.bound[2] == LIFETIME_INF);
    assert_int_equal(curve.tally[0].missed_occurrences, 7);
    assert_int_equal(curve.tally[1].found_occurrences, 20);
    assert_int_equal(curve.tally[2].missed_occurrences, 407);
    assert_int_equal(data.bounds.n, 2);
    assert_int_equal(data.n_counts, 2 * data.n_observed);
    for (size_t i = 0; i < data.n_observed; i++) {
        const uint64_t *counts = cc_counts(&data, &data.observed[i]);
        uint64_t dst = data.observed[i].dst;

        assert_int_equal(counts[0], dst == 0x114 ? 7 : dst == 0x118 ? 20 : 0);
        assert_int_equal(counts[1], dst == 0x114 ? 7 : 0);
    }
}

TEST(bounds_in_any_order_make_a_rising_curve)
{
    static const uint64_t rising[] = {1, 16, 512, 1024, LIFETIME_INF};
    struct cc_curve curve;

    data.bounds = (struct cc_bounds){5, {16, 1024, 512, LIFETIME_INF, 1}};
    data.n_reported = 5;
    for (int i = 0; i < 5; i++)
        data_observe(0, 0x110, 0x110, rising[i], 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_curve_take(&curve, &data);
    assert_int_equal(curve.bounds.n, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_true(curve.bounds.bound[i] == rising[i]);
        assert_int_equal(curve.tally[i].missed_occurrences, i + 1);
    }
    assert_int_equal(data.bounds.n, 5);
    assert_int_equal(cc_counts(&data, &data.observed[0])[3], 5);
}

/* Blocks 0 and 1 belong to f, block 2 to g. */
TEST(a_pair_between_functions_is_an_arc_of_both)
{
    data.scope = CC_SCOPE_PROGRAM;
    data.blocks[0].function = data.blocks[1].function =
        cc_add_function(&data, 0, "f", 0);
    data.blocks[2].function = cc_add_function(&data, 0, "g", 0);
    data_observe(0, 0x100, 0x114, 512, 70);
    data_observe(0, 0x114, 0x100, 512, 90);
    data_observe(0, 0x100, 0x104, 512, 99); /* within a block: no arc */
    data_observe(0, 0x104, 0x124, 512, 99); /* between two functions */
    for (uint64_t dst = 0x114; dst <= 0x11c; dst += 8)
        array_append(&data, predictions,
                     (struct cc_prediction){.block = 0,
                                            .dst_block = 1,
                                            .src = 0x100,
                                            .dst = dst,
                                            .delta_k = CC_ANY_DELTA});
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_arcs_free(&found);
    found = cc_arcs_find(&data, true);
    assert_int_equal(found.n, 2);
    assert_int_equal(found.blocks[0].block, CC_NONE);
    assert_int_equal(found.blocks[0].function, 0);
    assert_int_equal(found.blocks[0].n_blocks, 2);
    assert_int_equal(found.blocks[0].n_kept, 2);
    assert_int_equal(found.blocks[0].n, 4);
    assert_arc(&found.blocks[0].arcs[0], CC_ARC_MISSED, 0x104, 0x124, 0);
    assert_arc(&found.blocks[0].arcs[1], CC_ARC_MISSED, 0x114, 0x100, 0);
    assert_arc(&found.blocks[0].arcs[2], CC_ARC_FOUND, 0x100, 0x114, 1);
    assert_arc(&found.blocks[0].arcs[3], CC_ARC_FALSE, 0x100, 0x11c, 1);
    assert_int_equal(found.blocks[0].arcs[2].src_block, 0);
    assert_int_equal(found.blocks[0].arcs[2].dst_block, 1);
    assert_int_equal(found.blocks[1].function, 1);
    assert_int_equal(found.blocks[1].n, 1);
    assert_arc(&found.blocks[1].arcs[0], CC_ARC_MISSED, 0x104, 0x124, 0);
}
