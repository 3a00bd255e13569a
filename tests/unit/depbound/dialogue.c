/* Answers of llvm-mca, without running it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "mca/cy_mca.h"

/* A region of llvm-mca's report of instruction tables. */
#define REGION(insns, infos)                                         \
    "{\"Instructions\": [" insns "], \"InstructionInfoView\": {"     \
    "\"InstructionList\": [" infos "]}, \"ResourcePressureView\": {" \
    "\"ResourcePressureInfo\": []}}"
#define INFO "{\"Latency\": 3, \"NumMicroOpcodes\": 2, \"mayLoad\": true}"

TEST(an_instruction_that_llvm_mca_leaves_out_is_not_known)
{
    static const char text[] = "{\"CodeRegions\": [" REGION("", "") "," REGION(
        "\"nop\", \"addq %rax, %rbx\"", INFO "," INFO) "]}";
    char *texts[] = {"xgetbv", "addq %rax, %rbx"};
    struct cy_mca_insn insns[] = {{.length = 3}, {.length = 3}};
    struct cy_mca_uses uses[2];
    struct diag d;

    assert_int_equal(
        cy_dialogue_units(insns, uses, 2, texts, text, strlen(text), &d), 0);
    assert_false(insns[0].is_known);
    assert_true(insns[1].is_known && insns[1].may_load);
    assert_int_equal(insns[1].uops, 2);
    assert_float_equal(insns[1].latency, 3, 1e-9);
}

TEST(a_width_that_no_processor_has_is_refused)
{
    static const struct {
        const char *text;
        double width; /* 0: the report is refused */
    } rows[] = {
        {"{\"CodeRegions\": [{\"SummaryView\": {\"DispatchWidth\": 6}}]}", 6},
        {"{\"CodeRegions\": [{\"SummaryView\": {\"DispatchWidth\": 0}}]}", 0},
        {"{\"CodeRegions\": [{\"SummaryView\": {\"DispatchWidth\": -4}}]}", 0},
        {"{\"CodeRegions\": [{\"SummaryView\": {\"DispatchWidth\": 1e9}}]}", 0},
        {"{\"CodeRegions\": [{}]}", 0},
        {"{\"CodeRegions\": ", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diag d;
        double width;
        int rc =
            cy_dialogue_width(&width, rows[i].text, strlen(rows[i].text), &d);

        assert_int_equal(rc, rows[i].width > 0 ? 0 : -1);
        if (rc == 0)
            assert_float_equal(width, rows[i].width, 1e-9);
    }
}

/* Checks how llvm-mca is asked about an instruction that llvm-mc prints. */
static void assert_asked(const char *asked, const char *printed)
{
    const char *marker = cy_assembly_of(ARCH_X86_64)->marker;
    char text[256], **texts;
    struct diag d;

    snprintf(text, sizeof text, "\t.text\n\t%s\n%s", printed, marker);
    texts = cy_dialogue_texts(ARCH_X86_64, text, 1, &d);
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
