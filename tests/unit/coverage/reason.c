/* Where dependencies lie, and why they were missed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data.h"

#include "judge/cc_reason.h"

#define ROB 10 /* a block of 4 is unrolled 4 times: 16 instructions */

/* Two blocks; the second was not analysed. */
static void renew(void)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {LIFETIME_INF, 512}};
    cc_add_object(&data, "/bin/a", "aa");
    cc_set_static(&data.objects[0], "/bin/a", "x86-64", NULL, ROB);
    data_block(0, NULL, 0x100, 100);
    data_block(0, NULL, 0x110, 100);
    data.blocks[1].analysed = false;
}

BEFORE_EACH()
{
    renew();
}

/* Matches the data, and returns the reason of one pair. */
static enum cc_reason reason_of(uint64_t src, uint64_t dst, uint64_t distance)
{
    data_observe(0, src, dst, distance, 1);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(data.n_observed, 1);
    assert_int_equal(data.observed[0].verdict, CC_MISSED);
    return cc_reason_of(&data, &data.observed[0]);
}

/* Makes the address that an instruction loads from, or stores to, unknown. */
static void add_unknown(uint32_t block, uint64_t address, bool loads,
                        bool stores)
{
    struct cc_access access = {
        .block = block, .address = address, .is_unknown = true};

    if (loads)
        array_append(&data, accesses, access);
    access.stores = true;
    if (stores)
        array_append(&data, accesses, access);
}

TEST(a_block_that_was_not_analysed_is_the_first_reason)
{
    add_unknown(1, 0x110, true, true);
    assert_int_equal(reason_of(0x110, 0x110, 1000), CC_NOT_ANALYSED);
}

/* The reason with one unknown address among others nearby. */
static enum cc_reason reason_with(uint64_t address, bool loads, bool stores)
{
    renew();
    for (uint64_t a = 0x101; a < 0x120; a += 2)
        add_unknown(a >= 0x110, a, true, true);
    add_unknown(1, 0x104, true, true);
    add_unknown(0, address, loads, stores);
    return reason_of(0x104, 0x108, 1000);
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
        renew();
        for (uint64_t b = 0x100; b < 0x110; b += 4)
            add_unknown(0, b, b == a, false);
        assert_int_equal(reason_of(0x104, a, 1), CC_UNKNOWN_ADDRESS);
    }
}

/* The reason in a block of n instructions that was unrolled to `rob`. */
static enum cc_reason reason_at(uint64_t n, uint64_t rob, uint64_t distance)
{
    renew();
    data.objects[0].rob = rob;
    data.blocks[0].n_instructions = n;
    return reason_of(0x104, 0x100, distance);
}

TEST(the_window_ends_where_the_unrolled_block_does)
{
    assert_int_equal(reason_at(4, 10, 15), CC_SAME_BASE);
    assert_int_equal(reason_at(4, 10, 16), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(4, 8, 11), CC_SAME_BASE);
    assert_int_equal(reason_at(4, 8, 12), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(4, 9, 15), CC_SAME_BASE);
    assert_int_equal(reason_at(4, 9, 16), CC_BEYOND_WINDOW);
    assert_int_equal(reason_at(20, 1, 39), CC_SAME_BASE);
    assert_int_equal(reason_at(20, 1, 40), CC_BEYOND_WINDOW);
}

TEST(without_a_window_or_with_an_endless_one_nothing_is_beyond_it)
{
    assert_int_equal(reason_at(4, 0, 1000000), CC_SAME_BASE);
    assert_int_equal(reason_at(0, 10, 1000000), CC_SAME_BASE);
    assert_int_equal(reason_at(INT64_MAX, 10, INT64_MAX), CC_SAME_BASE);
    assert_int_equal(reason_at(UINT64_MAX / 2 + 1, 10, INT64_MAX),
                     CC_SAME_BASE);
}

TEST(missed_dependencies_and_their_occurrences_are_counted_at_each_bound)
{
    struct cc_reason_counts counts[LIFETIMES_MAX];

    data_observe(0, 0x100, 0x104, 512, 5); /* beyond the window */
    data_observe(0, 0x100, 0x108, 513, 70);
    data_observe(0, 0x110, 0x114, 1, 3);  /* not analysed */
    data_observe(0, 0x100, 0x114, 1, 90); /* spans blocks: no reason */
    data_observe(0, 0x104, 0x104, 1, 8);
    data_predict(0, 0x104, 0x104, 0); /* found */
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
}

TEST(how_the_addresses_were_made_is_a_reason)
{
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

    data_observe(0, 0x100, 0x104, 1, 1);
    cc_match(&data, (struct cc_filter){0});
    assert_int_equal(cc_reason_of(&data, &data.observed[0]), CC_SAME_BASE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cc_access src = cases[i].src, dst = cases[i].dst;

        src.stores = true;
        src.address = 0x100;
        dst.address = 0x104;
        data.n_accesses = 0;
        array_append(&data, accesses, dst);
        array_append(&data, accesses, src);
        cc_match(&data, (struct cc_filter){0});
        assert_int_equal(cc_reason_of(&data, &data.observed[0]),
                         cases[i].reason);
    }
}

TEST(each_occurrence_lies_at_one_place)
{
    struct cc_where_counts counts[LIFETIMES_MAX];
    uint32_t libc;

    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {512, LIFETIME_INF}};
    cc_add_object(&data, "/bin/a", "aa");
    data_block(0, "f", 0x100, 0); /* dropped blocks count, too */
    data_block(0, "f", 0x110, 0);
    data_block(0, "g", 0x120, 1);
    data_block(0, NULL, 0x130, 1);
    data_block(0, NULL, 0x140, 1);
    data_observe(0, 0x100, 0x10f, 1, 1);
    data_observe(0, 0x130, 0x134, 1000, 2);
    data_observe(0, 0x100, 0x110, 1, 4);
    data_observe(0, 0x110, 0x120, 1, 8);
    data_observe(0, 0x120, 0x130, 1, 16);
    data_observe(0, 0x130, 0x120, 1, 32);
    data_observe(0, 0x130, 0x140, 1, 64);
    data_observe(0, 0x130, 0x150, 1, 128);
    data_observe(0, 0xff, 0x100, 1, 256);
    data_observe(0, 0x150, 0x150, 1000, 512);
    libc = cc_add_unmatched(&data, "libc");
    cc_add_elsewhere(&data, libc, 512, 1024);
    cc_add_elsewhere(&data, cc_add_unmatched(&data, "libm"), 513, 2048);
    assert_int_equal(cc_add_unmatched(&data, "libc"), libc);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    cc_where_count(&data, counts);
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
}

TEST(each_occurrence_outside_counts_for_one_file)
{
    struct cc_outside outside;
    struct cc_observed d = {.src_object = CC_NONE,
                            .dst = 0x104,
                            .occurrences = 10,
                            .is_cross_thread = true};
    struct cc_where_counts counts[LIFETIMES_MAX];

    data_observe(0, 0x100, 0x104, 1, 1); /* not outside any block */
    data_observe(0, 0x100, 0x150, 1, 2); /* in no block of object 0 */
    d.unmatched = cc_add_unmatched(&data, "libc");
    cc_add_occurrences(&data, cc_add_observed(&data, d), 1, 10);
    cc_add_elsewhere(&data, cc_add_unmatched(&data, "libm"), 600, 900);
    cc_add_unmatched(&data, "libz"); /* without occurrences */
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
    cc_where_count(&data, counts);
    assert_int_equal(counts[0].cross_thread, 1);
    assert_int_equal(counts[0].cross_thread_occurrences, 10);
    cc_outside_fini(&outside);
}

TEST(only_files_outside_that_can_be_read_make_a_command)
{
    struct cc_outside outside;
    char *command;

    cc_add_elsewhere(&data, cc_add_unmatched(&data, "[vdso]"), 1, 1);
    cc_match(&data, (struct cc_filter){0});
    outside = cc_outside_new(&data);
    assert_null(cc_outside_command(&data, &outside));
    cc_outside_fini(&outside);
    cc_add_elsewhere(&data, cc_add_unmatched(&data, "libm"), 1, 1);
    outside = cc_outside_new(&data);
    command = cc_outside_command(&data, &outside);
    assert_string_equal(command, "staticdeps /bin/a libm");
    free(command);
    cc_outside_fini(&outside);
}

TEST(reasons_have_a_name_and_a_text)
{
    assert_string_equal(cc_reason_name(CC_BEYOND_WINDOW), "beyond-window");
    assert_string_equal(cc_reason_text(CC_NOT_ANALYSED), "block not analysed");
}

/* Blocks, and the functions that they are, of walked data. */
enum { F, G };

/* Begins anew with walked data: walks 0 to 9 came to f, and 10 to 19 to g. */
static void renew_walks(void)
{
    static const uint8_t to_f[] = {0, 9}, to_g[] = {10, 9};

    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){2, {LIFETIME_INF, 512}};
    data.scope = CC_SCOPE_PROGRAM;
    cc_add_object(&data, "/bin/a", "aa");
    data.objects[0].is_walked = true;
    assert_int_equal(data_block(0, "f", 0x100, 100), F);
    assert_int_equal(data_block(0, "g", 0x110, 100), G);
    data.blocks[F].is_reached = data.blocks[G].is_reached = true;
    cc_add_walks(&data, F, to_f, sizeof to_f);
    cc_add_walks(&data, G, to_g, sizeof to_g);
}

/* The same, but one walk came to both. */
static void renew_walks_of_both(void)
{
    static const uint8_t too[] = {9, 9};

    renew_walks();
    cc_add_walks(&data, G, too, sizeof too);
}

/* The reason of a pair from f to g. */
static enum cc_reason reason_of_walks(void)
{
    return reason_of(0x104, 0x118, 50);
}

TEST(no_walk_came_to_one_of_the_ends)
{
    renew_walks();
    data.blocks[G].is_reached = false;
    array_append(&data, weaks, (struct cc_weak){F, G, 0x104, 0x118});
    assert_int_equal(reason_of_walks(), CC_NEVER_WALKED);
}

TEST(fewer_walks_showed_the_pair_than_were_asked_for)
{
    renew_walks_of_both();
    array_append(&data, weaks, (struct cc_weak){F, G, 0x104, 0x118});
    assert_int_equal(reason_of_walks(), CC_BELOW_SUPPORT);
    renew_walks_of_both();
    array_append(&data, weaks, (struct cc_weak){F, G, 0x104, 0x11c});
    assert_int_equal(reason_of_walks(), CC_NOT_SHOWN);
}

TEST(no_walk_came_to_both_ends)
{
    renew_walks();
    assert_int_equal(reason_of_walks(), CC_NEVER_IN_ONE);
}

TEST(an_unresolved_call_of_either_function_is_a_reason)
{
    for (int i = F; i <= G; i++) {
        renew_walks();
        data.functions[i].has_skipped = true;
        assert_int_equal(reason_of_walks(), CC_SKIPPED_CALL);
        renew_walks();
        data.functions[i].has_unresolved = true;
        data.functions[!i].has_skipped = true;
        assert_int_equal(reason_of_walks(), CC_UNRESOLVED_CALL);
    }
}

/* Between two blocks of one function, calls do not matter. */
TEST(calls_are_no_reason_within_a_function)
{
    renew_walks();
    data.functions[F].has_unresolved = true;
    data.blocks[G].function = data.blocks[F].function;
    assert_int_equal(reason_of_walks(), CC_NEVER_IN_ONE);
}

/* Each database numbers its own walks. */
TEST(walks_of_two_analyses_are_never_the_same)
{
    renew_walks_of_both();
    cc_add_object(&data, "/lib/b", "bb");
    data.objects[1].is_walked = true;
    data.objects[1].analysis = 1;
    data.blocks[G].object = data.functions[G].object = 1;
    array_append(&data, segments, (struct cc_segment){1, 0x110, 0x120, 100});
    data_observe(0, 0x104, 0x118, 5, 1);
    data.observed[0].dst_object = 1;
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(cc_reason_of(&data, &data.observed[0]), CC_NEVER_IN_ONE);
    data.objects[1].analysis = 0;
    assert_int_equal(cc_reason_of(&data, &data.observed[0]), CC_NOT_SHOWN);
}

TEST(in_a_common_walk_the_addresses_are_the_reason)
{
    renew_walks_of_both();
    array_append(&data, accesses,
                 (struct cc_access){.block = G, .address = 0x118, .base = 2});
    assert_int_equal(reason_of_walks(), CC_DIFFERENT_BASES);
    renew_walks_of_both();
    array_append(&data, accesses,
                 (struct cc_access){.block = F,
                                    .address = 0x104,
                                    .stores = true,
                                    .is_loaded = true,
                                    .base = 2});
    assert_int_equal(reason_of_walks(), CC_DATA_DEPENDENT);
    renew_walks_of_both();
    add_unknown(G, 0x118, true, false);
    assert_int_equal(reason_of_walks(), CC_UNKNOWN_ADDRESS);
    renew_walks_of_both();
    add_unknown(G, 0x118, false, true);
    assert_int_equal(reason_of_walks(), CC_NOT_SHOWN);
}

TEST(lists_of_walks_meet_where_their_ranges_overlap)
{
    static const uint8_t a[] = {3, 2, 0x80, 1, 0}; /* walks 3 to 5, and 134 */
    static const struct {
        uint8_t bytes[6];
        size_t n;
        bool meets;
    } cases[] = {
        {{5, 0}, 2, true},
        {{6, 0x7f}, 2, false}, /* walks 6 to 133 */
        {{0, 2}, 2, false},
        {{0, 3}, 2, true},
        {{0x86, 1, 0}, 3, true},
        {{0x87, 1, 9}, 3, false},
        {{0, 0, 1, 0, 3, 9}, 6, false},
    };
    struct cc_walks list = {a, sizeof a};

    assert_true(cc_walks_are_valid(list));
    assert_true(cc_walks_meet(list, list));
    assert_false(cc_walks_meet(list, (struct cc_walks){0}));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cc_walks other = {cases[i].bytes, cases[i].n};

        assert_int_equal(cc_walks_meet(list, other), cases[i].meets);
        assert_int_equal(cc_walks_meet(other, list), cases[i].meets);
    }
}

TEST(bytes_that_are_no_list_of_walks_are_refused)
{
    static const uint8_t bytes[] = {1, 2, 3};
    static const uint8_t huge[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 0xff, 0xff, 0xff, 1,    0};

    assert_false(cc_walks_are_valid((struct cc_walks){bytes, 0}));
    assert_false(cc_walks_are_valid((struct cc_walks){bytes, 1}));
    assert_true(cc_walks_are_valid((struct cc_walks){bytes, 2}));
    assert_false(cc_walks_are_valid((struct cc_walks){bytes, 3}));
    assert_false(cc_walks_are_valid((struct cc_walks){huge, sizeof huge}));
}
