/*
 * What llvm-mca answers, without its programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>

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
    assert_float_equal(r.dispatch, 0.5, 1e-9);
    assert_true(add.is_known);
    assert_int_equal(add.uops, 2);
}

TEST(a_nop_without_micro_ops_is_not_subtracted)
{
    struct cy_mca_insn add = {.length = 3};
    struct cy_mca_region r = {.insns = &add, .n = 1};

    answer(&r, 0);
    assert_float_equal(r.throughput, 0.5, 1e-9);
    assert_float_equal(r.dispatch, 0.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nop_of_the_question_takes_no_place_in_the_answer),
        cmocka_unit_test(a_nop_without_micro_ops_is_not_subtracted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
