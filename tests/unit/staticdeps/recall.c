/*
 * The memory of walks; and pairs, with their support.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "walk/sd_support.h"
#include "drawn/sd_recall.h"

static struct sd_recall recall;

static struct sd_drawn load(uint64_t address, unsigned size, uint32_t stores[8])
{
    return sd_recall_load(&recall, address, size, false, stores);
}

static int setup(void **state)
{
    (void)state;
    sd_recall_init(&recall, NULL);
    sd_recall_clear(&recall, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sd_recall_fini(&recall);
    return 0;
}

static void what_was_never_written_is_drawn_and_stays(void **state)
{
    uint32_t stores[8];
    struct sd_drawn a = load(0x1003, 8, stores), b = load(0x1003, 8, stores);

    (void)state;
    assert_true(a.bits == b.bits && a.drawn == UINT64_MAX);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(stores[i], SD_NO_STORE);
    sd_recall_clear(&recall, 2);
    assert_true(load(0x1003, 8, stores).bits != a.bits);
}

static void bytes_have_their_own_values_and_stores(void **state)
{
    uint32_t stores[8];
    struct sd_drawn v;

    (void)state;
    sd_recall_store(&recall, 0x1006, 4, sd_drawn_known(0x44332211), 7);
    sd_recall_store(&recall, 0x1007, 1, (struct sd_drawn){0xaa, 0xff}, 8);
    v = load(0x1006, 4, stores);
    assert_true(v.bits == 0x4433aa11 && v.drawn == 0xff00);
    assert_true(stores[0] == 7 && stores[1] == 8 && stores[3] == 7);
    /* A change of the value alone leaves the store. */
    sd_recall_poke(&recall, 0x1006, 4, sd_drawn_known(0));
    assert_true(load(0x1006, 4, stores).bits == 0 && stores[1] == 8);
}

static void it_grows_and_is_small_again(void **state)
{
    uint32_t stores[8];

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        sd_recall_clear(&recall, round);
        for (uint64_t i = 0; i < 5000; i++)
            sd_recall_store(&recall, 64 * i, 8, sd_drawn_known(i + round),
                            (uint32_t)i + 1);
        for (uint64_t i = 0; i < 5000; i++) {
            assert_true(load(64 * i, 8, stores).bits == i + round);
            assert_true(stores[0] == i + 1);
        }
    }
}

static void what_the_file_says_is_known(void **state)
{
    uint64_t words[] = {0x1122334455667788, 0};
    uint8_t unknown[] = {0, 0xf0};
    struct sd_part part = {
        .first = 0x4000 / 8, .n = 2, .words = words, .unknown = unknown};
    struct sd_contents contents = {.parts = &part, .n = 1};
    uint32_t stores[8];
    struct sd_drawn v;

    (void)state;
    recall.contents = &contents;
    v = load(0x4000, 8, stores);
    assert_true(v.bits == words[0] && v.drawn == 0);
    v = load(0x4008, 8, stores);
    assert_true(v.drawn == UINT64_C(0xffffffff) << 32 &&
                (v.bits & UINT32_MAX) == 0);
    /* At an address that is drawn, other contents could be. */
    v = sd_recall_load(&recall, 0x4000, 4, true, stores);
    assert_true(v.bits == 0x55667788 && v.drawn == UINT32_MAX);
    assert_true(load(0x4010, 8, stores).drawn == UINT64_MAX);
}

TEST(a_pair_counts_once_a_walk_and_keeps_the_least_distance)
{
    struct sd_walk_pair pair = {
        .src = 3, .dst = 5, .n_walks = 1, .last = 1, .distance = 9};
    const struct sd_walk_pair *list;
    struct sd_pairs pairs;

    sd_pairs_init(&pairs);
    sd_pairs_add(&pairs, &pair);
    pair.distance = 4;
    sd_pairs_add(&pairs, &pair);
    pair.last = 2;
    pair.delta_k = 1;
    sd_pairs_add(&pairs, &pair);
    list = sd_pairs_list(&pairs);
    assert_true(pairs.n == 1 && list[0].n_walks == 2 && list[0].distance == 4);
    assert_true(list[0].delta_k == SD_ANY_DELTA);
    sd_pairs_fini(&pairs);
}

TEST(support_is_the_share_of_the_walks_that_came_to_both_blocks)
{
    /* Of three walks, two came to both blocks. */
    static const struct sd_coming walks[] = {
        {.number = 2}, {.number = 0}, {.number = 1},
        {.number = 1}, {.number = 0}, {.number = 3},
        {.number = 2}, {.number = 1}, {.number = 0}};
    struct sd_walk_pair pair = {.src = 1, .dst = 9, .n_walks = 1};
    struct sd_support s;

    sd_support_init(&s, 4);
    sd_support_add(&s, walks, sizeof walks / sizeof walks[0], &pair, 1);
    assert_int_equal(s.n_walks, 3);
    assert_true(sd_support_of(&s, &pair, 0, 1) == 0.5);
    assert_true(sd_support_of(&s, &pair, 0, 0) == 1.0 / 3);
    sd_support_fini(&s);
}

TEST(a_walk_is_against_a_pair_if_it_comes_to_the_load_after_the_store)
{
    /* To block 0, then 1; to 1, then 0; to 0 twice, and to 1 in between; to
       both, in no order. */
    static const struct sd_coming walks[] = {{.number = 2},
                                             {0, 0, 0},
                                             {1, 5, 5},
                                             {.number = 2},
                                             {1, 0, 0},
                                             {0, 7, 7},
                                             {.number = 2},
                                             {0, 0, 9},
                                             {1, 4, 4},
                                             {.number = 2},
                                             {0, UINT16_MAX, UINT16_MAX},
                                             {1, UINT16_MAX, UINT16_MAX}};
    struct sd_support s;

    sd_support_init(&s, 3);
    sd_support_add(&s, walks, sizeof walks / sizeof walks[0], NULL, 0);
    assert_int_equal(sd_support_after(&s, 0, 1, false), 2);
    assert_int_equal(sd_support_after(&s, 1, 0, false), 2);
    assert_int_equal(sd_support_after(&s, 0, 2, false), 0);
    assert_int_equal(sd_support_after(&s, 0, 0, false), 3);
    assert_int_equal(sd_support_after(&s, 0, 0, true), 1);
    assert_int_equal(sd_support_after(&s, 1, 1, true), 0);
    sd_support_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_was_never_written_is_drawn_and_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes_have_their_own_values_and_stores,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(it_grows_and_is_small_again, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_the_file_says_is_known, setup,
                                        teardown),
        cmocka_unit_test(
            a_pair_counts_once_a_walk_and_keeps_the_least_distance),
        cmocka_unit_test(
            support_is_the_share_of_the_walks_that_came_to_both_blocks),
        cmocka_unit_test(
            a_walk_is_against_a_pair_if_it_comes_to_the_load_after_the_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
