/* The edges of a graph, and the back path of a block. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "block/sd_analyse.h"
#include "graph.h"

static struct sd_path path;

/* The offsets of the blocks on the back path, with "(" where it enters another
   loop, and "again" where the function is called again. */
static const char *path_to(unsigned offset)
{
    static char text[200];
    int n = 0;

    text[0] = '\0';
    if (!sd_path_find(&path, at(offset)))
        return "none";
    for (size_t i = 0; i < path.n_steps; i++) {
        const struct sd_step *step = &path.steps[i];
        const char *blank = i > 0 ? " " : "";

        if (step->node == NULL)
            n += snprintf(text + n, sizeof text - (size_t)n, "%sagain", blank);
        else
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%s%x", blank,
                          step->inner != 0 ? "(" : "",
                          (unsigned)(step->node->address - 0x1000));
    }
    return text;
}

TEST(of_two_paths_the_shorter_one_is_taken)
{
    /* jne 5; nop; jmp 5; jmp 0 */
    make(BYTES(0x75, 3, 0x90, 0xeb, 0, 0xeb, 0xf9), NO_FUNCTION);
    assert_string_equal(path_to(0), "5");
    assert_string_equal(path_to(2), "3 5 0");
    assert_string_equal(path_to(5), "0");
}

TEST(of_two_equal_paths_the_one_that_falls_through_is_taken)
{
    /* nop; jne 5; jmp 0; jmp 0 */
    make(BYTES(0x90, 0x75, 2, 0xeb, 0xfb, 0xeb, 0xf9), NO_FUNCTION);
    assert_string_equal(path_to(0), "3");
}

TEST(a_block_that_follows_itself_has_an_empty_path)
{
    /* nop; jne 0; jmp 0 */
    make(BYTES(0x90, 0x75, 0xfd, 0xeb, 0xfb), NO_FUNCTION);
    assert_true(sd_node_follows_itself(at(0)));
    assert_string_equal(path_to(0), "");
    assert_false(sd_node_follows_itself(at(3)));
    assert_string_equal(path_to(3), "0");
}

TEST(a_call_returns_unless_a_function_begins_after_it)
{
    const uint8_t code[] = {0xe8, 0, 1, 0, 0, 0xeb, 0xf9}; /* jmp 0 */

    make(code, sizeof code, NO_FUNCTION);
    assert_string_equal(path_to(0), "5");
    assert_true(at(0)->calls);
    make(code, sizeof code, FUNCTIONS(0, 5));
    assert_string_equal(path_to(0), "none");
}

TEST(a_jump_to_undecodable_bytes_has_no_successor)
{
    /* jne 3; 06; jmp 0 */
    make(BYTES(0x75, 1, 0x06, 0xeb, 0xfb), NO_FUNCTION);
    assert_null(at(0)->next[0]);
    assert_string_equal(path_to(0), "3");
    /* nop; 06 */
    make(BYTES(0x90, 0x06), NO_FUNCTION);
    assert_string_equal(path_to(0), "none");
}

TEST(the_path_stays_in_the_innermost_loop)
{
    /* nop; 1: je 0; jne 5; jmp 1 */
    make(BYTES(0x90, 0x74, 0xfd, 0x75, 0, 0xeb, 0xfa), NO_FUNCTION);
    assert_string_equal(path_to(1), "3 5");
    assert_string_equal(path_to(0), "(1");
}

TEST(a_loop_on_the_path_is_marked_where_it_begins)
{
    /* nop; 1: nop; jne 1; jmp 0 */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0xeb, 0xfa), NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 4");
    assert_string_equal(path_to(4), "0 (1");
    /* nop; 1: nop; 2: nop; jne 2; jne 1; jmp 0 */
    make(BYTES(0x90, 0x90, 0x90, 0x75, 0xfd, 0x75, 0xfa, 0xeb, 0xf7),
         NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 2 5 7");
    assert_string_equal(path_to(1), "(2 5");
    /* two loops, one after the other */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0x90, 0x75, 0xfd, 0xeb, 0xf7),
         NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 (4 7");
}

TEST(an_outer_round_that_skips_the_block_is_no_loop_on_the_path)
{
    /* je 3; nop; 3: jmp 0 */
    make(BYTES(0x74, 1, 0x90, 0xeb, 0xfb), NO_FUNCTION);
    assert_string_equal(path_to(2), "3 0");
}

TEST(a_loop_with_two_entries_is_one)
{
    /* je 4; 2: nop; nop; 4: jmp 2 */
    make(BYTES(0x74, 2, 0x90, 0x90, 0xeb, 0xfc), FUNCTIONS(0));
    assert_string_equal(path_to(2), "4");
    assert_string_equal(path_to(4), "2");
}

TEST(an_indirect_jump_leads_to_blocks_without_other_edges_to_them)
{
    /* jmp *%rax; nop; jmp 0; nop; nop; int3; nop; nop; 9: jmp 0 */
    const uint8_t code[] = {0xff, 0xe0, 0x90, 0xeb, 0xfb, 0x90,
                            0x90, 0xcc, 0x90, 0xeb, 0xf5};

    make(code, sizeof code, FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 2); /* 3 and 9, no padding */
    assert_true(cfg->indirect_targets[0] == at(3) &&
                cfg->indirect_targets[1] == at(9));
    assert_int_equal(at(3)->loop, at(9)->loop);
    assert_true(at(3)->loop != 0);
    /* but not to those of another function */
    make(code, sizeof code, FUNCTIONS(0, 8));
    assert_int_equal(cfg->n_indirect_targets, 1);
    /* jmp *%rax; nop, which is padding; 3: nop; jmp 3 */
    make(BYTES(0xff, 0xe0, 0x90, 0x90, 0xeb, 0xfd), FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 0);
}

TEST(a_block_in_no_loop_is_reached_when_its_function_is_called_again)
{
    /* jne 3; ret; nop; ret */
    make(BYTES(0x75, 1, 0xc3, 0x90, 0xc3), FUNCTIONS(0));
    assert_string_equal(path_to(0), "2 again");
    assert_string_equal(path_to(3), "again 0");
    /* the same without a function's start; and one that never returns */
    make(BYTES(0x75, 1, 0xc3, 0x90, 0xc3), NO_FUNCTION);
    assert_string_equal(path_to(3), "none");
    make(BYTES(0x90, 0x90, 0xeb, 0xfe), FUNCTIONS(0));
    assert_string_equal(path_to(0), "none");
    /* nop; 1: nop; jne 1; ret */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0xc3), FUNCTIONS(0));
    assert_string_equal(path_to(0), "(1 4 again");
    assert_string_equal(path_to(4), "again 0 (1");
}

TEST(a_path_is_no_longer_than_allowed)
{
    /* nop; jmp to the next four times; jmp 0 */
    const uint8_t code[] = {0x90, 0xeb, 0, 0xeb, 0, 0xeb, 0, 0xeb, 0xf7};

    make(code, sizeof code, NO_FUNCTION);
    assert_string_equal(path_to(0), "3 5 7");
    path.longest = 3;
    assert_string_equal(path_to(0), "3 5 7");
    path.longest = 2;
    assert_string_equal(path_to(0), "none");
    path.longest = UINT32_MAX;
}

/* The path of a block that leads to n others, the last of which leads back. */
static const char *path_among(uint32_t n)
{
    static struct sd_node *more[20000];
    static struct sd_node nodes[20002];
    struct sd_cfg star = {.nodes = nodes, .n_nodes = n + 1};
    const char *text = "none";

    for (uint32_t i = 0; i <= n; i++) {
        nodes[i] = (struct sd_node){.cfg = &star, .number = i};
        if (i < n)
            more[i] = &nodes[i + 1];
    }
    nodes[0].more = more;
    nodes[0].n_more = n;
    nodes[n].next[0] = &nodes[0];
    sd_cfg_find_loops(&star.loops, nodes, n + 1);
    for (uint32_t i = 1; i <= n; i++) /* one loop contains all blocks */
        nodes[i].loop = nodes[0].loop;
    star.loops.list[nodes[0].loop].first = 0;
    star.loops.list[nodes[0].loop].n = n + 1;
    if (sd_path_find(&path, &nodes[0]))
        text = path.n_steps == 1 && path.steps[0].node == &nodes[n] ? "last"
                                                                    : "other";
    loops_fini(&star.loops);
    return text;
}

TEST(a_path_is_searched_among_the_nearest_blocks)
{
    assert_string_equal(path_among(2), "last");
    assert_string_equal(path_among(16384), "last");
    assert_string_equal(path_among(16385), "none");
}

BEFORE_ALL()
{
    path.longest = UINT32_MAX;
}
