/*
 * A table of instructions as a machine file describes them.
 *
 * Expected is one text for each instruction, with these parts:
 *
 *     add rr 64                mnemonic, form and widest operand
 *     same                     its operands are one register
 *     stack                    the instruction moves the stack pointer
 *     locked, fence            the instruction is atomic, or a fence
 *     L general base 32 zero   the load: class, addressing, bits, extend;
 *                              scaled: the address takes longer
 *     S xmm index 64           the store
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "step/cy_step.h"
#include "staticdeps/hex.h"

static enum arch arch;
static struct disasm *disasm;

static const char *const classes[] = {"general", "xmm", "ymm", "zmm"},
                         *const addressings[] = {"base", "index", "rip",
                                                 "stack", "push"},
                         *const extends[] = {"", " zero", " sign"};

static void access_text(char *text, size_t size, char letter,
                        const struct cy_access *a)
{
    size_t used = strlen(text);

    snprintf(text + used, size - used, " %c %s %s%s %u%s", letter,
             classes[a->class], addressings[a->addressing],
             a->is_scaled ? " scaled" : "", a->bits, extends[a->extend]);
}

static void text_of(char *text, size_t size, const char *hex)
{
    struct cy_code_insn insn = {.arch = arch, .address = 0x401000};
    size_t n = from_hex(hex, insn.bytes, sizeof insn.bytes);
    struct cy_operands o;
    struct disasm_insn d;

    disasm_insn(disasm, insn.bytes, n, insn.address, &d);
    assert_int_equal(d.length, n);
    insn.length = (uint8_t)n;
    snprintf(insn.text, sizeof insn.text, "%s", d.text);
    snprintf(insn.name, sizeof insn.name, "%s", d.name);
    insn.n_operands = disasm_operands(disasm, insn.bytes, n, insn.operands);
    flow_of_insn(&insn.flow, arch, insn.bytes, insn.length, insn.address);
    cy_operands_of(&o, &insn);
    snprintf(text, size, "%s %s %u%s%s%s%s", o.insn.mnemonic, o.insn.form,
             o.insn.bits, o.is_same ? " same" : "",
             o.moves_stack ? " stack" : "", o.is_locked ? " locked" : "",
             o.is_fence ? " fence" : "");
    assert_int_equal(o.insn.locked, o.is_locked);
    if (insn.flow.n_loads > 0)
        access_text(text, size, 'L', &o.load);
    if (insn.flow.n_stores > 0)
        access_text(text, size, 'S', &o.store);
}

static const struct instruction {
    const char *text, *hex, *expected;
} instructions[] = {
    {"mov %rcx,%rax", "4889c8", "mov rr 64"},
    {"mov %ecx,%eax", "89c8", "mov rr 32"},
    {"mov %cx,%ax", "6689c8", "mov rr 16"},
    {"mov %cl,%al", "88c8", "mov rr 8"},
    {"mov %ah,%al", "88e0", "mov rr 8"},
    {"mov %sil,%dil", "4088f7", "mov rr 8"},
    {"mov %r9,%r8", "4d89c8", "mov rr 64"},
    {"mov %r9d,%r8d", "4589c8", "mov rr 32"},
    {"mov %r9w,%r10w", "664589ca", "mov rr 16"},
    {"mov %r9b,%r10b", "4588ca", "mov rr 8"},
    {"mov $7,%eax", "b807000000", "mov ir 32"},
    {"add %rcx,%rax", "4801c8", "add rr 64"},
    {"add $1,%rax", "4883c001", "add ir 64"},
    {"add (%rdi),%rax", "480307", "add rr 64 L general base 64"},
    {"add %rax,(%rdi)", "480107",
     "add rr 64 L general base 64 S general base 64"},
    {"addl $1,(%rdi)", "830701",
     "add ir 32 L general base 32 S general base 32"},
    {"incq 8(%rsp)", "48ff442408",
     "inc r 64 L general stack 64 S general stack 64"},
    {"lock add %rax,(%rdi)", "f0480107",
     "add rr 64 locked L general base 64 S general base 64"},
    {"lock addl $1,(%rdi)", "f0830701",
     "add ir 32 locked L general base 32 S general base 32"},
    {"lock addw $1,%gs:(%rdi)", "65f066830701",
     "add ir 16 locked L general base 16 S general base 16"},
    {"lock cmpxchg16b (%rdi)", "f0480fc70f",
     "cmpxchg16b r 128 locked L xmm base 128 S xmm base 128"},
    {"xchg %rax,(%rdi)", "488707",
     "xchg rr 64 locked L general base 64 S general base 64"},
    {"xchg %rax,%rcx", "4891", "xchg rr 64"},
    {"mfence", "0faef0", "mfence  0 fence"},
    {"lfence", "0faee8", "lfence  0 fence"},
    {"sfence", "0faef8", "sfence  0 fence"},
    {"imul $3,%rcx,%rax", "486bc103", "imul irr 64"},
    {"xor %eax,%eax", "31c0", "xor rr 32 same"},
    {"xor %ecx,%eax", "31c8", "xor rr 32"},
    {"xor (%rdi),%eax", "3307", "xor rr 32 L general base 32"},
    {"pxor %xmm0,%xmm0", "660fefc0", "pxor rr 128 same"},
    {"vxorps %xmm0,%xmm0,%xmm0", "c5f857c0", "vxorps rrr 128 same"},
    {"vxorps %xmm1,%xmm1,%xmm0", "c5f057c1", "vxorps rrr 128 same"},
    {"vxorps %xmm1,%xmm0,%xmm0", "c5f857c1", "vxorps rrr 128"},
    {"vxorps (%rdi),%xmm0,%xmm0", "c5f85707", "vxorps rrr 128 L xmm base 128"},
    {"vaddpd %ymm2,%ymm1,%ymm0", "c5f558c2", "vaddpd rrr 256"},
    {"shl $3,%rax", "48c1e003", "shl ir 64"},
    {"shl %cl,%rax", "48d3e0", "shl cr 64"},
    {"shl %rax", "48d1e0", "shl ir 64"},
    {"shl $48,%cl", "c0e130", "shl ir 8"},
    {"rol %cl,(%rsi)", "d206", "rol cr 8 L general base 8 S general base 8"},
    {"shld %cl,%rcx,%rax", "480fa5c8", "shld crr 64"},
    {"add %cl,%al", "00c8", "add rr 8"},
    {"lea (%rdi),%rax", "488d07", "lea b 64"},
    {"lea 8(%rdi),%rax", "488d4708", "lea bd 64"},
    {"lea (%rdi,%rsi),%rax", "488d0437", "lea bx 64"},
    {"lea (%rdi,%rsi,4),%rax", "488d04b7", "lea bxs 64"},
    {"lea 8(%rdi,%rsi,4),%rax", "488d44b708", "lea bxsd 64"},
    {"lea 0(,%rsi,4),%rax", "488d04b500000000", "lea xs 64"},
    {"lea 16(%rip),%rax", "488d0510000000", "lea d 64"},
    {"mov (%rdi),%rax", "488b07", "mov rr 64 L general base 64"},
    {"mov -8(%rbp),%eax", "8b45f8", "mov rr 32 L general base 32"},
    {"mov (%rdi),%ax", "668b07", "mov rr 16 L general base 16"},
    {"mov (%rdi),%al", "8a07", "mov rr 8 L general base 8"},
    {"mov (%rdi,%rsi,8),%rax", "488b04f7",
     "mov rr 64 L general index scaled 64"},
    {"mov 64(,%rsi,8),%rax", "488b04f540000000",
     "mov rr 64 L general index scaled 64"},
    {"mov 8(%rsp),%rax", "488b442408", "mov rr 64 L general stack 64"},
    {"mov 8(%rsp,%rcx),%rax", "488b440c08",
     "mov rr 64 L general index scaled 64"},
    {"mov 16(%rip),%rax", "488b0510000000", "mov rr 64 L general rip 64"},
    {"mov %fs:0x28,%rax", "64488b042528000000", "mov rr 64 L general rip 64"},
    {"movzbl (%rdi),%eax", "0fb607", "movzx rr 32 L general base 8 zero"},
    {"movzwl (%rdi),%eax", "0fb707", "movzx rr 32 L general base 16 zero"},
    {"movzbl %cl,%eax", "0fb6c1", "movzx rr 32"},
    {"movsbl (%rdi),%eax", "0fbe07", "movsx rr 32 L general base 8 sign"},
    {"movswq (%rdi),%rax", "480fbf07", "movsx rr 64 L general base 16 sign"},
    {"movslq (%rdi),%rax", "486307", "movsxd rr 64 L general base 32 sign"},
    {"mov %rax,(%rdi)", "488907", "mov rr 64 S general base 64"},
    {"mov %al,(%rdi)", "8807", "mov rr 8 S general base 8"},
    {"movl $7,(%rdi)", "c70707000000", "mov ir 0 S general base 32"},
    {"mov %rax,8(%rsp)", "4889442408", "mov rr 64 S general stack 64"},
    {"mov %rax,(%rdi,%rsi,8)", "488904f7", "mov rr 64 S general index 64"},
    {"movsd (%rdi),%xmm0", "f20f1007", "movsd rr 128 L xmm base 64"},
    {"movss %xmm0,(%rdi)", "f30f1107", "movss rr 128 S xmm base 32"},
    {"movaps (%rdi),%xmm0", "0f2807", "movaps rr 128 L xmm base 128"},
    {"addsd (%rdi,%rsi,8),%xmm0", "f20f5804f7",
     "addsd rr 128 L xmm index scaled 64"},
    {"cvtsi2sd (%rdi),%xmm0", "f20f2a07", "cvtsi2sd rr 128 L xmm base 32"},
    {"vmovupd (%rdi),%ymm0", "c5fd1007", "vmovupd rr 256 L ymm base 256"},
    {"vmovaps %zmm1,%zmm0{%k1}", "62f17c4928c1", "vmovaps rrr 512"},
    {"vmovupd %ymm0,(%rdi)", "c5fd1107", "vmovupd rr 256 S ymm base 256"},
    {"vmovupd (%rdi),%xmm0", "c5f91007", "vmovupd rr 128 L xmm base 128"},
    {"movq %xmm0,%rax", "66480f7ec0", "movq rr 128"},
    {"push %rax", "50", "push r 64 stack S general push 64"},
    {"push (%rdi)", "ff37",
     "push r 64 stack L general base 64 S general push 64"},
    {"pop %rax", "58", "pop r 64 stack L general push 64"},
    {"pop (%rdi)", "8f07",
     "pop r 64 stack L general push 64 S general base 64"},
    {"leave", "c9", "leave  64 stack L general push 64"},
    {"call *8(%rax)", "ff5008",
     "call r 64 stack L general base 64 S general push 64"},
    {"call 0x401010", "e80b000000", "call r 0 stack S general push 64"},
    {"ret", "c3", "ret  64 stack L general push 64"},
    {"jmp *%rax", "ffe0", "jmp r 0"},
    {"je 0x401010", "740e", "je r 0"},
    {"movsq", "48a5", "movsq rr 64 L general base 64 S general base 64"},
    {"movsb", "a4", "movsb rr 8 L general base 8 S general base 8"},
    {"rep movsb", "f3a4", "movsb rr 8 L general base 8 S general base 8"},
    {"stosq", "48ab", "stosq rr 64 S general base 64"},
    {"fldl (%rdi)", "dd07", "fld r 64 L general base 64"},
    {"fadd %st(1),%st", "d8c1", "fadd r 0"},
    {"nop", "90", "nop  0"},
};

static const struct instruction instructions_a64[] = {
    {"add x0, x1, x2", "2000028b", "add rrr 64"},
    {"add w0, w1, #8", "20200011", "add rri 32"},
    {"cmp x0, x1", "1f0001eb", "cmp rr 64"},
    {"ldr x0, [x1]", "200040f9", "ldr rr 64 L general base 64"},
    {"ldr w0, [x1, #8]", "200840b9", "ldr rr 32 L general base 32"},
    {"ldrb w0, [x1]", "20004039", "ldrb rr 32 L general base 8 zero"},
    {"ldrsb x0, [x1]", "20008039", "ldrsb rr 64 L general base 8 sign"},
    {"ldrsh w0, [x1]", "2000c079", "ldrsh rr 32 L general base 16 sign"},
    {"ldrsw x0, [x1]", "200080b9", "ldrsw rr 64 L general base 32 sign"},
    {"ldpsw x0, x2, [x1]", "20084069", "ldpsw rrr 64 L general base 32 sign"},
    {"ldr x0, [x1, x2, lsl #3]", "207862f8", "ldr rr 64 L general index 64"},
    {"ldr x0, [sp, #16]", "e00b40f9", "ldr rr 64 L general stack 64"},
    {"ldr x0, [x1], #8", "208440f8", "ldr rri 64 L general base 64"},
    {"ldr x0, [x1, #8]!", "208c40f8", "ldr rr 64 L general base 64"},
    {"ldr x0, .+16", "80000058", "ldr rr 64 L general rip 64"},
    {"ldr d0, .+16", "8000005c", "ldr rr 64 L xmm rip 64"},
    {"str w0, [x1]", "200000b9", "str rr 32 S general base 32"},
    {"strh w0, [x1]", "20000079", "strh rr 32 S general base 16"},
    {"str xzr, [x1]", "3f0000f9", "str rr 64 S general base 64"},
    {"stp x0, x2, [sp, #-32]!", "e00bbea9", "stp rrr 64 S general stack 64"},
    {"ldp q0, q1, [x1]", "200440ad", "ldp rrr 128 L xmm base 128"},
    {"ldr d0, [x1]", "200040fd", "ldr rr 64 L xmm base 64"},
    {"str s0, [x1, #4]", "200400bd", "str rr 32 S xmm base 32"},
    {"ldr q0, [x1, x2]", "2068e23c", "ldr rr 128 L xmm index 128"},
    {"ld1 {v0.2d, v1.2d}, [x1], #32", "20acdf4c",
     "ld1 rrri 128 L xmm base 128"},
    {"ld1 {v0.2s}, [x1]", "2078400c", "ld1 rr 64 L xmm base 64"},
    {"fadd d0, d1, d2", "2028621e", "fadd rrr 64"},
    {"fadd s0, s1, s2", "2028221e", "fadd rrr 32"},
    {"fadd v0.2s, v1.2s, v2.2s", "20d4220e", "fadd rrr 64"},
    {"fadd v0.4s, v1.4s, v2.4s", "20d4224e", "fadd rrr 128"},
    {"scvtf d0, x1", "2000629e", "scvtf rr 64"},
    {"ldaxr x0, [x1]", "20fc5fc8", "ldaxr rr 64 locked L general base 64"},
    {"stxr w2, x0, [x1]", "207c02c8", "stxr rrr 64 locked S general base 64"},
    {"ldar x0, [x1]", "20fcdfc8", "ldar rr 64 fence L general base 64"},
    {"stlr x0, [x1]", "20fc9fc8", "stlr rr 64 fence S general base 64"},
    {"dmb ish", "bf3b03d5", "dmb i 0 fence"},
    {"b.ne .+16", "81000054", "b.ne r 0"},
    {"cbz w0, .+16", "80000034", "cbz rr 32"},
    {"ret", "c0035fd6", "ret  0"},
    {"nop", "1f2003d5", "nop  0"},
};

/* Compares n instructions of an architecture with what is expected. */
static void check(enum arch of, const struct instruction *tests, size_t n)
{
    unsigned n_wrong = 0;

    arch = of;
    disasm = disasm_new(arch_name(of));
    for (size_t i = 0; i < n; i++) {
        const struct instruction *test = &tests[i];
        char text[200];

        text_of(text, sizeof text, test->hex);
        if (strcmp(text, test->expected) == 0)
            continue;
        printf("# %s: %s, not %s\n", test->text, text, test->expected);
        n_wrong++;
    }
    disasm_free(disasm);
    assert_int_equal(n_wrong, 0);
}

TEST(operands_are_described_as_in_a_machine_file)
{
    check(ARCH_X86_64, instructions,
          sizeof instructions / sizeof *instructions);
}

TEST(operands_of_aarch64_have_the_order_of_the_text)
{
    check(ARCH_AARCH64, instructions_a64,
          sizeof instructions_a64 / sizeof *instructions_a64);
}
