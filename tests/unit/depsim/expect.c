/*
 * depsim's inline caches of loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "count/internal.h"

#define TAG ((ULong)7 << DS_TIME_BITS | 100)

static struct ds_site site = {.reader = {.id = 1}};
static ULong counter, other; /* what accesses add to */

/* A load after n_before instructions; each case uses other superblocks. */
static struct ds_expect *obtain(UInt superblock, ULong n_before)
{
    return ds_expect_obtain(&site, superblock, 4, 0, n_before, n_before);
}

/* Tags from TAG to TAG + 10, or with larger distances to TAG + 20. */
static struct ds_kind kind_of(ULong *adds_to)
{
    return (struct ds_kind){
        .base = TAG, .span = 10, .room = 20, .first = 1, .counter = adds_to};
}

static void learn(struct ds_expect *load, ULong *adds_to)
{
    struct ds_kind kind = kind_of(adds_to);

    ds_expect_learn(load, &kind, TAG);
}

static int forget(void **unused)
{
    (void)unused;
    ds_expect_forget_all();
    counter = other = 0;
    return 0;
}

TEST(a_kind_reaches_from_its_base_to_its_room)
{
    struct ds_kind kind = kind_of(&counter);

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

TEST(a_load_is_known_by_all_that_it_is)
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
    assert_int_equal(load->n_counted, 5);
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

TEST(executions_count_as_what_was_expected_then)
{
    struct ds_expect *load = obtain(20, 0);

    load->own += 3; /* before it learns anything */
    learn(load, &counter);
    ds_expect_settle_all();
    assert_int_equal(counter, 0);
    load->own += 5;
    ds_expect_settle_all();
    assert_int_equal(counter, 5);
    ds_expect_settle_all();
    assert_int_equal(counter, 5);
    load->own += 2;
    learn(load, &other);
    assert_int_equal(counter, 7);
    load->own += 1;
    ds_expect_settle_all();
    assert_int_equal(counter, 7);
    assert_int_equal(other, 1);
}

TEST(an_execution_may_be_taken_back)
{
    struct ds_expect *load = obtain(30, 0);

    learn(load, &counter);
    load->own += 5;
    ds_expect_take_back(load, False);
    ds_expect_settle_all();
    assert_int_equal(counter, 4);
}

TEST(another_counter_may_count_the_executions)
{
    struct ds_expect *load = obtain(40, 0);
    static ULong executions = 1000;

    learn(load, &counter);
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
    static ULong hits[4];
    static const ULong n_before[4] = {6, 5, 4, 6};

    for (UInt i = 0; i < 4; i++) {
        struct ds_expect *load = obtain(50 + i / 3, n_before[i]);

        ds_expect_attach(load, i < 3 ? &executions : &others);
        learn(load, &hits[i]);
    }
    executions = others = 10;
    ds_expect_interrupt(&executions, 5);
    ds_expect_settle_all();
    assert_int_equal(hits[0], 9);
    assert_int_equal(hits[1], 9);  /* the load of the instruction that failed */
    assert_int_equal(hits[2], 10); /* the load of the instruction before it */
    assert_int_equal(hits[3], 10); /* the load of another run of instructions */
}

TEST(an_interruption_is_none_of_the_loads_that_expect_nothing)
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
    static struct ds_dep dep = {.max_distance = 12};
    struct ds_expect *load = obtain(60, 0);
    struct ds_kind kind = kind_of(&counter);

    kind.dep = &dep;
    kind.first = 2;
    ds_expect_learn(load, &kind, TAG);
    ds_expect_settle_all();
    assert_int_equal(dep.max_distance, 12);
    assert_true(ds_expect_is_of(&load->expected, TAG + 15));
    ds_expect_settle_all();
    assert_int_equal(dep.max_distance, 17);
    dep.max_distance = 18;
    ds_expect_settle_all();
    assert_int_equal(dep.max_distance, 18);
}

/* Enough misses for a second level. */
static struct ds_expect *obtain_experienced(UInt superblock)
{
    struct ds_expect *load = obtain(superblock, 0);

    for (UInt i = 0; i < 64; i++) {
        assert_null(load->seen);
        learn(load, &counter);
    }
    assert_null(load->seen);
    learn(load, &counter);
    assert_non_null(load->seen);
    return load;
}

TEST(a_load_that_misses_often_remembers_its_kinds)
{
    struct ds_expect *load = obtain_experienced(70);
    ULong far = TAG + ((ULong)1 << 20);
    struct ds_kind second = {.base = far, .room = 5, .counter = &other};

    assert_false(ds_expect_has_seen(load, far, False));
    ds_expect_learn(load, &second, far);
    load->own += 3;
    /* Its next execution is of the first kind. */
    load->own++;
    ds_expect_take_back(load, False);
    assert_true(ds_expect_has_seen(load, TAG + 4, False));
    assert_int_equal(other, 3);
    assert_int_equal(counter, 0);
    ds_expect_settle_all();
    assert_int_equal(other, 3);
    assert_int_equal(counter, 1);
    /* The execution after that is of no known kind, but has the second's
       place. */
    assert_false(ds_expect_has_seen(load, far + 6, False));
    assert_true(ds_expect_has_seen(load, far + 5, False));
}

TEST(a_load_that_missed_rarely_remembers_none)
{
    struct ds_expect *load = obtain(75, 0);

    learn(load, &counter);
    assert_false(ds_expect_has_seen(load, TAG, False));
}

TEST(neighbouring_writers_and_distances_have_places_of_their_own)
{
    static struct ds_kinds kinds;
    bool is_taken[DS_KINDS] = {false};

    /* Each store has two numbers. */
    for (ULong writer = 10; writer < 16; writer += 2)
        for (UInt log = 1; log <= 9; log++) {
            ULong tag = writer << DS_TIME_BITS | ((ULong)1 << log);
            struct ds_kind *kind = ds_expect_place(&kinds, tag);
            SizeT i = (SizeT)(kind - kinds.kind);

            assert_true(i < DS_KINDS && !is_taken[i]);
            is_taken[i] = true;
            assert_ptr_equal(ds_expect_place(&kinds, tag | 1), kind);
        }
    assert_ptr_equal(ds_expect_place(&kinds, 0), ds_expect_place(&kinds, 1));
}

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
    assert_false(ds_expect_has_seen(load, TAG, False));
    /* It learns again, and remembers only this. */
    learn(load, &other);
    assert_true(ds_expect_has_seen(load, TAG, False));
    assert_false(ds_expect_has_seen(load, TAG + ((ULong)1 << 20), False));
}

TEST(many_loads_remember)
{
    enum { LOADS = 10000 };
    static ULong hits[LOADS];

    for (UInt i = 0; i < LOADS; i++) {
        learn(obtain(1000 + i, 0), &other);
        learn(obtain(1000 + i, 0), &hits[i]); /* is in the list once */
    }
    for (UInt i = 0; i < LOADS; i++)
        obtain(1000 + i, 0)->own += i;
    ds_expect_settle_all();
    for (UInt i = 0; i < LOADS; i++)
        assert_int_equal(hits[i], i);
    ds_expect_forget_all();
    for (UInt i = 0; i < LOADS; i++)
        assert_false(obtain(1000 + i, 0)->is_remembering);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First, since none may remain when there is but one. */
        cmocka_unit_test_setup(forgotten_kinds_count_no_more, forget),
        cmocka_unit_test_setup(a_kind_reaches_from_its_base_to_its_room,
                               forget),
        cmocka_unit_test_setup(a_load_is_known_by_all_that_it_is, forget),
        cmocka_unit_test_setup(a_new_load_misses, forget),
        cmocka_unit_test_setup(executions_count_as_what_was_expected_then,
                               forget),
        cmocka_unit_test_setup(an_execution_may_be_taken_back, forget),
        cmocka_unit_test_setup(another_counter_may_count_the_executions,
                               forget),
        cmocka_unit_test_setup(
            an_interruption_takes_back_from_its_instruction_on, forget),
        cmocka_unit_test_setup(
            an_interruption_is_none_of_the_loads_that_expect_nothing, forget),
        cmocka_unit_test_setup(the_largest_distance_follows_the_span, forget),
        cmocka_unit_test_setup(a_load_that_misses_often_remembers_its_kinds,
                               forget),
        cmocka_unit_test_setup(a_load_that_missed_rarely_remembers_none,
                               forget),
        cmocka_unit_test_setup(
            neighbouring_writers_and_distances_have_places_of_their_own,
            forget),
        cmocka_unit_test_setup(many_loads_remember, forget),
    };

    ds_shadow_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
