/* Places of windows: one in each interval, and when intervals are merged, each
   place of the longer one is as probable as any other. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "window/ds_window.h"

#define N      8
#define LENGTH 10
#define FIRST  100

/* The start of the window in each interval; 0: none. */
static ULong begins[N];
static unsigned n_merges, n_second;
static struct ds_sampler s;

static void merge(UInt to, UInt keep, UInt drop)
{
    ULong kept = begins[keep] > 0 ? begins[keep] : begins[drop];

    assert_int_equal(keep / 2, to);
    assert_int_equal(drop, keep ^ 1u);
    begins[keep] = begins[drop] = 0;
    begins[to] = kept;
    n_merges++;
    n_second += keep & 1u;
}

static void no_merge(UInt to, UInt keep, UInt drop)
{
    (void)to, (void)keep, (void)drop;
    fail();
}

BEFORE_EACH()
{
    ds_sampler_init(&s, N, LENGTH, FIRST, 0);
    n_merges = n_second = 0;
    memset(begins, 0, sizeof begins);
}

/* Records the next window. */
static void record(struct ds_sampler *of)
{
    ULong begin = ds_sampler_begin(of);

    begins[of->next] = begin + 1;
    ds_sampler_advance(of, begin + LENGTH, merge);
}

TEST(each_interval_has_a_window_that_lies_within_it)
{
    for (unsigned i = 0; i < N - 1; i++) {
        assert_int_equal(s.next, i);
        assert_true(ds_sampler_begin(&s) >= i * FIRST);
        assert_true(ds_sampler_begin(&s) + LENGTH <= (i + 1) * FIRST);
        ds_sampler_advance(&s, ds_sampler_begin(&s) + LENGTH, no_merge);
    }
}

TEST(each_place_of_an_interval_is_drawn)
{
    bool is_drawn[3] = {false};

    for (ULong seed = 0; seed < 100; seed++) {
        ds_sampler_init(&s, N, LENGTH, LENGTH + 2, seed);
        assert_in_range(ds_sampler_begin(&s), 0, 2);
        is_drawn[ds_sampler_begin(&s)] = true;
        ds_sampler_init(&s, N, LENGTH, LENGTH, seed); /* leaves one place */
        assert_int_equal(ds_sampler_begin(&s), 0);
    }
    assert_true(is_drawn[0] && is_drawn[1] && is_drawn[2]);
}

TEST(two_samplers_draw_the_same_places)
{
    struct ds_sampler a = s, b = s;

    for (unsigned i = 0; i < 200; i++) {
        assert_true(ds_sampler_begin(&a) == ds_sampler_begin(&b));
        record(&a);
        record(&b);
    }
}

TEST(children_draw_other_places_than_their_parent_and_siblings)
{
    struct ds_sampler parent = s, first, second;
    unsigned n_alike = 0;

    ds_sampler_init(&first, N, LENGTH, FIRST, ds_sampler_seed(&parent, 1));
    ds_sampler_init(&second, N, LENGTH, FIRST, ds_sampler_seed(&parent, 2));
    for (unsigned i = 0; i < N - 1; i++) {
        n_alike += ds_sampler_begin(&first) == ds_sampler_begin(&parent);
        n_alike += ds_sampler_begin(&first) == ds_sampler_begin(&second);
        ds_sampler_advance(&parent, ds_sampler_begin(&parent), no_merge);
        ds_sampler_advance(&first, ds_sampler_begin(&first), no_merge);
        ds_sampler_advance(&second, ds_sampler_begin(&second), no_merge);
    }
    assert_true(n_alike < N / 2);
    assert_true(ds_sampler_seed(&first, 1) != ds_sampler_seed(&parent, 1));
}

/* The first two numbers of SplitMix64 from 1234567, as published. */
TEST(numbers_are_drawn_as_splitmix64_draws_them)
{
    s.seed = 1234567;
    assert_true(ds_sampler_seed(&s, 0) == UINT64_C(6457827717110365317));
    s.seed += UINT64_C(0x9e3779b97f4a7c15);
    assert_true(ds_sampler_seed(&s, 0) == UINT64_C(3203168211198807973));
}

TEST(windows_that_are_too_many_are_halved_and_intervals_doubled)
{
    for (unsigned i = 0; i < N; i++)
        record(&s);
    assert_int_equal(s.next, N / 2);
    assert_true(s.interval == 2 * FIRST);
    assert_int_equal(n_merges, N / 2);
    for (unsigned i = 0; i < N / 2; i++)
        assert_true(begins[i] > 0 && (begins[i] - 1) / s.interval == i);
    for (unsigned i = N / 2; i < N; i++)
        assert_true(begins[i] == 0);
    assert_true(ds_sampler_begin(&s) >= (ULong)N * FIRST);
}

TEST(a_long_run_has_a_window_in_each_interval)
{
    while (ds_sampler_begin(&s) < 1000000)
        record(&s);
    assert_true(s.next >= N / 2 && s.next < N);
    for (unsigned i = 0; i < s.next; i++)
        assert_true(begins[i] > 0 && (begins[i] - 1) / s.interval == i);
}

TEST(either_window_of_two_may_stay)
{
    for (unsigned i = 0; i < 100; i++)
        record(&s);
    assert_true(n_second > n_merges / 5 && n_second < n_merges * 4 / 5);
}

TEST(places_are_drawn_from_the_whole_interval)
{
    unsigned quarters[4] = {0};

    ds_sampler_init(&s, 4000, LENGTH, FIRST + LENGTH, 0);
    for (unsigned i = 0; i < 3999; i++) {
        quarters[ds_sampler_begin(&s) % s.interval * 4 / (FIRST + 1)]++;
        ds_sampler_advance(&s, ds_sampler_begin(&s) + LENGTH, no_merge);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(quarters[i] > 900 && quarters[i] < 1100);
}

TEST(a_window_that_took_too_long_takes_the_place_of_the_next_ones)
{
    ds_sampler_advance(&s, 3 * FIRST, no_merge);
    assert_int_equal(s.next, 3);
    assert_true(ds_sampler_begin(&s) >= 3 * FIRST);
    ds_sampler_advance(&s, 5 * FIRST - 1, no_merge);
    assert_int_equal(s.next, 5);
}

TEST(a_very_late_window_merges_more_than_once)
{
    record(&s);
    ds_sampler_advance(&s, 100000, merge);
    assert_true(s.next >= N / 2 && s.next < N);
    assert_true(ds_sampler_begin(&s) >= 100000);
    assert_true(begins[0] > 0);
}

TEST(an_odd_number_of_windows_has_an_even_number_of_intervals)
{
    ds_sampler_init(&s, 1, LENGTH, FIRST, 0);
    for (unsigned i = 0; i < 40; i++)
        record(&s);
    assert_true(s.next < 2);
}
