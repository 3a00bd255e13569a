/* depsim's counts of executions. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/internal.h"

#define MANY ((ULong)1 << 40)

static const UChar sizes[] = {1, 2, 3};

static struct ds_segment *obtain(Addr start)
{
    return ds_segments_obtain(0, start, sizes, 3);
}

/* The part in which translated code counts executions of a segment. */
static struct ds_part *part_of(Addr start, UInt superblock)
{
    return ds_segments_part(obtain(start), superblock, 7);
}

/* The executions of a segment in the spool. */
static ULong executions(Addr start, UInt n)
{
    struct ds_segment *segment = ds_segments_obtain(0, start, sizes, n);
    SizeT cursor = 0;
    const struct ds_segment *next;

    ds_segments_settle();
    while ((next = ds_segments_next(&cursor)) != segment)
        assert_non_null(next);
    return next->executions;
}

TEST(the_parts_of_the_same_code_add_up)
{
    part_of(0x100, 1)->executions += 5;
    part_of(0x100, 2)->executions += MANY;
    part_of(0x100, 1)->executions += 1;
    assert_ptr_equal(part_of(0x100, 1), part_of(0x100, 1));
    assert_ptr_not_equal(part_of(0x100, 1),
                         ds_segments_part(obtain(0x100), 1, 8));
    assert_true(executions(0x100, 3) == MANY + 6);
    assert_true(executions(0x100, 3) == MANY + 6);
    assert_int_equal(executions(0x200, 3), 0);
}

TEST(an_interrupted_execution_counts_up_to_the_instruction)
{
    struct ds_part *part = part_of(0x300, 1);

    part->executions = MANY + 1;
    assert_int_equal(ds_segments_interrupt(part, 0x303), 2);
    assert_true(executions(0x300, 3) == MANY);
    assert_int_equal(executions(0x300, 2), 1);
    assert_int_equal(ds_segments_interrupt(part, 0x303), 2);
    assert_int_equal(ds_segments_interrupt(part, 0x300), 0);
    assert_true(executions(0x300, 3) == MANY - 2);
    assert_int_equal(executions(0x300, 2), 2);
    assert_int_equal(ds_segments_interrupt(part, 0x302), 3);
    assert_true(executions(0x300, 3) == MANY - 2);
}

TEST(forgotten_executions_leave_those_that_are_kept)
{
    struct ds_part *part = part_of(0x400, 1);
    ULong before = ds_segments_instructions();

    part->executions += 3 * MANY;
    ds_segments_keep(True);
    part->executions += 2 * MANY;
    ds_segments_rollback();
    assert_true(executions(0x400, 3) == 3 * MANY);
    ds_segments_keep(False);
    ds_segments_rollback();
    assert_int_equal(executions(0x400, 3), 0);
    ds_segments_rollback();
    assert_int_equal(executions(0x400, 3), 0);
    assert_true(ds_segments_instructions() - before == 15 * MANY);
}

TEST(a_segment_has_one_instruction_or_up_to_the_most)
{
    UChar many[DS_SEGMENT_MAX];
    struct ds_segment *one, *most;

    memset(many, 15, sizeof many);
    one = ds_segments_obtain(3, 0x900, many, 1);
    most = ds_segments_obtain(3, 0x900, many, DS_SEGMENT_MAX);
    assert_ptr_not_equal(one, most);
    assert_int_equal(one->key.word[0], 3);
    assert_int_equal(one->key.word[2], 0x90F);
    assert_int_equal(most->n_instructions, DS_SEGMENT_MAX);
    assert_int_equal(most->key.word[2], 0x900 + 15 * DS_SEGMENT_MAX);
    many[0] = 1;
    assert_int_equal(most->sizes[0], 15);
    assert_ptr_not_equal(ds_segments_obtain(4, 0x900, many, 1), one);
}

TEST(a_part_is_known_by_its_segment_superblock_and_place)
{
    struct ds_segment *segment = obtain(0xA00);
    struct ds_part *part = ds_segments_part(segment, 1, 0);

    assert_ptr_equal(part->segment, segment);
    assert_int_equal(part->n_before, 0);
    assert_ptr_equal(ds_segments_part(segment, 1, 0), part);
    assert_ptr_not_equal(ds_segments_part(segment, 2, 0), part);
    assert_ptr_not_equal(ds_segments_part(segment, 1, 1), part);
    assert_ptr_not_equal(ds_segments_part(obtain(0xA01), 1, 0), part);
}

TEST(instructions_count_whether_forgotten_or_not)
{
    struct ds_part *part = part_of(0xB00, 1);
    ULong before = ds_segments_instructions();

    part->executions += 5;
    assert_true(ds_segments_instructions() == before + 15);
    ds_segments_keep(True);
    part->executions += 2;
    ds_segments_interrupt(part, 0xB01);
    assert_true(ds_segments_instructions() == before + 19);
    ds_segments_rollback();
    assert_true(ds_segments_instructions() == before + 19);
    assert_int_equal(executions(0xB00, 3), 5);
    assert_int_equal(executions(0xB00, 1), 0);
    part->executions += 1;
    ds_segments_keep(False);
    ds_segments_rollback();
    assert_true(ds_segments_instructions() == before + 22);
}

TEST(a_walk_over_all_segments_meets_each_once)
{
    SizeT cursor = 0, n = 0;
    const struct ds_segment *segment;
    struct ds_part *part = part_of(0xC00, 1);

    part->executions += 4;
    ds_segments_settle();
    while ((segment = ds_segments_next(&cursor)) != NULL) {
        n += segment == part->segment;
        if (segment == part->segment)
            assert_int_equal(segment->executions, 4);
        else
            part->executions++; /* too late for the walk that runs */
    }
    assert_int_equal(n, 1);
}

/* Executes segments 0 to n - 1 once more each. */
static void execute(SizeT n)
{
    for (SizeT i = 0; i < n; i++)
        part_of(0x10000 + 16 * i, 1)->executions++;
}

static void expect_executions(SizeT n, ULong expected)
{
    ds_segments_settle();
    for (SizeT i = 0; i < n; i++)
        assert_true(obtain(0x10000 + 16 * i)->executions == expected);
}

/* Growing tables put segments into every place. */
TEST(no_segment_is_left_out_wherever_it_is_kept)
{
    for (SizeT n = 1; n < 700; n++) {
        execute(n);
        ds_segments_keep(True);
        execute(n);
        ds_segments_rollback();
        expect_executions(n, 1);
        ds_segments_keep(False);
        ds_segments_rollback();
        expect_executions(n, 0);
    }
}

BEFORE_ALL()
{
    ds_shadow_init();
}
