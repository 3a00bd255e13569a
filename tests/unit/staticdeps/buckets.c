/*
 * The last key that is not above a number, by buckets and by a linear search.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "flow/sd_buckets.h"

static void check(const uint64_t *keys, size_t n, uint64_t number)
{
    struct sd_buckets b = {.first = NULL};
    size_t last = 0, low, high;

    for (size_t i = 0; i < n; i++) {
        sd_buckets_add(&b, keys[i]);
        if (keys[i] <= number)
            last = i;
    }
    sd_buckets_find(&b, number, &low, &high);
    assert_true(low <= last && last < high && high <= n);
    sd_buckets_fini(&b);
}

/* Keys at the edges of buckets, many in one, none in others, some the same. */
static const uint64_t keys[] = {1000, 1000, 1001, 1063, 1063, 1064, 1064,
                                1065, 1300, 1320, 1320, 5000, 9000};

TEST(the_last_key_is_in_the_range_that_is_found)
{
    for (size_t n = 1; n <= sizeof keys / sizeof keys[0]; n++)
        for (uint64_t number = 1000; number < 9200; number++)
            check(keys, n, number);
    check(keys, sizeof keys / sizeof keys[0], UINT64_MAX);
}

TEST(the_range_that_is_found_has_few_keys)
{
    struct sd_buckets b = {.first = NULL};
    size_t low, high;

    for (uint64_t i = 0; i < 10000; i++)
        sd_buckets_add(&b, 4 * i);
    sd_buckets_find(&b, 20001, &low, &high);
    assert_true(high - low <= 17);
    sd_buckets_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_key_is_in_the_range_that_is_found),
        cmocka_unit_test(the_range_that_is_found_has_few_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
