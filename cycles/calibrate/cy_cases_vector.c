/*
 * cy_cases: xmm, ymm and zmm registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* A case of a chain: X(name, keys, flag, instruction).  The older form of an
   instruction is measured on xmm registers; AVX's form gets the same figure. */
#define KEYS(op)              CY_KEYS(CY_NAMES_2(#op, "v" #op), "128")
#define OP_IF(X, op, flag)    X(op, KEYS(op), flag, #op " %%xmm2, %%xmm0")
#define OP(X, op)             OP_IF(X, op, NULL)
#define OP_PNI(X, op)         OP_IF(X, op, "pni")
#define OP_SSSE3(X, op)       OP_IF(X, op, "ssse3")
#define OP_SSE4(X, op)        OP_IF(X, op, "sse4_1")
#define UNARY_IF(X, op, flag) X(op, KEYS(op), flag, #op " %%xmm0, %%xmm0")
#define UNARY(X, op)          UNARY_IF(X, op, NULL)
#define UNARY_SSSE3(X, op)    UNARY_IF(X, op, "ssse3")
#define UNARY_SSE4(X, op)     UNARY_IF(X, op, "sse4_1")
#define IMMEDIATE(X, op, i, flag) \
    X(op, KEYS(op), flag, #op " $" #i ", %%xmm0, %%xmm0")
#define SHIFT(X, op) \
    X(op, KEYS(op) ", \"form\": [\"ir\", \"irr\"]", NULL, #op " $3, %%xmm0")
#define FMA_NAMES(op, type) \
    "\"v" op "132" type "\", \"v" op "213" type "\", \"v" op "231" type "\""
#define FMA_KEYS(type, bits)                                                  \
    CY_KEYS("[" FMA_NAMES("fmadd", type) ", " FMA_NAMES(                      \
                "fmsub", type) ", " FMA_NAMES("fnmadd",                       \
                                              type) ", " FMA_NAMES("fnmsub",  \
                                                                   type) "]", \
            bits)
#define FMA(X, type)                             \
    X(fma_##type, FMA_KEYS(#type, "128"), "fma", \
      "vfmadd231" #type " %%xmm2, %%xmm2, %%xmm0")

/* Additions and subtractions of floating point take turns in one chain, since
   Zen 5 and Intel's processors since Golden Cove are quicker at each of them
   after any of them. */
#define ADDS(X)      CY_EACH(ADD, X, sd, ss, pd, ps)
#define WIDE_ADDS(X) CY_EACH(ADD_YMM, X, pd, ps) CY_EACH(ADD_ZMM, X, pd, ps)
#define ADD(X, type)                                              \
    X(add##type,                                                  \
      CY_KEYS("[\"add" #type "\", \"vadd" #type "\", \"sub" #type \
              "\", \"vsub" #type "\"]",                           \
              "128"),                                             \
      NULL, "add" #type " %%xmm2, %%xmm0\n\tsub" #type " %%xmm2, %%xmm0")
#define WIDE_ADD(X, type, r, bits, flag)                                      \
    X(add##type##_##r, CY_KEYS(CY_NAMES_2("vadd" #type, "vsub" #type), bits), \
      flag, "vadd" #type THREE(r) "\n\tvsub" #type THREE(r))
#define THREE(r)         " %%" #r "2, %%" #r "0, %%" #r "0"
#define ADD_YMM(X, type) WIDE_ADD(X, type, ymm, "256", "avx")
#define ADD_ZMM(X, type) WIDE_ADD(X, type, zmm, "512", "avx512f")

#define XMM(X)                                                                 \
    CY_EACH(OP, X, mulsd, mulss, mulpd, mulps, minsd, maxsd, minpd, maxpd,     \
            andpd, andps, andnpd, orpd, xorpd, xorps, unpcklpd, unpckhpd,      \
            unpcklps, movhlps, paddd, paddq, psubd, psubq, pand, por, pxor,    \
            pmuludq, pmullw, pmaddwd, pcmpeqd, pcmpgtd, punpckldq, punpcklqdq, \
            packssdw)                                                          \
    CY_EACH(OP, X, andnps, orps, unpckhps, movlhps, paddb, paddw, psubb,       \
            psubw, pandn, pcmpeqb, pcmpeqw, pcmpgtb, pcmpgtw, pminub, pmaxub,  \
            pminsw, pmaxsw, punpcklbw, punpckhbw, punpcklwd, punpckhwd,        \
            punpckhdq, punpckhqdq, packuswb, packsswb, pavgb, psadbw, pmulhw)  \
    CY_EACH(OP_PNI, X, haddpd, addsubpd)                                       \
    CY_EACH(OP_SSSE3, X, pshufb, phaddd)                                       \
    CY_EACH(OP_SSE4, X, pmulld, pmaxsd, pminsd, pmaxud, pminud, pmaxsb,        \
            pminsb, pcmpeqq, packusdw)                                         \
    CY_EACH(UNARY, X, cvtss2sd, cvtsd2ss, cvtdq2ps, cvttps2dq, cvtdq2pd,       \
            cvttpd2dq, cvtps2pd, cvtpd2ps)                                     \
    CY_EACH(UNARY_SSSE3, X, pabsd)                                             \
    CY_EACH(UNARY_SSE4, X, pmovzxbw, pmovzxwd, pmovzxdq, pmovsxbw, pmovsxwd,   \
            pmovsxdq)                                                          \
    CY_EACH(SHIFT, X, psrldq, pslldq, pslld, psrlq, psrad, psllq, psrld,       \
            psrlw, psllw, psraw)                                               \
    IMMEDIATE(X, shufps, 5, NULL)                                              \
    IMMEDIATE(X, shufpd, 1, NULL)                                              \
    IMMEDIATE(X, pshufd, 5, NULL)                                              \
    IMMEDIATE(X, pshuflw, 5, NULL)                                             \
    IMMEDIATE(X, pshufhw, 5, NULL)                                             \
    IMMEDIATE(X, cmpsd, 1, NULL)                                               \
    IMMEDIATE(X, cmppd, 1, NULL)                                               \
    IMMEDIATE(X, palignr, 8, "ssse3")                                          \
    IMMEDIATE(X, roundsd, 3, "sse4_1")                                         \
    IMMEDIATE(X, roundpd, 3, "sse4_1")                                         \
    IMMEDIATE(X, blendpd, 1, "sse4_1")                                         \
    IMMEDIATE(X, blendps, 5, "sse4_1")                                         \
    IMMEDIATE(X, pblendw, 5, "sse4_1")                                         \
    CY_EACH(FMA, X, sd, ss, pd, ps)

#define WIDE_KEYS(op, bits) CY_KEYS(CY_NAMES_1("v" #op), bits)
#define YMM_IF(X, op, flag) \
    X(op##_ymm, WIDE_KEYS(op, "256"), flag, "v" #op " %%ymm2, %%ymm0, %%ymm0")
#define YMM_AVX(X, op)  YMM_IF(X, op, "avx")
#define YMM_AVX2(X, op) YMM_IF(X, op, "avx2")
#define SHIFT_YMM(X, op)                                            \
    X(op##_ymm, WIDE_KEYS(op, "256") ", \"form\": \"irr\"", "avx2", \
      "v" #op " $3, %%ymm0, %%ymm0")
#define ZMM(X, op)                               \
    X(op##_zmm, WIDE_KEYS(op, "512"), "avx512f", \
      "v" #op " %%zmm2, %%zmm0, %%zmm0")
#define OTHER(X, op, operands, flag) \
    X(op##_ymm, WIDE_KEYS(op, "256"), flag, "v" #op " " operands)
#define WIDE_FMA(X, type, register, bits, flag)             \
    X(fma_##type##_##register, FMA_KEYS(#type, bits), flag, \
      "vfmadd231" #type                                     \
      " %%" #register "2, %%" #register "2, %%" #register "0")
#define WIDE(X)                                                                \
    CY_EACH(YMM_AVX, X, mulpd, mulps, minpd, maxpd, andpd, orpd, xorpd,        \
            unpcklpd, unpckhpd, haddpd, andps, orps, xorps, andnps, unpcklps,  \
            unpckhps)                                                          \
    CY_EACH(YMM_AVX2, X, paddd, paddq, psubd, pand, por, pxor, pmuludq,        \
            pmulld, pmaxsd, pminsd, pcmpeqd, pcmpgtd, pshufb, paddb, paddw,    \
            psubb, psubw, psubq, pandn, pcmpeqb, pcmpeqw, pcmpgtb, pcmpgtw,    \
            pminub, pmaxub, pminud, pmaxud, pmullw, pmaddwd, punpckldq,        \
            punpcklwd, punpcklbw, punpckhbw, punpckhwd, punpckhdq, punpcklqdq, \
            punpckhqdq, packssdw, packuswb, packsswb, permd)                   \
    CY_EACH(SHIFT_YMM, X, psrld, pslld, psrlq, psllq, psrad, psrlw, psllw)     \
    OTHER(X, pshufd, "$5, %%ymm0, %%ymm0", "avx2")                             \
    OTHER(X, palignr, "$8, %%ymm2, %%ymm0, %%ymm0", "avx2")                    \
    OTHER(X, pblendd, "$5, %%ymm2, %%ymm0, %%ymm0", "avx2")                    \
    OTHER(X, pbroadcastb, "%%xmm0, %%ymm0", "avx2")                            \
    OTHER(X, pbroadcastd, "%%xmm0, %%ymm0", "avx2")                            \
    OTHER(X, pbroadcastq, "%%xmm0, %%ymm0", "avx2")                            \
    CY_EACH(ZMM, X, mulpd, mulps, paddd, paddq, pmuludq)                       \
    OTHER(X, shufpd, "$5, %%ymm0, %%ymm0, %%ymm0", "avx")                      \
    OTHER(X, permilpd, "$5, %%ymm0, %%ymm0", "avx")                            \
    OTHER(X, perm2f128, "$1, %%ymm0, %%ymm0, %%ymm0", "avx")                   \
    OTHER(X, insertf128, "$1, %%xmm0, %%ymm0, %%ymm0", "avx")                  \
    OTHER(X, extractf128, "$1, %%ymm0, %%xmm0", "avx")                         \
    OTHER(X, blendpd, "$5, %%ymm2, %%ymm0, %%ymm0", "avx")                     \
    OTHER(X, blendvpd, "%%ymm2, %%ymm0, %%ymm0, %%ymm0", "avx")                \
    OTHER(X, cvtdq2pd, "%%xmm0, %%ymm0", "avx")                                \
    OTHER(X, cvtps2pd, "%%xmm0, %%ymm0", "avx")                                \
    OTHER(X, broadcastsd, "%%xmm0, %%ymm0", "avx2")                            \
    OTHER(X, permpd, "$27, %%ymm0, %%ymm0", "avx2")                            \
    OTHER(X, permq, "$27, %%ymm0, %%ymm0", "avx2")                             \
    OTHER(X, perm2i128, "$1, %%ymm0, %%ymm0, %%ymm0", "avx2")                  \
    OTHER(X, inserti128, "$1, %%xmm0, %%ymm0, %%ymm0", "avx2")                 \
    OTHER(X, extracti128, "$1, %%ymm0, %%xmm0", "avx2")                        \
    WIDE_FMA(X, pd, ymm, "256", "fma")                                         \
    WIDE_FMA(X, ps, ymm, "256", "fma")                                         \
    WIDE_FMA(X, pd, zmm, "512", "avx512f")

#define LOOP(name, keys, flag, insn) \
    CY_LOOP(name##_loop, "", ".rept 4\n\t" insn "\n\t.endr", "")
#define WIDE_LOOP(name, keys, flag, insn)                             \
    CY_LOOP(name##_loop, CY_FILL_YMM, ".rept 4\n\t" insn "\n\t.endr", \
            "vzeroupper")
ADDS(LOOP)
XMM(LOOP)
WIDE_ADDS(WIDE_LOOP)
WIDE(WIDE_LOOP)

/* Moves go to another register and back, beside additions if their names say
   so. */
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
CY_LOOP(vmovaps, CY_FILL_YMM,
        ".rept 4\n\tvmovaps %%ymm0, %%ymm1\n\tvmovaps %%ymm1, %%ymm0\n\t.endr",
        "vzeroupper")
CY_LOOP(vmovaps_beside, CY_FILL_YMM,
        "vmovaps %%ymm0, %%ymm1\n\tvaddpd %%ymm2, %%ymm1, %%ymm1\n\t"
        "vmovaps %%ymm1, %%ymm0\n\tvaddpd %%ymm2, %%ymm0, %%ymm0",
        "vzeroupper")

/* From a general register, or to one or the flags, and back by movq.  X(name,
   keys, flag, instructions) */
#define INTO(X, op) \
    X(op, KEYS(op), NULL, #op " %%rax, %%xmm0\n\tmovq %%xmm0, %%rax")
#define OUT_IF(X, op, flag, operands) \
    X(op, KEYS(op), flag, #op " " operands "\n\tmovq %%rax, %%xmm0")
#define OUT(X, op)     OUT_IF(X, op, NULL, "%%xmm0, %%eax")
#define ELEMENT(X, op) OUT_IF(X, op, "sse4_1", "$1, %%xmm0, %%eax")
#define OUT_YMM(X, op)                        \
    X(op##_ymm, WIDE_KEYS(op, "256"), "avx2", \
      "v" #op " %%ymm0, %%eax\n\tvmovq %%rax, %%xmm0")
#define CONVERSIONS(X)                                                  \
    CY_EACH(INTO, X, cvtsi2sd, cvtsi2ss)                                \
    CY_EACH(OUT, X, cvttsd2si, cvttss2si, cvtsd2si, cvtss2si, movmskpd, \
            movmskps, pmovmskb)                                         \
    CY_EACH(ELEMENT, X, pextrb, pextrd, extractps)                      \
    OUT_IF(X, pextrw, NULL, "$1, %%xmm0, %%eax")                        \
    OUT_IF(X, pextrq, "sse4_1", "$1, %%xmm0, %%rax")
#define WIDE_CONVERSIONS(X)                CY_EACH(OUT_YMM, X, movmskpd, movmskps, pmovmskb)
#define CONVERSION(name, keys, flag, body) CY_LOOP(name, "", body, "")
#define WIDE_CONVERSION(name, keys, flag, body) \
    CY_LOOP(name, CY_FILL_YMM, body, "vzeroupper")
CONVERSIONS(CONVERSION)
WIDE_CONVERSIONS(WIDE_CONVERSION)

/* To the flags, which are added to what goes back. */
#define TO_FLAGS(X, op, flag) \
    X(op, KEYS(op), flag,     \
      #op " %%xmm2, %%xmm0\n\tadc %%rcx, %%rax\n\tmovq %%rax, %%xmm0")
#define COMPARISONS(X)         \
    TO_FLAGS(X, ucomisd, NULL) \
    TO_FLAGS(X, ucomiss, NULL) \
    TO_FLAGS(X, comisd, NULL)  \
    TO_FLAGS(X, comiss, NULL) TO_FLAGS(X, ptest, "sse4_1")
COMPARISONS(CONVERSION)
CY_LOOP(movq_add, "",
        "movq %%rax, %%xmm0\n\tmovq %%xmm0, %%rax\n\t"
        "add %%rcx, %%rax\n\tadd %%rcx, %%rax",
        "")

#define IDIOMS(X) CY_EACH(X, , pxor, xorps, xorpd, psubd, psubq, pandn, pcmpgtd)
#define IDIOM(x, op)                                          \
    CY_LOOP(idiom_##op, "",                                   \
            "mulpd %%xmm0, %%xmm0\n\t"                        \
            "mulpd %%xmm0, %%xmm0\n\t" #op " %%xmm0, %%xmm0", \
            "")
IDIOMS(IDIOM)

#define ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 4, NULL, name##_loop},
#define ADD_ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 8, NULL, name##_loop},
#define CONVERSION_ROW(name, keys, flag, body) \
    {#name, CY_LATENCY, keys, flag, 1, "movq", name},
#define COMPARISON_ROW(name, keys, flag, body) \
    {#name, CY_LATENCY, keys, flag, 1, "movq_add", name},
#define IDIOM_ROW(x, op)                                            \
    {"idiom_" #op, CY_IDIOM,  "\"" #op "\", \"v" #op "\"", NULL, 1, \
     NULL,         idiom_##op},
#define MOVE_KEYS(names, bits) CY_KEYS("[" names "]", bits) CY_FORM("rr")
#define V_MOVES                "\"vmovaps\", \"vmovapd\", \"vmovdqa\""

static const struct cy_insn_case cases[] = {
    ADDS(ADD_ROW) WIDE_ADDS(ADD_ROW) XMM(ROW){
        "movaps", CY_LATENCY,
        MOVE_KEYS("\"movaps\", \"movapd\", \"movdqa\", " V_MOVES, "128"), NULL,
        8, NULL, movaps},
    {"movaps_beside", CY_BESIDE, NULL, NULL, 2, "addpd", movaps_beside},
    {"movsd", CY_LATENCY, CY_KEYS(CY_NAMES_1("movsd"), "128") CY_FORM("rr"),
     NULL, 8, NULL, movsd},
    {"movq_add", CY_BESIDE, NULL, NULL, 2, NULL, movq_add},
    CONVERSIONS(CONVERSION_ROW) WIDE_CONVERSIONS(CONVERSION_ROW)
        COMPARISONS(COMPARISON_ROW) IDIOMS(IDIOM_ROW)
            WIDE(ROW){"vmovaps", CY_LATENCY, MOVE_KEYS(V_MOVES, "256"), "avx",
                      8, NULL, vmovaps},
    {"vmovaps_beside", CY_BESIDE, NULL, "avx", 2, "addpd_ymm", vmovaps_beside},
};

const struct cy_insn_table cy_vector_cases = {cases,
                                              sizeof cases / sizeof *cases};
