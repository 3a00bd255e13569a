/*
 * Finds the loops of graphs that are given by their edges.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>

#include "flow/sd_loops.h"

#define MOST 200u

static struct sd_node nodes[MOST];
static struct sd_loops loops;

/* Makes a graph of n nodes: "from>to" for each edge, with letters from a on for
   nodes; at most two edges lead from a node. */
static void make(const char *edges, uint32_t n)
{
    sd_loops_fini(&loops);
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = (struct sd_node){.number = i};
    for (; edges[0] != '\0'; edges += edges[3] == ' ' ? 4 : 3) {
        struct sd_node *from = &nodes[edges[0] - 'a'];

        from->next[from->next[0] != NULL] = &nodes[edges[2] - 'a'];
    }
    sd_loops_init(&loops, nodes, n);
}

/* For each node the depth of its loop, and "*" if it is a header. */
static const char *depths(uint32_t n)
{
    static char text[3 * MOST];
    size_t used = 0;

    for (uint32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u%s",
                                 loops.list[nodes[i].loop].depth,
                                 nodes[i].is_header ? "*" : "");
    return text;
}

TEST(a_block_without_a_way_back_is_in_no_loop)
{
    make("a>b a>c b>d c>d", 4);
    assert_string_equal(depths(4), "0000");
    assert_int_equal(loops.n, 1);
    assert_int_equal(loops.list[0].n, 4);
}

TEST(a_block_that_follows_itself_is_a_loop)
{
    make("a>b b>b b>c", 3);
    assert_string_equal(depths(3), "01*0");
    assert_int_equal(loops.list[1].n, 1);
}

TEST(a_loop_contains_the_blocks_from_its_header_to_its_end)
{
    make("a>b b>c c>b c>d", 4);
    assert_string_equal(depths(4), "01*10");
    assert_int_equal(nodes[1].loop, nodes[2].loop);
    assert_int_equal(loops.list[1].n, 2);
}

TEST(an_inner_loop_has_one_more_around_it)
{
    make("a>b b>c c>d d>c d>b b>e", 5);
    assert_string_equal(depths(5), "01*2*20");
    assert_int_equal(loops.list[nodes[2].loop].parent, nodes[1].loop);
    assert_int_equal(loops.list[nodes[1].loop].parent, 0);
    assert_int_equal(loops.list[nodes[1].loop].n, 3);
}

TEST(an_inner_loop_may_be_one_block)
{
    make("a>b b>b b>a", 2);
    assert_string_equal(depths(2), "1*2*");
}

TEST(two_loops_that_share_a_header_are_one)
{
    make("a>b b>a a>c c>a", 3);
    assert_string_equal(depths(3), "1*11");
    assert_int_equal(loops.n, 2);
}

TEST(a_loop_that_is_entered_twice_has_two_headers)
{
    make("a>b a>c b>c c>b", 3);
    assert_string_equal(depths(3), "01*1*");
    assert_int_equal(loops.n, 2);
}

TEST(the_header_of_an_unreachable_loop_is_its_first_block)
{
    make("b>c c>b", 3);
    assert_string_equal(depths(3), "01*1");
}

TEST(the_header_of_a_loop_need_not_be_its_first_block)
{
    make("a>c b>c c>b", 3);
    assert_string_equal(depths(3), "011*");
}

TEST(consecutive_loops_are_two)
{
    make("a>a a>b b>b", 2);
    assert_string_equal(depths(2), "1*1*");
    assert_int_not_equal(nodes[0].loop, nodes[1].loop);
    assert_int_equal(loops.n, 3);
}

TEST(a_loop_contains_its_inner_loops_and_no_others)
{
    make("a>b b>c c>d d>c d>b b>e", 5);
    assert_true(sd_loops_hold(&loops, 0, &nodes[0]));
    assert_true(sd_loops_hold(&loops, nodes[1].loop, &nodes[1]));
    assert_true(sd_loops_hold(&loops, nodes[1].loop, &nodes[3]));
    assert_false(sd_loops_hold(&loops, nodes[1].loop, &nodes[0]));
    assert_false(sd_loops_hold(&loops, nodes[1].loop, &nodes[4]));
    assert_false(sd_loops_hold(&loops, nodes[2].loop, &nodes[1]));
    assert_true(sd_loops_hold(&loops, nodes[2].loop, &nodes[3]));
}

TEST(a_child_is_the_outermost_loop_inside_another)
{
    uint32_t outer, middle, inner;

    make("a>b b>c c>c c>b b>a", 3);
    outer = nodes[0].loop, middle = nodes[1].loop, inner = nodes[2].loop;
    assert_string_equal(depths(3), "1*2*3*");
    assert_int_equal(sd_loops_child(&loops, 0, inner), outer);
    assert_int_equal(sd_loops_child(&loops, outer, inner), middle);
    assert_int_equal(sd_loops_child(&loops, middle, inner), inner);
    assert_int_equal(sd_loops_child(&loops, inner, inner), 0);
    assert_int_equal(sd_loops_child(&loops, inner, outer), 0);
    assert_int_equal(sd_loops_child(&loops, outer, 0), 0);
}

TEST(every_block_is_listed_once_and_knows_its_place)
{
    bool is_seen[8] = {false};

    make("a>b b>c c>b c>d d>e e>f f>e f>d d>g g>h h>a", 8);
    assert_int_equal(loops.list[0].first, 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(loops.nodes[i]->place, i);
        assert_false(is_seen[loops.nodes[i]->number]);
        is_seen[loops.nodes[i]->number] = true;
    }
}

/* Node i of a chain leads to the next one, and the last n back to each. */
TEST(the_deepest_loops_are_part_of_the_one_around_them)
{
    uint32_t n = SD_DEEPEST + 2;

    sd_loops_fini(&loops);
    for (uint32_t i = 0; i < 2 * n; i++)
        nodes[i] = (struct sd_node){.number = i};
    for (uint32_t i = 0; i < n; i++) { /* n headers, n ends in reverse */
        nodes[i].next[0] = &nodes[i + 1];
        nodes[2 * n - 1 - i].next[0] = &nodes[i];
        if (i > 0)
            nodes[2 * n - 1 - i].next[1] = &nodes[2 * n - i];
    }
    sd_loops_init(&loops, nodes, 2 * n);
    assert_int_equal(loops.n, SD_DEEPEST + 1);
    assert_int_equal(loops.list[nodes[SD_DEEPEST - 2].loop].depth,
                     SD_DEEPEST - 1);
    for (uint32_t i = SD_DEEPEST - 1; i < n; i++)
        assert_int_equal(loops.list[nodes[i].loop].depth, SD_DEEPEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_without_a_way_back_is_in_no_loop),
        cmocka_unit_test(a_block_that_follows_itself_is_a_loop),
        cmocka_unit_test(a_loop_contains_the_blocks_from_its_header_to_its_end),
        cmocka_unit_test(an_inner_loop_has_one_more_around_it),
        cmocka_unit_test(an_inner_loop_may_be_one_block),
        cmocka_unit_test(two_loops_that_share_a_header_are_one),
        cmocka_unit_test(a_loop_that_is_entered_twice_has_two_headers),
        cmocka_unit_test(the_header_of_an_unreachable_loop_is_its_first_block),
        cmocka_unit_test(the_header_of_a_loop_need_not_be_its_first_block),
        cmocka_unit_test(consecutive_loops_are_two),
        cmocka_unit_test(a_loop_contains_its_inner_loops_and_no_others),
        cmocka_unit_test(a_child_is_the_outermost_loop_inside_another),
        cmocka_unit_test(every_block_is_listed_once_and_knows_its_place),
        cmocka_unit_test(the_deepest_loops_are_part_of_the_one_around_them),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);

    sd_loops_fini(&loops);
    return rc;
}
