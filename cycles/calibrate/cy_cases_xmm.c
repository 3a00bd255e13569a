/*
 * cy_cases: xmm registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_cases.h"

/* A case of a chain: X(name, keys, flag, instruction).  The older form of an
   instruction is measured, AVX's counts as the same. */
#define KEYS(op)           CY_KEYS(CY_NAMES_2(#op, "v" #op), "128")
#define OP_IF(X, op, flag) X(op, KEYS(op), flag, #op " %%xmm2, %%xmm0")
#define OP(X, op)          OP_IF(X, op, NULL)
#define UNARY(X, op)       X(op, KEYS(op), NULL, #op " %%xmm0, %%xmm0")
#define IMMEDIATE(X, op, i, flag) \
    X(op, KEYS(op), flag, #op " $" #i ", %%xmm0, %%xmm0")
#define SHIFT(X, op) \
    X(op, KEYS(op) ", \"form\": [\"ir\", \"irr\"]", NULL, #op " $3, %%xmm0")
#define FMA_NAMES(op, type) \
    "\"v" op "132" type "\", \"v" op "213" type "\", \"v" op "231" type "\""
#define FMA(X, type)                                                           \
    X(fma_##type,                                                              \
      CY_KEYS(                                                                 \
          "[" FMA_NAMES("fmadd", #type) ", " FMA_NAMES(                        \
              "fmsub", #type) ", " FMA_NAMES("fnmadd",                         \
                                             #type) ", " FMA_NAMES("fnmsub",   \
                                                                   #type) "]", \
          "128"),                                                              \
      "fma", "vfmadd231" #type " %%xmm2, %%xmm2, %%xmm0")

#define CHAINS(X)                      \
    OP(X, addsd)                       \
    OP(X, addss)                       \
    OP(X, addpd)                       \
    OP(X, addps)                       \
    OP(X, subsd)                       \
    OP(X, subss)                       \
    OP(X, subpd)                       \
    OP(X, subps)                       \
    OP(X, mulsd)                       \
    OP(X, mulss)                       \
    OP(X, mulpd)                       \
    OP(X, mulps)                       \
    OP(X, minsd)                       \
    OP(X, maxsd)                       \
    OP(X, minpd)                       \
    OP(X, maxpd)                       \
    OP(X, andpd)                       \
    OP(X, andps)                       \
    OP(X, andnpd)                      \
    OP(X, orpd)                        \
    OP(X, xorpd)                       \
    OP(X, xorps)                       \
    OP(X, unpcklpd)                    \
    OP(X, unpckhpd)                    \
    OP(X, unpcklps)                    \
    OP(X, movhlps)                     \
    OP(X, paddd)                       \
    OP(X, paddq)                       \
    OP(X, psubd)                       \
    OP(X, psubq)                       \
    OP(X, pand)                        \
    OP(X, por)                         \
    OP(X, pxor)                        \
    OP(X, pmuludq)                     \
    OP(X, pmullw)                      \
    OP(X, pmaddwd)                     \
    OP(X, pcmpeqd)                     \
    OP(X, pcmpgtd)                     \
    OP(X, punpckldq)                   \
    OP(X, punpcklqdq)                  \
    OP(X, packssdw)                    \
    OP_IF(X, haddpd, "pni")            \
    OP_IF(X, addsubpd, "pni")          \
    OP_IF(X, pshufb, "ssse3")          \
    OP_IF(X, phaddd, "ssse3")          \
    OP_IF(X, pabsd, "ssse3")           \
    OP_IF(X, pmulld, "sse4_1")         \
    OP_IF(X, pmaxsd, "sse4_1")         \
    OP_IF(X, pminsd, "sse4_1")         \
    UNARY(X, cvtss2sd)                 \
    UNARY(X, cvtsd2ss)                 \
    UNARY(X, cvtdq2ps)                 \
    UNARY(X, cvttps2dq)                \
    UNARY(X, cvtdq2pd)                 \
    UNARY(X, cvttpd2dq)                \
    UNARY(X, cvtps2pd)                 \
    UNARY(X, cvtpd2ps)                 \
    SHIFT(X, psrldq)                   \
    SHIFT(X, pslldq)                   \
    SHIFT(X, pslld)                    \
    SHIFT(X, psrlq)                    \
    SHIFT(X, psrad)                    \
    SHIFT(X, psllq)                    \
    IMMEDIATE(X, shufps, 5, NULL)      \
    IMMEDIATE(X, shufpd, 1, NULL)      \
    IMMEDIATE(X, pshufd, 5, NULL)      \
    IMMEDIATE(X, cmpsd, 1, NULL)       \
    IMMEDIATE(X, cmppd, 1, NULL)       \
    IMMEDIATE(X, palignr, 8, "ssse3")  \
    IMMEDIATE(X, roundsd, 3, "sse4_1") \
    IMMEDIATE(X, roundpd, 3, "sse4_1") \
    IMMEDIATE(X, blendpd, 1, "sse4_1") \
    FMA(X, sd)                         \
    FMA(X, ss)                         \
    FMA(X, pd)                         \
    FMA(X, ps)

#define LOOP(name, keys, flag, insn) \
    CY_LOOP(name##_loop, "", ".rept 4\n\t" insn "\n\t.endr", "")
CHAINS(LOOP)

/* Moves go to another register and back. */
#define MOVE(op)                                                              \
    CY_LOOP(op, "",                                                           \
            ".rept 4\n\t" #op " %%xmm0, %%xmm1\n\t" #op " %%xmm1, %%xmm0\n\t" \
            ".endr",                                                          \
            "")
MOVE(movaps)
MOVE(movsd)
CY_LOOP(movaps_beside, "",
        "movaps %%xmm0, %%xmm1\n\taddpd %%xmm2, %%xmm1\n\t"
        "movaps %%xmm1, %%xmm0\n\taddpd %%xmm2, %%xmm0",
        "")

/* Out of general registers, or into them, and back by movq. */
#define INTO(op) CY_LOOP(op, "", #op " %%rax, %%xmm0\n\tmovq %%xmm0, %%rax", "")
#define OUT(op)  CY_LOOP(op, "", #op " %%xmm0, %%rax\n\tmovq %%rax, %%xmm0", "")
INTO(cvtsi2sd)
INTO(cvtsi2ss)
OUT(cvttsd2si)
OUT(cvttss2si)

#define IDIOM(op)                                             \
    CY_LOOP(idiom_##op, "",                                   \
            "mulpd %%xmm0, %%xmm0\n\t"                        \
            "mulpd %%xmm0, %%xmm0\n\t" #op " %%xmm0, %%xmm0", \
            "")
IDIOM(pxor)
IDIOM(xorps)
IDIOM(xorpd)
IDIOM(psubd)
IDIOM(psubq)
IDIOM(pandn)
IDIOM(pcmpgtd)

#define ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 4, NULL, name##_loop},
#define CONVERSION_ROW(op)                             \
    {                                                  \
#op, CY_LATENCY, KEYS(op), NULL, 1, "movq", op \
    }
#define IDIOM_ROW(op)                                                       \
    {                                                                       \
        "idiom_" #op, CY_IDIOM, "\"" #op "\", \"v" #op "\"", NULL, 1, NULL, \
            idiom_##op                                                      \
    }

static const struct cy_insn_case cases[] = {
    CHAINS(ROW){
        "movaps", CY_LATENCY,
        CY_KEYS(
            "[\"movaps\", \"movapd\", \"movdqa\", \"vmovaps\", \"vmovapd\", "
            "\"vmovdqa\"]",
            "128") CY_FORM("rr"),
        NULL, 8, NULL, movaps},
    {"movaps_beside", CY_BESIDE, NULL, NULL, 2, "addpd", movaps_beside},
    {"movsd", CY_LATENCY, CY_KEYS(CY_NAMES_1("movsd"), "128") CY_FORM("rr"),
     NULL, 8, NULL, movsd},
    CONVERSION_ROW(cvtsi2sd),
    CONVERSION_ROW(cvtsi2ss),
    CONVERSION_ROW(cvttsd2si),
    CONVERSION_ROW(cvttss2si),
    IDIOM_ROW(pxor),
    IDIOM_ROW(xorps),
    IDIOM_ROW(xorpd),
    IDIOM_ROW(psubd),
    IDIOM_ROW(psubq),
    IDIOM_ROW(pandn),
    IDIOM_ROW(pcmpgtd),
};

const struct cy_insn_table cy_xmm_cases = {cases, sizeof cases / sizeof *cases};
