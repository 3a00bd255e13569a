/* depsim's shadow memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "count/internal.h"
#include "depsim/valgrind.h"

#define BASE ((Addr)0x7000) /* the start of a page */

static ULong now;                          /* time of the reads */
static struct ds_write found[DS_READ_MAX]; /* each store once */
static UInt n_found;
static SizeT n_written; /* bytes of the read that have a writer */

/* The bytes that a page of the tables of single bytes covers, and a leaf. */
#define PAGE    ((Addr)1 << 12)
#define LEAF    ((Addr)1 << 30)
#define QUARTER ((DS_TIME_LAST + 1) / 4) /* of the times of an epoch */

static void store(Addr a, SizeT n, UInt writer, ULong time)
{
    ds_shadow_write(a, n, ds_shadow_entry(writer, time));
}

static void note(struct ds_write w)
{
    UInt i = 0;

    while (i < n_found &&
           (found[i].writer != w.writer || found[i].distance != w.distance))
        i++;
    if (i == n_found)
        found[n_found++] = w;
}

/* Reads entry by entry, and at once if that finds an answer. */
static void read_bytes(Addr a, SizeT n)
{
    ULong nearest = ~(ULong)0, farthest = 0, entry;
    struct ds_entries e;

    n_found = 0;
    n_written = 0;
    for (Addr at = a, next; at < a + n; at = next) {
        next = ds_shadow_next(at, &entry);
        assert_true(next > at && next <= at + DS_GRANULE);
        next = next < a + n ? next : a + n;
        if (entry == 0)
            continue;
        n_written += next - at;
        note(ds_shadow_decode(entry, now));
    }
    if (!ds_shadow_read(a, n, &e))
        return;
    assert_int_equal(n_written, e.latest == 0 ? 0 : n);
    if (e.latest == 0) {
        assert_true(e.oldest == 0);
        return;
    }
    assert_int_equal(e.latest == e.oldest, n_found == 1);
    for (UInt i = 0; i < n_found; i++) {
        assert_int_equal(found[i].writer, ds_shadow_writer(e.latest));
        if (found[i].distance < nearest)
            nearest = found[i].distance;
        if (found[i].distance > farthest)
            farthest = found[i].distance;
    }
    assert_true(nearest == now - ds_shadow_time(e.latest));
    assert_true(farthest == now - ds_shadow_time(e.oldest));
}

static void assert_writer(Addr a, SizeT n, UInt writer, ULong time)
{
    read_bytes(a, n);
    assert_int_equal(n_found, 1);
    assert_int_equal(found[0].writer, writer);
    assert_true(found[0].distance == now - time);
}

static void assert_no_writer(Addr a, SizeT n)
{
    read_bytes(a, n);
    assert_int_equal(n_found, 0);
}

BEFORE_EACH()
{
    ds_shadow_clear(0, (SizeT)1 << 47);
    now = 1000000;
}

TEST(memory_never_stored_to_has_no_writer)
{
    assert_no_writer(BASE, 8);
    assert_no_writer(((Addr)1 << 47) - 4, 8);
    assert_no_writer(~(Addr)0 - 3, 4);
    store(BASE + 64, 8, 1, 1);
    assert_no_writer(BASE, 8);
}

TEST(a_load_finds_the_store_of_its_bytes)
{
    store(BASE, 8, 5, 100);
    assert_writer(BASE, 8, 5, 100);
    assert_writer(BASE + 3, 1, 5, 100);
    assert_writer(BASE + 4, 8, 5, 100);
    assert_no_writer(BASE + 8, 8);
}

TEST(a_finer_store_leaves_the_neighbours)
{
    for (SizeT n = 1; n <= 8; n *= 2) {
        for (SizeT at = 0; at < 8; at += n) {
            store(BASE, 8, 1, 1);
            store(BASE + at, n, 2, 2);
            for (SizeT i = 0; i < 8; i++) {
                bool is_new = i >= at && i < at + n;

                assert_writer(BASE + i, 1, is_new ? 2 : 1, is_new ? 2 : 1);
            }
        }
    }
}

TEST(a_run_of_bytes_goes_on_only_where_nothing_else_was_stored)
{
    store(BASE, 1, 1, 10);
    store(BASE, 4, 2, 11);
    store(BASE + 1, 1, 1, 11);
    for (SizeT i = 0; i < 4; i++)
        assert_writer(BASE + i, 1, i == 1 ? 1 : 2, 11);
}

TEST(a_read_shows_each_store_once)
{
    store(BASE, 4, 1, 10);
    store(BASE + 4, 4, 2, 11);
    read_bytes(BASE, 8);
    assert_int_equal(n_found, 2);
    assert_int_equal(found[0].writer, 1);
    assert_int_equal(found[1].writer, 2);
    assert_int_equal(n_written, 8);
    store(BASE + 2, 1, 3, 12);
    store(BASE + 16, 8, 1, 10);
    read_bytes(BASE, 24);
    assert_int_equal(n_found, 3);
    assert_int_equal(n_written, 16);
}

TEST(stores_of_one_writer_are_several)
{
    struct ds_entries e;

    store(BASE, 4, 1, 10);
    store(BASE + 8, 4, 1, 30);
    store(BASE + 4, 4, 1, 20);
    read_bytes(BASE, 12);
    assert_int_equal(n_found, 3);
    assert_true(ds_shadow_read(BASE, 12, &e) && e.latest != e.oldest);
    assert_int_equal(ds_shadow_time(e.latest), 30);
    assert_int_equal(ds_shadow_time(e.oldest), 10);
    store(BASE + 4, 4, 2, 20);
    assert_false(ds_shadow_read(BASE, 12, &e));
    store(BASE + 4, 1, 1, 20);
    assert_false(ds_shadow_read(BASE, 12, &e));
    for (UInt i = 1; i < 4; i++)
        store(BASE + 4 + i, 1, 1, 40 + i);
    assert_true(ds_shadow_read(BASE, 12, &e) && e.latest != e.oldest);
    assert_int_equal(ds_shadow_time(e.latest), 43);
    assert_true(ds_shadow_read(BASE + 7, 1, &e) && e.latest == e.oldest);
}

TEST(stores_and_loads_may_cross_pages)
{
    store(BASE + PAGE - 3, 32, 7, 70);
    assert_writer(BASE + PAGE - 3, 32, 7, 70);
    assert_no_writer(BASE + PAGE - 4, 1);
    assert_no_writer(BASE + PAGE + 29, 1);
    assert_writer(BASE + PAGE - 8, 16, 7, 70);
}

TEST(a_store_may_cross_a_leaf_of_the_tables)
{
    for (Addr edge = LEAF; edge <= 256 * LEAF; edge *= 256) {
        store(edge - 7, 16, 3, 4);
        assert_writer(edge - 7, 16, 3, 4);
        assert_no_writer(edge - 8, 1);
        assert_no_writer(edge + 9, 1);
    }
}

TEST(tables_hold_what_linear_shadow_memory_does_not)
{
    Addr end = DS_LINEAR_END;

    store(end - 8, 16, 3, 4);
    assert_writer(end - 8, 16, 3, 4);
    assert_writer(end, 4, 3, 4);
    store(end + 4, 8, 5, 6);
    assert_writer(end - 8, 12, 3, 4);
    assert_writer(end + 4, 8, 5, 6);
    ds_shadow_clear(end - 4, 8);
    assert_no_writer(end - 4, 8);
    assert_writer(end - 8, 8, 3, 4);
    assert_writer(end + 4, 8, 5, 6);
    assert_no_writer(end + 12, 8);
    /* The granule after the last one is unused. */
    store(end, 1, 7, 8);
    *ds_shadow_granule(end) = ds_shadow_entry(9, 10);
    assert_writer(end, 1, 7, 8);
    *ds_shadow_granule(end) = 0;
}

TEST(clearing_continues_after_memory_never_stored_to)
{
    Addr leaf = DS_LINEAR_END + 40 * LEAF;

    store(leaf + LEAF, 4, 3, 4);
    ds_shadow_clear(leaf + 1, LEAF + 1);
    assert_no_writer(leaf + LEAF, 2);
    assert_writer(leaf + LEAF + 2, 2, 3, 4);
    store(leaf + LEAF + 2 * PAGE, 4, 3, 4);
    ds_shadow_clear(leaf + LEAF + PAGE + 1, PAGE + 1);
    assert_no_writer(leaf + LEAF + 2 * PAGE, 2);
    assert_writer(leaf + LEAF + 2 * PAGE + 2, 2, 3, 4);
}

TEST(the_end_of_user_space_is_not_passed)
{
    Addr end = (Addr)1 << 47;

    store(end - 4, 8, 3, 4);
    assert_writer(end - 4, 8, 3, 4);
    assert_no_writer(end, 4);
    store(end, 1, 5, 6);
    assert_no_writer(end, 1);
    store(end - 1, 1, 5, 6);
    assert_writer(end - 1, 1, 5, 6);
    assert_writer(end - 2, 1, 3, 4);
}

TEST(cleared_bytes_have_no_writer)
{
    store(BASE, 8, 1, 1);
    ds_shadow_clear(BASE + 2, 3);
    assert_writer(BASE, 2, 1, 1);
    assert_no_writer(BASE + 2, 3);
    assert_writer(BASE + 5, 3, 1, 1);
}

TEST(clearing_gives_memory_back)
{
    enum { SIZE = 1 << 20 };
    SizeT before = ds_shadow_size();

    for (SizeT n = 1; n <= 8; n *= 8) {
        for (Addr a = BASE; a < BASE + SIZE; a += n)
            store(a, n, 1, 1);
        assert_true(ds_shadow_size() >= before + 2 * SIZE);
        ds_shadow_clear(BASE, SIZE);
        assert_true(ds_shadow_size() <= before + 2 * DS_RESERVE_PAGE);
        assert_no_writer(BASE + 16, 8);
        store(BASE + 17, 8, 2, 2);
        assert_no_writer(BASE + 16, 1);
        assert_writer(BASE + 17, 8, 2, 2);
        ds_shadow_clear(BASE, SIZE);
    }
}

/* The guest bytes that one slab holds entries for. */
#define SLAB ((Addr)DS_RESERVE_SLAB / 2)

TEST(memory_that_is_only_cleared_stays_unmapped)
{
    Addr a = 64 * LEAF;

    assert_false(ds_reserve_is_open(ds_shadow_granule(a)));
    ds_shadow_clear(a + 1, 1);
    ds_shadow_clear(a + 3, SLAB / 64);
    ds_shadow_clear(a + 3, 8 * SLAB);
    assert_false(ds_reserve_is_open(ds_shadow_granule(a)));
    assert_no_writer(a, 8);
    assert_true(ds_reserve_is_open(ds_shadow_granule(a)));
}

TEST(clearing_a_whole_slab_unmaps_it)
{
    Addr a = 64 * LEAF;

    store(a - 4, 4, 1, 1);
    store(a, 8, 1, 1);
    store(a + SLAB, 8, 1, 1);
    ds_shadow_clear(a, SLAB);
    assert_false(ds_reserve_is_open(ds_shadow_granule(a)));
    assert_writer(a - 4, 4, 1, 1);
    assert_no_writer(a, 8);
    assert_writer(a + SLAB, 8, 1, 1);
}

TEST(locked_entries_are_cleared)
{
    enum { SIZE = 1 << 18 };

    store(BASE - 4, 8, 1, 1);
    for (Addr a = BASE; a < BASE + SIZE; a += 1024)
        store(a, 8, 1, 1);
    if (mlock(ds_shadow_granule(BASE), 2 * SIZE) != 0)
        skip();
    ds_shadow_clear(BASE, SIZE);
    assert_writer(BASE - 4, 4, 1, 1);
    for (Addr a = BASE; a < BASE + SIZE; a += 1024)
        assert_no_writer(a, 8);
    munlock(ds_shadow_granule(BASE), 2 * SIZE);
}

TEST(the_size_of_shadow_memory_needs_no_files)
{
    SizeT before = ds_shadow_size();

    store(BASE + 256 * PAGE, 8, 1, 1);
    has_no_files = true;
    assert_int_equal(ds_shadow_size(), before + DS_RESERVE_PAGE);
    has_no_files = false;
}

/* Advances the clock as ds_clock does, for the rest of these cases. */
static void advance(ULong by)
{
    now += by;
    now -= ds_shadow_advance(now);
}

TEST(distances_are_exact_across_epochs)
{
    now = 7;
    store(BASE, 8, 1, now);
    for (ULong i = 1; i <= 20; i++) {
        advance(QUARTER);
        store(BASE + 8 * i, 8, 2, now);
        for (ULong j = 0; j <= i; j++)
            assert_writer(BASE + 8 * j, 8, j == 0 ? 1 : 2,
                          now - (i - j) * QUARTER);
    }
}

TEST(epochs_need_no_files)
{
    store(BASE, 8, 1, now);
    has_no_files = true;
    for (UInt i = 0; i < 4; i++)
        advance(QUARTER);
    has_no_files = false;
    assert_writer(BASE, 8, 1, now - 4 * QUARTER);
}

TEST(a_read_may_show_stores_of_several_epochs)
{
    now = 100;
    store(BASE, 2, 1, now);
    store(BASE + 2, 2, 1, now + 1);
    for (UInt i = 0; i < 4; i++)
        advance(QUARTER);
    store(BASE + 4, 4, 2, now - 5);
    read_bytes(BASE, 8);
    assert_int_equal(n_found, 3);
    assert_writer(BASE, 2, 1, now - 4 * QUARTER);
    assert_writer(BASE + 2, 2, 1, now - 4 * QUARTER + 1);
    assert_writer(BASE + 4, 4, 2, now - 5);
    ds_shadow_clear(BASE, 4);
    assert_no_writer(BASE, 4);
}

TEST(the_epoch_moves_when_three_quarters_of_the_times_are_used)
{
    assert_true(ds_shadow_advance(0) == 0);
    assert_true(ds_shadow_advance(3 * QUARTER - 1) == 0);
    assert_true(ds_shadow_advance(3 * QUARTER) == 2 * QUARTER);
}

/* Stores words and bytes at the edges of pages, leaves and linear shadow
   memory, at times on both sides of the new epoch. */
TEST(each_entry_of_an_old_epoch_is_kept)
{
    static const Addr places[] = {BASE,
                                  BASE + PAGE - 4,
                                  LEAF,
                                  2 * LEAF - 4,
                                  DS_LINEAR_END - 4,
                                  DS_LINEAR_END,
                                  ((Addr)1 << 47) - 4};
    enum { N = 4 * sizeof places / sizeof *places };

    now = 3 * QUARTER - 1;
    for (UInt i = 0; i < N; i++)
        store(places[i / 4] + i % 4, 1, DS_WRITER_MAX - i,
              2 * QUARTER - 2 + i % 4 % 3);
    for (UInt moves = 0; moves < 3; moves++) {
        for (UInt i = 0; i < N; i++)
            assert_writer(places[i / 4] + i % 4, 1, DS_WRITER_MAX - i,
                          now - (2 * moves + 1) * QUARTER - 1 + i % 4 % 3);
        advance(QUARTER);
        advance(QUARTER);
    }
}

/* The epoch begins in the middle of a granule, and the last one is not full. */
TEST(a_run_is_kept_across_epochs)
{
    enum { N = 23 };

    now = 3 * QUARTER - 1;
    for (UInt i = 0; i < N; i++)
        store(BASE + i, 1, 5, 2 * QUARTER - 10 + i);
    assert_true((*ds_shadow_granule(BASE + 4) & DS_SHADOW_RUN) != 0);
    for (UInt moves = 0; moves < 3; moves++) {
        advance(QUARTER);
        for (UInt i = 0; i < N; i++)
            assert_writer(BASE + i, 1, 5, now - (moves + 2) * QUARTER - 9 + i);
    }
}

TEST(many_stores_of_old_epochs_are_kept_apart)
{
    enum { STORES = 5000 };

    now = 3 * QUARTER;
    for (UInt i = 0; i < STORES; i++) {
        store(BASE + 8 * i, 4, 1 + i / 3, 100 + i);
        store(BASE + 8 * i + 4, 4, 1 + i / 3, 100 + i / 2);
    }
    advance(QUARTER / 2);
    for (UInt i = 0; i < STORES; i++) {
        assert_writer(BASE + 8 * i, 4, 1 + i / 3, 100 + i - 2 * QUARTER);
        assert_writer(BASE + 8 * i + 4, 4, 1 + i / 3,
                      100 + i / 2 - 2 * QUARTER);
    }
}

/* A simple model to compare with has a writer and a time for each byte. */
TEST(random_accesses_agree_with_one_entry_a_byte)
{
    enum { SIZE = 3 * 4096, WRITERS = 9 };
    static struct {
        UInt writer;
        ULong time;
    } byte[SIZE];

    UInt n_runs = 0;

    memset(byte, 0, sizeof byte);
    srand(1);
    for (now = 1; now < 200000; now++) {
        SizeT n = (SizeT)1 << rand() % 7, at = (SizeT)rand() % (SIZE - n);
        UInt writer = (UInt)rand() % WRITERS;
        UInt n_stores = 0, n_bytes = 0;
        ULong run_end;

        if (rand() % 2)
            at &= ~(n - 1);
        if (rand() % 3 > 0) {
            bool is_run = writer != 0 && rand() % 2;

            if (writer == 0)
                ds_shadow_clear(BASE + at, n);
            else if (!is_run)
                store(BASE + at, n, writer, now);
            for (SizeT i = at; i < at + n; i++) {
                now += is_run;
                if (is_run)
                    store(BASE + i, 1, writer, now);
                byte[i].writer = writer;
                byte[i].time = writer == 0 ? 0 : now;
            }
            continue;
        }
        read_bytes(BASE + at, n);
        run_end = ds_shadow_run_end(BASE + at, n);
        n_runs += run_end != 0;
        assert_true(n > 1 || run_end == 0);
        for (SizeT i = at; i < at + n; i++) {
            SizeT j = at;

            assert_true(run_end == 0 ||
                        run_end -
                                ds_shadow_entry(byte[i].writer, byte[i].time) ==
                            at + n - 1 - i);
            n_bytes += byte[i].time != 0;
            while (byte[j].time != byte[i].time)
                j++;
            if (j < i || byte[i].time == 0)
                continue;
            assert_int_equal(found[n_stores].writer, byte[i].writer);
            assert_true(found[n_stores].distance == now - byte[i].time);
            n_stores++;
        }
        assert_int_equal(n_found, n_stores);
        assert_int_equal(n_written, n_bytes);
    }
    assert_true(n_runs > 500);
}

BEFORE_ALL()
{
    ds_shadow_init();
}
