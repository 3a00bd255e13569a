/*
 * accesses: each instruction with an operand in memory, and what the processor
 * loads and stores there, as an assembly program.
 *
 *     accesses >cases.s
 *
 * It tries all opcodes with (%rdi) as their operand, decodes them by capstone,
 * keeps those that VEX knows, and runs them beside a page that cannot be
 * accessed.  How near to that page the operand can be tells its size; whether
 * it can be on a page that cannot be written tells whether it is stored to; and
 * whether other bytes in memory change the result tells whether it is loaded.
 * So the processor itself is the reference, not a table.
 *
 * The output runs each instruction twice for each immediate operand that is
 * tried, once with registers that the translator cannot know, and once with
 * registers that are known to be zero.  accesses.sh explains it.
 *
 * Limits: it does not try operands that are not in the ModRM byte (strings,
 * pushes), addresses from a vector (gathers), jumps and calls, and operands of
 * more than 128 bytes (fxsave).  Kernels test these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <capstone/capstone.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "lift/sd_flat.h"

#define PAGE 4096u
#define AREA 128u /* the largest operand, in bytes */

/* The registers before an instruction, and after it. */
struct context {
    uint64_t rax, rcx, rdx, rbx, rbp, rdi, flags, stack;
    uint8_t vectors[4][32];
    uint8_t x87[108];
};

struct form {
    uint8_t code[15];
    uint8_t length;
    uint8_t immediate; /* its offset in the code; 0: there is none */
    char text[64];
    unsigned size; /* of the operand, in bytes; 0: it is not accessed */
    bool loads, stores;
};

extern void run_natively(struct context *c, const void *code);
extern const char run_natively_end[];

/* Runs code with the registers of a context: all but r8 to r15 change. */
__asm__(".pushsection .text\n"
        "run_natively:\n"
        "  push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "  mov %rdi, %r15\n"
        "  mov %rsi, %r14\n"
        "  mov %rsp, 56(%r15)\n"
        "  movl $0x1f80, -8(%rsp); ldmxcsr -8(%rsp)\n"
        "  fninit; fld1; fld1\n"
        "  testb $1, has_avx(%rip)\n"
        "  jz 1f\n"
        "  vmovdqu 64(%r15), %ymm0; vmovdqu 96(%r15), %ymm1\n"
        "  vmovdqu 128(%r15), %ymm2; vmovdqu 160(%r15), %ymm3\n"
        "  jmp 2f\n"
        "1: movdqu 64(%r15), %xmm0; movdqu 96(%r15), %xmm1\n"
        "  movdqu 128(%r15), %xmm2; movdqu 160(%r15), %xmm3\n"
        "2: mov (%r15), %rax; mov 8(%r15), %rcx; mov 16(%r15), %rdx\n"
        "  mov 24(%r15), %rbx; mov 32(%r15), %rbp; mov 40(%r15), %rdi\n"
        "  pushq 48(%r15); popfq\n"
        "  jmp *%r14\n"
        "run_natively_end:\n"
        "  mov 56(%r15), %rsp\n"
        "  pushfq; popq 48(%r15)\n"
        "  mov %rax, (%r15); mov %rcx, 8(%r15); mov %rdx, 16(%r15)\n"
        "  mov %rbx, 24(%r15); mov %rbp, 32(%r15)\n"
        "  fnsave 192(%r15)\n"
        "  testb $1, has_avx(%rip)\n"
        "  jz 1f\n"
        "  vmovdqu %ymm0, 64(%r15); vmovdqu %ymm1, 96(%r15)\n"
        "  vmovdqu %ymm2, 128(%r15); vmovdqu %ymm3, 160(%r15)\n"
        "  jmp 2f\n"
        "1: movdqu %xmm0, 64(%r15); movdqu %xmm1, 96(%r15)\n"
        "  movdqu %xmm2, 128(%r15); movdqu %xmm3, 160(%r15)\n"
        "2: pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "  ret\n"
        ".popsection\n");

bool has_avx;
static csh capstone;
static cs_insn *insn;     /* the instruction that was decoded last */
static uint8_t *code;     /* a page */
static uint8_t *operands; /* a page between two that cannot be accessed */
static sigjmp_buf on_signal;

static void signalled(int signal)
{
    siglongjmp(on_signal, signal);
}

static struct context initial(bool is_zero, const uint8_t *operand)
{
    struct context c = {.rdi = (uint64_t)operand, .flags = 0x202};

    if (is_zero)
        return c;
    c.rax = 0x123456789, c.rcx = 5, c.rbx = 0x1122334455667788;
    c.rbp = 0x77;
    for (unsigned i = 0; i < sizeof c.vectors; i++)
        c.vectors[i / 32][i % 32] = (uint8_t)(0x80 | (i * 41 + 7));
    return c;
}

/* Byte i of the operand, in two versions. */
static uint8_t pattern(unsigned i, bool is_other)
{
    return (uint8_t)((i * 7 + 3) ^ (is_other ? 0xff : 0));
}

/* Can the processor execute the instruction without a signal? */
static bool try(const struct form *f, struct context *c)
{
    const void *end = run_natively_end;

    if (sigsetjmp(on_signal, 1) != 0)
        return false;
    memcpy(code, f->code, f->length);
    memcpy(code + f->length, "\xff\x25\0\0\0\0", 6); /* jmp *(%rip) */
    memcpy(code + f->length + 6, &end, sizeof end);
    run_natively(c, code);
    return true;
}

static bool try_at(const struct form *f, uint8_t *operand)
{
    struct context c = initial(false, operand);

    for (unsigned i = 0; operand + i < operands + PAGE && i < AREA; i++)
        operand[i] = pattern(i, false);
    return try(f, &c);
}

/* Finds the size of the operand: the fewest bytes before the page's end with
   which the instruction runs.  False if the instruction cannot be run. */
static bool find_size(struct form *f)
{
    for (f->size = 0; f->size <= AREA; f->size++)
        if (try_at(f, operands + PAGE - f->size))
            return f->size == 0 || try_at(f, operands);
    return false;
}

/* With UMIP, the kernel stores for the processor, and its signal differs. */
static void find_whether_stored(struct form *f)
{
    struct context c = initial(false, operands);

    mprotect(operands, PAGE, PROT_READ);
    f->stores = !try(f, &c);
    mprotect(operands, PAGE, PROT_READ | PROT_WRITE);
}

/* The registers after the instruction, and the operand's bytes. */
struct result {
    struct context c;
    uint8_t bytes[AREA];
};

static void result_of(struct result *r, const struct form *f, bool is_other)
{
    memset(r, 0, sizeof *r);
    r->c = initial(false, operands);
    for (unsigned i = 0; i < AREA; i++)
        operands[i] = pattern(i, is_other);
    try(f, &r->c);
    memcpy(r->bytes, operands, f->size);
    r->c.stack = 0;
    memset(r->c.x87 + 12, 0, 16); /* the address of the last operand */
}

static bool depends_on_memory(const struct form *f)
{
    struct result one, other;

    result_of(&one, f, false);
    result_of(&other, f, true);
    return memcmp(&one, &other, sizeof one) != 0;
}

/* Immediate operands that VEX may simplify, or that choose a part. */
static const uint8_t immediates[] = {0, 1, 0x31, 0x88, 0xff};

/* The form with this value in all bytes of its immediate operand. */
static struct form with_immediate(const struct form *f, uint8_t value)
{
    struct form g = *f;

    if (f->immediate != 0)
        memset(g.code + f->immediate, value, f->length - f->immediate);
    return g;
}

/* Which bytes an instruction loads does not depend on its immediate operand,
   but whether the result shows the load does. */
static void find_whether_loaded(struct form *f)
{
    f->loads = f->size != 0 && !f->stores;
    for (size_t i = 0; i < sizeof immediates && !f->loads; i++) {
        struct form g = with_immediate(f, immediates[i]);

        f->loads = depends_on_memory(&g);
    }
}

static bool is_of(unsigned group)
{
    return cs_insn_group(capstone, insn, group);
}

/* Has the instruction an operand in memory that ModRM names? */
static bool has_memory_operand(void)
{
    const cs_x86 *x86 = &insn->detail->x86;
    bool has = false;

    for (unsigned i = 0; i < x86->op_count; i++)
        has |= x86->operands[i].type == X86_OP_MEM;
    return has && x86->encoding.modrm_offset != 0;
}

/* Decodes the bytes.  False if they are no instruction that can be tried. */
static bool decode(struct form *f, const uint8_t *bytes, size_t n)
{
    uint64_t address = 0;
    int n_text;

    if (!cs_disasm_iter(capstone, &bytes, &n, &address, insn))
        return false;
    if (is_of(CS_GRP_JUMP) || is_of(CS_GRP_CALL) || is_of(CS_GRP_RET) ||
        is_of(CS_GRP_INT) || is_of(CS_GRP_PRIVILEGE) || !has_memory_operand())
        return false;
    memset(f, 0, sizeof *f);
    memcpy(f->code, insn->bytes, insn->size);
    f->length = (uint8_t)insn->size;
    f->immediate = insn->detail->x86.encoding.imm_offset;
    n_text = snprintf(f->text, sizeof f->text, "%s %s", insn->mnemonic,
                      insn->op_str);
    return n_text < (int)sizeof f->text;
}

static void ignore(void *context, const IRSB *irsb, unsigned length)
{
    (void)irsb;
    *(unsigned *)context = length;
}

static bool vex_knows(const struct form *f)
{
    uint8_t bytes[64] = {0};
    unsigned length = 0;

    memcpy(bytes, f->code, f->length);
    return vexfront(ARCH_X86_64, bytes, 0x400000, ignore, &length) ==
               VEXFRONT_OK &&
           length == f->length;
}

static unsigned n_cases;

/* Prints a case if the processor can run it: see accesses.sh. */
static void print_case(const struct form *f, bool is_zero)
{
    struct context c = initial(is_zero, operands);

    for (unsigned i = 0; i < AREA; i++)
        operands[i] = pattern(i, false);
    if (!vex_knows(f) || !try(f, &c))
        return;
    printf("case_%s %u, %u, %u, %u, \"", is_zero ? "zero" : "unknown",
           n_cases++, f->size, f->loads, f->stores);
    for (unsigned i = 0; i < f->length; i++)
        printf("%s0x%02x", i > 0 ? "," : "", f->code[i]);
    printf("\" # %s\n", f->text);
}

static unsigned n_forms;

/* Was an instruction with this text tried?  Many prefixes mean nothing. */
static bool is_known(const struct form *f)
{
    static char known[8192][sizeof f->text];

    for (unsigned i = 0; i < n_forms; i++)
        if (strcmp(known[i], f->text) == 0)
            return true;
    if (n_forms == sizeof known / sizeof known[0])
        exit(2);
    strcpy(known[n_forms++], f->text);
    return false;
}

static void print_form(struct form *f)
{
    if (is_known(f) || !find_size(f))
        return;
    find_whether_stored(f);
    find_whether_loaded(f);
    for (size_t i = 0; i < sizeof immediates; i++) {
        struct form g = with_immediate(f, immediates[i]);

        print_case(&g, false);
        print_case(&g, true);
        if (f->immediate == 0)
            break;
    }
}

/* Tries all instructions that begin with these bytes: the register field of
   ModRM chooses among up to eight. */
static void try_opcode(const uint8_t *bytes, unsigned n)
{
    /* Register 1 comes first: it stands for any. */
    static const uint8_t registers[] = {1, 0, 2, 3, 4, 5, 6, 7};
    unsigned known[8], n_known = 0;

    for (unsigned i = 0; i < 8; i++) {
        uint8_t all[32] = {0};
        struct form f;
        bool is_new = true;

        memcpy(all, bytes, n);
        all[n] = (uint8_t)(registers[i] << 3 | 7);
        if (!decode(&f, all, 15))
            continue;
        for (unsigned j = 0; j < n_known; j++)
            is_new &= known[j] != insn->id;
        if (!is_new)
            continue;
        known[n_known++] = insn->id;
        print_form(&f);
    }
}

/* Tries [prefix] [REX.W] [escape] opcode, see Intel's manual, volume 2, 2.1. */
static void try_legacy(void)
{
    static const char *const prefixes[] = {"", "\x66", "\xf2", "\xf3", "\xf0"};
    static const char *const escapes[] = {"", "\x0f", "\x0f\x38", "\x0f\x3a"};

    for (unsigned i = 0; i < 5 * 2 * 4 * 256; i++) {
        char bytes[16];
        int n = snprintf(bytes, sizeof bytes, "%s%s%s", prefixes[i / 2048],
                         i / 1024 % 2 != 0 ? "\x48" : "", escapes[i / 256 % 4]);

        bytes[n] = (char)(i % 256);
        try_opcode((uint8_t *)bytes, (unsigned)n + 1);
    }
}

/* Tries C4, the map, then W, vvvv (none, or the third register), L and pp. */
static void try_vex(void)
{
    for (unsigned i = 0; i < 3 * 2 * 2 * 2 * 4 * 256; i++) {
        unsigned map = i / 8192 + 1, w = i / 4096 % 2, has = i / 2048 % 2;
        unsigned rest = i / 256 % 8;
        uint8_t bytes[4] = {0xc4, (uint8_t)(0xe0 | map),
                            (uint8_t)(w << 7 | (has ? 13u : 15u) << 3 | rest),
                            (uint8_t)(i % 256)};

        try_opcode(bytes, 4);
    }
}

static void catch_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP};
    struct sigaction action = {.sa_handler = signalled};

    for (unsigned i = 0; i < 5; i++)
        sigaction(signals[i], &action, NULL);
}

static uint8_t *pages(size_t n, int protection)
{
    void *p =
        mmap(NULL, n * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        exit(2);
    return p;
}

int main(void)
{
    has_avx = __builtin_cpu_supports("avx");
    code = pages(1, PROT_READ | PROT_WRITE | PROT_EXEC);
    operands = pages(3, PROT_NONE) + PAGE;
    mprotect(operands, PAGE, PROT_READ | PROT_WRITE);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &capstone) != CS_ERR_OK)
        return 2;
    cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
    insn = cs_malloc(capstone);
    catch_signals();
    try_legacy();
    try_vex();
    cs_free(insn, 1);
    cs_close(&capstone);
    return 0;
}
