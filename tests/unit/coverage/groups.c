/* The scores of objects, functions and blocks one by one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data.h"

#include "judge/cc_score.h"

static struct cc_groups g;

/* The groups of the data, which are matched first. */
static void group(enum cc_by by)
{
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    g = cc_groups_new(&data, by);
}

/* In object a: f has two blocks, of 100 and 300, and 7 occurrences found and 2
   missed; g has nothing but a false prediction; h has nothing; outside any
   function 40 occurrences are missed.  Object b has no block. */
static void add_usual(void)
{
    uint32_t f, other;

    data.bounds = (struct cc_bounds){2, {512, LIFETIME_INF}};
    cc_add_object(&data, "/bin/a", "aa");
    cc_add_object(&data, "/bin/b", "bb");
    f = data_block(0, "f", 0x100, 100);
    data_block(0, "f", 0x110, 300);
    other = data_block(0, "g", 0x120, 200);
    data_block(0, "h", 0x130, 250);
    data_block(0, NULL, 0x140, 50);
    data_observe(0, 0x100, 0x104, 1, 7);
    data_observe(0, 0x110, 0x114, 1, 2);
    data_observe(0, 0x140, 0x144, 1, 40);
    data_observe(0, 0x140, 0x148, 600, 1000);
    data_predict(f, 0x100, 0x104, 0);
    data_predict(other, 0x120, 0x124, 0);
}

static void assert_group(size_t i, const char *function, uint64_t start,
                         uint64_t end, uint64_t weight)
{
    const struct cc_group *group = &g.list[i];

    if (function == NULL)
        assert_null(group->function);
    else
        assert_string_equal(group->function, function);
    assert_int_equal(group->object, 0);
    assert_int_equal(group->start, start);
    assert_int_equal(group->end, end);
    assert_int_equal(group->weight, weight);
}

TEST(functions_with_most_occurrences_at_the_first_bound_come_first)
{
    add_usual();
    group(CC_BY_FUNCTION);
    assert_int_equal(g.by, CC_BY_FUNCTION);
    assert_int_equal(g.n, 3);
    assert_group(0, NULL, 0x140, 0x150, 50);
    assert_group(1, "f", 0x100, 0x120, 300);
    assert_group(2, "g", 0x120, 0x130, 200);
    assert_int_equal(g.list[1].score->tally[0].found_occurrences, 7);
    assert_int_equal(g.list[1].score->tally[0].missed_occurrences, 2);
    assert_int_equal(g.list[0].score->tally[1].missed_occurrences, 1040);
    assert_int_equal(g.list[2].score->precision.whole, 1);
    cc_groups_fini(&g);
    assert_int_equal(g.n, 0);
}

TEST(every_object_is_a_group_even_without_blocks)
{
    add_usual();
    group(CC_BY_OBJECT);
    assert_int_equal(g.n, 2);
    assert_group(0, NULL, 0x100, 0x150, 300);
    assert_int_equal(g.list[0].score->n_blocks, 5);
    assert_int_equal(g.list[1].object, 1);
    assert_int_equal(g.list[1].end, 0);
    assert_int_equal(g.list[1].score->n_blocks, 0);
}

TEST(blocks_know_their_function)
{
    add_usual();
    group(CC_BY_BLOCK);
    assert_int_equal(g.n, 4);
    assert_group(0, NULL, 0x140, 0x150, 50);
    assert_group(1, "f", 0x100, 0x110, 100);
    assert_group(2, "f", 0x110, 0x120, 300);
    assert_group(3, "g", 0x120, 0x130, 200);
}

TEST(equal_groups_are_sorted_by_weight_object_and_address)
{
    static const uint64_t starts[] = {0x140, 0x120, 0x100};

    data.bounds = (struct cc_bounds){1, {LIFETIME_INF}};
    cc_add_object(&data, "/bin/a", "aa");
    cc_add_object(&data, "/bin/b", "bb");
    for (uint32_t object = 2; object-- > 0;)
        for (int i = 0; i < 3; i++) {
            uint64_t s = starts[i];

            data_block(object, NULL, s, s == 0x120 ? 20 : 10);
            data_observe(object, s, s, 1, 5);
        }
    group(CC_BY_BLOCK);
    assert_int_equal(g.n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(g.list[i].object, i == 1 || i > 3);
    assert_int_equal(g.list[0].start, 0x120);
    assert_int_equal(g.list[1].start, 0x120);
    assert_int_equal(g.list[2].start, 0x100);
    assert_int_equal(g.list[3].start, 0x140);
    assert_int_equal(g.list[4].start, 0x100);
    assert_int_equal(g.list[5].start, 0x140);
}

TEST(there_are_no_groups_if_none_are_asked_for_or_there_are_no_data)
{
    data.bounds = (struct cc_bounds){1, {LIFETIME_INF}};
    group(CC_BY_BLOCK);
    assert_int_equal(g.n, 0);
    add_usual();
    group(CC_BY_NONE);
    assert_int_equal(g.n, 0);
}

TEST(of_equal_functions_the_first_object_and_address_come_first)
{
    data.bounds = (struct cc_bounds){1, {LIFETIME_INF}};
    cc_add_object(&data, "/bin/a", "aa");
    cc_add_object(&data, "/bin/b", "bb");
    data_block(1, "late", 0x100, 10);
    data_block(0, "second", 0x120, 10);
    data_block(0, "first", 0x110, 10);
    data_block(0, NULL, 0x100, 10);
    data_block(1, NULL, 0x110, 10);
    for (uint64_t address = 0x100; address <= 0x120; address += 0x10)
        for (uint32_t object = 0; object < 2; object++)
            data_observe(object, address, address, 1, 5);
    group(CC_BY_FUNCTION);
    assert_int_equal(g.n, 5);
    assert_group(0, NULL, 0x100, 0x110, 10);
    assert_group(1, "first", 0x110, 0x120, 10);
    assert_group(2, "second", 0x120, 0x130, 10);
    assert_int_equal(g.list[3].object, 1);
    assert_string_equal(g.list[3].function, "late");
    assert_int_equal(g.list[4].object, 1);
    assert_null(g.list[4].function);
}
