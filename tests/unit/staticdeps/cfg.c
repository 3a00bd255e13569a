/* The graph of where control may go from each block. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "graph.h"

/* Checks where a block falls through to, and jumps to; -1: it does not. */
static void assert_next(unsigned offset, int after, int target)
{
    const struct sd_node *node = at(offset);

    assert_true(node->next[0] == (after < 0 ? NULL : at((unsigned)after)));
    assert_true(node->next[1] == (target < 0 ? NULL : at((unsigned)target)));
    assert_int_equal(node->n_more, 0);
}

TEST(a_conditional_jump_leads_to_two_blocks_and_a_jump_to_one)
{
    /* je 3; nop; 3: jmp 0 */
    make(BYTES(0x74, 1, 0x90, 0xeb, 0xfb), NO_FUNCTION);
    assert_next(0, 2, 3);
    assert_next(2, 3, -1);
    assert_next(3, -1, 0);
}

TEST(blocks_that_overlap_meet_after_both)
{
    /* je 3; 2: lock 3: incl (%rdi); ret */
    make(BYTES(0x74, 1, 0xf0, 0xff, 0x07, 0xc3), FUNCTIONS(0));
    assert_next(0, 2, 3);
    assert_next(2, 5, -1);
    assert_next(3, 5, -1);
}

TEST(the_last_block_does_not_fall_through)
{
    make(BYTES(0x90, 0x74, 0xfd), NO_FUNCTION);
    assert_next(0, -1, 0);
    make(BYTES(0x90), NO_FUNCTION);
    assert_next(0, -1, -1);
}

TEST(no_block_falls_through_into_another_section)
{
    static uint8_t code[] = {0x90, 0x90, 0xc3}; /* nop; nop; ret */
    struct sd_section sections[] = {
        {.address = 0x1000, .bytes = code, .size = 1},
        {.address = 0x1001, .bytes = code + 1, .size = 2}};

    make_image(&(struct sd_image){.sections = sections, .n_sections = 2});
    assert_next(0, -1, -1);
    assert_true(at(1)->returns);
}

TEST(a_jump_out_of_the_code_has_no_successor)
{
    make(BYTES(0xeb, 0x10, 0x74, 0xf0, 0x90), NO_FUNCTION);
    assert_next(0, -1, -1);
    assert_next(2, 4, -1);
}

TEST(a_call_returns_and_its_target_is_no_successor)
{
    /* call 6; nop; 6: ret */
    make(BYTES(0xe8, 1, 0, 0, 0, 0x90, 0xc3), NO_FUNCTION);
    assert_next(0, 5, -1);
    assert_true(at(0)->calls && !at(0)->returns);
    assert_false(at(5)->calls);
}

TEST(a_return_and_an_indirect_jump_return_and_a_trap_does_not)
{
    /* ret; jmp *%rax; int3; hlt */
    make(BYTES(0xc3, 0xff, 0xe0, 0xcc, 0xf4), NO_FUNCTION);
    assert_next(0, -1, -1);
    assert_true(at(0)->returns);
    assert_true(at(1)->returns);
    assert_false(at(3)->returns);
    assert_false(at(4)->returns);
    assert_next(3, -1, -1);
}

TEST(a_jump_does_not_return)
{
    make(BYTES(0xeb, 0xfe), NO_FUNCTION);
    assert_false(at(0)->returns);
    assert_true(sd_node_follows_itself(at(0)));
}

TEST(a_block_knows_where_its_function_begins)
{
    /* nop; ret; nop; ret; ret */
    make(BYTES(0x90, 0xc3, 0x90, 0xc3, 0xc3), FUNCTIONS(0, 2));
    assert_true(at(0)->entry == at(0));
    assert_true(at(2)->entry == at(2));
    assert_true(at(4)->entry == at(2));
    make(BYTES(0xc3, 0xc3), FUNCTIONS(1));
    assert_null(at(0)->entry);
    assert_true(at(1)->entry == at(1));
}

TEST(functions_begin_at_symbols_and_at_starts_without_symbols)
{
    static uint8_t code[] = {0x90, 0xc3, 0x90, 0xc3}; /* nop; ret; nop; ret */
    struct sd_section section = {.address = 0x1000, .bytes = code, .size = 4};
    struct sd_symbol symbol = {.name = (char *)(uintptr_t) "f",
                               .address = 0x1002,
                               .is_function = true};
    uint64_t start = 0x1000;

    make_image(&(struct sd_image){.sections = &section,
                                  .n_sections = 1,
                                  .symbols = &symbol,
                                  .n_symbols = 1,
                                  .starts = &start,
                                  .n_starts = 1});
    assert_true(at(0)->entry == at(0));
    assert_true(at(2)->entry == at(2));
}

TEST(an_indirect_jump_with_targets_does_not_return)
{
    /* jmp *%rax; nop; ret */
    make(BYTES(0xff, 0xe0, 0x90, 0xc3), FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 1);
    assert_int_equal(cfg->n_nodes, blocks.n_blocks + 1);
    assert_false(at(0)->returns);
    assert_true(at(0)->next[0] == &cfg->nodes[blocks.n_blocks]);
    assert_int_equal(at(0)->next[0]->n_more, 1);
    assert_true(at(0)->next[0]->more[0] == at(3));
    /* outside any function, an indirect jump has no targets */
    make(BYTES(0xff, 0xe0, 0x90, 0xc3), NO_FUNCTION);
    assert_int_equal(cfg->n_indirect_targets, 0);
    assert_int_equal(cfg->n_nodes, blocks.n_blocks);
}

TEST(the_target_of_a_direct_jump_is_no_indirect_target)
{
    /* jmp *%rax; 2: jmp 5; 4: ret; 5: ret */
    make(BYTES(0xff, 0xe0, 0xeb, 0x01, 0xc3, 0xc3), FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 2);
    assert_true(at(0)->next[0]->more[0] == at(2));
    assert_true(at(0)->next[0]->more[1] == at(4));
}

TEST(a_block_keeps_its_last_instruction)
{
    /* nop; incl (%rdi); 3: call *%rax; nop; nop, 7: jne 3 */
    make(BYTES(0x90, 0xff, 0x07, 0xff, 0xd0, 0x90, 0x90, 0x75, 0xfa),
         NO_FUNCTION);
    assert_int_equal(block_at(0)->last.length, 2);
    assert_false(block_at(0)->last.ends_block);
    assert_true(block_at(3)->last.is_call);
    assert_true(block_at(7)->last.has_target);
    assert_true(block_at(7)->last.target == 0x1003);
    /* a nop, as in padding; ret; nop */
    make(BYTES(0x90, 0xc3, 0x90), NO_FUNCTION);
    assert_true(block_at(2)->last.is_nop);
    assert_false(block_at(0)->last.is_nop);
}

TEST(many_adjacent_blocks_keep_their_last_instructions)
{
    uint8_t code[200];

    for (size_t i = 0; i < sizeof code; i += 2) /* jmp to itself, or rep ret */
        memcpy(code + i, i % 6 == 0 ? "\xeb\xfe" : "\xf3\xc3", 2);
    make(code, sizeof code, NO_FUNCTION);
    for (unsigned i = 0; i < sizeof code; i += 2) {
        assert_true(block_at(i)->last.has_target == (i % 6 == 0));
        assert_true(at(i)->returns == (i % 6 != 0));
    }
}
