/* Pairs of the unrolled block become dependencies with their support. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "block/sd_analyse.h"

static struct sd_reroll r;
static const struct sd_overlap no_overlap; /* the unknown overlap */

BEFORE_EACH()
{
    sd_reroll_begin(&r);
}

AFTER_EACH()
{
    sd_reroll_fini(&r);
}

/* Adds pairs: in iterations [from, to), instruction 2 reads what instruction 1
   wrote delta_k iterations before. */
static void pairs(uint32_t delta_k, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        sd_reroll_add(&r, 1, 2, delta_k, k, no_overlap);
}

TEST(support_counts_only_iterations_where_both_ends_exist)
{
    pairs(3, 3, 10);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 1);
    assert_int_equal(r.deps[0].src, 1);
    assert_int_equal(r.deps[0].dst, 2);
    assert_int_equal(r.deps[0].delta_k, 3);
    assert_true(r.deps[0].support == 1);
}

TEST(an_iteration_counts_once_however_often_it_reads)
{
    pairs(0, 0, 4);
    for (int i = 0; i < 10; i++)
        sd_reroll_add(&r, 1, 2, 0, 4, no_overlap);
    sd_reroll_end_run(&r, 10, 0.1);
    assert_true(r.deps[0].support == 0.5);
}

/* Adds a pair with an overlap in iteration k. */
static void lies(uint32_t k, enum sd_relation relation, int8_t offset)
{
    sd_reroll_add(
        &r, 1, 2, 0, k,
        (struct sd_overlap){.relation = relation & 15, .offset = offset});
}

static void assert_overlap(enum sd_relation relation, int8_t offset)
{
    assert_int_equal(r.n_deps, 1);
    assert_int_equal(r.deps[0].overlap.relation, relation);
    assert_int_equal(r.deps[0].overlap.offset, offset);
}

TEST(an_overlap_is_that_of_all_iterations)
{
    lies(0, SD_CONTAINED, 4);
    lies(1, SD_CONTAINED, 4);
    sd_reroll_end_run(&r, 2, 0.8);
    assert_overlap(SD_CONTAINED, 4);
    lies(0, SD_CONTAINED, 4);
    lies(1, SD_CONTAINED, 0);
    sd_reroll_end_run(&r, 2, 0.8);
    assert_overlap(SD_CONTAINED, SD_NO_OFFSET);
}

TEST(an_overlap_is_that_of_all_runs)
{
    lies(0, SD_SAME_BYTES, 0);
    sd_reroll_end_run(&r, 1, 0.8);
    lies(0, SD_PARTIAL, 0);
    sd_reroll_end_run(&r, 1, 0.8);
    assert_overlap(SD_UNKNOWN_RELATION, 0);
}

TEST(the_first_iterations_do_not_show_stores_before_them)
{
    lies(0, SD_PARTIAL, -4);
    lies(1, SD_SEVERAL, -4);
    sd_reroll_end_run(&r, 2, 0.8);
    assert_overlap(SD_SEVERAL, -4);
}

TEST(an_unknown_overlap_stays_unknown)
{
    lies(0, SD_UNKNOWN_RELATION, 0);
    lies(1, SD_SAME_BYTES, 0);
    sd_reroll_end_run(&r, 2, 0.8);
    assert_overlap(SD_UNKNOWN_RELATION, 0);
}

TEST(recent_stores_tell_more_than_old_ones)
{
    struct sd_overlap old = {.relation = SD_PARTIAL, .is_old = 1, .offset = 4},
                      recent = {.relation = SD_SAME_BYTES},
                      unknown = {.is_old = 1}, o;

    o = sd_overlap_join(old, recent);
    assert_true(sd_overlap_is(o, recent));
    o = sd_overlap_join(recent, unknown);
    assert_true(sd_overlap_is(o, recent));
    o = sd_overlap_join(old, unknown);
    assert_true(sd_overlap_is(o, unknown));
}

TEST(the_threshold_itself_is_enough_and_less_is_not)
{
    pairs(0, 0, 8);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 1);
    sd_reroll_begin(&r);
    pairs(0, 0, 7);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 0);
}

TEST(a_dependency_must_survive_every_run_and_has_its_smallest_support)
{
    pairs(0, 0, 10);
    pairs(1, 1, 10);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 2);
    pairs(0, 0, 9);
    pairs(2, 2, 10); /* this pair was not in the first run */
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 1);
    assert_int_equal(r.deps[0].delta_k, 0);
    assert_true(r.deps[0].support == 0.9);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 0);
}

TEST(the_longest_distance_is_seen_in_one_iteration)
{
    pairs(9, 9, 10);
    sd_reroll_end_run(&r, 10, 1);
    assert_int_equal(r.n_deps, 1);
    assert_true(r.deps[0].support == 1);
}

TEST(thousands_of_pairs_are_kept_apart_and_sorted)
{
    for (uint32_t src = 0; src < 50; src++)
        for (uint32_t dst = 0; dst < 50; dst++)
            sd_reroll_add(&r, 49 - src, dst, src % 3, 3, no_overlap);
    sd_reroll_end_run(&r, 4, 0.01);
    assert_int_equal(r.n_deps, 2500);
    for (uint32_t i = 0; i < 2500; i++) {
        assert_int_equal(r.deps[i].src, i / 50);
        assert_int_equal(r.deps[i].dst, i % 50);
        assert_int_equal(r.deps[i].delta_k, (49 - i / 50) % 3);
    }
}

TEST(pairs_that_differ_in_one_number_are_kept_apart)
{
    sd_reroll_add(&r, 1, 2, 0, 3, no_overlap);
    sd_reroll_add(&r, 2, 2, 0, 3, no_overlap);
    sd_reroll_add(&r, 1, 1, 0, 3, no_overlap);
    sd_reroll_add(&r, 1, 2, 1, 3, no_overlap);
    sd_reroll_end_run(&r, 4, 0.25);
    assert_int_equal(r.n_deps, 4);
    assert_true(r.deps[0].dst == 1 && r.deps[0].support == 0.25);
    assert_true(r.deps[1].dst == 2 && r.deps[1].delta_k == 0);
    assert_true(r.deps[2].delta_k == 1 && r.deps[2].support == 1.0 / 3);
    assert_true(r.deps[3].src == 2);
}

TEST(the_threshold_holds_in_every_run)
{
    pairs(0, 0, 10);
    sd_reroll_end_run(&r, 10, 0.8);
    pairs(0, 0, 8);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 1);
    assert_true(r.deps[0].support == 0.8);
    pairs(0, 0, 7);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_int_equal(r.n_deps, 0);
}

TEST(a_later_run_does_not_raise_the_support)
{
    pairs(0, 0, 9);
    sd_reroll_end_run(&r, 10, 0.8);
    pairs(0, 0, 10);
    sd_reroll_end_run(&r, 10, 0.8);
    assert_true(r.deps[0].support == 0.9);
}

TEST(a_block_forgets_the_pairs_of_the_last_one)
{
    sd_reroll_add(&r, 1, 2, 0, 0, no_overlap);
    sd_reroll_begin(&r);
    sd_reroll_add(&r, 3, 4, 0, 0, no_overlap);
    sd_reroll_end_run(&r, 1, 1);
    assert_int_equal(r.n_deps, 1);
    assert_int_equal(r.deps[0].src, 3);
}
