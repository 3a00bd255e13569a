/* depsim's count of loads that alias a store. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/internal.h"
#include "depsim/valgrind.h"

#define WINDOW 100
#define A      0x10000

/* The number of loads that alias: one of n bytes at `load`, `later`
   instructions after a store of n bytes at `store`. */
static ULong aliased(Addr store, Addr load, SizeT n, ULong later)
{
    ULong before = ds_alias_count();

    *ds_clock_now += 2 * WINDOW;
    ds_alias_store(store, n, 0);
    *ds_clock_now += later;
    ds_alias_load(load, n, 0);
    return ds_alias_count() - before;
}

TEST(a_load_of_what_was_stored_does_not_alias)
{
    assert_int_equal(aliased(A, A, 8, 1), 0);
    assert_int_equal(aliased(A, A + 4, 8, 1), 0);
}

TEST(a_load_from_the_same_place_of_another_page_aliases)
{
    assert_int_equal(aliased(A, A + 4096, 8, 1), 1);
    assert_int_equal(aliased(A + 4096, A, 8, 1), 1);
    assert_int_equal(aliased(A, A + 16 * 4096, 1, 1), 1);
}

TEST(one_byte_at_the_same_place_is_enough_to_alias)
{
    assert_int_equal(aliased(A, A + 4092, 4, 1), 0);
    assert_int_equal(aliased(A, A + 4092, 8, 1), 1);
    assert_int_equal(aliased(A, A + 4088, 8, 1), 0);
    assert_int_equal(aliased(A, A + 4089, 8, 1), 1);
    assert_int_equal(aliased(A, A + 4103, 8, 1), 1);
    assert_int_equal(aliased(A, A + 4104, 8, 1), 0);
}

TEST(accesses_that_cross_a_page_agree_on_both_sides)
{
    assert_int_equal(aliased(A + 4092, A, 4, 1), 0);
    assert_int_equal(aliased(A + 4092, A, 8, 1), 1);
    assert_int_equal(aliased(A + 4092, A + 4096, 8, 1), 0);
    assert_int_equal(aliased(A + 4092, A + 4092, 8, 1), 0);
    assert_int_equal(aliased(A - 4, A + 4096, 8, 1), 1);
    assert_int_equal(aliased(A + 4096, A - 4, 8, 1), 1);
}

TEST(a_store_is_forgotten_after_the_window)
{
    assert_int_equal(aliased(A, A + 4096, 8, WINDOW), 1);
    assert_int_equal(aliased(A, A + 4096, 8, WINDOW + 1), 0);
}

TEST(only_the_last_store_counts)
{
    ULong before = ds_alias_count();

    *ds_clock_now += 2 * WINDOW;
    ds_alias_store(A, 8, 0);
    ds_alias_store(A + 4096, 8, 1);
    ds_alias_load(A + 4096, 8, 2);
    assert_int_equal(ds_alias_count() - before, 0);
    ds_alias_load(A, 8, 3);
    assert_int_equal(ds_alias_count() - before, 1);
}

TEST(instructions_ahead_of_the_clock_have_executed)
{
    ULong before = ds_alias_count();

    *ds_clock_now += 2 * WINDOW;
    ds_alias_store(A, 8, 7);
    ds_alias_load(A + 4096, 8, 7 + WINDOW);
    assert_int_equal(ds_alias_count() - before, 1);
    ds_alias_load(A + 4096, 8, 8 + WINDOW);
    assert_int_equal(ds_alias_count() - before, 1);
}

TEST(loads_count_while_recording_is_on)
{
    ULong before = ds_alias_count();

    ds_alias_record(False);
    *ds_clock_now += 2 * WINDOW;
    ds_alias_store(A, 8, 0);
    ds_alias_load(A + 4096, 8, 1);
    assert_int_equal(ds_alias_count(), before);
    ds_alias_record(True);
    ds_alias_load(A + 4096, 8, 2);
    assert_int_equal(ds_alias_count(), before + 1);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    ds_clock_resume(1);
    ds_alias_init(0);
    assert_false(ds_alias_is_on());
    ds_alias_init(WINDOW);
    ds_alias_record(True);
}
