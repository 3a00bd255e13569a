/* Numbers of keys, hashes of longer keys, and numbers of ids. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "keys.h"

#define MANY 20000u

TEST(keys_are_numbered_in_the_order_of_adding)
{
    struct keys keys = {0};

    assert_int_equal(keys_find(&keys, 0), NO_KEY);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++)
            assert_int_equal(keys_add(&keys, keys_pair(i, MANY - i)), i);
    assert_int_equal(keys.n, MANY);
    assert_int_equal(keys_find(&keys, keys_pair(7, MANY - 7)), 7);
    assert_int_equal(keys_find(&keys, keys_pair(7, MANY)), NO_KEY);
    keys_fini(&keys);
}

TEST(keys_may_be_forgotten)
{
    struct keys keys = {0};

    for (uint32_t n = 10; n <= MANY; n *= 2) {
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(keys_add(&keys, i), i);
        keys_clear(&keys);
        assert_int_equal(keys_find(&keys, 0), NO_KEY);
    }
    keys_fini(&keys);
}

TEST(equal_hashes_are_told_apart_by_a_condition)
{
    struct keys keys = {0};
    uint32_t things[MANY / 8];

    for (uint32_t i = 0; i < MANY / 8; i++) {
        things[i] = i;
        assert_int_equal(keys_match(&keys, i % 1000, n, things[n] == i),
                         NO_KEY);
        assert_int_equal(keys_append(&keys, i % 1000), i);
    }
    for (uint32_t i = 0; i < MANY / 8; i++)
        assert_int_equal(keys_match(&keys, i % 1000, n, things[n] == i), i);
    keys_fini(&keys);
}

TEST(an_id_has_its_number_in_whatever_order_it_is_added_and_asked_for)
{
    static const int64_t order[] = {5, -3, INT64_MAX, 0, 7, 6, INT64_MIN};
    enum { N = sizeof order / sizeof order[0] };
    struct ids ids = {0};
    uint32_t number = 99;

    assert_false(ids_find(&ids, 5, &number));
    for (uint32_t i = 0; i < N; i++)
        ids_add(&ids, order[i], i);
    ids_sort(&ids);
    for (uint32_t before = 0; before < N; before++)
        for (uint32_t i = 0; i < N; i++) {
            assert_non_null(ids_entry(&ids, order[before]));
            assert_true(ids_find(&ids, order[i], &number));
            assert_int_equal(number, i);
        }
    number = 99;
    assert_false(ids_find(&ids, 1, &number));
    assert_int_equal(number, 99);
    ids_fini(&ids);
    assert_null(ids_entry(&ids, 5));
}

TEST(a_number_can_be_changed_in_its_entry)
{
    struct ids ids = {0};
    uint32_t number;

    ids_add(&ids, 1, 10);
    ids_add(&ids, 2, 20);
    ids_sort(&ids);
    ids_entry(&ids, 2)->number = 21;
    assert_true(ids_find(&ids, 2, &number));
    assert_int_equal(number, 21);
    assert_true(ids_find(&ids, 1, &number));
    assert_int_equal(number, 10);
    ids_fini(&ids);
}
