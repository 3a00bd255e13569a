/* Which operations of a block remain in its trace, and how often it is run. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <limits.h>

#include "block/sd_analyse.h"
#include "decoder.h"
#include "hex.h"

static struct sd_trace trace;

/* Adds instructions, at 0x1000. */
static void add(const char *hex)
{
    uint8_t bytes[512];
    struct sd_blocks blocks = {0};
    uint64_t offset = 0;

    sd_blocks_add_bytes(&blocks, decoder(), bytes,
                        from_hex(hex, bytes, sizeof bytes), NULL, 0);
    for (size_t i = 0; i < blocks.n_insns; i++) {
        unsigned length = blocks.insns[i] & (SD_NO_EFFECT - 1u);

        if (blocks.insns[i] & SD_NO_EFFECT)
            sd_trace_skip(&trace);
        else
            sd_trace_add(&trace, sd_lift(ARCH_X86_64, bytes + offset, length),
                         0x1000 + offset);
        offset += length;
    }
    sd_blocks_fini(&blocks);
}

/* Writes the operations, with their sites if they have one. */
static const char *ops(void)
{
    static const char *const names[SD_N_OPS] = {
        [SD_ADD] = "add",         [SD_EXTRACT] = "extract",
        [SD_DEPOSIT] = "deposit", [SD_FRESH] = "fresh",
        [SD_GET] = "get",         [SD_PUT] = "put",
        [SD_LOAD] = "load",       [SD_STORE] = "store",
        [SD_LOOP] = "loop",       [SD_LEAVE] = "leave",
        [SD_AGAIN] = "again",     [SD_SUB] = "sub",
    };
    static char text[400];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < trace.n_ops; i++) {
        const struct sd_op *op = &trace.ops[i];

        assert_non_null(names[op->code]);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i > 0 ? " " : "", names[op->code]);
        if (op->site != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%u",
                                     op->site);
    }
    return text;
}

/* Makes the trace of a block and its back path. */
static void make(const char *hex, const char *back)
{
    sd_trace_begin(&trace, false);
    add(hex);
    if (back != NULL) {
        sd_trace_leave(&trace);
        add(back);
    }
    sd_trace_end(&trace);
}

static const char *ops_of(const char *hex, const char *back)
{
    make(hex, back);
    return ops();
}

TEST(moves_flags_and_values_that_feed_no_address_disappear)
{
    /* movq %rdi,%rsi; addq %rax,%rbx; movq (%rsi),%rcx; movq %rdx,(%rsi) */
    assert_string_equal(ops_of("4889fe 4801c3 488b0e 488916", NULL),
                        "get load3 store4");
    assert_int_equal(trace.n_sites, 4);
}

TEST(stored_values_are_kept_only_if_a_loaded_value_is_needed)
{
    /* movq (%rdi),%rcx; movq %rdx,(%rdi) */
    ops_of("488b0f 488917", NULL);
    assert_false(trace.needs_memory);
    assert_int_equal(trace.ops[trace.n_ops - 1].code, SD_STORE);
    assert_int_equal(trace.ops[trace.n_ops - 1].b, SD_ZERO);
    /* movq (%rdi),%rdi; movq %rdx,(%rdi) */
    assert_string_equal(ops_of("488b3f 488917", NULL),
                        "get load1 get store2 put");
    assert_true(trace.needs_memory);
    assert_int_not_equal(trace.ops[3].b, SD_ZERO);
}

TEST(a_register_is_written_back_if_the_next_iteration_reads_it)
{
    /* movq (%rdi),%rax; movq %rax,(%rdi); addq $8,%rdi */
    assert_string_equal(ops_of("488b07 488907 4883c708", NULL),
                        "get load1 store2 add put");
    /* the same with addq $8,%rsi */
    assert_string_equal(ops_of("488b07 488907 4883c608", NULL),
                        "get load1 store2");
}

TEST(constants_are_folded_and_cost_nothing)
{
    /* movl $0x2000,%eax; addq $8,%rax; movq (%rax),%rcx; movq %rcx,8(%rax) */
    assert_string_equal(ops_of("b800200000 4883c008 488b08 48894808", NULL),
                        "load3 store4");
    /* xorl %eax,%eax; incl (%rax) */
    assert_string_equal(ops_of("31c0 ff00", NULL), "load2 store2");
    assert_int_equal(trace.ops[0].a, SD_ZERO);
}

TEST(an_address_in_the_code_depends_on_where_it_is)
{
    /* nop; incl 0x10(%rip): the next instruction is at 0x1007 */
    ops_of("90 ff0510000000", NULL);
    assert_true(trace.temps[trace.ops[0].a].bits == 0x1017);
}

TEST(an_instruction_without_effect_is_a_site_too)
{
    /* jmp .+2; incl (%rdi) */
    assert_string_equal(ops_of("eb00 ff07", NULL), "get load2 store2");
    assert_int_equal(trace.n_sites, 2);
}

TEST(nothing_on_the_back_path_is_recorded)
{
    /* incl (%rdi); then incl (%rdi); nop */
    assert_string_equal(ops_of("ff07", "ff07 90"), "get load1 store1 store");
    assert_int_equal(trace.n_sites, 1);
    assert_int_equal(trace.n_back, 2);
    /* incl (%rdi); then movq (%rsi),%rdi, whose value is needed */
    assert_string_equal(ops_of("ff07", "488b3e"),
                        "get load1 add store1 get load put");
}

static const struct sd_initial initial[] = {
    {16, {7, 0}}, {24, {0, UINT64_MAX}}, {UINT_MAX, {0, 0}}};

TEST(an_unknown_register_is_new_each_time_and_at_entry_the_same)
{
    struct sd_regset words = {{0}};
    struct sd_abi abi = guest_abi(ARCH_X86_64);
    unsigned rdi = abi.stack_pointer + 3;

    sd_regset_add(&words, rdi);
    sd_trace_begin(&trace, false);
    add("ff07");
    sd_trace_leave(&trace);
    sd_trace_havoc(&trace, &words, initial);
    sd_trace_end(&trace);
    assert_string_equal(ops(), "get load1 store1 fresh put");
    assert_int_equal(trace.ops[3].imm, 0);
    assert_int_equal(trace.ops[4].imm, rdi);

    sd_trace_begin(&trace, false);
    add("ff07");
    sd_trace_leave(&trace);
    sd_trace_reenter(&trace, initial);
    sd_trace_end(&trace);
    assert_string_equal(ops(), "get load1 store1 fresh put");
    assert_int_equal(trace.ops[3].imm, rdi + 1);
}

TEST(each_register_is_set_at_entry)
{
    static const char *const increments[] = {/* incl (%rdx) and so on */
                                             "ff02", "ff03",   "ff06",
                                             "ff07", "ff0424", "ff4500"};

    for (size_t i = 0; i < sizeof increments / sizeof increments[0]; i++) {
        sd_trace_begin(&trace, false);
        add(increments[i]);
        sd_trace_leave(&trace);
        sd_trace_reenter(&trace, initial);
        sd_trace_end(&trace);
        assert_string_equal(ops(), "get load1 store1 fresh put");
    }
}

TEST(a_register_can_be_advanced)
{
    struct sd_abi abi = guest_abi(ARCH_X86_64);

    sd_trace_begin(&trace, false);
    add("ff0424"); /* incl (%rsp) */
    sd_trace_leave(&trace);
    sd_trace_advance(&trace, abi.stack_pointer, 8);
    sd_trace_end(&trace);
    assert_string_equal(ops(), "get load1 store1 add put");
    assert_int_equal(trace.temps[trace.ops[3].b].bits, 8);
}

TEST(each_temporary_is_assigned_once)
{
    uint32_t last = 0;

    ops_of("488b07 488907 4883c708 488b07 488907 4883c708", "ff07");
    for (size_t i = 0; i < trace.n_ops; i++)
        if (sd_op_is(&trace.ops[i], SD_HAS_RESULT)) {
            assert_true(trace.ops[i].dst > last);
            last = trace.ops[i].dst;
        }
    assert_true(last < trace.n_temps);
}

/* The number of iterations that are run if n are asked for. */
static uint32_t iterations(const char *hex, uint32_t n)
{
    struct sd_reroll reroll = {0};
    struct sd_exec exec;
    uint32_t done;

    make(hex, NULL);
    sd_exec_init(&exec, guest_of(ARCH_X86_64)->initial);
    done = sd_exec_run(&exec, &trace, 1, n, &reroll, NULL);
    sd_exec_fini(&exec);
    sd_reroll_fini(&reroll);
    return done;
}

TEST(elements_of_rep_instructions_shorten_a_run)
{
    /* movl $100,%ecx; rep stosb: 99 more than two instructions */
    assert_int_equal(iterations("b964000000 f3aa", 2), 2);
    assert_int_equal(iterations("b964000000 f3aa", 257), 7);
    assert_int_equal(iterations("b964000000 f3aa", 1000), 21);
    /* without a known count, each executes one element */
    assert_int_equal(iterations("f3aa", 1000), 1000);
    assert_int_equal(iterations("b901000000 f3aa", 1000), 1000);
    assert_int_equal(iterations("ff07", 1000), 1000);
}

TEST(a_run_has_at_least_two_iterations)
{
    static char hex[64 * 14 + 1];

    /* 64 times movl $1023,%ecx; rep stosb */
    for (unsigned i = 0; i < 64; i++)
        strcat(hex, "b9ff030000f3aa");
    assert_int_equal(iterations(hex, 100), 2);
    hex[63 * 14] = '\0';
    assert_int_equal(iterations(hex, 100), 2);
}

TEST(a_block_has_any_number_of_instructions)
{
    struct sd_reroll reroll = {0};
    struct sd_exec exec;

    sd_exec_init(&exec, guest_of(ARCH_X86_64)->initial);
    for (uint32_t n = 1; n < 300; n++) {
        sd_trace_begin(&trace, false);
        for (uint32_t i = 1; i < n; i++)
            sd_trace_skip(&trace);
        add("ff07"); /* incl (%rdi) */
        sd_trace_end(&trace);
        sd_reroll_begin(&reroll);
        sd_exec_run(&exec, &trace, 1, 3, &reroll, NULL);
        sd_reroll_end_run(&reroll, 3, 0.8);
        assert_int_equal(reroll.n_deps, 1);
        assert_int_equal(reroll.deps[0].src, n - 1);
    }
    sd_exec_fini(&exec);
    sd_reroll_fini(&reroll);
}

TEST(reading_bytes_from_before_the_first_iteration_is_no_dependency)
{
    struct sd_reroll reroll = {0};
    struct sd_exec exec;

    make("ff07", "ff07"); /* incl (%rdi) */
    sd_exec_init(&exec, guest_of(ARCH_X86_64)->initial);
    sd_exec_run(&exec, &trace, 1, 1, &reroll, NULL);
    sd_reroll_end_run(&reroll, 1, 0.5);
    assert_int_equal(reroll.n_deps, 0);
    make("ff07", "90"); /* with a nop between the iterations */
    sd_reroll_begin(&reroll);
    sd_exec_run(&exec, &trace, 1, 1, &reroll, NULL);
    sd_reroll_end_run(&reroll, 1, 0.5);
    assert_int_equal(reroll.n_deps, 0);
    sd_exec_fini(&exec);
    sd_reroll_fini(&reroll);
}

TEST(a_freed_trace_can_be_freed_again)
{
    ops_of("ff07", NULL);
    sd_trace_fini(&trace);
    sd_trace_fini(&trace);
    assert_string_equal(ops_of("ff07", NULL), "get load1 store1");
}
