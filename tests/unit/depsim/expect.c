/* depsim's inline caches of loads. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <assert.h>

#include "count/internal.h"

#define TAG ((ULong)7 << DS_TIME_BITS | 100)

static struct ds_site site = {.reader = {.id = 1}};
static struct lifetimes bounds;

/* Two dependencies, and their occurrences under the first bound. */
static struct ds_dep *first_dep, *second_dep;
#define counter (*ds_deps_counter(first_dep, 0))
#define other   (*ds_deps_counter(second_dep, 0))

/* A load after n_before instructions; each case has superblocks of its own. */
static struct ds_expect *obtain(UInt superblock, ULong n_before)
{
    return ds_expect_obtain(&site, superblock, 4, 0, n_before, n_before);
}

/* A kind with the tags from TAG to TAG + 20. */
static struct ds_kind kind_of(struct ds_dep *dep)
{
    return (struct ds_kind){.base = TAG, .room = 20, .first = 1, .dep = dep};
}

static void learn(struct ds_expect *load, struct ds_dep *dep)
{
    struct ds_kind kind = kind_of(dep);

    ds_expect_learn(load, &kind, TAG, 1);
}

/* A load with so many misses that it has a second level. */
static struct ds_expect *obtain_experienced(UInt superblock)
{
    struct ds_expect *load = obtain(superblock, 0);

    for (UInt i = 0; i < 16; i++) {
        assert_null(load->seen);
        learn(load, first_dep);
    }
    assert_null(load->seen);
    learn(load, first_dep);
    assert_non_null(load->seen);
    return load;
}

BEFORE_EACH()
{
    ds_expect_forget_all();
    ds_deps_reset();
    ds_deps_note(first_dep, 11);
    ds_deps_note(second_dep, 11);
}

/* This is the first case: no other may have left kinds. */
TEST(forgotten_kinds_count_no_more)
{
    struct ds_expect *load = obtain_experienced(80);

    load->own += 3;
    ds_expect_forget_all();
    assert_int_equal(counter, 3);
    load->own += 3;
    ds_expect_settle_all();
    assert_int_equal(counter, 3);
    assert_false(ds_expect_is_of(&load->expected, TAG));
    assert_null(ds_expect_find(load, TAG, False, 1));
    /* The load learns again, and remembers only the new kind. */
    learn(load, second_dep);
    assert_non_null(ds_expect_find(load, TAG, False, 1));
    assert_null(ds_expect_find(load, TAG + ((ULong)1 << 20), False, 1));
}

TEST(a_kind_reaches_from_its_base_to_its_room)
{
    struct ds_kind kind = kind_of(first_dep);

    kind.span = 10;
    assert_true(ds_expect_is_of(&kind, TAG));
    assert_true(ds_expect_is_of(&kind, TAG + 10));
    assert_int_equal(kind.span, 10);
    assert_false(ds_expect_is_of(&kind, TAG - 1));
    assert_false(ds_expect_is_of(&kind, TAG + 21));
    assert_int_equal(kind.span, 10);
    assert_true(ds_expect_is_of(&kind, TAG + 11));
    assert_int_equal(kind.span, 11);
    assert_true(ds_expect_is_of(&kind, TAG + 20));
    assert_int_equal(kind.span, 20);
    assert_true(ds_expect_is_of(&kind, TAG + 3));
    assert_int_equal(kind.span, 20);
}

TEST(a_load_is_identified_by_all_of_its_properties)
{
    static struct ds_site second = {.reader = {.id = 2}};
    struct ds_expect *load = ds_expect_obtain(&site, 3, 4, 0, 6, 5);

    assert_ptr_equal(ds_expect_obtain(&site, 3, 4, 0, 6, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&second, 3, 4, 0, 6, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&site, 4, 4, 0, 6, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&site, 3, 8, 0, 6, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&site, 3, 4, 1, 6, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&site, 3, 4, 0, 7, 5), load);
    assert_ptr_not_equal(ds_expect_obtain(&site, 3, 4, 0, 6, 7), load);
    assert_ptr_equal(load->site, &site);
    assert_int_equal(load->n, 4);
    assert_int_equal(load->n_before, 6);
    assert_int_equal(load->ahead, 1);
    assert_ptr_equal(load->executions, &load->own);
}

TEST(a_new_load_misses)
{
    static const ULong writers[] = {
        0, 1, 2, DS_WRITER_MAX, DS_WRITER_FAR, DS_WRITER_BYTES};
    struct ds_expect *load = obtain(10, 0);

    for (SizeT i = 0; i < sizeof writers / sizeof *writers; i++) {
        ULong tag = 0 - ds_shadow_entry(writers[i], 0);

        assert_false(ds_expect_is_of(&load->expected, tag));
        assert_false(ds_expect_is_of(&load->expected, tag + 1));
        assert_false(ds_expect_is_of(&load->expected, tag + DS_TIME_LAST));
    }
}

TEST(executions_count_for_the_kind_that_was_expected_then)
{
    struct ds_expect *load = obtain(20, 0);

    load->own += 3; /* before the load learns anything */
    learn(load, first_dep);
    ds_expect_settle_all();
    assert_int_equal(counter, 0);
    load->own += 5;
    ds_expect_settle_all();
    assert_int_equal(counter, 5);
    ds_expect_settle_all();
    assert_int_equal(counter, 5);
    load->own += 2;
    learn(load, second_dep);
    assert_int_equal(counter, 7);
    load->own += 1;
    ds_expect_settle_all();
    assert_int_equal(counter, 7);
    assert_int_equal(other, 1);
}

TEST(an_execution_may_be_taken_back)
{
    struct ds_expect *load = obtain(30, 0);

    learn(load, first_dep);
    load->own += 5;
    ds_expect_take_back(load, False);
    ds_expect_settle_all();
    assert_int_equal(counter, 4);
}

TEST(another_counter_may_count_the_executions)
{
    struct ds_expect *load = obtain(40, 0);
    static ULong executions = 1000;

    learn(load, first_dep);
    load->own += 5;
    ds_expect_attach(load, &executions);
    assert_int_equal(counter, 5);
    load->own += 7;
    executions += 2;
    ds_expect_settle_all();
    assert_int_equal(counter, 7);
}

TEST(an_interruption_takes_back_from_its_instruction_on)
{
    static ULong executions, others;
    static const ULong n_before[4] = {6, 5, 4, 6};
    static const ULong hits[4] = {9, 9, 10, 10};

    /* Instruction 5 failed: its load and that of the next instruction were not
       executed; the load before it, and that of another run, were. */
    for (UInt i = 0; i < 4; i++) {
        struct ds_expect *load = obtain(50 + i / 3, n_before[i]);
        ULong before;

        executions = others = 0;
        ds_expect_attach(load, i < 3 ? &executions : &others);
        learn(load, first_dep);
        executions = others = 10;
        ds_expect_interrupt(&executions, 5);
        before = counter;
        ds_expect_settle_all();
        assert_int_equal(counter - before, hits[i]);
        ds_expect_forget_all();
    }
}

TEST(an_interruption_does_not_concern_loads_that_expect_nothing)
{
    static ULong executions;
    struct ds_expect *load = obtain(55, 4);

    ds_expect_attach(load, &executions);
    executions = 1;
    ds_expect_interrupt(&executions, 0);
    assert_int_equal(load->mark, 0);
}

TEST(the_largest_distance_follows_the_span)
{
    struct ds_expect *load = obtain(60, 0);

    learn(load, first_dep);
    ds_expect_settle_all();
    assert_int_equal(first_dep->max_distance, 11);
    assert_true(ds_expect_is_of(&load->expected, TAG + 15));
    load->own++;
    ds_expect_settle_all();
    assert_int_equal(first_dep->max_distance, 16);
    first_dep->max_distance = 18;
    load->own++;
    ds_expect_settle_all();
    assert_int_equal(first_dep->max_distance, 18);
}

/* Executes the load with this tag, as a miss. */
static bool execute(struct ds_expect *load, ULong tag)
{
    load->own++;
    ds_expect_take_back(load, False);
    return ds_expect_find(load, tag, False, 1) != NULL;
}

/* A tag of another kind, which the load learns. */
#define FAR (TAG + ((ULong)1 << 20))
static void learn_second(struct ds_expect *load)
{
    struct ds_kind second = {
        .base = FAR, .room = 5, .first = 1, .dep = second_dep};

    ds_expect_learn(load, &second, FAR, 1);
}

TEST(a_load_that_misses_often_remembers_its_kinds)
{
    struct ds_expect *load = obtain_experienced(70);

    assert_null(ds_expect_find(load, FAR, False, 1));
    learn_second(load);
    load->own += 3;
    /* The next execution is of the first kind, the one after it of none. */
    assert_true(execute(load, TAG + 4));
    assert_int_equal(load->expected.base, TAG);
    assert_null(ds_expect_find(load, FAR + 6, False, 1));
    ds_expect_settle_all();
    assert_int_equal(other, 3);
    assert_int_equal(counter, 1);
}

TEST(a_kind_that_the_load_keeps_takes_what_was_expected)
{
    struct ds_expect *load = obtain_experienced(79);

    assert_true(ds_expect_is_of(&load->expected, TAG + 18));
    load->own += 2;
    learn_second(load);
    assert_int_equal(counter, 0);
    ds_expect_settle_all();
    assert_int_equal(counter, 2);
    assert_int_equal(first_dep->max_distance, 19);
}

TEST(a_load_expects_the_kind_that_came_last)
{
    struct ds_expect *load = obtain_experienced(71);

    learn_second(load);
    for (UInt i = 0; i < 3; i++) {
        assert_true(execute(load, TAG));
        assert_int_equal(load->expected.base, TAG);
        load->own++; /* a hit */
        assert_true(execute(load, FAR));
        assert_int_equal(load->expected.base, FAR);
    }
    ds_expect_settle_all();
    assert_int_equal(other, 3);
    assert_int_equal(counter, 6);
}

TEST(a_load_with_many_kinds_remembers_them_all)
{
    struct ds_expect *load = obtain_experienced(72);
    const ULong writer = (ULong)7 << DS_TIME_BITS;

    ds_expect_forget_all();
    for (UInt log = 0; log < 20; log++) {
        struct ds_kind kind = {.base = writer + ((ULong)1 << log) + 1,
                               .room = ((ULong)1 << log) - 1,
                               .first = 1,
                               .bound = (UChar)log,
                               .dep = first_dep};

        ds_expect_learn(load, &kind, kind.base, 1);
    }
    for (UInt log = 0; log < 20; log++)
        assert_true(execute(load, writer + ((ULong)2 << log)));
    ds_expect_settle_all();
    for (UInt log = 0; log < 20; log++)
        assert_int_equal(ds_deps_occurrences(first_dep, log), 1);
}

TEST(a_turn_begins_without_expectations)
{
    struct ds_expect *own = obtain_experienced(73);

    ds_expect_begin_turn();
    assert_int_equal(own->expected.base, DS_EXPECT_NONE);
    /* What a load remembers outlives the turn. */
    assert_true(execute(own, TAG));
    assert_int_equal(own->expected.base, TAG);
}

TEST(a_load_that_missed_rarely_remembers_no_kinds)
{
    struct ds_expect *load = obtain(75, 0);

    learn(load, first_dep);
    assert_null(ds_expect_find(load, TAG, False, 1));
}

TEST(neighbouring_writers_and_distances_have_places_of_their_own)
{
    static struct ds_expect load = {.n_seen = 32};
    bool is_taken[32] = {false};

    /* Each writer has two numbers, so every second one is used. */
    for (ULong writer = 10; writer < 16; writer += 2)
        for (UInt log = 1; log <= 9; log++) {
            ULong tag = writer << DS_TIME_BITS | ((ULong)1 << log);
            UInt i = ds_expect_place(&load, tag + 1);

            assert_true(i < 32 && !is_taken[i]);
            is_taken[i] = true;
            assert_int_equal(ds_expect_place(&load, tag + ((ULong)1 << log)),
                             i);
        }
    assert_int_equal(ds_expect_place(&load, 1), ds_expect_place(&load, 2));
}

TEST(many_loads_remember_their_kinds)
{
    enum { LOADS = 10000 };

    for (UInt i = 0; i < LOADS; i++) {
        learn(obtain(1000 + i, 0), second_dep);
        learn(obtain(1000 + i, 0), first_dep); /* a load is listed once */
    }
    for (UInt i = 0; i < LOADS; i++)
        obtain(1000 + i, 0)->own += i;
    ds_expect_settle_all();
    assert_int_equal(counter, LOADS * (LOADS - 1) / 2);
    assert_int_equal(other, 0);
    ds_expect_forget_all();
    for (UInt i = 0; i < LOADS; i++)
        assert_false(obtain(1000 + i, 0)->is_remembering);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_clock_init();
    assert(lifetimes_parse(
        &bounds, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"));
    ds_deps_init(&bounds);
    ds_deps_record(True);
    first_dep = ds_deps_obtain(&site.reader, 5, 0);
    second_dep = ds_deps_obtain(&site.reader, 6, 0);
}
