/*
 * cy_cases: general registers, and loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_cases.h"

#define BITS "[32, 64]"
/* A case of a chain: X(name, keys, flag, instruction). */
#define RR_IF(X, op, flag)                                    \
    X(op, CY_KEYS(CY_NAMES_1(#op), BITS) CY_FORM("rr"), flag, \
      #op " %%rcx, %%rax")
#define RR(X, op) RR_IF(X, op, NULL)
#define IR(X, op)                                                 \
    X(op##_i, CY_KEYS(CY_NAMES_1(#op), BITS) CY_FORM("ir"), NULL, \
      #op " $5, %%rax")
#define CR(X, op)                                                 \
    X(op##_c, CY_KEYS(CY_NAMES_1(#op), BITS) CY_FORM("cr"), NULL, \
      #op " %%cl, %%rax")
#define R(X, op) X(op, CY_KEYS(CY_NAMES_1(#op), BITS), NULL, #op " %%rax")
/* The source and the result are one register. */
#define SELF(X, op, flag)                                     \
    X(op, CY_KEYS(CY_NAMES_1(#op), BITS) CY_FORM("rr"), flag, \
      #op " %%rax, %%rax")
#define RRR(X, op, flag)                                       \
    X(op, CY_KEYS(CY_NAMES_1(#op), BITS) CY_FORM("rrr"), flag, \
      #op " %%rcx, %%rax, %%rax")
#define LEA(X, form, address)                                            \
    X(lea_##form, CY_KEYS(CY_NAMES_1("lea"), BITS) CY_FORM(#form), NULL, \
      "lea " address ", %%rax")

#define CHAINS(X)                                                            \
    RR(X, add)                                                               \
    RR(X, sub)                                                               \
    RR(X, and)                                                               \
    RR(X, or)                                                                \
    RR(X, xor)                                                               \
    RR(X, adc)                                                               \
    RR(X, sbb)                                                               \
    IR(X, add)                                                               \
    IR(X, sub)                                                               \
    IR(X, and)                                                               \
    IR(X, or)                                                                \
    IR(X, xor)                                                               \
    IR(X, shl)                                                               \
    IR(X, shr)                                                               \
    IR(X, sar)                                                               \
    IR(X, rol)                                                               \
    IR(X, ror)                                                               \
    CR(X, shl)                                                               \
    CR(X, shr)                                                               \
    CR(X, sar)                                                               \
    CR(X, rol)                                                               \
    R(X, inc)                                                                \
    R(X, dec)                                                                \
    R(X, neg)                                                                \
    R(X, not )                                                               \
    R(X, bswap)                                                              \
    SELF(X, imul, NULL)                                                      \
    SELF(X, popcnt, "popcnt")                                                \
    SELF(X, lzcnt, "abm")                                                    \
    SELF(X, tzcnt, "bmi1")                                                   \
    SELF(X, bsf, NULL)                                                       \
    SELF(X, bsr, NULL)                                                       \
    RRR(X, andn, "bmi1")                                                     \
    RRR(X, shlx, "bmi2")                                                     \
    RRR(X, shrx, "bmi2")                                                     \
    RRR(X, sarx, "bmi2")                                                     \
    X(imul_i, CY_KEYS(CY_NAMES_1("imul"), BITS) CY_FORM("irr"), NULL,        \
      "imul $5, %%rax, %%rax")                                               \
    X(movzx, CY_KEYS(CY_NAMES_1("movzx"), BITS), NULL, "movzbl %%al, %%eax") \
    X(movsx, CY_KEYS(CY_NAMES_1("movsx"), BITS), NULL, "movsbq %%al, %%rax") \
    X(movsxd, CY_KEYS(CY_NAMES_1("movsxd"), "64"), NULL,                     \
      "movslq %%eax, %%rax")                                                 \
    LEA(X, bd, "8(%%rax)")                                                   \
    LEA(X, bx, "(%%rax,%%rcx)")                                              \
    LEA(X, bxd, "8(%%rax,%%rcx)")                                            \
    LEA(X, bxs, "(%%rax,%%rax,2)")                                           \
    LEA(X, bxsd, "8(%%rax,%%rax,2)")                                         \
    LEA(X, xs, "0(,%%rax,4)")                                                \
    LEA(X, xsd, "8(,%%rax,4)")                                               \
    X(cmov,                                                                  \
      CY_KEYS("[\"cmove\", \"cmovne\", \"cmovl\", \"cmovge\", \"cmovg\", "   \
              "\"cmovle\", \"cmovb\", \"cmovae\", \"cmovs\", \"cmovns\"]",   \
              BITS),                                                         \
      NULL, "cmove %%rcx, %%rax")

#define LOOP(name, keys, flag, insn) \
    CY_LOOP(name##_loop, "", ".rept 4\n\t" insn "\n\t.endr", "")
CHAINS(LOOP)

/* Moves go to another register and back. */
CY_LOOP(mov, "", ".rept 4\n\tmov %%rax, %%rdx\n\tmov %%rdx, %%rax\n\t.endr", "")
CY_LOOP(mov_beside, "",
        "mov %%rax, %%rdx\n\tadd %%rcx, %%rdx\n\t"
        "mov %%rdx, %%rax\n\tadd %%rcx, %%rax",
        "")
CY_LOOP(movq, "", "movq %%rax, %%xmm0\n\tmovq %%xmm0, %%rax", "")

/* Quotients of 2 to the power of 18 or so. */
#define DIVISION(name, a, c)                                                 \
    CY_LOOP(name##_loop, "mov $3, %%ecx",                                    \
            "xor %%edx, %%edx\n\tlea 1000000(%%rax), %%" a "\n\t" #name      \
            " %%" c,                                                         \
            "")                                                              \
    CY_LOOP(name##_occupancy, "mov $3, %%ecx",                               \
            ".rept 2\n\txor %%edx, %%edx\n\tmov $1000000, %%" a "\n\t" #name \
            " %%" c "\n\t.endr",                                             \
            "")
DIVISION(divl, "eax", "ecx")
DIVISION(divq, "rax", "rcx")
DIVISION(idivl, "eax", "ecx")
DIVISION(idivq, "rax", "rcx")

CY_LOOP(load, "mov %%rdi, (%%rdi)", "mov (%%rdi), %%rdi", "")
CY_LOOP(load_index, "mov %%rdi, (%%rdi)", "mov (%%rdi,%%rcx,8), %%rdi", "")
CY_LOOP(load_zero, "movq $0, (%%rdi)", "movzbl (%%rbx,%%rax), %%eax", "")
CY_LOOP(load_sign, "movq $0, (%%rdi)", "movslq (%%rbx,%%rax), %%rax", "")
CY_LOOP(load_xmm, "mov %%rdi, (%%rdi)",
        "movsd (%%rdi), %%xmm0\n\t"
        "movq %%xmm0, %%rdi",
        "")
CY_LOOP(load_ymm, "mov %%rdi, (%%rdi)",
        "vmovups (%%rdi), %%ymm0\n\t"
        "vmovq %%xmm0, %%rdi",
        "vzeroupper")
CY_LOOP(load_zmm, "mov %%rdi, (%%rdi)",
        "vmovups (%%rdi), %%zmm0\n\t"
        "vmovq %%xmm0, %%rdi",
        "vzeroupper")

#define IDIOM(op)                                                             \
    CY_LOOP(idiom_##op, "",                                                   \
            "imul %%rax, %%rax\n\timul %%rax, %%rax\n\t" #op " %%eax, %%eax", \
            "")
IDIOM(xor)
IDIOM(sub)
IDIOM(sbb)

#define ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 4, NULL, name##_loop},
#define DIVISION_ROWS(name, op, bits)                                          \
    {#name,    CY_LATENCY, CY_KEYS(CY_NAMES_1(op), bits), NULL, 1,             \
     "lea_bd", name##_loop},                                                   \
    {                                                                          \
        "occupancy_" #name, CY_OCCUPANCY, CY_KEYS(CY_NAMES_1(op), bits), NULL, \
            2, NULL, name##_occupancy                                          \
    }
#define LOAD(name, class, keys, flag, minus)                                  \
    {                                                                         \
#name, CY_LOAD, "\"class\": \"" class "\"" keys, flag, 1, minus, name \
    }
#define EXTEND(word) \
    ", \"load_addressing\": \"index\", \"extend\": \"" word "\""

static const struct cy_insn_case cases[] = {
    CHAINS(ROW){"mov", CY_LATENCY,
                CY_KEYS(CY_NAMES_1("mov"), BITS) CY_FORM("rr"), NULL, 8, NULL,
                mov},
    {"mov_beside", CY_BESIDE, NULL, NULL, 2, "add", mov_beside},
    {"movq", CY_LATENCY,
     CY_KEYS("[\"movq\", \"vmovq\", \"movd\", \"vmovd\"]", "128"), NULL, 2,
     NULL, movq},
    DIVISION_ROWS(divl, "div", "32"),
    DIVISION_ROWS(divq, "div", "64"),
    DIVISION_ROWS(idivl, "idiv", "32"),
    DIVISION_ROWS(idivq, "idiv", "64"),
    LOAD(load_zero, "general", EXTEND("zero"), NULL, NULL),
    LOAD(load_sign, "general", EXTEND("sign"), NULL, NULL),
    LOAD(load_index, "general", ", \"load_addressing\": \"index\"", NULL, NULL),
    LOAD(load, "general", "", NULL, NULL),
    LOAD(load_xmm, "xmm", "", NULL, "movq"),
    LOAD(load_ymm, "ymm", "", "avx", "movq"),
    LOAD(load_zmm, "zmm", "", "avx512f", "movq"),
    {"idiom_xor", CY_IDIOM, "\"xor\"", NULL, 1, NULL, idiom_xor},
    {"idiom_sub", CY_IDIOM, "\"sub\"", NULL, 1, NULL, idiom_sub},
    {"idiom_sbb", CY_IDIOM, "\"sbb\"", NULL, 1, NULL, idiom_sbb},
};

const struct cy_insn_table cy_general_cases = {cases,
                                               sizeof cases / sizeof *cases};
