/*
 * Shadow memory, byte by byte.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "run/sd_shadow.h"

static int setup(void **state)
{
    static struct sd_shadow shadow;

    sd_shadow_init(&shadow);
    sd_shadow_clear(&shadow, 1);
    *state = &shadow;
    return 0;
}

static int teardown(void **state)
{
    sd_shadow_fini(*state);
    return 0;
}

static void what_was_never_written_is_random_but_stays_the_same(void **state)
{
    struct sd_shadow *s = *state;
    uint32_t writers[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    struct sd_value a = sd_shadow_load(s, 0x1003, 8, writers);
    struct sd_value b = sd_shadow_load(s, 0x1003, 8, writers);

    assert_true(sd_is_known(a) && a.bits == b.bits);
    for (int i = 0; i < 8; i++)
        assert_int_equal(writers[i], SD_NO_WRITER);
    /* Its bytes are the same in another access. */
    assert_true(sd_shadow_load(s, 0x1005, 2, writers).bits ==
                (a.bits >> 16 & 0xffff));
    sd_shadow_clear(s, 2);
    assert_true(sd_shadow_load(s, 0x1003, 8, writers).bits != a.bits);
}

static void every_byte_has_its_own_value_and_writer(void **state)
{
    struct sd_shadow *s = *state;
    uint8_t value[64];
    uint32_t writer[64] = {0}, got[8];

    for (unsigned i = 0; i < 64; i++)
        value[i] = (uint8_t)sd_shadow_load(s, 0x2000 + i, 1, got).bits;
    for (uint32_t i = 1; i <= 5000; i++) {
        unsigned size = 1 + (unsigned)(sd_random(7, i) % 8);
        unsigned at = (unsigned)(sd_random(8, i) % (65 - size));
        uint64_t bits = sd_random(9, i) & sd_mask(8 * size);

        if (i % 2 == 0) {
            struct sd_value v = sd_shadow_load(s, 0x2000 + at, size, got);

            for (unsigned k = 0; k < size; k++) {
                assert_int_equal(v.bits >> 8 * k & 0xff, value[at + k]);
                assert_int_equal(got[k], writer[at + k]);
            }
            continue;
        }
        sd_shadow_store(s, 0x2000 + at, size, sd_known(bits), i);
        for (unsigned k = 0; k < size; k++) {
            value[at + k] = (uint8_t)(bits >> 8 * k);
            writer[at + k] = i;
        }
    }
}

static void bottom_bytes_stay_bottom_and_leave_their_neighbours(void **state)
{
    struct sd_shadow *s = *state;
    uint32_t writers[8];
    struct sd_value v;

    sd_shadow_store(s, 0x3006, 8, sd_known(0x1122334455667788), 1);
    sd_shadow_store(s, 0x3007, 2, sd_bottom(16), 2);
    v = sd_shadow_load(s, 0x3006, 8, writers);
    assert_true(v.bottom == 0xffff00);
    assert_true(v.bits == 0x1122334455000088);
    assert_int_equal(writers[0], 1);
    assert_int_equal(writers[1], 2);
    assert_int_equal(writers[3], 1);
}

static void the_end_of_the_address_space_is_next_to_its_start(void **state)
{
    struct sd_shadow *s = *state;
    uint32_t writers[8];

    sd_shadow_store(s, UINT64_MAX - 1, 4, sd_known(0xaabbccdd), 3);
    assert_true(sd_shadow_load(s, 0, 2, writers).bits == 0xaabb);
    assert_int_equal(writers[1], 3);
}

static void thousands_of_granules_fit_and_are_forgotten_at_once(void **state)
{
    struct sd_shadow *s = *state;
    uint32_t writers[8];

    for (uint32_t i = 0; i < 20000; i++)
        sd_shadow_store(s, sd_random(5, i), 8, sd_known(i), i + 1);
    for (uint32_t i = 0; i < 20000; i++) {
        assert_true(sd_shadow_load(s, sd_random(5, i), 8, writers).bits == i);
        assert_int_equal(writers[7], i + 1);
    }
    sd_shadow_clear(s, 1);
    sd_shadow_load(s, sd_random(5, 77), 8, writers);
    assert_int_equal(writers[0], SD_NO_WRITER);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_never_written_is_random_but_stays_the_same),
        CASE(every_byte_has_its_own_value_and_writer),
        CASE(bottom_bytes_stay_bottom_and_leave_their_neighbours),
        CASE(the_end_of_the_address_space_is_next_to_its_start),
        CASE(thousands_of_granules_fit_and_are_forgotten_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
