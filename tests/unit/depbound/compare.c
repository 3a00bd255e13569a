/*
 * Loops of an earlier report are paired with those of this report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "compare/cy_compare.h"

/* The last comparison of a test. */
static struct cy_comparison c;

AFTER_EACH()
{
    cy_comparison_fini(&c);
}

#define N(list) (sizeof(list) / sizeof *(list))

/* A loop of a function that begins at line 10; `cycles` are a round's. */
#define LOOP(function_, line_, cycles, ...)                                  \
    {                                                                        \
        .function = (function_), .line = (line_), .function_line = "a.c:10", \
        .limited_by = "memory", .predicted = (cycles), __VA_ARGS__           \
    }

static struct cy_saved report_of(struct cy_saved_loop *loops, size_t n)
{
    struct cy_saved saved = {.loops = loops, .n_loops = n};

    for (size_t i = 0; i < n; i++)
        loops[i].order = i;
    saved.program = saved.low = saved.high = NAN;
    return saved;
}

static void compare(struct cy_saved_loop *before, size_t n_before,
                    struct cy_saved_loop *now, size_t n_now, double limit)
{
    struct cy_saved a = report_of(before, n_before);
    struct cy_saved b = report_of(now, n_now);

    c = cy_compare(&a, &b, n_now, limit);
}
#define COMPARE(before, now, limit) \
    compare(before, N(before), now, N(now), limit)

/* The change of a loop of the earlier report. */
static const struct cy_loop_change *
change_of(const struct cy_saved_loop *before)
{
    for (size_t i = 0; i < c.n_loops; i++)
        if (c.loops[i].before == before)
            return &c.loops[i];
    return NULL;
}

TEST(lines_before_a_function_change_nothing)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 3),
                                     LOOP("f", "a.c:22", 5)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:22", 3),
                                  LOOP("f", "a.c:32", 5)};

    now[0].function_line = now[1].function_line = "a.c:20";
    COMPARE(before, now, -1);
    assert_int_equal(c.fates[CY_UNCHANGED], 2);
    assert_ptr_equal(change_of(&before[0])->now, &now[0]);
    assert_false(c.fails);
}

TEST(similar_loops_are_paired_in_order)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 3),
                                     LOOP("f", "a.c:12", 5)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 3),
                                  LOOP("f", "a.c:12", 6)};

    COMPARE(before, now, -1);
    assert_int_equal(c.fates[CY_UNCHANGED], 1);
    assert_int_equal(c.fates[CY_SLOWER], 1);
    assert_ptr_equal(change_of(&before[1])->now, &now[1]);
}

TEST(more_loops_than_before_are_compared_by_their_sums)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 4, .rounds = 100)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 8, .rounds = 25),
                                  LOOP("f", "a.c:12", 4, .rounds = 2)};

    COMPARE(before, now, 0);
    assert_int_equal(c.n_loops, 1);
    assert_int_equal(c.loops[0].n_now, 2);
    assert_true(c.loops[0].total.before == 400 && c.loops[0].total.now == 208);
    assert_int_equal(c.loops[0].fate, CY_FASTER);
}

TEST(more_loops_than_before_are_not_compared_without_runs)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 4)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 8),
                                  LOOP("f", "a.c:12", 4)};

    COMPARE(before, now, -1);
    assert_int_equal(c.n_loops, 0);
    assert_int_equal(c.n_unmatched_before, 1);
    assert_int_equal(c.n_unmatched_now, 2);
}

TEST(an_unrolled_loop_is_compared_in_all_rounds)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 4, .rounds = 100)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 12, .rounds = 25)};

    COMPARE(before, now, 0);
    assert_int_equal(c.loops[0].fate, CY_FASTER);
    assert_false(c.fails);
}

TEST(the_loops_of_an_edited_function_are_paired_in_order)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 3),
                                     LOOP("f", "a.c:22", 5)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:15", 4),
                                  LOOP("f", "a.c:25", 5)};

    COMPARE(before, now, 50);
    assert_ptr_equal(change_of(&before[0])->now, &now[0]);
    assert_ptr_equal(change_of(&before[1])->now, &now[1]);
    assert_false(c.fails);
}

TEST(an_inlined_loop_is_found_by_its_line)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 3)};
    struct cy_saved_loop now[] = {LOOP("main", "a.c:12", 6)};

    COMPARE(before, now, 50);
    assert_int_equal(c.fates[CY_SLOWER], 1);
    assert_true(c.fails && c.loops[0].fails);
}

TEST(a_renamed_and_moved_loop_is_gone_and_new)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 3)};
    struct cy_saved_loop now[] = {LOOP("g", "a.c:13", 6)};

    COMPARE(before, now, -1);
    assert_int_equal(c.fates[CY_GONE], 1);
    assert_int_equal(c.fates[CY_NEW], 1);
}

TEST(a_loop_that_an_incomplete_baseline_lacks_is_not_called_new)
{
    struct cy_saved_loop loops[] = {LOOP("f", "a.c:12", 3),
                                    LOOP("g", "a.c:22", 6)};
    struct cy_saved before = report_of(loops, 1), now = report_of(loops, 2);

    before.n_left_out = 1;
    c = cy_compare(&before, &now, 2, -1);
    assert_int_equal(c.fates[CY_UNCHANGED], 1);
    assert_int_equal(c.fates[CY_UNLISTED], 1);
    assert_int_equal(c.fates[CY_NEW], 0);
}

TEST(a_loop_that_is_not_listed_now_is_found_nevertheless)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 9)};
    struct cy_saved_loop now[] = {
        LOOP("g", "a.c:22", 6), LOOP("f", "a.c:12", 1), LOOP("h", "a.c:42", 1)};
    struct cy_saved a = report_of(before, 1), b = report_of(now, 3);

    c = cy_compare(&a, &b, 1, -1);
    assert_int_equal(c.fates[CY_FASTER], 1);
    assert_int_equal(c.fates[CY_NEW], 1);
    assert_int_equal(c.n_loops, 2);
}

TEST(of_two_similar_loops_the_listed_one_is_taken)
{
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 9)};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 9),
                                  LOOP("f", "a.c:12", 1)};
    struct cy_saved a = report_of(before, 1), b = report_of(now, 2);

    now[0].order = 7; /* after the other loop */
    a.n_left_out = 1;
    c = cy_compare(&a, &b, 1, -1);
    assert_int_equal(c.fates[CY_UNCHANGED], 1);
    assert_int_equal(c.n_loops, 1);
    assert_int_equal(c.n_unmatched_before, 0);
}

TEST(loops_known_by_line_alone_are_paired_in_order)
{
    struct cy_saved_loop before[] = {LOOP(NULL, "a.c:12", 3),
                                     LOOP(NULL, "a.c:12", 4)};
    struct cy_saved_loop now[] = {LOOP(NULL, "a.c:12", 3),
                                  LOOP(NULL, "a.c:12", 5)};

    COMPARE(before, now, -1);
    assert_int_equal(c.fates[CY_UNCHANGED], 1);
    assert_int_equal(c.fates[CY_SLOWER], 1);
    assert_int_equal(c.fates[CY_GONE] + c.fates[CY_NEW], 0);
}

TEST(loops_that_nothing_names_are_counted)
{
    struct cy_saved_loop before[] = {LOOP(NULL, NULL, 3)};
    struct cy_saved_loop now[] = {LOOP(NULL, NULL, 3), LOOP(NULL, NULL, 4)};

    COMPARE(before, now, 5);
    assert_int_equal(c.n_unmatched_before, 1);
    assert_int_equal(c.n_unmatched_now, 2);
    assert_true(c.fails && cy_comparison_is_empty(&c));
}

TEST(a_dependency_keeps_its_place_in_the_loop)
{
    struct cy_saved_dependency was[] = {{"a.c:13", "a.c:14", "forwarded", 5}};
    struct cy_saved_dependency is[] = {{"a.c:33", "a.c:34", "failed", 14},
                                       {"a.c:35", "a.c:34", "forwarded", 0},
                                       {"a.c:36", "a.c:34", "failed", 0}};
    struct cy_saved_loop before[] = {
        LOOP("f", "a.c:12", 5, .dependencies = was, .n_dependencies = N(was))};
    struct cy_saved_loop now[] = {
        LOOP("f", "a.c:32", 14, .dependencies = is, .n_dependencies = N(is))};

    now[0].function_line = "a.c:30";
    COMPARE(before, now, -1);
    assert_int_equal(c.dependency_fates[CY_SLOWER], 1);
    assert_int_equal(c.dependency_fates[CY_NEW], 2);
    assert_int_equal(c.n_dependencies, 2); /* one of the new is free */
    assert_true(c.dependencies[0].round.before == 5 &&
                c.dependencies[0].round.now == 14);
    assert_true(!c.dependencies[0].was_failed && c.dependencies[0].is_failed);
}

TEST(a_dependency_off_the_chain_is_neither_faster_nor_slower)
{
    struct cy_saved_dependency was[] = {{"a.c:13", "a.c:14", "forwarded", 5},
                                        {"a.c:15", "a.c:16", "forwarded", 0},
                                        {"a.c:17", "a.c:18", "failed", 0}};
    struct cy_saved_dependency is[] = {{"a.c:13", "a.c:14", "forwarded", 0},
                                       {"a.c:15", "a.c:16", "forwarded", 9},
                                       {"a.c:17", "a.c:18", "failed", 0}};
    struct cy_saved_loop before[] = {LOOP("f", "a.c:12", 5, .rounds = 10,
                                          .dependencies = was,
                                          .n_dependencies = N(was))};
    struct cy_saved_loop now[] = {LOOP("f", "a.c:12", 9, .rounds = 20,
                                       .dependencies = is,
                                       .n_dependencies = N(is))};

    COMPARE(before, now, -1);
    assert_int_equal(c.dependency_fates[CY_FREE], 1);
    assert_int_equal(c.dependency_fates[CY_LIMITING], 1);
    assert_int_equal(c.dependency_fates[CY_UNCHANGED], 1);
    assert_int_equal(c.n_dependencies, 3);
    for (int i = 0; i < 3; i++)
        assert_true(isnan(cy_growth(&c.dependencies[i].round)) &&
                    isnan(cy_growth(&c.dependencies[i].total)));
    assert_int_equal(c.dependencies[0].fate, CY_LIMITING); /* by 180 cycles */
    assert_true(c.dependencies[0].total.now == 180);
}

/* Compares programs: by these figures, 100 cycles before and `now` cycles now,
   each within 5 % by chance if `has_interval`. */
static void compare_programs(const char *by_before, const char *by_now,
                             double cycles, bool has_interval)
{
    static struct cy_saved_loop loops[] = {LOOP("f", "a.c:12", 3)};
    struct cy_saved before = report_of(loops, 1), now = report_of(loops, 1);

    before.by = by_before, before.program = 100;
    now.by = by_now, now.program = cycles;
    if (has_interval) {
        before.low = 95, before.high = 105;
        now.low = 0.95 * cycles, now.high = 1.05 * cycles;
    }
    c = cy_compare(&before, &now, 1, 5);
}

TEST(the_program_fails_above_the_limit_beyond_chance)
{
    static const struct {
        const char *before, *now;
        double cycles;
        bool has_interval, may_be_chance, fails, is_known;
    } rows[] = {
        {"executions", "executions", 105, false, false, false, true},
        {"executions", "executions", 105.1, false, false, true, true},
        {"windows", "windows", 110, true, true, false, true},
        {"windows", "windows", 112, true, false, true, true},
        {"executions", "windows", 200, false, false, false, false},
        {NULL, NULL, 200, false, false, false, false},
    };

    for (size_t i = 0; i < N(rows); i++) {
        compare_programs(rows[i].before, rows[i].now, rows[i].cycles,
                         rows[i].has_interval);
        assert_int_equal(c.may_be_chance, rows[i].may_be_chance);
        assert_int_equal(c.program_fails, rows[i].fails);
        assert_int_equal(c.fails, rows[i].fails);
        assert_int_equal(!isnan(c.program.now), rows[i].is_known);
        cy_comparison_fini(&c);
    }
}
