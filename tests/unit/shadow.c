/*
 * depsim's shadow memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdlib.h>

#include "ds_shadow.h"

#define BASE ((Addr)0x7000) /* the start of a page */

static struct ds_write found[DS_READ_MAX];
static UInt n_found;

static void read_bytes(Addr a, SizeT n)
{
    struct ds_write first = {0};

    n_found = ds_shadow_read(a, n, &first, found);
    if (n_found == 1)
        found[0] = first;
}

static void assert_writer(Addr a, SizeT n, UInt writer, ULong time)
{
    read_bytes(a, n);
    assert_int_equal(n_found, 1);
    assert_int_equal(found[0].writer, writer);
    assert_true(found[0].time == time);
}

static void assert_no_writer(Addr a, SizeT n)
{
    read_bytes(a, n);
    assert_int_equal(n_found, 0);
}

static int forget(void **unused)
{
    (void)unused;
    ds_shadow_clear(0, (SizeT)1 << 47);
    return 0;
}

TEST(memory_never_stored_to_has_no_writer)
{
    assert_no_writer(BASE, 8);
    assert_no_writer(((Addr)1 << 47) - 4, 8);
    assert_no_writer(~(Addr)0 - 3, 4);
    ds_shadow_write(BASE + 64, 8, 1, 1);
    assert_no_writer(BASE, 8);
}

TEST(a_load_finds_the_store_of_its_bytes)
{
    ds_shadow_write(BASE, 8, 5, 100);
    assert_writer(BASE, 8, 5, 100);
    assert_writer(BASE + 3, 1, 5, 100);
    assert_writer(BASE + 4, 8, 5, 100);
    assert_no_writer(BASE + 8, 8);
}

TEST(a_finer_store_leaves_the_neighbours)
{
    for (SizeT n = 1; n <= 8; n *= 2) {
        for (SizeT at = 0; at < 8; at += n) {
            ds_shadow_write(BASE, 8, 1, 1);
            ds_shadow_write(BASE + at, n, 2, 2);
            for (SizeT i = 0; i < 8; i++) {
                bool is_new = i >= at && i < at + n;

                assert_writer(BASE + i, 1, is_new ? 2 : 1, is_new ? 2 : 1);
            }
        }
    }
}

TEST(a_read_shows_each_writer_once)
{
    ds_shadow_write(BASE, 4, 1, 10);
    ds_shadow_write(BASE + 4, 4, 2, 11);
    read_bytes(BASE, 8);
    assert_int_equal(n_found, 2);
    assert_int_equal(found[0].writer, 1);
    assert_int_equal(found[1].writer, 2);
}

TEST(of_several_stores_by_one_writer_the_most_recent_counts)
{
    ds_shadow_write(BASE, 4, 1, 10);
    ds_shadow_write(BASE + 8, 4, 1, 30);
    ds_shadow_write(BASE + 4, 4, 1, 20);
    assert_writer(BASE, 12, 1, 30);
}

TEST(stores_and_loads_may_cross_pages)
{
    ds_shadow_write(BASE + DS_PAGE_SIZE - 3, 32, 7, 70);
    assert_writer(BASE + DS_PAGE_SIZE - 3, 32, 7, 70);
    assert_no_writer(BASE + DS_PAGE_SIZE - 4, 1);
    assert_no_writer(BASE + DS_PAGE_SIZE + 29, 1);
    assert_writer(BASE + DS_PAGE_SIZE - 8, 16, 7, 70);
}

TEST(a_store_may_cross_a_leaf_of_the_page_table)
{
    Addr edge = (Addr)1 << (DS_LEAF_BITS + DS_PAGE_BITS);

    ds_shadow_write(edge - 8, 16, 3, 4);
    assert_writer(edge - 8, 16, 3, 4);
}

TEST(the_end_of_user_space_is_not_passed)
{
    Addr end = (Addr)1 << 47;

    ds_shadow_write(end - 4, 8, 3, 4);
    assert_writer(end - 4, 8, 3, 4);
    assert_no_writer(end, 4);
}

TEST(cleared_bytes_have_no_writer)
{
    ds_shadow_write(BASE, 8, 1, 1);
    ds_shadow_clear(BASE + 2, 3);
    assert_writer(BASE, 2, 1, 1);
    assert_no_writer(BASE + 2, 3);
    assert_writer(BASE + 5, 3, 1, 1);
}

TEST(clearing_whole_pages_gives_them_back)
{
    SizeT before = ds_shadow_size();

    for (Addr a = BASE; a < BASE + 4 * DS_PAGE_SIZE; a += 8)
        ds_shadow_write(a, 8, 1, 1);
    assert_true(ds_shadow_size() > before);
    ds_shadow_clear(BASE, 4 * DS_PAGE_SIZE);
    assert_true(ds_shadow_size() == before);
    ds_shadow_write(BASE + 16, 8, 2, 2);
    assert_no_writer(BASE, 8);
    assert_writer(BASE + 16, 8, 2, 2);
}

/* Against the simplest thing that is right: a writer and a time per byte. */
TEST(random_accesses_agree_with_one_entry_a_byte)
{
    enum { SIZE = 3 * 4096 };
    static struct ds_write byte[SIZE];

    memset(byte, 0, sizeof byte);
    srand(1);
    for (ULong time = 1; time < 200000; time++) {
        SizeT n = (SizeT)1 << rand() % 7, at = (SizeT)rand() % (SIZE - n);
        UInt writer = (UInt)rand() % 9;

        if (rand() % 2)
            at &= ~(n - 1);
        if (rand() % 3 > 0) {
            if (writer == 0)
                ds_shadow_clear(BASE + at, n);
            else
                ds_shadow_write(BASE + at, n, writer, time);
            for (SizeT i = at; i < at + n; i++)
                byte[i] = (struct ds_write){writer == 0 ? 0 : time, writer};
            continue;
        }
        ULong latest[9] = {0};
        UInt n_writers = 0;

        for (SizeT i = at; i < at + n; i++)
            if (byte[i].time > latest[byte[i].writer]) {
                n_writers += latest[byte[i].writer] == 0;
                latest[byte[i].writer] = byte[i].time;
            }
        read_bytes(BASE + at, n);
        assert_int_equal(n_found, n_writers);
        for (UInt i = 0; i < n_found; i++)
            assert_true(found[i].time == latest[found[i].writer]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(memory_never_stored_to_has_no_writer, forget),
        cmocka_unit_test_teardown(a_load_finds_the_store_of_its_bytes, forget),
        cmocka_unit_test_teardown(a_finer_store_leaves_the_neighbours, forget),
        cmocka_unit_test_teardown(a_read_shows_each_writer_once, forget),
        cmocka_unit_test_teardown(
            of_several_stores_by_one_writer_the_most_recent_counts, forget),
        cmocka_unit_test_teardown(stores_and_loads_may_cross_pages, forget),
        cmocka_unit_test_teardown(a_store_may_cross_a_leaf_of_the_page_table,
                                  forget),
        cmocka_unit_test_teardown(the_end_of_user_space_is_not_passed, forget),
        cmocka_unit_test_teardown(cleared_bytes_have_no_writer, forget),
        cmocka_unit_test_teardown(clearing_whole_pages_gives_them_back, forget),
        cmocka_unit_test_teardown(random_accesses_agree_with_one_entry_a_byte,
                                  forget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
