/*
 * cy_cases: atomic instructions and fences, of which no two overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* X(name, keys, flag, an instruction that takes an offset): two of them on one
   address, and one on another. */
#define LOCKED(mnemonic) "\"mnemonic\": \"" mnemonic "\", \"locked\": true"
#define ATOMICS(X)                                                        \
    X(xchg, LOCKED("xchg"), NULL, "xchg %%rax, \\o(%%rdi)")               \
    X(xadd, LOCKED("xadd"), NULL, "lock xadd %%rax, \\o(%%rdi)")          \
    X(cmpxchg, LOCKED("cmpxchg"), NULL, "lock cmpxchg %%rcx, \\o(%%rdi)") \
    X(cmpxchg16b, LOCKED("cmpxchg16b"), "cx16", "lock cmpxchg16b \\o(%%rdi)")
#define ATOMIC(name, keys, flag, insn) \
    CY_LOOP(name##_loop, "", ".irp o, 0, 0, 128\n\t" insn "\n\t.endr", "")
ATOMICS(ATOMIC)
ATOMIC(locked, , , "lock add %%rcx, \\o(%%rdi)")

/* Two fences; and one before a chain that begins anew each round, so that
   rounds overlap if the fence lets what follows begin. */
#define CHAIN "mov %%rcx, %%rdx\n\t.rept 20\n\timul %%rdx, %%rdx\n\t.endr"
#define FENCE(name)                                  \
    CY_LOOP(name##_loop, "", #name "\n\t" #name, "") \
    CY_LOOP(name##_chain, "", #name "\n\t" CHAIN, "")
FENCE(mfence)
FENCE(lfence)
CY_LOOP(sfence_loop, "", "sfence\n\tsfence", "")
CY_LOOP(multiplied_20, "", ".rept 20\n\timul %%rdx, %%rdx\n\t.endr", "")
CY_LOOP(multiplied_16, "", ".rept 16\n\timul %%rdx, %%rdx\n\t.endr", "")

#define ATOMIC_ROW(name, keys, flag, insn) \
    {"occupancy_" #name, CY_OCCUPANCY, keys, flag, 3, NULL, name##_loop},
#define TURN_ROW(name)              \
    {"occupancy_" #name,            \
     CY_OCCUPANCY,                  \
     "\"mnemonic\": \"" #name "\"", \
     NULL,                          \
     2,                             \
     NULL,                          \
     name##_loop},
#define FENCE_ROWS(name)                                                   \
    TURN_ROW(name){#name,       CY_LATENCY, "\"mnemonic\": \"" #name "\"", \
                   NULL,        1,          "multiplied_20",               \
                   name##_chain},

static const struct cy_insn_case cases[] = {
    {"locked", CY_ACCESS, "locked", NULL, 3, NULL, locked_loop},
    ATOMICS(ATOMIC_ROW) FENCE_ROWS(mfence) FENCE_ROWS(lfence) TURN_ROW(sfence){
        "multiplied_20", CY_BESIDE, NULL, NULL, 1, NULL, multiplied_20},
    {"multiplied_16", CY_BESIDE, NULL, NULL, 1, NULL, multiplied_16}};

const struct cy_insn_table cy_order_cases = {cases,
                                             sizeof cases / sizeof *cases};
