/*
 * Keys, and hashes of longer ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "keys.h"

#define MANY 20000u

TEST(keys_are_numbered_in_the_order_in_which_they_come)
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
