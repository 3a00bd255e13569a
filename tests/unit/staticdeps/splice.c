/* The back path adds operations to a block's trace. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "staticdeps/analyse.h"

/* The dependencies of a block with at most `rob` instructions on its back path.
 */
static const char *deps(unsigned offset, uint32_t rob)
{
    sd_analyser_fini(&analyser);
    sd_analyser_init(
        &analyser, &(struct sd_settings){
                       .rob = rob, .threshold = 0.8, .n_seeds = 2, .seed = 1});
    assert_int_equal(sd_analyse(&analyser, &blocks, block_at(offset)), SD_OK);
    return deps_found();
}

TEST(nothing_is_added_to_a_block_that_follows_itself)
{
    /* incl (%rdi); jne 0 */
    make(BYTES(0xff, 0x07, 0x75, 0xfc), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "0>0@1");
    assert_int_equal(analyser.trace.n_back, 0);
    assert_false(analyser.trace.is_on_back_path);
}

TEST(an_address_that_the_path_keeps_is_seen_again)
{
    /* incl (%rdi); je 5; nop; 5: jmp 0 */
    make(BYTES(0xff, 0x07, 0x74, 1, 0x90, 0xeb, 0xf9), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "0>0@1");
    assert_int_equal(analyser.trace.n_back, 0); /* a jump has no effect */
}

TEST(an_address_that_the_path_changes_is_another)
{
    /* incl (%rdi); jmp 4; 4: addq $4,%rdi; jmp 0 */
    make(BYTES(0xff, 0x07, 0xeb, 0, 0x48, 0x83, 0xc7, 4, 0xeb, 0xf6),
         NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
    assert_int_equal(analyser.trace.n_back, 1);
}

TEST(bytes_that_the_path_overwrites_have_no_writer)
{
    /* incl (%rdi); jmp 4; 4: movl %eax,(%rdi); jmp 0 */
    make(BYTES(0xff, 0x07, 0xeb, 0, 0x89, 0x07, 0xeb, 0xf8), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
}

TEST(accesses_on_the_path_do_not_make_a_block_worth_running)
{
    /* movl (%rdi),%eax; jmp 4; 4: movl %eax,(%rsi); jmp 0; and the block of the
       store */
    make(BYTES(0x8b, 0x07, 0xeb, 0, 0x89, 0x06, 0xeb, 0xf8), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
    assert_int_equal(analyser.counts->n_run, 0);
    assert_string_equal(deps(4, 512), "");
    assert_int_equal(analyser.counts->n_run, 0);
}

TEST(a_path_may_have_as_many_instructions_as_the_reorder_buffer)
{
    /* incl (%rdi); jmp 4; 4: nop; nop; jmp 0 */
    make(BYTES(0xff, 0x07, 0xeb, 0, 0x90, 0x90, 0xeb, 0xf8), NO_FUNCTION);
    assert_string_equal(deps(0, 3), "0>0@1");
    assert_string_equal(deps(0, 2), "");
}

TEST(a_path_that_cannot_be_lifted_makes_all_registers_unknown)
{
    /* incl (%rdi); jmp 4; 4: xsavec (%rsi); jmp 0 */
    make(BYTES(0xff, 0x07, 0xeb, 0, 0x0f, 0xc7, 0x26, 0xeb, 0xf7), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
    assert_int_equal(analyser.trace.n_back, 0);
}

TEST(a_callee_keeps_the_registers_that_the_abi_says)
{
    /* incl (%rdi) or (%rbx) or (%rsp); call, jmp 0 */
    make(BYTES(0xff, 0x07, 0xe8, 0, 1, 0, 0, 0xeb, 0xf7), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
    make(BYTES(0xff, 0x03, 0xe8, 0, 1, 0, 0, 0xeb, 0xf7), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "0>0@1");
    make(BYTES(0xff, 0x04, 0x24, 0xe8, 0, 1, 0, 0, 0xeb, 0xf6), NO_FUNCTION);
    assert_string_equal(deps(0, 512), "0>0@1");
}

TEST(registers_that_a_loop_on_the_path_writes_are_unknown)
{
    /* incl (%rdi); jmp 4; 4: addq $4,%rdi; jne 4; jmp 0 */
    make(
        BYTES(0xff, 0x07, 0xeb, 0, 0x48, 0x83, 0xc7, 4, 0x75, 0xfa, 0xeb, 0xf4),
        NO_FUNCTION);
    assert_string_equal(deps(0, 512), "");
    /* with addq $4,%rsi */
    make(
        BYTES(0xff, 0x07, 0xeb, 0, 0x48, 0x83, 0xc6, 4, 0x75, 0xfa, 0xeb, 0xf4),
        NO_FUNCTION);
    assert_string_equal(deps(0, 512), "0>0@1");
}

TEST(summaries_say_what_blocks_and_loops_write)
{
    unsigned rsp, rsi;
    const struct sd_summary *block, *loop;

    /* 0: nop; 1: push %rsi; pop %rsi; jne 1; jmp 0 */
    make(BYTES(0x90, 0x56, 0x5e, 0x75, 0xfc, 0xeb, 0xf9), NO_FUNCTION);
    rsp = cfg->abi.stack_pointer;
    rsi = rsp + 2;
    block = sd_summary_of_block(at(1));
    loop = sd_summary_of_loop(cfg, at(1)->loop);
    assert_true(block->is_liftable);
    assert_true(sd_regset_has(&block->writes, rsp));
    assert_true(sd_regset_has(&block->writes, rsi));
    assert_false(sd_regset_has(&block->writes, rsi + 1));
    assert_false(sd_regset_has(&loop->writes, rsp));
    assert_true(sd_regset_has(&loop->writes, rsi));
    assert_false(sd_regset_has(&sd_summary_of_block(at(0))->writes, rsi));
}
