/* Gates: which scores pass, and with which message. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "compare/cc_compare.h"

/* 57.6 % at inf, no data at the other bounds, a precision of 1 in 2. */
static struct cc_tally some_tallies[] = {
    {.found = 576, .missed = 424}, {0}, {0}};
static const struct cc_score some_score = {.tally = some_tallies,
                                           .precision = {1, 2}};
static const struct cc_bounds some_bounds = {3, {LIFETIME_INF, 1024, 512}};

static struct diag d;

/* Checks a gate; returns the number of failures; d has the last, or "". */
static size_t check(struct cc_gate gate)
{
    size_t n_checks, n_failed = 0;
    struct cc_check *checks =
        cc_gates_check(&gate, 1, &some_score, &some_bounds, false, &n_checks);

    d.text[0] = '\0';
    for (size_t i = 0; i < n_checks; i++)
        if (!checks[i].passed) {
            cc_check_describe(&checks[i], &d);
            n_failed++;
        }
    free(checks);
    return n_failed;
}

TEST(a_figure_equal_to_the_threshold_passes)
{
    assert_int_equal(check((struct cc_gate){CC_COV_U, LIFETIME_INF, 57.6}), 0);
    assert_int_equal(check((struct cc_gate){CC_PRECISION, 0, 50}), 0);
}

TEST(a_figure_below_the_threshold_fails_and_never_reads_as_equal)
{
    assert_int_equal(check((struct cc_gate){CC_COV_U, LIFETIME_INF, 57.600001}),
                     1);
    assert_string_equal(d.text,
                        "cov_u at lifetime inf: 57.60% is below 57.600001%");
    assert_int_equal(check((struct cc_gate){CC_PRECISION, 0, 50.01}), 1);
    assert_string_equal(d.text, "precision: 50.00% is below 50.01%");
}

TEST(no_data_fails_even_a_threshold_of_0)
{
    assert_int_equal(check((struct cc_gate){CC_COV_W, 512, 0}), 1);
    assert_string_equal(d.text,
                        "cov_w at lifetime 512: no data to compare with 0%");
}

TEST(a_gate_without_a_bound_holds_at_each_bound)
{
    assert_int_equal(check((struct cc_gate){CC_COV_U, 0, 57}), 2);
    assert_int_equal(check((struct cc_gate){CC_COV_U, 0, 58}), 3);
}

/* A share for each figure and bound, all of them different. */
static struct cc_tally many_tallies[] = {
    {.found = 1,
     .missed = 3,
     .found_occurrences = 2,
     .missed_occurrences = 8,
     .occurred = 15},
    {.found = 2,
     .missed = 3,
     .found_occurrences = 30,
     .missed_occurrences = 10,
     .occurred = 7},
};
static const struct cc_score many_score = {.tally = many_tallies,
                                           .precision = {16, 20}};
static const struct cc_bounds many_bounds = {2, {LIFETIME_INF, 512}};

static void assert_check(const struct cc_check *c, enum cc_figure figure,
                         uint64_t bound, uint64_t part, uint64_t whole)
{
    assert_int_equal(c->figure, figure);
    assert_int_equal(c->bound, bound);
    assert_int_equal(c->ratio.part, part);
    assert_int_equal(c->ratio.whole, whole);
    assert_false(c->is_drop);
}

TEST(checks_are_in_the_order_of_gates_and_bounds)
{
    static const struct cc_gate gates[] = {
        {CC_PRECISION, 0, 80},       {CC_COV_U, 0, 40},
        {CC_COV_W, 512, 75},         {CC_PRECISION, 512, 0},
        {CC_COV_W, LIFETIME_INF, 0},
    };
    size_t n;
    struct cc_check *checks =
        cc_gates_check(gates, 5, &many_score, &many_bounds, false, &n);

    assert_int_equal(n, 6);
    assert_check(&checks[0], CC_PRECISION, 0, 16, 20);
    assert_check(&checks[1], CC_COV_U, LIFETIME_INF, 1, 4);
    assert_check(&checks[2], CC_COV_U, 512, 2, 5);
    assert_check(&checks[3], CC_COV_W, 512, 30, 40);
    assert_check(&checks[4], CC_PRECISION, 512, 7, 20);
    assert_check(&checks[5], CC_COV_W, LIFETIME_INF, 2, 10);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(checks[i].passed, i != 1);
    assert_true(checks[0].threshold == 80);
    assert_true(checks[3].threshold == 75);
    free(checks);
}

TEST(no_data_passes_only_if_that_is_allowed)
{
    static const struct cc_gate gate = {CC_COV_U, 512, 100};

    for (int allowed = 0; allowed <= 1; allowed++) {
        size_t n;
        struct cc_check *checks =
            cc_gates_check(&gate, 1, &some_score, &some_bounds, allowed, &n);

        assert_int_equal(n, 1);
        assert_int_equal(checks[0].passed, allowed);
        free(checks);
    }
}

TEST(without_gates_there_are_no_checks)
{
    size_t n = 7;

    free(cc_gates_check(NULL, 0, &some_score, &some_bounds, false, &n));
    assert_int_equal(n, 0);
}

TEST(a_label_names_the_figure_and_its_bound)
{
    char label[64];

    cc_figure_label(CC_PRECISION, 0, label);
    assert_string_equal(label, "precision");
    cc_figure_label(CC_COV_U, 1, label);
    assert_string_equal(label, "cov_u at lifetime 1");
    cc_figure_label(CC_COV_W, LIFETIME_INF, label);
    assert_string_equal(label, "cov_w at lifetime inf");
}

static void assert_says(struct cc_check check, const char *text)
{
    cc_check_describe(&check, &d);
    assert_string_equal(d.text, text);
}

TEST(a_check_says_how_it_ended)
{
    struct cc_check c = {CC_COV_U, 512, 50, {3, 5}, true, false, 0};

    assert_says(c, "cov_u at lifetime 512: 60.00% reaches 50%");
    c.passed = false;
    c.ratio = (struct cc_ratio){99999, 100000}; /* it is cut, not rounded */
    c.threshold = 99.9995;
    assert_says(c, "cov_u at lifetime 512: 99.99% is below 99.9995%");
    c.ratio = (struct cc_ratio){0, 0};
    assert_says(c, "cov_u at lifetime 512: no data to compare with 99.9995%");
}

TEST(a_drop_names_the_figure_that_it_fell_from)
{
    struct cc_check c = {CC_PRECISION, 0, 2, {9, 20}, false, true, 50.219};

    assert_says(c, "precision: 45.00% is more than 2 points below the "
                   "baseline's 50.21%");
    c.passed = true;
    c.threshold = 5.5;
    assert_says(c, "precision: 45.00% is not more than 5.5 points below the "
                   "baseline's 50.21%");
    c.ratio = (struct cc_ratio){0, 0};
    assert_says(c, "precision: no data to compare with the baseline's 50.21%");
}

TEST(a_percentage_is_cut_to_two_digits)
{
    struct cc_check c = {CC_COV_U, 0, 0, {1, 1}, true, false, 0};

    assert_says(c, "cov_u: 100.00% reaches 0%");
    c.ratio = (struct cc_ratio){0, 1};
    assert_says(c, "cov_u: 0.00% reaches 0%");
    c.ratio = (struct cc_ratio){7, 10000};
    assert_says(c, "cov_u: 0.07% reaches 0%");
    c.ratio = (struct cc_ratio){29, 100}; /* in doubles, 28.999... */
    assert_says(c, "cov_u: 29.00% reaches 0%");
}
