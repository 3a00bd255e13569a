/* Which distance vectors are unique (staticdeps/walk/sd_vectors.c),
   compared with a search through all vectors. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "walk/sd_vectors.h"

/* Is the vector k0 k1 unique, for elements of 8 bytes in two loops? */
static bool is_only(int64_t step0, int64_t step1, uint32_t most0,
                    uint32_t most1, int32_t k0, int32_t k1)
{
    const struct sd_equation e = {.n = 2,
                                  .steps = {step0, step1},
                                  .most = {most0, most1},
                                  .vector = {k0, k1},
                                  .below = -8,
                                  .above = 8,
                                  .may_be_first = true};

    return sd_equation_has_one_solution(&e);
}

TEST(rows_that_are_longer_than_the_loop_have_one_vector)
{
    assert_true(is_only(800, 8, 100, 98, 1, -1));
    assert_true(is_only(8, 800, 98, 100, 1, 0));
    assert_true(is_only(-800, 8, 100, 98, 1, -1));
}

TEST(rows_that_overlap_have_several_vectors)
{
    assert_false(is_only(800, 8, 100, 100, 0, 1)); /* 1 -99 fits, too */
    assert_false(is_only(80, 8, 100, 98, 1, -1));
    assert_true(is_only(808, 8, 100, 100, 0, 1));
}

TEST(a_distance_that_no_multiple_of_the_steps_makes_is_refuted)
{
    assert_true(is_only(64, 48, 3, 2, 0, 1));
    assert_false(is_only(64, 48, 5, 5, 0, 1)); /* 3 -3 fits, too */
    assert_true(is_only(800, 24, UINT32_MAX, 30, 1, 0));
}

TEST(bounds_that_are_not_known_refute_nothing)
{
    assert_false(is_only(800, 8, 100, UINT32_MAX, 0, 1));
    assert_true(is_only(800, 8, UINT32_MAX, 98, 0, 1));
}

TEST(parts_of_elements_overlap)
{
    assert_false(is_only(800, 4, 100, 98, 0, 1));
}

TEST(the_last_round_of_a_loop_that_does_not_move_counts)
{
    assert_true(is_only(0, 8, 100, 98, 1, -1));
    assert_true(is_only(0, 8, 100, 98, 0, 1));
    assert_true(is_only(8, 0, 100, 98, 0, 1));
    assert_false(is_only(0, 8, 100, 98, 2, 0));
    assert_false(is_only(8, 0, 100, 98, 1, 0));
    assert_false(is_only(0, 0, 100, 98, 0, 1)); /* 1 -97 fits, too */
    assert_true(is_only(0, 0, 100, 98, 0, 0));
}

TEST(a_vector_further_back_in_the_same_direction_is_earlier)
{
    struct sd_equation e = {.n = 2,
                            .steps = {80, -80},
                            .most = {8, 8},
                            .vector = {1, 1},
                            .below = -8,
                            .above = 8};

    assert_true(sd_equation_has_one_solution(&e));
    e.vector[0] = e.vector[1] = 2; /* 1 1 is later */
    assert_false(sd_equation_has_one_solution(&e));
}

TEST(the_store_of_the_same_round_counts_if_it_may_come_first)
{
    struct sd_equation e = {
        .n = 1, .most = {8}, .vector = {1}, .below = -8, .above = 8};

    assert_true(sd_equation_has_one_solution(&e));
    e.steps[0] = 4;
    assert_true(sd_equation_has_one_solution(&e));
    e.may_be_first = true;
    assert_false(sd_equation_has_one_solution(&e));
}

/* Goes through all rounds of a grid in order, and counts how often the last
   store to a load's address has that vector, and how often another. */
static void meet(const struct sd_equation *e, unsigned *n_same,
                 unsigned *n_other)
{
    int most0 = (int)e->most[0], most1 = (int)e->most[1];
    int64_t distance = e->steps[0] * e->vector[0] + e->steps[1] * e->vector[1];

    *n_same = *n_other = 0;
    for (int i = 0; i < most0; i++)
        for (int j = 0; j < most1; j++) {
            bool is_met = false;

            for (int p = i * most1 + j - !e->may_be_first; p >= 0 && !is_met;
                 p--) {
                int k0 = i - p / most1, k1 = j - p % most1;
                int64_t x = e->steps[0] * k0 + e->steps[1] * k1 - distance;

                if (x <= e->below || x >= e->above)
                    continue;
                is_met = true;
                if (k0 == e->vector[0] && k1 == e->vector[1])
                    ++*n_same;
                else
                    ++*n_other;
            }
        }
}

TEST(no_grid_shows_another_vector)
{
    struct sd_equation e = {.n = 2, .below = -4, .above = 4};
    unsigned n_only = 0, n_same, n_other;

    for (int64_t a = -6; a <= 6; a++)
        for (int64_t b = -6; b <= 6; b++)
            for (int n = 0; n < 9 * 4; n++)
                for (int32_t k = 0; k < 2 * 5; k++) {
                    e.steps[0] = 4 * a;
                    e.steps[1] = 4 * b;
                    e.most[0] = 2 + (uint32_t)n % 6;
                    e.most[1] = 2 + (uint32_t)n / 6;
                    e.vector[0] = k / 5;
                    e.vector[1] = k % 5 - 2;
                    e.may_be_first = (a + b + n + k) % 2 == 0;
                    if (!sd_equation_has_one_solution(&e))
                        continue;
                    meet(&e, &n_same, &n_other);
                    if (n_same > 0) /* else no walk shows it */
                        assert_int_equal(n_other, 0);
                    n_only += n_same > 0;
                }
    assert_true(n_only > 1000);
}
