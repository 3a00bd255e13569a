/*
 * depsim's table of dependencies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "count/internal.h"

static struct lifetimes bounds;

static void count(const char *list)
{
    assert_true(lifetimes_parse(&bounds, list));
    ds_deps_init(&bounds);
    ds_deps_record(true);
}

/* Counts an occurrence as ds_access does. */
static struct ds_deps_range occur(struct ds_reader *reader, UInt writer,
                                  ULong distance)
{
    return ds_deps_count(ds_deps_obtain(reader, writer, FORWARD_SAME),
                         distance);
}

static const struct ds_dep *the_only_one(void)
{
    const struct ds_dep *dep = ds_deps_next(NULL);

    assert_non_null(dep);
    assert_null(ds_deps_next(dep));
    assert_int_equal(ds_deps_number(), 1);
    return dep;
}

/* The tables hold the same number of bounds throughout: three. */
TEST(an_occurrence_falls_under_the_smallest_bound_not_below_its_distance)
{
    struct ds_reader reader = {.id = 2};
    const struct ds_dep *dep;

    ds_deps_reset();
    count("4,1000,inf");
    for (ULong distance = 0; distance <= 2000; distance++)
        occur(&reader, 1, distance);
    dep = the_only_one();
    assert_int_equal(dep->occurrences[0], 5);
    assert_int_equal(dep->occurrences[1], 996);
    assert_int_equal(dep->occurrences[2], 1000);
    assert_int_equal(ds_deps_total(dep), 2001);
    assert_int_equal(dep->min_distance, 0);
    assert_int_equal(dep->max_distance, 2000);
}

TEST(distances_need_64_bits)
{
    struct ds_reader reader = {.id = 2};
    ULong far = (ULong)1 << 40;
    const struct ds_dep *dep;

    ds_deps_reset();
    count("4294967296,1099511627776,inf");
    occur(&reader, 1, far);
    occur(&reader, 1, far + 1);
    occur(&reader, 1, (ULong)1 << 32);
    dep = the_only_one();
    assert_int_equal(dep->occurrences[0], 1);
    assert_int_equal(dep->occurrences[1], 1);
    assert_int_equal(dep->occurrences[2], 1);
    assert_true(dep->max_distance == far + 1);
}

/* Sets the counter as after 2^32 occurrences, which would take too long one by
   one. */
TEST(occurrences_need_64_bits)
{
    struct ds_reader reader = {.id = 2};
    struct ds_dep *dep;

    ds_deps_reset();
    count("4,1000,inf");
    dep = ds_deps_obtain(&reader, 1, FORWARD_SAME);
    dep->occurrences[0] = ((ULong)1 << 32) - 1;
    dep->occurrences[2] = ((ULong)1 << 40) - 1;
    occur(&reader, 1, 4);
    occur(&reader, 1, (ULong)1 << 40);
    assert_ptr_equal(the_only_one(), dep);
    assert_true(dep->occurrences[0] == (ULong)1 << 32);
    assert_true(dep->occurrences[2] == (ULong)1 << 40);
}

TEST(beyond_the_largest_bound_nothing_is_recorded)
{
    struct ds_reader reader = {.id = 2};
    const struct ds_dep *dep;

    ds_deps_reset();
    count("1,8,64");
    occur(&reader, 1, 65);
    assert_int_equal(ds_deps_number(), 0);
    occur(&reader, 1, 64);
    dep = the_only_one();
    assert_int_equal(dep->max_distance, 64);
    assert_int_equal(dep->occurrences[2], 1);
}

static void assert_range(struct ds_deps_range range, ULong first, ULong end,
                         const ULong *counter)
{
    assert_true(range.first == first && range.end == end);
    assert_ptr_equal(range.counter, counter);
}

TEST(an_occurrence_tells_which_others_change_one_counter_only)
{
    struct ds_reader reader = {.id = 2};
    struct ds_dep *dep;

    ds_deps_reset();
    count("4,1000,2000");
    dep = ds_deps_obtain(&reader, 1, FORWARD_SAME);
    assert_range(occur(&reader, 1, 10), 10, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 20), 10, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 15), 10, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 7), 7, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 4), 4, 4, &dep->occurrences[0]);
    assert_range(occur(&reader, 1, 5), 5, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 0), 0, 4, &dep->occurrences[0]);
    assert_range(occur(&reader, 1, 1000), 5, 1000, &dep->occurrences[1]);
    assert_range(occur(&reader, 1, 1001), 1001, 2000, &dep->occurrences[2]);
    assert_range(occur(&reader, 1, 2000), 1001, 2000, &dep->occurrences[2]);
    assert_range(occur(&reader, 1, 2001), 2001, ~(ULong)0, NULL);
    assert_int_equal(dep->max_distance, 2000);
    ds_deps_record(false);
    assert_range(occur(&reader, 1, 0), 0, ~(ULong)0, NULL);
}

TEST(each_power_of_two_may_be_a_bound)
{
    struct ds_reader reader = {.id = 2};

    for (UInt log = 1; log < 62; log++) {
        ULong bound = (ULong)1 << log;
        const struct ds_dep *dep;

        ds_deps_reset();
        bounds = (struct lifetimes){3, {bound - 1, bound, bound + 1}};
        ds_deps_init(&bounds);
        ds_deps_record(true);
        for (ULong distance = bound - 1; distance <= bound + 2; distance++)
            occur(&reader, 1, distance);
        dep = the_only_one();
        for (UInt i = 0; i < 3; i++)
            assert_int_equal(dep->occurrences[i], 1);
    }
}

TEST(a_reader_may_have_many_writers_by_turns)
{
    enum { WRITERS = 20000, ROUNDS = 3 };
    struct ds_reader reader = {.id = 7};
    const struct ds_dep *dep = NULL;
    SizeT n = 0;

    ds_deps_reset();
    count("1,2,inf");
    for (UInt round = 0; round < ROUNDS; round++)
        for (UInt writer = 1; writer <= WRITERS; writer++)
            occur(&reader, writer, writer);
    while ((dep = ds_deps_next(dep)) != NULL) {
        assert_int_equal(dep->reader, 7);
        assert_int_equal(dep->min_distance, dep->writer);
        assert_int_equal(dep->occurrences[0] + dep->occurrences[1] +
                             dep->occurrences[2],
                         ROUNDS);
        n++;
    }
    assert_int_equal(n, WRITERS);
}

TEST(a_pair_has_a_record_for_each_forward)
{
    enum { WRITERS = 50 };
    struct ds_reader reader = {.id = 7};
    const struct ds_dep *first = NULL;
    SizeT n = 0;

    ds_deps_reset();
    count("1,2,inf");
    for (UInt forward = 0; forward < DS_N_FORWARDS; forward++)
        for (UInt writer = 1; writer <= WRITERS; writer++)
            ds_deps_count(ds_deps_obtain(&reader, writer, forward), forward);
    assert_int_equal(ds_deps_number(), WRITERS);
    while ((first = ds_deps_next(first)) != NULL) {
        UInt seen = 0;

        for (const struct ds_dep *dep = first; dep != NULL;
             dep = dep->of_pair) {
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

TEST(writer_and_reader_are_not_interchangeable)
{
    struct ds_reader first = {.id = 2}, second = {.id = 1};

    ds_deps_reset();
    count("1,2,inf");
    occur(&first, 1, 1);
    occur(&second, 2, 1);
    assert_int_equal(ds_deps_number(), 2);
}

TEST(nothing_is_counted_while_recording_is_off)
{
    struct ds_reader reader = {.id = 2};

    ds_deps_reset();
    count("1,2,inf");
    ds_deps_record(false);
    occur(&reader, 1, 0);
    occur(&reader, 1, 5);
    assert_int_equal(ds_deps_number(), 0);
    ds_deps_record(true);
    occur(&reader, 1, 5);
    assert_int_equal(the_only_one()->occurrences[2], 1);
}

TEST(after_a_reset_old_dependencies_count_anew)
{
    struct ds_reader reader = {.id = 2};
    const struct ds_dep *dep;

    ds_deps_reset();
    count("1,2,inf");
    occur(&reader, 1, 0);
    ds_deps_obtain(&reader, 1, FORWARD_SAME)->cross_thread = True;
    ds_deps_reset();
    assert_int_equal(ds_deps_number(), 0);
    occur(&reader, 1, 9);
    dep = the_only_one();
    assert_false(dep->cross_thread);
    assert_int_equal(dep->min_distance, 9);
    assert_int_equal(dep->occurrences[0], 0);
    assert_int_equal(dep->occurrences[2], 1);
}
