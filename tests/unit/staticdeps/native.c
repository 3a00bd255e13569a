/*
 * Each integer instruction gives the same bits on the processor and when its
 * lifted code is interpreted, on random operands, including flags.
 *
 * The interpreter drops values that are not needed, so its results are tested
 * by dependencies: after the instruction, a byte is stored at the address in
 * each register, and loaded from the address that the processor's register had.
 * The load depends on the store if and only if the two are equal.
 *
 * Limits: instructions where VEX itself is wrong (see sd_insn.h) are left out,
 * flags that the manuals leave undefined are not compared, and the instructions
 * use only rax, rcx, rdx, rbx, rsi, rdi and vector registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <limits.h>
#include <sys/mman.h>

#include <libvex_guest_amd64.h>

#include "block/sd_analyse.h"
#include "decoder.h"

#define N_TRIES 40

/* Instructions of native_cases.c, each as its length, the flags not to compare
   (4 bytes) and the code; a length of 0 ends the list. */
extern const uint8_t natives[], natives_bmi2[];
extern const uint8_t natives_moves[], natives_sse4[], natives_avx2[];

enum { RAX, RCX, RDX, RBX, RSI, RDI, FLAGS, N_REGISTERS };

struct context {
    uint64_t r[N_REGISTERS];
};

static const unsigned offsets[N_REGISTERS] = {
    offsetof(VexGuestAMD64State, guest_RAX),
    offsetof(VexGuestAMD64State, guest_RCX),
    offsetof(VexGuestAMD64State, guest_RDX),
    offsetof(VexGuestAMD64State, guest_RBX),
    offsetof(VexGuestAMD64State, guest_RSI),
    offsetof(VexGuestAMD64State, guest_RDI),
    offsetof(VexGuestAMD64State, guest_CC_DEP1),
};

static struct sd_exec exec;
static struct sd_initial initial[N_REGISTERS + 5];
static struct sd_trace trace;
static struct sd_reroll reroll;
static uint8_t *page;

/* Runs the code between loading all registers and saving them. */
static void run_natively(struct context *c)
{
    __asm__ volatile("leaq -256(%%rsp), %%rsp\n\t"
                     "movq %0, %%r14\n\t"
                     "movq %1, %%r13\n\t"
                     "movq 0(%%r14), %%rax\n\t"
                     "movq 8(%%r14), %%rcx\n\t"
                     "movq 16(%%r14), %%rdx\n\t"
                     "movq 24(%%r14), %%rbx\n\t"
                     "movq 32(%%r14), %%rsi\n\t"
                     "movq 40(%%r14), %%rdi\n\t"
                     "pushq 48(%%r14)\n\t"
                     "popfq\n\t"
                     "call *%%r13\n\t"
                     "movq %%r15, 48(%%r14)\n\t"
                     "movq %%rax, 0(%%r14)\n\t"
                     "movq %%rcx, 8(%%r14)\n\t"
                     "movq %%rdx, 16(%%r14)\n\t"
                     "movq %%rbx, 24(%%r14)\n\t"
                     "movq %%rsi, 32(%%r14)\n\t"
                     "movq %%rdi, 40(%%r14)\n\t"
                     "leaq 256(%%rsp), %%rsp\n\t"
                     :
                     : "r"(c), "r"(page)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r13", "r14",
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm5", "cc",
                       "memory");
}

/* The instruction, followed by pushfq; popq %r15. */
static size_t with_flags(uint8_t *out, const uint8_t *insn, size_t n)
{
    static const uint8_t take_flags[] = {0x9c, 0x41, 0x5f};

    memcpy(out, insn, n);
    memcpy(out + n, take_flags, sizeof take_flags);
    return n + sizeof take_flags;
}

static size_t put(uint8_t *out, const void *bytes, size_t n)
{
    memcpy(out, bytes, n);
    return n;
}

/* Appends: movb %r8b, DISPLACEMENT(register); movabsq $ADDRESS, %r9;
   movb (%r9), %r10b.  Each register has an area of its own. */
static size_t compare_register(uint8_t *out, unsigned number, uint64_t expected)
{
    /* mod 10, reg r8b, rm by number: rax rcx rdx rbx rsi rdi r15 */
    static const uint8_t rm[N_REGISTERS] = {0, 1, 2, 3, 6, 7, 7};
    int32_t displacement = (int32_t)number * 0x1000000;
    uint64_t address = expected + (uint64_t)(int64_t)displacement;
    size_t n = 0;

    n += put(out + n, number == FLAGS ? "\x45\x88" : "\x44\x88", 2);
    out[n++] = (uint8_t)(0x80 | rm[number]);
    n += put(out + n, &displacement, 4);
    n += put(out + n, "\x49\xb9", 2);
    n += put(out + n, &address, 8);
    n += put(out + n, "\x45\x8a\x11", 3);
    return n;
}

static void interpret(const uint8_t *bytes, size_t n)
{
    struct sd_blocks blocks = {0};
    uint32_t offset = 0;

    sd_blocks_add_bytes(&blocks, decoder(), bytes, n, NULL, 0);
    assert_int_equal(blocks.blocks[0].status, SD_OK);
    sd_trace_begin(&trace, false);
    for (size_t i = 0; i < blocks.n_insns; i++) {
        const struct sd_insn *insn =
            sd_lift(ARCH_X86_64, bytes + offset, blocks.insns[i]);

        if (insn->status != SD_OK || insn->length != blocks.insns[i])
            fail_msg("not lifted: %02x %02x %02x", bytes[offset],
                     bytes[offset + 1], bytes[offset + 2]);
        sd_trace_add(&trace, insn, offset);
        offset += blocks.insns[i];
    }
    sd_trace_end(&trace);
    sd_blocks_fini(&blocks);
    sd_reroll_begin(&reroll);
    sd_exec_run(&exec, &trace, 1, 1, &reroll, NULL);
    sd_reroll_end_run(&reroll, 1, 1);
}

/* Does the load in register `number`'s area depend on its store? */
static bool agrees(unsigned number)
{
    uint32_t store = trace.n_sites - 3 * (N_REGISTERS - number);

    for (size_t i = 0; i < reroll.n_deps; i++)
        if (reroll.deps[i].src == store && reroll.deps[i].dst == store + 2)
            return true;
    return false;
}

static void choose_operands(struct context *c, uint64_t key)
{
    static const uint64_t special[] = {
        0, 1, UINT64_MAX, 0x80, 0x7fffffff, 0x80000000, UINT64_C(1) << 63, 64};

    for (unsigned i = 0; i < FLAGS; i++) {
        uint64_t r = sd_random(key, i), which = sd_random(key, 100 + i) % 24;

        c->r[i] = which < 8 ? special[which] : r;
    }
    c->r[FLAGS] = (sd_random(key, 200) & 0x8d5) | 0x202;
    for (unsigned i = 0; i < N_REGISTERS; i++)
        initial[i] = (struct sd_initial){offsets[i], sd_known(c->r[i])};
    initial[FLAGS].value.bits &= 0x8d5;
}

static void check(const uint8_t *insn, size_t n, uint32_t undefined,
                  unsigned index)
{
    for (uint64_t key = 0; key < N_TRIES; key++) {
        uint32_t mask = 0x8d5 & ~undefined;
        uint8_t bytes[400];
        struct context c;
        size_t size;

        choose_operands(&c, key * 1000 + index);
        size = with_flags(bytes, insn, n);
        memcpy(page, bytes, size);
        page[size] = 0xc3;
        run_natively(&c);
        /* andq $mask, %r15 */
        size += put(bytes + size, "\x49\x81\xe7", 3);
        size += put(bytes + size, &mask, 4);
        c.r[FLAGS] &= mask;
        for (unsigned i = 0; i < N_REGISTERS; i++)
            size += compare_register(bytes + size, i, c.r[i]);
        interpret(bytes, size);
        for (unsigned i = 0; i < N_REGISTERS; i++) {
            if (agrees(i))
                continue;
            print_message("instruction %u (%02x %02x %02x...), try %u: "
                          "register %u is not 0x%llx\n",
                          index, insn[0], insn[1], insn[2], (unsigned)key, i,
                          (unsigned long long)c.r[i]);
            fail();
        }
    }
}

static void check_table(const uint8_t *table)
{
    if (page == MAP_FAILED) /* no memory can be made executable */
        skip();
    for (unsigned index = 0; table[0] != 0; index++) {
        uint32_t undefined;

        memcpy(&undefined, table + 1, sizeof undefined);
        check(table + 5, table[0], undefined, index);
        table += 5 + table[0];
    }
}

TEST(integer_instructions_agree_with_the_processor)
{
    check_table(natives);
}

TEST(moves_through_vectors_agree_with_the_processor)
{
    check_table(natives_moves);
    if (__builtin_cpu_supports("avx2")) /* implies SSE4, too */
        check_table(natives_sse4);
}

TEST(wide_moves_agree_with_the_processor)
{
    if (!__builtin_cpu_supports("avx2"))
        skip();
    check_table(natives_avx2);
}

TEST(bit_manipulation_agrees_with_the_processor)
{
    if (!__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("avx2") ||
        !__builtin_cpu_supports("sse4.2"))
        skip();
    check_table(natives_bmi2);
}

BEFORE_ALL()
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* operation COPY: CC_DEP1 has the flags themselves */
    initial[N_REGISTERS] = (struct sd_initial){
        offsetof(VexGuestAMD64State, guest_CC_OP), sd_known(0)};
    initial[N_REGISTERS + 1] = (struct sd_initial){
        offsetof(VexGuestAMD64State, guest_CC_DEP2), sd_known(0)};
    initial[N_REGISTERS + 2] = (struct sd_initial){
        offsetof(VexGuestAMD64State, guest_CC_NDEP), sd_known(0)};
    initial[N_REGISTERS + 3] = (struct sd_initial){
        offsetof(VexGuestAMD64State, guest_DFLAG), sd_known(1)};
    initial[N_REGISTERS + 4].offset = UINT_MAX;
    sd_exec_init(&exec, initial);
}

AFTER_ALL()
{
    sd_reroll_fini(&reroll);
    sd_exec_fini(&exec);
    sd_trace_fini(&trace);
}
