/*
 * depsim's counts of executions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "ds_segments.h"
#include "ds_shadow.h"

#define MANY ((ULong)1 << 40)

/* Translated code counts in the segment itself. */
static struct ds_segment *obtain(Addr start)
{
    static const UChar sizes[] = {1, 2, 3};

    return ds_segments_obtain(0, start, sizes, 3);
}

TEST(the_same_code_has_one_counter)
{
    struct ds_segment *segment = obtain(0x100);

    segment->executions = 5;
    assert_ptr_equal(obtain(0x100), segment);
    assert_int_equal(obtain(0x100)->executions, 5);
    assert_int_equal(obtain(0x200)->executions, 0);
}

TEST(an_interrupted_execution_counts_up_to_the_instruction)
{
    struct ds_segment *segment = obtain(0x300), *part;
    static const UChar sizes[] = {1, 2};

    segment->executions = MANY + 1;
    assert_int_equal(ds_segments_interrupt(segment, 0x303), 2);
    assert_true(segment->executions == MANY);
    part = ds_segments_obtain(0, 0x300, sizes, 2);
    assert_int_equal(part->executions, 1);
    part->executions = MANY - 1;
    ds_segments_interrupt(segment, 0x303);
    assert_true(part->executions == MANY);
    assert_true(segment->executions == MANY - 1);
}

TEST(dropped_executions_leave_those_that_are_kept)
{
    struct ds_segment *segment = obtain(0x400);

    segment->executions = 3 * MANY;
    ds_segments_keep();
    segment->executions += 2 * MANY;
    ds_segments_drop();
    assert_true(segment->executions == 3 * MANY);
    ds_segments_reset();
    assert_int_equal(segment->executions, 0);
    ds_segments_drop();
    assert_int_equal(segment->executions, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_code_has_one_counter),
        cmocka_unit_test(an_interrupted_execution_counts_up_to_the_instruction),
        cmocka_unit_test(dropped_executions_leave_those_that_are_kept),
    };

    ds_shadow_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
