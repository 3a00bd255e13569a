/*
 * What llvm-mca answers, without its programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "mca/internal.h"

/* The nop that the question adds, and an addition, with their micro-ops, in
   100 iterations of a processor that dispatches 4 each cycle. */
#define ANSWER                                                        \
    "{\"CodeRegions\": [{\"Instructions\": []}, {"                    \
    "\"Instructions\": [\"nop\", \"addq %%rax, %%rbx\"],"             \
    "\"InstructionInfoView\": {\"InstructionList\": ["                \
    "{\"Latency\": 1, \"NumMicroOpcodes\": %d, \"mayLoad\": false},"  \
    "{\"Latency\": 1, \"NumMicroOpcodes\": 2, \"mayLoad\": false}]}," \
    "\"SummaryView\": {\"DispatchWidth\": 4, \"Iterations\": 100,"    \
    "\"TotaluOps\": %d, \"BlockRThroughput\": %g, \"TotalCycles\": 100}}]}"

/* Reads the answer of a processor whose nop has `nop` micro-ops. */
static void answer(struct cy_mca_region *r, int nop)
{
    char text[1024], *texts[] = {"addq %rax, %rbx"};
    int uops = nop + 2;
    struct diag d;
    int n = snprintf(text, sizeof text, ANSWER, nop, 100 * uops, uops / 4.0);

    assert_true(n > 0 && (size_t)n < sizeof text);
    assert_int_equal(cy_dialogue_answer(r, 1, texts, text, (size_t)n, &d), 0);
}

TEST(the_nop_of_the_question_takes_no_place_in_the_answer)
{
    struct cy_mca_insn add = {.length = 3};
    struct cy_mca_region r = {.insns = &add, .n = 1};

    answer(&r, 1);
    assert_float_equal(r.throughput, 0.5, 1e-9);
    assert_true(add.is_known);
    assert_int_equal(add.uops, 2);
}

TEST(a_nop_without_micro_ops_is_not_subtracted)
{
    struct cy_mca_insn add = {.length = 3};
    struct cy_mca_region r = {.insns = &add, .n = 1};

    answer(&r, 0);
    assert_float_equal(r.throughput, 0.5, 1e-9);
}

/* What llvm-mca is asked about an instruction that llvm-mc prints. */
static void assert_asked(const char *asked, const char *printed)
{
    const char *marker = cy_assembly_of(CY_X86_64)->marker;
    char text[256], **texts;
    struct diag d;

    snprintf(text, sizeof text, "\t.text\n\t%s\n%s", printed, marker);
    texts = cy_dialogue_texts(CY_X86_64, text, 1, &d);
    assert_non_null(texts);
    assert_string_equal(texts[0], asked);
    free(texts[0]);
    free(texts);
}

TEST(a_long_constant_of_the_accumulator_is_asked_about_as_a_short_one)
{
    assert_asked("addq $1, %rax", "addq\t$160, %rax");
    assert_asked("xorl $1, %eax", "xorl\t$-129, %eax");
    assert_asked("addq $127, %rax", "addq\t$127, %rax");
    assert_asked("addq $160, %rbx", "addq\t$160, %rbx");
    assert_asked("cmpq $160, %rax", "cmpq\t$160, %rax");
    assert_asked("movl $160, %eax", "movl\t$160, %eax");
    assert_asked("addq $160, (%rax)", "addq\t$160, (%rax)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nop_of_the_question_takes_no_place_in_the_answer),
        cmocka_unit_test(a_nop_without_micro_ops_is_not_subtracted),
        cmocka_unit_test(
            a_long_constant_of_the_accumulator_is_asked_about_as_a_short_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
