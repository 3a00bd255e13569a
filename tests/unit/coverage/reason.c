/*
 * Where dependencies lie, and why they were missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "data.h"

#include "judge/cc_outside.h"
#include "judge/cc_reason.h"

#define ROB 10 /* a block of 4 is unrolled 4 times: 16 instructions */

/* Two blocks, of which the second was not analysed. */
static struct cc_data new_data(void)
{
    struct cc_data data = {.bounds = {2, {LIFETIME_INF, 512}}};

    cc_add_object(&data, "/bin/a", "aa");
    cc_set_static(&data.objects[0], "/bin/a", "x86-64", NULL, ROB);
    data_block(&data, 0, NULL, 0x100, 100);
    data_block(&data, 0, NULL, 0x110, 100);
    data.blocks[1].analysed = false;
    return data;
}

/* Matches the data and frees them. */
static enum cc_reason reason_of(struct cc_data *data, uint64_t src,
                                uint64_t dst, uint64_t distance)
{
    enum cc_reason reason;

    data_observe(data, 0, src, dst, distance, 1);
    cc_match(data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data->n_observed, 1);
    assert_int_equal(data->observed[0].verdict, CC_MISSED);
    reason = cc_reason_of(data, &data->observed[0]);
    cc_data_fini(data);
    return reason;
}

TEST(a_block_that_was_not_analysed_is_the_first_reason)
{
    struct cc_data data = new_data();

    cc_add_unknown(&data, (struct cc_unknown){1, 0x110, true, true});
    assert_int_equal(reason_of(&data, 0x110, 0x110, 1000), CC_NOT_ANALYSED);
}

/* With one unknown among others of the block and of its neighbour. */
static enum cc_reason reason_with(uint64_t address, bool loads, bool stores)
{
    struct cc_data data = new_data();

    for (uint64_t a = 0x101; a < 0x120; a += 2)
        cc_add_unknown(&data, (struct cc_unknown){a >= 0x110, a, true, true});
    cc_add_unknown(&data, (struct cc_unknown){1, 0x104, true, true});
    cc_add_unknown(&data, (struct cc_unknown){0, address, loads, stores});
    return reason_of(&data, 0x104, 0x108, 1000);
}

TEST(the_address_of_the_store_or_of_the_load_is_unknown)
{
    assert_int_equal(reason_with(0x104, false, true), CC_UNKNOWN_ADDRESS);
    assert_int_equal(reason_with(0x108, true, false), CC_UNKNOWN_ADDRESS);
}

TEST(an_unknown_address_of_the_other_access_is_no_reason)
{
    assert_int_equal(reason_with(0x104, true, false), CC_BEYOND_WINDOW);
    assert_int_equal(reason_with(0x108, false, true), CC_BEYOND_WINDOW);
    assert_int_equal(reason_with(0x10c, true, true), CC_BEYOND_WINDOW);
}

TEST(each_unknown_address_is_found_among_others)
{
    for (uint64_t a = 0x100; a < 0x110; a += 4) {
        struct cc_data data = new_data();

        for (uint64_t b = 0x100; b < 0x110; b += 4)
            cc_add_unknown(&data, (struct cc_unknown){0, b, b == a, false});
        assert_int_equal(reason_of(&data, 0x104, a, 1), CC_UNKNOWN_ADDRESS);
    }
}

/* In a block of n instructions, unrolled for so large a reorder buffer. */
static enum cc_reason reason_at(uint64_t n, uint64_t rob, uint64_t distance)
{
    struct cc_data data = new_data();

    data.objects[0].rob = rob;
    data.blocks[0].n_instructions = n;
    return reason_of(&data, 0x104, 0x100, distance);
}

TEST(the_window_ends_where_the_unrolled_block_does)
{
    assert_int_equal(reason_at(4, 10, 15), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(4, 10, 16), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(4, 8, 11), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(4, 8, 12), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(4, 9, 15), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(4, 9, 16), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(20, 1, 39), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(20, 1, 40), CC_BEYOND_WINDOW);
}

TEST(without_a_window_or_with_an_endless_one_nothing_is_beyond_it)
{
    assert_int_equal(reason_at(4, 0, 1000000), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(0, 10, 1000000), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(INT64_MAX, 10, INT64_MAX), CC_DIFFERENT_BASES);
    assert_int_equal(reason_at(UINT64_MAX / 2 + 1, 10, INT64_MAX),
                     CC_DIFFERENT_BASES);
}

TEST(missed_dependencies_and_their_occurrences_are_counted_at_each_bound)
{
    struct cc_data data = new_data();
    struct cc_reason_counts counts[LIFETIMES_MAX];

    data_observe(&data, 0, 0x100, 0x104, 512, 5); /* beyond the window */
    data_observe(&data, 0, 0x100, 0x108, 513, 70);
    data_observe(&data, 0, 0x110, 0x114, 1, 3);  /* not analysed */
    data_observe(&data, 0, 0x100, 0x114, 1, 90); /* spans: no reason */
    data_observe(&data, 0, 0x104, 0x104, 1, 8);
    data_predict(&data, 0, 0x104, 0x104, 0); /* found */
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_reasons_count(&data, counts);
    assert_int_equal(counts[0].dependencies[CC_BEYOND_WINDOW], 2);
    assert_int_equal(counts[0].occurrences[CC_BEYOND_WINDOW], 75);
    assert_int_equal(counts[1].dependencies[CC_BEYOND_WINDOW], 1);
    assert_int_equal(counts[1].occurrences[CC_BEYOND_WINDOW], 5);
    for (int b = 0; b < 2; b++) {
        assert_int_equal(counts[b].dependencies[CC_NOT_ANALYSED], 1);
        assert_int_equal(counts[b].occurrences[CC_NOT_ANALYSED], 3);
        assert_int_equal(counts[b].dependencies[CC_DIFFERENT_BASES], 0);
        assert_int_equal(counts[b].occurrences[CC_UNKNOWN_ADDRESS], 0);
    }
    cc_data_fini(&data);
}

TEST(how_the_addresses_were_made_is_a_reason)
{
    struct cc_data data = new_data();
    const struct {
        struct cc_access src, dst;
        enum cc_reason reason;
    } cases[] = {
        {{.base = 2}, {.base = 2}, CC_SAME_BASE},
        {{.base = 2}, {.base = 3}, CC_DIFFERENT_BASES},
        {{.base = 2}, {.base = 0}, CC_DIFFERENT_BASES},
        {{.base = 2}, {.base = 2, .is_loaded = true}, CC_DATA_DEPENDENT},
        {{.base = 2, .is_loaded = true}, {.base = 0}, CC_DATA_DEPENDENT},
    };

    data_observe(&data, 0, 0x100, 0x104, 1, 1);
    cc_match(&data, (struct cc_filter){0});
    assert_int_equal(cc_reason_of(&data, &data.observed[0]),
                     CC_DIFFERENT_BASES); /* nothing is known */
    data.objects[0].knows_bases = true;
    assert_int_equal(cc_reason_of(&data, &data.observed[0]), CC_SAME_BASE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cc_access src = cases[i].src, dst = cases[i].dst;

        src.stores = true;
        src.address = 0x100;
        dst.address = 0x104;
        data.n_accesses = 0;
        cc_add_access(&data, dst);
        cc_add_access(&data, src);
        cc_match(&data, (struct cc_filter){0});
        assert_int_equal(cc_reason_of(&data, &data.observed[0]),
                         cases[i].reason);
    }
    cc_data_fini(&data);
}

TEST(each_occurrence_lies_in_one_scope)
{
    struct cc_data data = {.bounds = {2, {512, LIFETIME_INF}}};
    struct cc_scope_counts counts[LIFETIMES_MAX];
    uint32_t libc;

    cc_add_object(&data, "/bin/a", "aa");
    data_block(&data, 0, "f", 0x100, 0); /* dropped blocks count, too */
    data_block(&data, 0, "f", 0x110, 0);
    data_block(&data, 0, "g", 0x120, 1);
    data_block(&data, 0, NULL, 0x130, 1);
    data_block(&data, 0, NULL, 0x140, 1);
    data_observe(&data, 0, 0x100, 0x10f, 1, 1);
    data_observe(&data, 0, 0x130, 0x134, 1000, 2);
    data_observe(&data, 0, 0x100, 0x110, 1, 4);
    data_observe(&data, 0, 0x110, 0x120, 1, 8);
    data_observe(&data, 0, 0x120, 0x130, 1, 16);
    data_observe(&data, 0, 0x130, 0x120, 1, 32);
    data_observe(&data, 0, 0x130, 0x140, 1, 64);
    data_observe(&data, 0, 0x130, 0x150, 1, 128);
    data_observe(&data, 0, 0xff, 0x100, 1, 256);
    data_observe(&data, 0, 0x150, 0x150, 1000, 512);
    libc = cc_add_stranger(&data, "libc");
    cc_add_elsewhere(&data, libc, 512, 1024);
    cc_add_elsewhere(&data, cc_add_stranger(&data, "libm"), 513, 2048);
    assert_int_equal(cc_add_stranger(&data, "libc"), libc);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_scopes_count(&data, counts);
    assert_int_equal(counts[0].occurrences[CC_IN_BLOCK], 1);
    assert_int_equal(counts[1].occurrences[CC_IN_BLOCK], 1 + 2);
    assert_int_equal(counts[1].occurrences[CC_IN_FUNCTION], 4);
    assert_int_equal(counts[1].occurrences[CC_ACROSS], 8);
    assert_int_equal(counts[1].occurrences[CC_NO_FUNCTION], 16 + 32 + 64);
    assert_int_equal(counts[0].occurrences[CC_OUTSIDE], 128 + 256 + 1024);
    assert_int_equal(counts[1].occurrences[CC_OUTSIDE],
                     128 + 256 + 512 + 1024 + 2048);
    assert_int_equal(counts[0].all, 4095 - 2 - 512 - 2048);
    assert_int_equal(counts[1].all, 4095);
    cc_data_fini(&data);
}

TEST(what_is_outside_is_of_one_file_each)
{
    struct cc_data data = new_data();
    struct cc_outside outside;
    struct cc_observed d = {.src_object = CC_NONE,
                            .dst = 0x104,
                            .occurrences = 10,
                            .is_cross_thread = true};
    struct cc_scope_counts counts[LIFETIMES_MAX];

    data_observe(&data, 0, 0x100, 0x104, 1, 1); /* not outside */
    data_observe(&data, 0, 0x100, 0x150, 1, 2); /* in no block of object 0 */
    d.stranger = cc_add_stranger(&data, "libc");
    cc_add_occurrences(&data, cc_add_observed(&data, d), 1, 10);
    cc_add_elsewhere(&data, cc_add_stranger(&data, "libm"), 600, 900);
    cc_add_stranger(&data, "libz"); /* nothing of it */
    cc_match(&data, (struct cc_filter){0});
    outside = cc_outside_new(&data);
    assert_int_equal(outside.n, 3);
    assert_int_equal(outside.n_listed, 2); /* the third has less than 1% */
    assert_string_equal(outside.files[0].path, "libm");
    assert_int_equal(outside.files[0].occurrences[0], 900);
    assert_int_equal(outside.files[0].occurrences[1], 0);
    assert_string_equal(outside.files[1].path, "libc");
    assert_int_equal(outside.files[1].occurrences[1], 10);
    assert_true(outside.files[2].is_analysed);
    assert_int_equal(outside.files[2].occurrences[0], 2);
    cc_scopes_count(&data, counts);
    assert_int_equal(counts[0].cross_thread, 1);
    assert_int_equal(counts[0].cross_thread_occurrences, 10);
    cc_outside_fini(&outside);
    cc_data_fini(&data);
}

TEST(names_are_those_of_the_formats)
{
    assert_string_equal(cc_reason_name(CC_BEYOND_WINDOW), "beyond-window");
    assert_string_equal(cc_reason_text(CC_NOT_ANALYSED), "block not analysed");
    assert_string_equal(cc_scope_name(CC_ACROSS), "across_functions");
    assert_string_equal(cc_scope_text(CC_IN_BLOCK), "one block");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_was_not_analysed_is_the_first_reason),
        cmocka_unit_test(the_address_of_the_store_or_of_the_load_is_unknown),
        cmocka_unit_test(an_unknown_address_of_the_other_access_is_no_reason),
        cmocka_unit_test(each_unknown_address_is_found_among_others),
        cmocka_unit_test(the_window_ends_where_the_unrolled_block_does),
        cmocka_unit_test(
            without_a_window_or_with_an_endless_one_nothing_is_beyond_it),
        cmocka_unit_test(
            missed_dependencies_and_their_occurrences_are_counted_at_each_bound),
        cmocka_unit_test(how_the_addresses_were_made_is_a_reason),
        cmocka_unit_test(each_occurrence_lies_in_one_scope),
        cmocka_unit_test(what_is_outside_is_of_one_file_each),
        cmocka_unit_test(names_are_those_of_the_formats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
