/*
 * cy_cases: general registers, and loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* A case of a chain: X(name, keys, flag, instruction). */
#define KEYS(op)       CY_KEYS(CY_NAMES_1(#op), "[32, 64]")
#define FORM(op, form) KEYS(op) CY_FORM(form)
#define RR(X, op)      X(op, FORM(op, "rr"), NULL, #op " %%rcx, %%rax")
#define IR(X, op)      X(op##_i, FORM(op, "ir"), NULL, #op " $5, %%rax")
#define CR(X, op)      X(op##_c, FORM(op, "cr"), NULL, #op " %%cl, %%rax")
#define R(X, op)       X(op, KEYS(op), NULL, #op " %%rax")
/* The source and the result are one register. */
#define SELF(X, op, flag) X(op, FORM(op, "rr"), flag, #op " %%rax, %%rax")
#define RRR(X, op, flag) \
    X(op, FORM(op, "rrr"), flag, #op " %%rcx, %%rax, %%rax")
#define LEA(X, form, address) \
    X(lea_##form, FORM(lea, #form), NULL, "lea " address ", %%rax")

#define CHAINS(X)                                                   \
    CY_EACH(RR, X, add, sub, and, or, xor, adc, sbb)                \
    CY_EACH(IR, X, add, sub, and, or, xor, shl, shr, sar, rol, ror) \
    CY_EACH(CR, X, shl, shr, sar, rol)                              \
    CY_EACH(R, X, inc, dec, neg, not, bswap)                        \
    SELF(X, imul, NULL)                                             \
    X(mul, KEYS(mul), NULL, "mul %%rcx")                            \
    SELF(X, popcnt, "popcnt")                                       \
    SELF(X, lzcnt, "abm")                                           \
    SELF(X, tzcnt, "bmi1")                                          \
    SELF(X, bsf, NULL)                                              \
    SELF(X, bsr, NULL)                                              \
    RRR(X, andn, "bmi1")                                            \
    RRR(X, shlx, "bmi2")                                            \
    RRR(X, shrx, "bmi2")                                            \
    RRR(X, sarx, "bmi2")                                            \
    X(imul_i, FORM(imul, "irr"), NULL, "imul $5, %%rax, %%rax")     \
    X(movzx, KEYS(movzx), NULL, "movzbl %%al, %%eax")               \
    X(movsx, KEYS(movsx), NULL, "movsbq %%al, %%rax")               \
    X(movsxd, CY_KEYS(CY_NAMES_1("movsxd"), "64"), NULL,            \
      "movslq %%eax, %%rax")                                        \
    LEA(X, bd, "8(%%rax)")                                          \
    LEA(X, bx, "(%%rax,%%rcx)")                                     \
    LEA(X, bxd, "8(%%rax,%%rcx)")                                   \
    LEA(X, bxs, "(%%rax,%%rax,2)")                                  \
    LEA(X, bxsd, "8(%%rax,%%rax,2)")                                \
    LEA(X, xs, "0(,%%rax,4)")                                       \
    LEA(X, xsd, "8(,%%rax,4)")                                      \
    X(cmov,                                                         \
      CY_KEYS("[\"cmove\", \"cmovne\", \"cmovb\", \"cmovae\", "     \
              "\"cmovs\", \"cmovns\"]",                             \
              "[32, 64]"),                                          \
      NULL, "cmove %%rcx, %%rax")

#define LOOP(name, keys, flag, insn) \
    CY_LOOP(name##_loop, "", ".rept 4\n\t" insn "\n\t.endr", "")
CHAINS(LOOP)

/* Moves by conditions that need more than one flag: some processors have to
   put them together. */
#define SELECTS(X)                                                            \
    X(cmov_signed, "[\"cmovl\", \"cmovge\", \"cmovg\", \"cmovle\"]", "cmovl") \
    X(cmov_above, "[\"cmova\", \"cmovbe\"]", "cmova")
#define SELECT(name, names, insn)                                            \
    CY_LOOP(name, "",                                                        \
            ".rept 4\n\tcmp %%rcx, %%rax\n\t" insn " %%rcx, %%rax\n\t.endr", \
            "")
SELECTS(SELECT)

/* Moves go to another register and back. */
CY_LOOP(mov, "", ".rept 4\n\tmov %%rax, %%rdx\n\tmov %%rdx, %%rax\n\t.endr", "")
CY_LOOP(mov_beside, "",
        "mov %%rax, %%rdx\n\tadd %%rcx, %%rdx\n\t"
        "mov %%rdx, %%rax\n\tadd %%rcx, %%rax",
        "")
CY_LOOP(movq, "", "movq %%rax, %%xmm0\n\tmovq %%xmm0, %%rax", "")

/* X(instruction, mnemonic, bits, dividend, divisor).  The quotients have
   30 bits: many dividers take longer for longer quotients. */
#define DIVISIONS(X)                     \
    X(divl, "div", "32", "eax", "ecx")   \
    X(divq, "div", "64", "rax", "rcx")   \
    X(idivl, "idiv", "32", "eax", "ecx") \
    X(idivq, "idiv", "64", "rax", "rcx")
#define DIVISION(name, op, bits, a, c)                                     \
    CY_LOOP(name##_loop, "mov $3, %%ecx",                                  \
            "xor %%edx, %%edx\n\tlea 0x7ffffff0(%%rax), %%" a "\n\t" #name \
            " %%" c,                                                       \
            "")                                                            \
    CY_LOOP(name##_occupancy, "mov $3, %%ecx",                             \
            ".rept 2\n\txor %%edx, %%edx\n\tmov $0x7ffffff0, %%" a         \
            "\n\t" #name " %%" c "\n\t.endr",                              \
            "")
DIVISIONS(DIVISION)

/* A call and its return, which some processors cannot begin each cycle. */
CY_LOOP(ret_occupancy, "jmp 7f\n\t.p2align 6\n8:\n\tret\n7:", "call 8b", "")

/* X(name, class, other keys, flag, another case in the chain, setup, body, end)
 */
#define INDEX ", \"load_addressing\": \"index\""
#define LOADS(X)                                                        \
    X(load_zero, "general", INDEX ", \"extend\": \"zero\"", NULL, NULL, \
      "movq $0, (%%rdi)", "movzbl (%%rbx,%%rax), %%eax", "")            \
    X(load_sign, "general", INDEX ", \"extend\": \"sign\"", NULL, NULL, \
      "movq $0, (%%rdi)", "movslq (%%rbx,%%rax), %%rax", "")            \
    X(load_index, "general", INDEX, NULL, NULL, "mov %%rdi, (%%rdi)",   \
      "mov (%%rdi,%%rcx,8), %%rdi", "")                                 \
    X(load, "general", "", NULL, NULL, "mov %%rdi, (%%rdi)",            \
      "mov (%%rdi), %%rdi", "")                                         \
    X(load_xmm, "xmm", "", NULL, "movq", "mov %%rdi, (%%rdi)",          \
      "movsd (%%rdi), %%xmm0\n\tmovq %%xmm0, %%rdi", "")                \
    X(load_ymm, "ymm", "", "avx", "movq", "mov %%rdi, (%%rdi)",         \
      "vmovups (%%rdi), %%ymm0\n\tvmovq %%xmm0, %%rdi", "vzeroupper")   \
    X(load_zmm, "zmm", "", "avx512f", "movq", "mov %%rdi, (%%rdi)",     \
      "vmovups (%%rdi), %%zmm0\n\tvmovq %%xmm0, %%rdi", "vzeroupper")
#define LOAD(name, class, keys, flag, minus, setup, body, end) \
    CY_LOOP(name, setup, body, end)
LOADS(LOAD)

#define IDIOMS(X) CY_EACH(X, , xor, sub, sbb)
#define IDIOM(x, op)                                                          \
    CY_LOOP(idiom_##op, "",                                                   \
            "imul %%rax, %%rax\n\timul %%rax, %%rax\n\t" #op " %%eax, %%eax", \
            "")
IDIOMS(IDIOM)

#define ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 4, NULL, name##_loop},
#define SELECT_ROW(name, names, insn) \
    {#name, CY_LATENCY, CY_KEYS(names, "[32, 64]"), NULL, 4, "sub", name},
#define DIVISION_ROWS(name, op, bits, a, c)                        \
    {#name,    CY_LATENCY, CY_KEYS(CY_NAMES_1(op), bits), NULL, 1, \
     "lea_bd", name##_loop},                                       \
        {"occupancy_" #name,                                       \
         CY_OCCUPANCY,                                             \
         CY_KEYS(CY_NAMES_1(op), bits),                            \
         NULL,                                                     \
         2,                                                        \
         NULL,                                                     \
         name##_occupancy},
#define LOAD_ROW(name, class, keys, flag, minus, ...) \
    {#name, CY_LOAD, "\"class\": \"" class "\"" keys, flag, 1, minus, name},
#define IDIOM_ROW(x, op) \
    {"idiom_" #op, CY_IDIOM, "\"" #op "\"", NULL, 1, NULL, idiom_##op},

static const struct cy_insn_case cases[] = {
    CHAINS(ROW) SELECTS(SELECT_ROW){"mov", CY_LATENCY, FORM(mov, "rr"), NULL, 8,
                                    NULL, mov},
    {"mov_beside", CY_BESIDE, NULL, NULL, 2, "add", mov_beside},
    {"movq", CY_LATENCY,
     CY_KEYS("[\"movq\", \"vmovq\", \"movd\", \"vmovd\"]", "128"), NULL, 2,
     NULL, movq},
    {"occupancy_ret", CY_OCCUPANCY, "\"mnemonic\": \"ret\"", NULL, 1, NULL,
     ret_occupancy},
    DIVISIONS(DIVISION_ROWS) LOADS(LOAD_ROW) IDIOMS(IDIOM_ROW)};

const struct cy_insn_table cy_general_cases = {cases,
                                               sizeof cases / sizeof *cases};
