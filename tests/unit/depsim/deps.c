/* depsim's table of dependencies. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/internal.h"

static struct lifetimes bounds;
static struct ds_reader reader; /* the reader of the current case */

/* Counts under a list of bounds. */
static void count(const char *list)
{
    assert_true(lifetimes_parse(&bounds, list));
    ds_deps_init(&bounds);
    ds_deps_record(true);
}

BEFORE_EACH()
{
    reader = (struct ds_reader){.id = 2};
    ds_deps_reset();
}

/* Counts an occurrence as ds_access does. */
static struct ds_deps_range occur(UInt writer, ULong distance)
{
    return ds_deps_count(ds_deps_obtain(&reader, writer, FORWARD_SAME),
                         distance);
}

static const struct ds_dep *the_only_one(void)
{
    SizeT cursor = 0;
    const struct ds_dep *dep = ds_deps_next(&cursor);

    assert_non_null(dep);
    assert_null(ds_deps_next(&cursor));
    assert_int_equal(ds_deps_number(), 1);
    return dep;
}

TEST(an_occurrence_falls_under_the_smallest_bound_not_below_its_distance)
{
    const struct ds_dep *dep;

    count("4,1000,inf");
    for (ULong distance = 0; distance <= 2000; distance++)
        occur(1, distance);
    dep = the_only_one();
    assert_int_equal(ds_deps_occurrences(dep, 0), 5);
    assert_int_equal(ds_deps_occurrences(dep, 1), 996);
    assert_int_equal(ds_deps_occurrences(dep, 2), 1000);
    assert_int_equal(ds_deps_total(dep), 2001);
    assert_int_equal(dep->min_distance, 0);
    assert_int_equal(dep->max_distance, 2000);
}

TEST(distances_need_64_bits)
{
    ULong far = (ULong)1 << 40;
    const struct ds_dep *dep;

    count("4294967296,1099511627776,inf");
    occur(1, far);
    occur(1, far + 1);
    occur(1, (ULong)1 << 32);
    dep = the_only_one();
    assert_int_equal(ds_deps_occurrences(dep, 0), 1);
    assert_int_equal(ds_deps_occurrences(dep, 1), 1);
    assert_int_equal(ds_deps_occurrences(dep, 2), 1);
    assert_true(dep->max_distance == far + 1);
}

/* Sets the counter as after 2^32 occurrences, which take too long to count. */
TEST(occurrences_need_64_bits)
{
    struct ds_dep *dep;

    count("4,1000,inf");
    dep = ds_deps_obtain(&reader, 1, FORWARD_SAME);
    *ds_deps_counter(dep, 0) = ((ULong)1 << 32) - 1;
    *ds_deps_counter(dep, 2) = ((ULong)1 << 40) - 1;
    occur(1, 4);
    occur(1, (ULong)1 << 40);
    assert_ptr_equal(the_only_one(), dep);
    assert_true(ds_deps_occurrences(dep, 0) == (ULong)1 << 32);
    assert_true(ds_deps_occurrences(dep, 2) == (ULong)1 << 40);
}

TEST(beyond_the_largest_bound_nothing_is_recorded)
{
    const struct ds_dep *dep;

    count("1,8,64");
    occur(1, 65);
    assert_int_equal(ds_deps_number(), 0);
    occur(1, 64);
    dep = the_only_one();
    assert_int_equal(dep->max_distance, 64);
    assert_int_equal(ds_deps_occurrences(dep, 2), 1);
}

static void assert_range(struct ds_deps_range range, ULong first, ULong end,
                         Bool counts, UInt bound)
{
    assert_true(range.first == first && range.end == end);
    assert_int_equal(range.counts, counts);
    assert_int_equal(range.bound, bound);
}

TEST(an_occurrence_tells_which_others_change_one_counter_only)
{
    static const struct {
        ULong distance, first, end;
        UInt bound;
    } cases[] = {{10, 10, 1000, 1},     {20, 10, 1000, 1},
                 {15, 10, 1000, 1},     {7, 7, 1000, 1},
                 {4, 4, 4, 0},          {5, 5, 1000, 1},
                 {0, 0, 4, 0},          {1000, 5, 1000, 1},
                 {1001, 1001, 2000, 2}, {2000, 1001, 2000, 2}};
    struct ds_dep *dep;

    count("4,1000,2000");
    dep = ds_deps_obtain(&reader, 1, FORWARD_SAME);
    for (SizeT i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_range(occur(1, cases[i].distance), cases[i].first, cases[i].end,
                     True, cases[i].bound);
    assert_range(occur(1, 2001), 2001, ~(ULong)0, False, 0);
    assert_int_equal(dep->max_distance, 2000);
    ds_deps_record(false);
    assert_range(occur(1, 0), 0, ~(ULong)0, False, 0);
}

TEST(each_power_of_two_may_be_a_bound)
{
    for (UInt log = 1; log < 62; log++) {
        ULong bound = (ULong)1 << log;
        const struct ds_dep *dep;

        ds_deps_reset();
        bounds = (struct lifetimes){3, {bound - 1, bound, bound + 1}};
        ds_deps_init(&bounds);
        ds_deps_record(true);
        for (ULong distance = bound - 1; distance <= bound + 2; distance++)
            occur(1, distance);
        dep = the_only_one();
        for (UInt i = 0; i < 3; i++)
            assert_int_equal(ds_deps_occurrences(dep, i), 1);
    }
}

TEST(a_reader_may_have_many_writers_by_turns)
{
    enum { WRITERS = 20000, ROUNDS = 3 };
    const struct ds_dep *dep;
    SizeT n = 0, cursor = 0;

    count("1,2,inf");
    for (UInt round = 0; round < ROUNDS; round++)
        for (UInt writer = 1; writer <= WRITERS; writer++)
            occur(writer, writer);
    while ((dep = ds_deps_next(&cursor)) != NULL) {
        assert_int_equal(dep->reader, 2);
        assert_int_equal(dep->min_distance, dep->writer);
        assert_int_equal(ds_deps_total(dep), ROUNDS);
        n++;
    }
    assert_int_equal(n, WRITERS);
}

TEST(a_pair_has_a_record_for_each_forward)
{
    enum { WRITERS = 50 };
    const struct ds_dep *first;
    SizeT n = 0, cursor = 0;

    count("1,2,inf");
    for (UInt forward = 0; forward < DS_N_FORWARDS; forward++)
        for (UInt writer = 1; writer <= WRITERS; writer++)
            ds_deps_count(ds_deps_obtain(&reader, writer, forward), forward);
    assert_int_equal(ds_deps_number(), WRITERS);
    while ((first = ds_deps_next(&cursor)) != NULL) {
        UInt seen = 0;

        for (const struct ds_dep *dep = first; dep != NULL;
             dep = ds_deps_of_pair(first, dep)) {
            assert_int_equal(dep->writer, first->writer);
            assert_int_equal(dep->min_distance, dep->forward);
            assert_int_equal(ds_deps_total(dep), 1);
            seen |= 1u << dep->forward;
            n++;
        }
        assert_int_equal(seen, (1u << DS_N_FORWARDS) - 1);
    }
    assert_int_equal(n, WRITERS * DS_N_FORWARDS);
    assert_int_equal(ds_deps_total_of_all(), n);
    ds_deps_reset();
    ds_deps_count(ds_deps_obtain(&reader, 3, 5), 1);
    assert_int_equal(ds_deps_number(), 1);
    assert_int_equal(ds_deps_total_of_all(), 1);
}

/* Counters of the odd writers move when they get others, and those of the even
   ones take their places. */
TEST(counters_that_move_leave_nothing_to_others)
{
    static const ULong distances[2][3] = {{8, 2, 8}, {4, 9, 1}};

    count("1,2,4,8,inf");
    for (UInt i = 0; i < 3; i++)
        for (UInt writer = 1; writer <= 3; writer += 2)
            occur(writer, distances[1][i]);
    for (UInt i = 0; i < 3; i++)
        for (UInt writer = 2; writer <= 4; writer += 2)
            occur(writer, distances[0][i]);
    for (UInt writer = 1; writer <= 4; writer++)
        for (UInt i = 0; i < 5; i++)
            assert_int_equal(
                ds_deps_occurrences(
                    ds_deps_obtain(&reader, writer, FORWARD_SAME), i),
                writer % 2 == 1 ? i % 2 == 0
                : i == 1        ? 1
                : i == 3        ? 2
                                : 0);
}

TEST(writer_and_reader_are_not_interchangeable)
{
    count("1,2,inf");
    occur(1, 1);
    reader = (struct ds_reader){.id = 1};
    occur(2, 1);
    assert_int_equal(ds_deps_number(), 2);
}

TEST(nothing_is_counted_while_recording_is_off)
{
    count("1,2,inf");
    ds_deps_record(false);
    occur(1, 0);
    occur(1, 5);
    assert_int_equal(ds_deps_number(), 0);
    ds_deps_record(true);
    occur(1, 5);
    assert_int_equal(ds_deps_occurrences(the_only_one(), 2), 1);
}

TEST(after_a_reset_old_dependencies_count_anew)
{
    const struct ds_dep *dep;

    count("1,2,inf");
    occur(1, 0);
    ds_deps_obtain(&reader, 1, FORWARD_SAME)->cross_thread = 3;
    ds_deps_reset();
    assert_int_equal(ds_deps_number(), 0);
    occur(1, 9);
    dep = the_only_one();
    assert_int_equal(dep->cross_thread, 0);
    assert_int_equal(dep->min_distance, 9);
    assert_int_equal(ds_deps_occurrences(dep, 0), 0);
    assert_int_equal(ds_deps_occurrences(dep, 2), 1);
}
