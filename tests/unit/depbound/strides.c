/* How far the addresses of a block's accesses move in each round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "chain/cy_predict.h"
#include "staticdeps/hex.h"

#define MOST 8

static struct cy_code_insn insns[MOST];
static struct cy_step steps[MOST];
static uint32_t n;
static struct flow_sources by_calls; /* registers that calls overwrite */

/* The strides of a block, from the bytes of its instructions. */
static struct cy_strides *strides_of(const char *const *code)
{
    for (n = 0; code[n] != NULL; n++) {
        uint8_t bytes[16];
        unsigned length = (unsigned)from_hex(code[n], bytes, sizeof bytes);

        assert_true(n < MOST);
        flow_of_insn(&insns[n].flow, ARCH_X86_64, bytes, length, 0x1000);
        steps[n] = (struct cy_step){.insn = &insns[n]};
        if (insns[n].flow.leave == FLOW_CALL)
            steps[n].overwritten = by_calls;
    }
    return cy_strides_new(steps, n);
}

static void assert_stride(struct cy_stride stride, int64_t bytes)
{
    assert_true(stride.is_known);
    assert_int_equal((int64_t)stride.bytes, bytes);
}

TEST(an_address_moves_as_its_registers_do)
{
    static const char *const code[] = {"488b04cf", /* mov (%rdi,%rcx,8), %rax */
                                       "488906",   /* mov %rax, (%rsi) */
                                       "4883c708", /* add $8, %rdi */
                                       "83e902",   /* sub $2, %ecx */
                                       "488d7610", /* lea 16(%rsi), %rsi */
                                       "488b02",   /* mov (%rdx), %rax */
                                       NULL};
    struct cy_strides *s = strides_of(code);

    assert_stride(s[0].loads[0].stride, -8);
    assert_stride(s[1].stores[0].stride, 16);
    assert_stride(s[5].loads[0].stride, 0);
    assert_false(s[2].loads[0].stride.is_known); /* instruction 2 has no load */
    free(s);
}

TEST(a_register_may_follow_another)
{
    static const char *const code[] = {
        "4889f8",         /* mov %rdi, %rax */
        "488b00",         /* mov (%rax), %rax */
        "488b0a",         /* mov (%rdx), %rcx: %rdx is the previous round's */
        "488d1437",       /* lea (%rdi,%rsi), %rdx */
        "4883c704",       /* add $4, %rdi */
        "48c7c640000000", /* mov $64, %rsi */
        NULL};
    struct cy_strides *s = strides_of(code);

    assert_stride(s[1].loads[0].stride, 4);
    assert_stride(s[2].loads[0].stride, 4);
    free(s);
}

TEST(a_call_keeps_the_stack_pointer_and_loses_what_it_overwrites)
{
    static const char *const code[] = {"48890c24",   /* mov %rcx, (%rsp) */
                                       "48890b",     /* mov %rcx, (%rbx) */
                                       "48890e",     /* mov %rcx, (%rsi) */
                                       "e800010000", /* call */
                                       "4883c608",   /* add $8, %rsi */
                                       "4883c308",   /* add $8, %rbx */
                                       NULL};
    struct cy_strides *s;

    free(strides_of(code));
    by_calls = insns[2].flow.stores[0].address;
    s = strides_of(code);
    assert_stride(s[0].stores[0].stride, 0);
    assert_stride(s[1].stores[0].stride, 8);
    assert_false(s[2].stores[0].stride.is_known);
    free(s);
}

TEST(a_value_that_is_loaded_multiplied_or_chosen_is_unknown)
{
    static const char *const code[] = {"488b3f",   /* mov (%rdi), %rdi */
                                       "488b06",   /* mov (%rsi), %rax */
                                       "480faff6", /* imul %rsi, %rsi */
                                       "488b02",   /* mov (%rdx), %rax */
                                       "480f44d1", /* cmove %rcx, %rdx */
                                       "498b00",   /* mov (%r8), %rax */
                                       "4d01c8",   /* add %r9, %r8 */
                                       NULL};
    struct cy_strides *s = strides_of(code);

    for (uint32_t i = 0; i < 6; i++)
        assert_false(s[i].loads[0].stride.is_known);
    free(s);
}

/* The registers of a repeated instruction move as often as it repeats. */
TEST(a_repeated_instruction_moves_by_an_unknown_number)
{
    static const char *const code[] = {"f348a5", /* rep movsq */
                                       "488b06", /* mov (%rsi), %rax */
                                       NULL};
    struct cy_strides *s = strides_of(code);

    assert_false(s[1].loads[0].stride.is_known);
    free(s);
}
