/* How often blocks executed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "executions.h"

struct segment {
    uint64_t start, end, n;
};

/* The executions of the block from 0x100 up to 0x110, given segments; the list
   ends with one without executions. */
static uint64_t executions(const struct segment *segments)
{
    struct executions e = {0};
    uint64_t n;

    for (; segments->n > 0; segments++)
        assert_true(executions_add(&e, 1, segments->start, segments->end, 0,
                                   segments->n));
    /* other objects have the same addresses */
    assert_true(executions_add(&e, 0, 0, 0x105, 0, 1000));
    assert_true(executions_add(&e, 2, 0x105, 0x200, 0, 1000));
    executions_sum(&e);
    n = executions_of(&e, 1, 0x100, 0x110, false);
    executions_fini(&e);
    return n;
}

#define EXECUTIONS(...) \
    ((unsigned)executions((const struct segment[]){__VA_ARGS__, {0}}))

TEST(an_instruction_executes_in_all_segments_that_hold_it)
{
    assert_int_equal(EXECUTIONS({0x100, 0x110, 5}), 5);
    assert_int_equal(EXECUTIONS({0x0f0, 0x120, 5}, {0x100, 0x108, 2}), 7);
    assert_int_equal(EXECUTIONS({0x100, 0x108, 2}, {0x100, 0x110, 5}), 7);
    assert_int_equal(EXECUTIONS({0x0f0, 0x100, 5}), 0);
    assert_int_equal(EXECUTIONS({0x110, 0x120, 5}), 0);
}

TEST(control_may_enter_a_block_in_its_middle)
{
    assert_int_equal(EXECUTIONS({0x108, 0x110, 5}), 5);
    assert_int_equal(EXECUTIONS({0x100, 0x110, 2}, {0x108, 0x120, 5}), 7);
    assert_int_equal(EXECUTIONS({0x10e, 0x110, 5}), 5);
}

TEST(a_block_that_is_left_in_the_middle_executed)
{
    assert_int_equal(EXECUTIONS({0x100, 0x108, 5}, {0x100, 0x110, 2}), 7);
}

TEST(repetitions_of_a_string_instruction_are_no_executions)
{
    /* segments begin at the start, in the middle and at the end */
    assert_int_equal(EXECUTIONS({0x100, 0x102, 900}, {0x102, 0x110, 5}), 5);
    assert_int_equal(
        EXECUTIONS({0x100, 0x108, 5}, {0x108, 0x10d, 900}, {0x10d, 0x110, 5}),
        5);
    assert_int_equal(EXECUTIONS({0x100, 0x110, 5}, {0x10e, 0x110, 900}), 5);
}

TEST(if_all_parts_are_short_the_least_count_holds)
{
    struct executions e = {0};

    assert_true(executions_add(&e, 0, 0x10, 0x13, 0, 900)); /* rep stos */
    assert_true(executions_add(&e, 0, 0x13, 0x14, 0, 5));   /* ret */
    executions_sum(&e);
    assert_int_equal(executions_of(&e, 0, 0x10, 0x14, false), 5);
    assert_int_equal(executions_of(&e, 0, 0x0e, 0x14, false), 5);
    executions_fini(&e);
}

TEST(parts_that_executed_equally_often_count_as_one)
{
    assert_int_equal(EXECUTIONS({0x100, 0x104, 5}, {0x104, 0x108, 5},
                                {0x108, 0x10a, 9}, {0x10a, 0x110, 2}),
                     5);
    assert_int_equal(EXECUTIONS({0x100, 0x104, 2}, {0x104, 0x108, 5},
                                {0x108, 0x10c, 5}, {0x10c, 0x10c, 9}),
                     5);
}

TEST(code_inside_an_instruction_has_executions_of_its_own)
{
    struct executions e = {0};

    assert_true(executions_add(&e, 0, 0x10, 0x19, 0, 5));    /* lock */
    assert_true(executions_add(&e, 0, 0x11, 0x19, 0x13, 7)); /* no lock */
    assert_true(executions_add(&e, 0, 0x11, 0x12, 0x13, 2)); /* leaves early */
    executions_sum(&e);
    assert_int_equal(executions_of(&e, 0, 0x10, 0x13, false), 5);
    assert_int_equal(executions_of(&e, 0, 0x11, 0x12, true), 9);
    assert_int_equal(executions_of(&e, 0, 0x12, 0x13, true), 7);
    assert_int_equal(executions_of(&e, 0, 0x13, 0x19, false), 12);
    executions_fini(&e);
}

TEST(executions_beyond_64_bits_are_refused)
{
    struct executions e = {0};

    assert_true(executions_add(&e, 0, 0x10, 0x20, 0, UINT64_MAX - 1));
    assert_false(executions_add(&e, 0, 0x10, 0x20, 0, 2));
    assert_true(executions_add(&e, 0, 0x10, 0x20, 0, 1));
    executions_sum(&e);
    assert_true(executions_of(&e, 0, 0x10, 0x20, false) == UINT64_MAX);
    executions_fini(&e);
}
