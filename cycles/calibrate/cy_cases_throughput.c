/*
 * cy_cases: how many accesses to memory run at once, and which instructions
 * fuse with the jump after them.
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

/* Two loads for each store. */
CY_LOOP(access_any, "",
        ".irp i, 0, 1, 2, 3\n\tmov \\i*16(%%rbx), %%r8\n\t"
        "mov 8+\\i*16(%%rbx), %%r8\n\tmov %%rax, 1024+\\i*8(%%rbx)\n\t.endr",
        "")

/* Moves take a place in the dispatch and no unit: 46 of them, with dec and jnz,
   take 48 places.  The other loops have fewer moves, and 8 pairs of an
   instruction and a jump that is never taken.  The moves to %r8 keep a pair
   from waiting for the one before. */
CY_LOOP(dispatch, "", ".rept 46\n\tmov %%rcx, %%rdx\n\t.endr", "")
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
#define FUSED(name, insn, jump)                                       \
    CY_LOOP(fused_##name, "",                                         \
            ".rept 8\n\t.rept 4\n\tmov %%rcx, %%r8\n\t.endr\n\t" insn \
            "\n\t" jump " 2f\n\t.endr\n2:",                           \
            "")
PAIRS(FUSED)

#define ROWS(class, flag)                                                     \
    {"load_" #class, CY_ACCESS, "load_" #class, flag, 8, NULL, load_##class}, \
        {"store_" #class, CY_ACCESS, "store_" #class, flag, 8, NULL,          \
         store_##class},
#define FUSED_ROW(name, insn, jump) \
    {"fused_" #name, CY_FUSED, "\"" #name "\"", NULL, 1, NULL, fused_##name},

static const struct cy_insn_case cases[] = {
    ROWS(general, NULL) ROWS(xmm, NULL) ROWS(ymm, "avx") ROWS(zmm, "avx512f"){
        "any", CY_ACCESS, "any", NULL, 12, NULL, access_any},
    {"dispatch", CY_BESIDE, NULL, NULL, 1, NULL, dispatch},
    PAIRS(FUSED_ROW)};

const struct cy_insn_table cy_throughput_cases = {cases,
                                                  sizeof cases / sizeof *cases};
