/*
 * The memory of walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "random/sd_recall.h"

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
    /* Changing only the value leaves the store. */
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
    /* What lies at an address that is drawn could be anything. */
    v = sd_recall_load(&recall, 0x4000, 4, true, stores);
    assert_true(v.bits == 0x55667788 && v.drawn == UINT32_MAX);
    assert_true(load(0x4010, 8, stores).drawn == UINT64_MAX);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
