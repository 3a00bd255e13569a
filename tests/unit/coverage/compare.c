/*
 * A score is compared with an earlier one.
 *
 * No object has a file here, so dependencies of another build are recognized by
 * the same distances from the start of their function.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "data.h"

#include "compare/cc_compare.h"

/* A dependency that a baseline has found. */
#define PAIR(from, to) \
    .verdict = CC_FOUND, .src = {.address = from}, .dst = {.address = to}

static struct cc_comparison c;

/* A function f of two blocks, and a block outside any function. */
static void renew(void)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {512, LIFETIME_INF}};
    cc_add_object(&data, "/missing/a", "aa");
    data_block(0, "f", 0x100, 100);
    data_block(0, "f", 0x110, 100);
    data_block(0, NULL, 0x120, 100);
}

BEFORE_EACH()
{
    renew();
}

static void compare_with(const struct cc_baseline *baseline)
{
    struct cc_symbolizer *symbolizer;
    struct cc_score *total;

    cc_match(&data, (struct cc_filter){.min_weight = 10});
    symbolizer = cc_symbolizer_new(&data);
    total = cc_scores_new_total(&data);
    cc_comparison_fini(&c);
    c = cc_compare(&data, total, symbolizer, baseline);
    cc_scores_free(total);
    cc_symbolizer_free(symbolizer);
}

static void compare(struct cc_identity *before, size_t n)
{
    compare_with(
        &(struct cc_baseline){.dependencies = before, .n_dependencies = n});
}

static void assert_lost(uint32_t number, uint64_t src, uint64_t dst)
{
    assert_int_equal(data.observed[number].src, src);
    assert_int_equal(data.observed[number].dst, dst);
}

TEST(found_dependencies_that_the_same_build_misses_are_lost)
{
    struct cc_identity found[] = {
        {.code.build_id = "aa", PAIR(0x100, 0x104)}, /* found */
        {.code.build_id = "aa", PAIR(0x100, 0x108)}, /* lost */
        {.code.build_id = "aa", PAIR(0x110, 0x114)}, /* lost, and heavier */
        {.code.build_id = "aa", PAIR(0x100, 0x110)}, /* spans blocks */
        {.code.build_id = "aa", PAIR(0x104, 0x104)}, /* did not occur */
        {.code.build_id = "bb", PAIR(0x108, 0x108)}, /* has no name */
        {.code.build_id = "bb",
         .code.function = "f",
         PAIR(8, 8)}, /* not of aa */
    };

    data_observe(0, 0x100, 0x104, 1, 1);
    data_observe(0, 0x100, 0x108, 1, 20);
    data_observe(0, 0x110, 0x114, 1000, 30);
    data_observe(0, 0x100, 0x110, 1, 40);
    data_observe(0, 0x108, 0x108, 1, 50); /* was missed before */
    data_predict(0, 0x100, 0x104, 0);
    compare(found, 7);
    assert_int_equal(c.outcomes.n_lost, 2);
    assert_lost(c.outcomes.lost[0], 0x110, 0x114);
    assert_lost(c.outcomes.lost[1], 0x100, 0x108);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_FOUND_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_MISSED_NOW], 2);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_UNSCORED_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_GONE_NOW], 2);
    assert_int_equal(c.outcomes.n_unnamed_before, 1);
    assert_int_equal(c.outcomes.n_gone, 2);
    assert_int_equal(found[c.outcomes.gone[0]].src.address, 0x104);
    assert_int_equal(found[c.outcomes.gone[1]].src.address, 8);
    cc_comparison_fini(&c);
    assert_int_equal(c.outcomes.n_lost, 0);
}

TEST(a_dependency_that_was_missed_before_is_not_lost)
{
    struct cc_identity before[] = {
        {.code.build_id = "aa", PAIR(0x100, 0x104)},
        {.code.build_id = "aa", PAIR(0x100, 0x108)},
        {.code.build_id = "aa", PAIR(0x104, 0x104)},
    };

    before[1].verdict = CC_MISSED;
    before[2].verdict = CC_MISSED;
    data_observe(0, 0x100, 0x104, 1, 1);
    data_observe(0, 0x100, 0x108, 1, 1);
    data_observe(0, 0x110, 0x114, 1, 1);
    data_predict(0, 0x100, 0x104, 0);
    compare(before, 3);
    assert_int_equal(c.outcomes.n_lost, 0);
    assert_int_equal(c.outcomes.n_gone, 0);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_FOUND_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_MISSED_BEFORE][CC_MISSED_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_MISSED_BEFORE][CC_GONE_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_NEW][CC_MISSED_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_NEW][CC_FOUND_NOW], 0);
}

TEST(a_dependency_beyond_the_largest_bound_is_not_lost)
{
    struct cc_identity found[] = {
        {.code.build_id = "aa", PAIR(0x100, 0x108)},
        {.code.build_id = "cc", .code.function = "f", PAIR(4, 8)},
    };

    cc_add_object(&data, "/missing/b", "bb");
    data_block(1, "f", 0x100, 100);
    data.bounds = (struct cc_bounds){1, {512}};
    data_observe(0, 0x100, 0x108, 513, 20);
    data_observe(1, 0x104, 0x108, 513, 20);
    compare(found, 2);
    assert_int_equal(c.outcomes.n_lost, 0);
    assert_int_equal(c.outcomes.n_gone, 0);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_UNSCORED_NOW], 2);
}

/* What is lost of the dependencies +4 -> +8 and +14 -> +18 of f, after a build
   in which f began at 0x900 and `n_first` and `n_second` of them were found. */
static size_t lost_of_other_build(size_t n_first, size_t n_second,
                                  bool first_found, uint64_t lost[2])
{
    struct cc_identity found[9];

    renew();
    for (size_t i = 0; i < n_first + n_second; i++)
        found[i] = (struct cc_identity){
            .code.build_id = "bb",
            .code.function = "f",
            .verdict = CC_FOUND,
            .src = {.address = i < n_first ? 0x904 : 0x914},
            .dst = {.address = i < n_first ? 0x908 : 0x918},
            .code.function_start = 0x900};
    data_observe(0, 0x104, 0x108, 1, 10);
    data_observe(0, 0x114, 0x118, 1, 20);
    data_observe(0, 0x124, 0x128, 1, 30); /* nothing identifies it */
    if (first_found)
        data_predict(0, 0x104, 0x108, 0);
    compare(found, n_first + n_second);
    for (size_t i = 0; i < c.outcomes.n_lost && i < 2; i++)
        lost[i] = data.observed[c.outcomes.lost[i]].src;
    return c.outcomes.n_lost;
}

TEST(after_a_rebuild_a_dependency_is_known_by_its_place_in_the_function)
{
    uint64_t lost[2];

    assert_int_equal(lost_of_other_build(1, 0, false, lost), 1);
    assert_int_equal(lost[0], 0x104);
    assert_int_equal(lost_of_other_build(0, 1, false, lost), 1);
    assert_int_equal(lost[0], 0x114);
    assert_int_equal(lost_of_other_build(1, 1, false, lost), 2);
    assert_int_equal(lost[0], 0x114);
    assert_int_equal(lost[1], 0x104);
}

TEST(after_a_rebuild_no_more_are_lost_than_are_missed)
{
    uint64_t lost[2];

    assert_int_equal(lost_of_other_build(3, 0, false, lost), 1);
    assert_int_equal(lost_of_other_build(1, 0, true, lost), 0);
    assert_int_equal(lost_of_other_build(2, 1, true, lost), 1);
    assert_int_equal(lost[0], 0x114);
}

TEST(another_function_or_another_offset_is_another_dependency)
{
    struct cc_identity found[] = {
        {.code.build_id = "bb", .code.function = "g", PAIR(4, 8)},
        {.code.build_id = "bb", .code.function = "f", PAIR(4, 0xc)},
    };

    data_observe(0, 0x104, 0x108, 1, 10);
    compare(found, 2);
    assert_int_equal(c.outcomes.n_lost, 0);
}

TEST(figures_are_compared_at_the_bounds_that_both_have)
{
    struct cc_old_bound bounds[] = {
        {LIFETIME_INF, 60, 10},
        {LIFETIME_INF, 1, 1}, /* the first of two equal bounds counts */
        {1024, 5, 5},
        {512, NAN, 20},
    };
    struct cc_baseline baseline = {
        .bounds = bounds, .n_bounds = 4, .precision = 30};

    data_observe(0, 0x104, 0x108, 1000, 10); /* no data at 512 */
    data_predict(0, 0x104, 0x108, 0);
    compare_with(&baseline);
    assert_int_equal(c.n_changes, 4);
    assert_int_equal(c.changes[0].figure, CC_COV_W);
    assert_int_equal(c.changes[0].bound, 512);
    assert_int_equal(c.changes[0].now.whole, 0);
    assert_int_equal(c.changes[1].figure, CC_COV_U);
    assert_true(c.changes[1].bound == LIFETIME_INF);
    assert_true(c.changes[1].before == 60);
    assert_true(cc_change_points(&c.changes[1]) == 40);
    assert_int_equal(c.changes[2].figure, CC_COV_W);
    assert_true(c.changes[2].before == 10);
    assert_int_equal(c.changes[3].figure, CC_PRECISION);
    assert_int_equal(c.changes[3].bound, 0);
    assert_true(cc_change_points(&c.changes[3]) == 70);
}

/* Does a change from `before` to 40 % pass, if it may fall by 10 points? */
static bool passes(double before)
{
    struct cc_change change = {CC_COV_U, 512, {2, 5}, before};
    struct cc_comparison one = {.changes = &change, .n_changes = 1};
    size_t n = 0;
    struct cc_check *checks = cc_drops_check(&one, 10, false, NULL, &n);
    bool passed = checks[0].passed;

    assert_int_equal(n, 1);
    assert_true(checks[0].is_drop);
    assert_true(checks[0].threshold == 10);
    assert_true(checks[0].before == before);
    free(checks);
    return passed;
}

TEST(a_drop_may_be_as_large_as_allowed)
{
    assert_true(passes(0));
    assert_true(passes(40));
    assert_true(passes(50));
    assert_true(passes(50.0000000001)); /* rounded, of equal counts */
    assert_false(passes(50.000001));
    assert_false(passes(100));
}

TEST(a_figure_falls_if_it_loses_its_data_but_not_if_it_had_none)
{
    struct cc_change changes[] = {
        {CC_COV_U, 512, {2, 5}, NAN},
        {CC_COV_W, 512, {0, 0}, 1},
    };
    struct cc_comparison two = {.changes = changes, .n_changes = 2};

    for (int allowed = 0; allowed <= 1; allowed++) {
        struct cc_check *checks = calloc(1, sizeof *checks);
        size_t n = 1;

        checks[0].threshold = 77;
        checks = cc_drops_check(&two, 100, allowed, checks, &n);
        assert_int_equal(n, 2);
        assert_true(checks[0].threshold == 77);
        assert_int_equal(checks[1].figure, CC_COV_W);
        assert_int_equal(checks[1].passed, allowed);
        free(checks);
    }
}

TEST(of_two_objects_the_one_of_the_same_file_name_is_compared)
{
    struct cc_identity found = {.code.path = "/before/b",
                                .code.build_id = "cc",
                                .code.function = "f",
                                PAIR(4, 8)};

    for (uint64_t n = 10; n <= 30; n += 10) {
        renew();
        cc_add_object(&data, "/missing/b", "bb");
        data_block(1, "f", 0x100, 100);
        data_observe(0, 0x104, 0x108, 1, 20);
        data_observe(1, 0x104, 0x108, 1, n);
        compare(&found, 1);
        assert_int_equal(c.outcomes.n_lost, 1);
        assert_int_equal(data.observed[c.outcomes.lost[0]].src_object, 1);
    }
}

/* Begins anew with two objects of these builds. */
static void renew_spanning(const char *a, const char *b)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {512, LIFETIME_INF}};
    data.scope = CC_SCOPE_PROGRAM;
    cc_add_object(&data, "/missing/a", a);
    cc_add_object(&data, "/missing/b", b);
    data_block(0, "f", 0x100, 100);
    data_block(1, "g", 0x200, 100);
    data_block(1, "h", 0x300, 100);
}

/* n occurrences from 0x104 of a to an address of b. */
static void observe_spanning(uint64_t dst, uint64_t n)
{
    data_observe(0, 0x104, dst, 1, n);
    data.observed[data.n_observed - 1].dst_object = 1;
}

/* The addresses of the store and of the load are the same in both dependencies,
   but the load's objects differ. */
TEST(the_object_of_the_load_tells_two_dependencies_apart)
{
    struct cc_identity found[] = {
        {.code.build_id = "aa", PAIR(0x104, 0x108)},
        {.code.build_id = "aa", .dst_code.build_id = "bb", PAIR(0x104, 0x204)},
        {.code.build_id = "aa", .dst_code.build_id = "bb", PAIR(0x104, 0x999)},
    };

    renew_spanning("aa", "bb");
    data_observe(0, 0x104, 0x204, 1, 7); /* another: in one object */
    observe_spanning(0x204, 9);
    compare(found, 3);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_MISSED_NOW], 1);
    assert_int_equal(c.outcomes.counts[CC_FOUND_BEFORE][CC_GONE_NOW], 2);
    assert_int_equal(data.observed[c.outcomes.lost[0]].dst_object, 1);
}

/* Both objects may be of another build: the functions identify the dependency.
 */
TEST(after_a_rebuild_the_functions_of_both_ends_count)
{
    static const char *const builds[][2] = {
        {"xx", "bb"}, {"aa", "yy"}, {"xx", "yy"}};
    struct cc_identity found[] = {
        {.code = {"/missing/a", "aa", "f", 0x500, NULL},
         .dst_code = {"/missing/b", "bb", "h", 0x700, NULL},
         PAIR(0x504, 0x704)},
        {.code = {"/missing/a", "aa", "f", 0x500, NULL},
         .dst_code = {"/missing/b", "bb", "gone", 0x700, NULL},
         PAIR(0x504, 0x708)},
    };

    for (int i = 0; i < 3; i++) {
        renew_spanning(builds[i][0], builds[i][1]);
        observe_spanning(0x204, 50);
        observe_spanning(0x304, 9);
        compare(found, 2);
        assert_int_equal(c.outcomes.n_lost, 1);
        assert_int_equal(data.observed[c.outcomes.lost[0]].dst, 0x304);
        assert_int_equal(c.outcomes.n_gone, 1);
    }
}

TEST(a_figure_that_only_one_report_has_is_compared)
{
    struct cc_baseline baseline = {.precision = NAN};

    compare_with(&baseline);
    assert_int_equal(c.n_changes, 0);
    data_predict(0, 0x100, 0x104, 0);
    compare_with(&baseline);
    assert_int_equal(c.n_changes, 1);
    assert_int_equal(c.changes[0].figure, CC_PRECISION);
    assert_int_equal(c.changes[0].now.whole, 1);
    assert_true(isnan(c.changes[0].before));
}
