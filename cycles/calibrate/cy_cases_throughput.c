/*
 * cy_cases: how many accesses to memory run at once, how many instructions the
 * dispatch takes, which ones fuse with the jump after them, and what a
 * misprediction costs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* Each store is to a line of its own, since stores to one line can go at once.
 */
#define PLACES "0, 1, 2, 3, 4, 5, 6, 7"
#define BOTH(name, op, size, apart, reg, end)                            \
    CY_LOOP(load_##name, "",                                             \
            ".irp i, " PLACES "\n\t" op " \\i*" size "(%%rbx), " reg     \
            "\n\t.endr",                                                 \
            end)                                                         \
    CY_LOOP(store_##name, "",                                            \
            ".irp i, " PLACES "\n\t" op " " reg ", \\i*" apart "(%%rbx)" \
            "\n\t.endr",                                                 \
            end)
BOTH(general, "mov", "8", "72", "%%r8", "")
BOTH(xmm, "movups", "16", "80", "%%xmm4", "")
BOTH(ymm, "vmovups", "32", "96", "%%ymm4", "vzeroupper")
BOTH(zmm, "vmovups", "64", "128", "%%zmm4", "vzeroupper")

/* Two loads for each store.  Some processors split wide accesses, so that each
   takes two places in the units that loads and stores share. */
#define ANY(name, op, size, apart, reg, from, end)                      \
    CY_LOOP(any_##name, "",                                             \
            ".irp i, 0, 1, 2, 3\n\t" op " \\i*2*" size "(%%rbx), " reg  \
            "\n\t" op " " size "+\\i*2*" size "(%%rbx), " reg "\n\t" op \
            " " from ", 1024+\\i*" apart "(%%rbx)\n\t.endr",            \
            end)
ANY(general, "mov", "8", "72", "%%r8", "%%rax", "")
ANY(xmm, "movups", "16", "80", "%%xmm4", "%%xmm5", "")
ANY(ymm, "vmovups", "32", "96", "%%ymm4", "%%ymm5", "vzeroupper")
ANY(zmm, "vmovups", "64", "128", "%%zmm4", "%%zmm5", "vzeroupper")

/* Some 94 instructions of several kinds, which few units limit; with dec and
   jnz they take 95 or 96 places.  Some processors take longer for lines of code
   with many instructions, so these are long. */
#define NOP       ".byte 0x0f, 0x1f, 0x40, 0\n\t"
#define LONG_NOP  ".byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n\t"
#define MOVE      "mov %%rcx, %%rdx\n\t"
#define LONG_MOVE LONG_NOP MOVE
CY_LOOP(width_nop, "", ".rept 94\n\t" LONG_NOP ".endr", "")
CY_LOOP(width_move, "", ".rept 47\n\t" LONG_MOVE ".endr", "")
CY_LOOP(width_mix, "",
        ".rept 16\n\t" LONG_MOVE "add $1, %%r8\n\tpor %%xmm1, %%xmm4\n\t"
        "add $0x1234567, %%eax\n\tpaddd %%xmm1, %%xmm5\n\t.endr",
        "")

/* Rounds of 1 to 24 instructions, and the jump back.  A short round often takes
   longer than the dispatch needs for it: a taken jump ends a group of
   instructions that are fetched at once. */
#define ROUNDS(X)                                                           \
    CY_EACH(X, , 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, \
            18, 19, 20, 21, 22, 23, 24)
#define ROUND(x, n)                                                 \
    CY_LOOP(round_##n, "",                                          \
            ".rept (" #n "-1)/2\n\t" NOP MOVE ".endr\n\t.rept (" #n \
            "-1)&1\n\t" NOP ".endr",                                \
            "")
ROUNDS(ROUND)
CY_LOOP(round_long, "", ".rept 8\n\t" LONG_MOVE ".endr", "")

/* Taken jumps, with the one back. */
CY_LOOP(jumps, "", ".rept 12\n\tjmp 3f\n\t.p2align 6\n3:\n\t.endr", "")

/* 64 rounds of four branches.  Bits of Marsaglia's xorshift decide them
   (Xorshift RNGs, Journal of Statistical Software 8, 2003), which goes on where
   it was, so that no branch predictor learns them; or nothing does. */
#define SHIFTED(shift)                                    \
    "mov %%rax, %%rdx\n\t" shift ", %%rdx\n\txor %%rdx, " \
    "%%rax\n\t"
#define BRANCHES(name, bit)                                                  \
    CY_LOOP(name, "mov (%%rdi), %%rax\n\tor $1, %%rax\n\tshl $6, %[rounds]", \
            ".rept 4\n\t" SHIFTED("shl $13") SHIFTED("shr $7")               \
                SHIFTED("shl $17") "test $" bit ", %%al\n\tjz 2f\n\tnop\n"   \
                                   "2:\n\t.endr",                            \
            "mov %%rax, (%%rdi)")
BRANCHES(mispredicted, "1")
BRANCHES(predicted, "0")

/* 256 rounds that add to the first of two cells, or to the second where a table
   of 256 bytes says so: never, every second time, or every 128th. */
#define COUNTS(name, setup)                                                 \
    CY_LOOP(name, setup "\n\tshl $8, %[rounds]",                            \
            "movzbl (%%rdi,%%rcx), %%edx\n\tadd %%rax, 1024(%%rdi,%%rdx,8)" \
            "\n\tinc %%cl",                                                 \
            "")
COUNTS(counts_one, "movb $0, 127(%%rdi)\n\tmovb $0, 255(%%rdi)")
COUNTS(counts_other, "movb $1, 127(%%rdi)\n\tmovb $1, 255(%%rdi)")
COUNTS(counts_by_turns, "mov $256, %%edx\n3:\n\tmovb $1, -1(%%rdi,%%rdx)"
                        "\n\tsub $2, %%edx\n\tjnz 3b")

/* Moves and nops take a place in the dispatch and no unit: 46 of them, with dec
   and jnz, take 48 places.  The other loops have fewer, and 8 pairs of an
   instruction and a jump that is never taken.  The moves to %r8 keep a pair
   from waiting for the one before. */
CY_LOOP(dispatch, "", ".rept 23\n\t" LONG_MOVE ".endr", "")
#define PAIRS(X)                       \
    X(cmp, "cmp %%ecx, %%r8d", "jl")   \
    X(test, "test %%r8d, %%r8d", "jl") \
    X(add, "add %%ecx, %%r8d", "jl")   \
    X(sub, "sub %%ecx, %%r8d", "jl")   \
    X(and, "and %%ecx, %%r8d", "jl")   \
    X(or, "or %%ecx, %%r8d", "jl")     \
    X(xor, "xor %%ecx, %%r8d", "jl")   \
    X(inc, "inc %%r8d", "jl")          \
    X(dec, "dec %%r8d", "jg")
#define FUSED(name, insn, jump)                             \
    CY_LOOP(fused_##name, "",                               \
            ".rept 8\n\t.rept 2\n\t" LONG_NOP               \
            "mov %%rcx, %%r8\n\t.endr\n\t" insn "\n\t" jump \
            " 2f\n\t.endr\n2:",                             \
            "")
PAIRS(FUSED)

#define ROWS(class, flag)                                                     \
    {"load_" #class, CY_ACCESS, "load_" #class, flag, 8, NULL, load_##class}, \
        {"store_" #class, CY_ACCESS, "store_" #class, flag, 8, NULL,          \
         store_##class},
#define ANY_ROW(class, key, flag) \
    {key, CY_ACCESS, key, flag, 12, NULL, any_##class},
#define ROUND_ROW(x, n) {"round_" #n, CY_ROUND, NULL, NULL, 1, NULL, round_##n},
#define WIDTH_ROW(kind, places) \
    {"width_" #kind, CY_WIDTH, NULL, NULL, places, NULL, width_##kind},
#define FUSED_ROW(name, insn, jump) \
    {"fused_" #name, CY_FUSED, "\"" #name "\"", NULL, 1, NULL, fused_##name},

static const struct cy_insn_case cases[] = {
    ROWS(general, NULL) ROWS(xmm, NULL) ROWS(ymm, "avx") ROWS(zmm, "avx512f")
        ANY_ROW(general, "any", NULL) ANY_ROW(xmm, "any_xmm", NULL)
            ANY_ROW(ymm, "any_ymm", "avx") ANY_ROW(zmm, "any_zmm", "avx512f")
                WIDTH_ROW(nop, 95.5) WIDTH_ROW(move, 95.5) WIDTH_ROW(mix, 97.5)
                    ROUNDS(ROUND_ROW){"mispredicted", CY_BESIDE, NULL, NULL,
                                      256, NULL, mispredicted},
    {"predicted", CY_BESIDE, NULL, NULL, 256, NULL, predicted},
    {"counts_one", CY_BESIDE, NULL, NULL, 256, NULL, counts_one},
    {"counts_other", CY_BESIDE, NULL, NULL, 256, NULL, counts_other},
    {"counts_by_turns", CY_BESIDE, NULL, NULL, 256, NULL, counts_by_turns},
    {"round_long", CY_BESIDE, NULL, NULL, 1, NULL, round_long},
    {"dispatch", CY_BESIDE, NULL, NULL, 1, NULL, dispatch},
    {"jumps", CY_BESIDE, NULL, NULL, 13, NULL, jumps},
    PAIRS(FUSED_ROW)};

const struct cy_insn_table cy_throughput_cases = {cases,
                                                  sizeof cases / sizeof *cases};
