/* The loops of graphs, which are given by their edges. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "graph/loops.h"

#define MOST 200u

/* At most two edges lead from a node. */
static uint32_t edges_from[MOST][2];
static struct loops loops;

static uint32_t successor(const void *of, uint32_t node, uint32_t i)
{
    (void)of;
    return i < 2 ? edges_from[node][i] : GRAPH_END;
}

static void add_edge(uint32_t from, uint32_t to)
{
    edges_from[from][edges_from[from][0] != GRAPH_SKIP] = to;
}

static void begin(uint32_t n)
{
    loops_fini(&loops);
    for (uint32_t i = 0; i < n; i++)
        edges_from[i][0] = edges_from[i][1] = GRAPH_SKIP;
}

/* Makes a graph of n nodes: "from>to" for each edge, with letters from a on for
   nodes. */
static void make(const char *edges, uint32_t n)
{
    begin(n);
    for (; edges[0] != '\0'; edges += edges[3] == ' ' ? 4 : 3)
        add_edge((uint32_t)(edges[0] - 'a'), (uint32_t)(edges[2] - 'a'));
    loops_find(&loops, &(struct graph){NULL, n, successor});
}

/* Writes the depth of each node's loop, and "*" if the node is a header. */
static const char *depths(uint32_t n)
{
    static char text[3 * MOST];
    size_t used = 0;

    for (uint32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u%s",
                                 loops.list[loops.innermost[i]].depth,
                                 loops.is_header[i] ? "*" : "");
    return text;
}

TEST(a_block_without_a_path_back_is_in_no_loop)
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
    assert_int_equal(loops.innermost[1], loops.innermost[2]);
    assert_int_equal(loops.list[1].n, 2);
}

TEST(an_inner_loop_has_one_more_around_it)
{
    make("a>b b>c c>d d>c d>b b>e", 5);
    assert_string_equal(depths(5), "01*2*20");
    assert_int_equal(loops.list[loops.innermost[2]].parent, loops.innermost[1]);
    assert_int_equal(loops.list[loops.innermost[1]].parent, 0);
    assert_int_equal(loops.list[loops.innermost[1]].n, 3);
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
    assert_int_not_equal(loops.innermost[0], loops.innermost[1]);
    assert_int_equal(loops.n, 3);
}

TEST(a_loop_contains_its_inner_loops_and_no_others)
{
    make("a>b b>c c>d d>c d>b b>e", 5);
    assert_true(loops_hold(&loops, 0, 0));
    assert_true(loops_hold(&loops, loops.innermost[1], 1));
    assert_true(loops_hold(&loops, loops.innermost[1], 3));
    assert_false(loops_hold(&loops, loops.innermost[1], 0));
    assert_false(loops_hold(&loops, loops.innermost[1], 4));
    assert_false(loops_hold(&loops, loops.innermost[2], 1));
    assert_true(loops_hold(&loops, loops.innermost[2], 3));
}

TEST(a_child_is_the_outermost_loop_inside_another)
{
    uint32_t outer, middle, inner;

    make("a>b b>c c>c c>b b>a", 3);
    outer = loops.innermost[0], middle = loops.innermost[1],
    inner = loops.innermost[2];
    assert_string_equal(depths(3), "1*2*3*");
    assert_int_equal(loops_child(&loops, 0, inner), outer);
    assert_int_equal(loops_child(&loops, outer, inner), middle);
    assert_int_equal(loops_child(&loops, middle, inner), inner);
    assert_int_equal(loops_child(&loops, inner, inner), 0);
    assert_int_equal(loops_child(&loops, inner, outer), 0);
    assert_int_equal(loops_child(&loops, outer, 0), 0);
}

TEST(every_block_is_listed_once_and_knows_its_place)
{
    bool is_seen[8] = {false};

    make("a>b b>c c>b c>d d>e e>f f>e f>d d>g g>h h>a", 8);
    assert_int_equal(loops.list[0].first, 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(loops.places[loops.nodes[i]], i);
        assert_false(is_seen[loops.nodes[i]]);
        is_seen[loops.nodes[i]] = true;
    }
}

/* Node i of a chain leads to the next, and the last n back to the first n. */
TEST(the_deepest_loops_are_part_of_the_one_around_them)
{
    uint32_t n = LOOPS_DEEPEST + 2;

    begin(2 * n);
    for (uint32_t i = 0; i < n; i++) { /* n headers, then their n ends */
        add_edge(i, i + 1);
        add_edge(2 * n - 1 - i, i);
        if (i > 0)
            add_edge(2 * n - 1 - i, 2 * n - i);
    }
    loops_find(&loops, &(struct graph){NULL, 2 * n, successor});
    assert_int_equal(loops.n, LOOPS_DEEPEST + 1);
    assert_int_equal(loops.list[loops.innermost[LOOPS_DEEPEST - 2]].depth,
                     LOOPS_DEEPEST - 1);
    for (uint32_t i = LOOPS_DEEPEST - 1; i < n; i++)
        assert_int_equal(loops.list[loops.innermost[i]].depth, LOOPS_DEEPEST);
}

AFTER_ALL()
{
    loops_fini(&loops);
}
