/* depsim's clock; the numbers of its sites; the room of its arena. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/internal.h"
#include "depsim/valgrind.h"

#define QUART \
    ((DS_TIME_LAST + 1) / 4) /* at most between two ds_clock_resume calls */

TEST(the_clock_goes_on_when_the_epoch_moves)
{
    ULong executed = ds_clock_executed(), epoch = ds_clock_epoch;

    for (ULong i = 1; i <= 20; i++) {
        *ds_clock_now += QUART;
        ds_clock_resume(1);
        assert_true(ds_clock_executed() == executed + i * QUART);
        assert_true(*ds_clock_now <= DS_TIME_LAST - QUART);
        assert_true(ds_clock_count(3) == ds_clock_epoch + 3);
        assert_true(ds_clock_time(ds_clock_executed()) == *ds_clock_now);
    }
    assert_true(ds_clock_epoch > epoch);
    assert_true(ds_clock_time(epoch) == 0);
    assert_true(ds_clock_time(ds_clock_epoch) == 0);
    assert_true(ds_clock_time(ds_clock_epoch + 1) == 1);
    assert_true(ds_clock_turn == 0);
}

TEST(a_turn_begins_with_another_thread_only)
{
    ULong began;

    ds_clock_resume(2);
    began = *ds_clock_now;
    assert_true(ds_clock_turn == began);
    *ds_clock_now += 10;
    ds_clock_resume(2);
    assert_true(ds_clock_turn == began);
    ds_clock_resume(1);
    assert_true(ds_clock_turn == began + 10);
}

TEST(what_is_recorded_is_counted_for_each_run)
{
    ULong before;

    *ds_clock_now += 5;
    assert_true(ds_clock_recorded() == 0);
    ds_clock_record(True);
    *ds_clock_now += 7;
    ds_clock_record(True);
    *ds_clock_now += 3;
    assert_true(ds_clock_recorded() == 10);
    ds_clock_record(False);
    *ds_clock_now += 100;
    assert_true(ds_clock_recorded() == 10);
    ds_clock_record(True);
    *ds_clock_now += 2;
    assert_true(ds_clock_recorded() == 12);
    before = ds_clock_executed();
    *ds_clock_now += QUART;
    ds_clock_resume(1);
    assert_true(ds_clock_recorded() == 12 + ds_clock_executed() - before);
    ds_clock_begin_run();
    assert_true(ds_clock_recorded() == 0);
    *ds_clock_now += 4;
    assert_true(ds_clock_recorded() == 4);
    ds_clock_record(False);
}

TEST(sites_have_numbers_from_1)
{
    enum { SITES = 10000 };
    struct ds_site *first = ds_sites_obtain(1, 0x1000);

    assert_true(first->reader.id >= 1);
    for (UInt i = 0; i < SITES; i++)
        assert_int_equal(ds_sites_obtain(1, 0x1000 + i)->reader.id,
                         first->reader.id + i);
    for (UInt i = 0; i < SITES; i++) {
        const struct ds_site *site = ds_sites_get(first->reader.id + i);

        assert_int_equal(site->key.word[0], 1);
        assert_int_equal(site->key.word[1], 0x1000 + i);
    }
    assert_ptr_equal(ds_sites_obtain(1, 0x1000), first);
    assert_ptr_not_equal(ds_sites_obtain(2, 0x1000), first);
}

static void assert_no_room(SizeT n)
{
    jmp_buf at;

    on_refusal = &at;
    if (setjmp(at) == 0) {
        ds_arena_new(n);
        fail();
    }
    on_refusal = NULL;
}

/* This case comes last, because it fills the arena. */
TEST(the_arena_takes_all_of_its_room)
{
    UChar *p = ds_arena_new(1), *q = ds_arena_new(17);
    SizeT left = DS_SHADOW_FRONT - ds_arena_offset(q);

    assert_int_equal((Addr)p % 16, 0);
    assert_int_equal(p - q, 32);
    assert_ptr_equal(ds_arena_at(ds_arena_offset(q + 3)), q + 3);
    assert_int_equal(left % 16, 0);
    assert_no_room(left + 1);
    assert_int_equal(ds_arena_offset(ds_arena_new(left)), DS_SHADOW_FRONT);
    assert_no_room(1);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    ds_clock_resume(1);
}
