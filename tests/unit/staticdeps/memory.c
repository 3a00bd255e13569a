/* The interpreter's memory has the value and the writer of each byte. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "block/sd_analyse.h"

static struct sd_memory memory, *const s = &memory;
static uint32_t writers[8]; /* of the bytes that were loaded last */

BEFORE_EACH()
{
    sd_memory_clear(&memory, 1);
}

AFTER_EACH()
{
    sd_memory_fini(&memory);
}

TEST(unwritten_bytes_are_random_and_constant)
{
    struct sd_value a, b;

    memset(writers, 9, sizeof writers);
    a = sd_memory_load(s, 0x1003, 8, false, writers);
    b = sd_memory_load(s, 0x1003, 8, false, writers);
    assert_true(sd_is_known(a) && a.bits == b.bits);
    for (int i = 0; i < 8; i++)
        assert_int_equal(writers[i], SD_NO_WRITER);
    /* Another access reads the same bytes. */
    assert_true(sd_memory_load(s, 0x1005, 2, false, writers).bits ==
                (a.bits >> 16 & 0xffff));
    sd_memory_clear(s, 2);
    assert_true(sd_memory_load(s, 0x1003, 8, false, writers).bits != a.bits);
}

TEST(every_byte_has_its_own_value_and_writer)
{
    uint8_t value[64];
    uint32_t writer[64] = {0}, got[8];

    for (unsigned i = 0; i < 64; i++)
        value[i] = (uint8_t)sd_memory_load(s, 0x2000 + i, 1, false, got).bits;
    for (uint32_t i = 1; i <= 5000; i++) {
        unsigned size = 1 + (unsigned)(sd_random(7, i) % 8);
        unsigned at = (unsigned)(sd_random(8, i) % (65 - size));
        uint64_t bits = sd_random(9, i) & sd_mask(8 * size);

        if (i % 2 == 0) {
            struct sd_value v =
                sd_memory_load(s, 0x2000 + at, size, false, got);

            for (unsigned k = 0; k < size; k++) {
                assert_int_equal(v.bits >> 8 * k & 0xff, value[at + k]);
                assert_int_equal(got[k], writer[at + k]);
            }
            continue;
        }
        sd_memory_store(s, 0x2000 + at, size, sd_known(bits), i);
        for (unsigned k = 0; k < size; k++) {
            value[at + k] = (uint8_t)(bits >> 8 * k);
            writer[at + k] = i;
        }
    }
}

enum { WIDE = 4096, N_SPANS = 3000 };

static bool was_shown[N_SPANS + 1];

static void show(void *context, const uint32_t *seen, unsigned n)
{
    (void)context;
    for (unsigned i = 0; i < n; i++)
        was_shown[seen[i]] = true;
}

static void check_look(uint64_t base, const uint32_t *writer, uint64_t at,
                       uint64_t size)
{
    bool is_there[N_SPANS + 1] = {false};

    memset(was_shown, 0, sizeof was_shown);
    sd_memory_writers(s, base + at, size, show, NULL);
    for (uint64_t k = at; k < at + size; k++)
        is_there[writer[k]] = true;
    for (uint32_t w = 1; w <= N_SPANS; w++)
        assert_true(was_shown[w] == is_there[w]);
}

/* Compares fills, stores and loads of any size with an array of bytes. */
static void large_accesses(uint64_t base, unsigned every)
{
    uint32_t writer[WIDE] = {0}, got[8];
    bool is_bottom[WIDE] = {false};

    sd_memory_clear(s, 3);
    for (uint32_t i = 1; i <= N_SPANS; i++) {
        uint64_t at = sd_random(10, i) % WIDE;
        uint64_t size = 1 + sd_random(11, i) % (i % every == 0 ? WIDE : 8);
        bool is_fill = i % every == 0 && i / every % 2 == 0;

        size = size < WIDE - at ? size : WIDE - at;
        if (is_fill)
            sd_memory_fill(s, base + at, size, i);
        else if (i % every == 0)
            check_look(base, writer, at, size);
        else if (i % 3 == 0)
            sd_memory_store(s, base + at, (unsigned)size, sd_known(i), i);
        for (uint64_t k = at; k < at + size; k++) {
            if (is_fill || (i % every != 0 && i % 3 == 0)) {
                writer[k] = i;
                is_bottom[k] = is_fill;
            }
            assert_int_equal(sd_memory_load(s, base + k, 1, false, got).bottom,
                             is_bottom[k] ? 0xff : 0);
            assert_int_equal(got[0], writer[k]);
        }
    }
}

TEST(a_large_access_equals_accesses_of_its_bytes)
{
    large_accesses(0x5003, 50);                /* few fills of many granules */
    large_accesses(0x5000, 5);                 /* more fills than are noted */
    large_accesses(UINT64_MAX - WIDE / 2, 20); /* across the end of memory */
}

TEST(bottom_bytes_stay_bottom_beside_known_ones)
{
    struct sd_value v;

    sd_memory_store(s, 0x3006, 8, sd_known(0x1122334455667788), 1);
    sd_memory_store(s, 0x3007, 2, sd_bottom(16), 2);
    v = sd_memory_load(s, 0x3006, 8, false, writers);
    assert_true(v.bottom == 0xffff00);
    assert_true(v.bits == 0x1122334455000088);
    assert_int_equal(writers[0], 1);
    assert_int_equal(writers[1], 2);
    assert_int_equal(writers[3], 1);
}

TEST(the_end_of_the_address_space_is_next_to_its_start)
{
    sd_memory_store(s, UINT64_MAX - 1, 4, sd_known(0xaabbccdd), 3);
    assert_true(sd_memory_load(s, 0, 2, false, writers).bits == 0xaabb);
    assert_int_equal(writers[1], 3);
}

TEST(thousands_of_granules_fit_and_are_forgotten_at_once)
{
    for (uint32_t i = 0; i < 20000; i++)
        sd_memory_store(s, sd_random(5, i), 8, sd_known(i), i + 1);
    for (uint32_t i = 0; i < 20000; i++) {
        assert_true(
            sd_memory_load(s, sd_random(5, i), 8, false, writers).bits == i);
        assert_int_equal(writers[7], i + 1);
    }
    sd_memory_clear(s, 1);
    sd_memory_load(s, sd_random(5, 77), 8, false, writers);
    assert_int_equal(writers[0], SD_NO_WRITER);
}

TEST(a_clear_forgets_bytes_and_their_granules)
{
    sd_memory_store(s, 0x1000, 8, sd_known(5), 7);
    sd_memory_clear(s, 1);
    assert_int_equal(s->numbers.n, 0);
    sd_memory_store(s, 0x2000, 8, sd_known(6), 8);
    sd_memory_clear(s, 1);
    assert_int_equal(s->numbers.n, 0);
    sd_memory_load(s, 0x1000, 8, false, writers);
    assert_int_equal(writers[0], SD_NO_WRITER);
    sd_memory_load(s, 0x2000, 8, false, writers);
    assert_int_equal(writers[0], SD_NO_WRITER);
}

TEST(the_table_is_at_most_three_quarters_full)
{
    unsigned bits;
    size_t most;

    sd_memory_store(s, 0, 8, sd_known(0), 1);
    bits = s->numbers.bits;
    most = ((size_t)3 << bits) / 4;
    for (uint64_t i = 0; i < most; i++)
        sd_memory_store(s, 8 * i, 8, sd_known(i), 1);
    assert_int_equal(s->numbers.n, most);
    assert_int_equal(s->numbers.bits, bits);
    sd_memory_store(s, 0, 8, sd_known(0), 2); /* stored already */
    assert_int_equal(s->numbers.bits, bits);
    sd_memory_store(s, 8 * most, 8, sd_known(most), 1);
    assert_int_equal(s->numbers.bits, bits + 1);
    assert_int_equal(s->numbers.n, most + 1);
}

TEST(a_large_run_leaves_no_large_table)
{
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 10000; i++)
            sd_memory_store(s, 8 * i, 8, sd_known(i), 1);
        assert_true(s->numbers.bits > 12);
        for (uint64_t i = 0; i < 10000; i++)
            assert_true(sd_memory_load(s, 8 * i, 8, false, writers).bits == i);
        sd_memory_clear(s, 1);
        assert_int_equal(s->numbers.bits, 0);
        sd_memory_load(s, 8, 8, false, writers);
        assert_int_equal(writers[0], SD_NO_WRITER);
    }
}

TEST(an_access_across_a_border_has_both_parts)
{
    struct sd_value v;

    for (unsigned size = 2; size <= 8; size++)
        for (unsigned from = 9 - size; from < 8; from++) {
            uint64_t bits = 0x8877665544332211 & sd_mask(8 * size);

            sd_memory_clear(s, size);
            sd_memory_store(s, 0x4000 + from, size, sd_known(bits), 5);
            v = sd_memory_load(s, 0x4000 + from, size, false, writers);
            assert_true(sd_is_known(v) && v.bits == bits);
            assert_int_equal(writers[0], 5);
            assert_int_equal(writers[size - 1], 5);
            sd_memory_load(s, 0x4000 + from - 1, 1, false, writers);
            assert_int_equal(writers[0], SD_NO_WRITER);
            sd_memory_load(s, 0x4000 + from + size, 1, false, writers);
            assert_int_equal(writers[0], SD_NO_WRITER);
        }
}

TEST(a_writer_is_a_site_and_a_time)
{
    assert_int_equal(sd_site_bits(0), 0);
    assert_int_equal(sd_site_bits(1), 1);
    assert_int_equal(sd_site_bits(2), 2);
    assert_int_equal(sd_site_bits(3), 2);
    assert_int_equal(sd_site_bits(4), 3);
    for (uint32_t last = 1; last < 100; last++)
        for (uint32_t site = 1; site <= last; site++) {
            unsigned bits = sd_site_bits(last);
            uint32_t writer = sd_writer(bits, site, 1000 + site);

            assert_true(writer != SD_NO_WRITER);
            assert_int_equal(sd_writer_site(bits, writer), site);
            assert_int_equal(sd_writer_time(bits, writer), 1000 + site);
        }
}

TEST(bytes_that_a_walk_never_wrote_are_drawn)
{
    struct sd_value was = sd_memory_load(s, 0x1003, 8, false, writers), is;

    s->draws = true;
    is = sd_memory_load(s, 0x1003, 8, false, writers);
    assert_true(is.bits == was.bits && is.bottom == UINT64_MAX);
}

TEST(a_poke_leaves_the_writers)
{
    sd_memory_store(s, 0x1006, 4, sd_known(0x44332211), 7);
    sd_memory_store(s, 0x1007, 1, (struct sd_value){0xaa, 0xff}, 8);
    assert_true(sd_memory_load(s, 0x1006, 4, false, writers).bits ==
                0x4433aa11);
    sd_memory_poke(s, 0x1006, 4, sd_known(0));
    assert_true(sd_memory_load(s, 0x1006, 4, false, writers).bits == 0);
    assert_true(writers[0] == 7 && writers[1] == 8 && writers[3] == 7);
}

TEST(bytes_that_the_file_defines_are_known)
{
    uint64_t words[] = {0x1122334455667788, 0};
    uint8_t unknown[] = {0, 0xf0};
    struct sd_part part = {
        .first = 0x4000 / 8, .n = 2, .words = words, .unknown = unknown};
    struct sd_contents contents = {.parts = &part, .n = 1};
    struct sd_value v;

    s->contents = &contents;
    s->draws = true;
    v = sd_memory_load(s, 0x4000, 8, false, writers);
    assert_true(v.bits == words[0] && v.bottom == 0);
    v = sd_memory_load(s, 0x4008, 8, false, writers);
    assert_true(v.bottom == UINT64_C(0xffffffff) << 32 &&
                (v.bits & UINT32_MAX) == 0);
    /* At a drawn address the value is unknown. */
    v = sd_memory_load(s, 0x4000, 4, true, writers);
    assert_true(v.bits == 0x55667788 && v.bottom == UINT32_MAX);
    v = sd_memory_load(s, 0x4010, 8, false, writers);
    assert_true(v.bottom == UINT64_MAX);
}
